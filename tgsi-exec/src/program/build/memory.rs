//! Memory and image instructions.

use tgsi_ir::{
    Component, Declaration, File, FileAttributes, Format, Instruction, InstructionId, MemoryType,
    Opcode, Register, Shader, SrcRole, TextureTarget,
};

use super::Builder;
use crate::error::ExecError;
use crate::program::{
    Counters, DeclaredResources, MemoryAction, MemoryPlace, MemoryStep, ResourceFile, Result, Unit,
    UnitIndex,
};
use crate::resources::AtomicOp;

/// What a memory instruction does.
pub(super) fn action(opcode: Opcode) -> Option<MemoryAction> {
    Some(match opcode {
        Opcode::Load => MemoryAction::Load,
        Opcode::Store => MemoryAction::Store,
        Opcode::Resq => MemoryAction::Size,
        _ => MemoryAction::Atomic(atomic(opcode)?),
    })
}

fn atomic(opcode: Opcode) -> Option<AtomicOp> {
    Some(match opcode {
        Opcode::Atomuadd => AtomicOp::Add,
        Opcode::Atomfadd => AtomicOp::FloatAdd,
        Opcode::Atomxchg => AtomicOp::Exchange,
        Opcode::Atomcas => AtomicOp::Compare,
        Opcode::Atomand => AtomicOp::And,
        Opcode::Atomor => AtomicOp::Or,
        Opcode::Atomxor => AtomicOp::Xor,
        Opcode::Atomumin => AtomicOp::MinUnsigned,
        Opcode::Atomumax => AtomicOp::MaxUnsigned,
        Opcode::Atomimin => AtomicOp::MinSigned,
        Opcode::Atomimax => AtomicOp::MaxSigned,
        Opcode::AtomincWrap => AtomicOp::IncrementWrap,
        Opcode::AtomdecWrap => AtomicOp::DecrementWrap,
        _ => return None,
    })
}

/// The declared resources. Constants without a dimension are those of buffer 0.
pub(super) fn resources(shader: &Shader) -> DeclaredResources {
    let of = |d: &Declaration| {
        let (first, last) = match d.file {
            File::Constant => (d.dimension.unwrap_or(0), d.dimension.unwrap_or(0)),
            _ => (d.range.first, d.range.last),
        };
        let range = (i64::from(first), i64::from(last));
        Some((ResourceFile::of(d.file)?, d.array_id.unwrap_or(0), range))
    };
    DeclaredResources::new(shader.declarations.iter().filter_map(of))
}

/// The declared counters.
pub(super) fn counters(shader: &Shader) -> Counters {
    let declared = shader.declarations.iter().filter(|d| d.file == File::HwAtomic);
    let counters = declared.map(|d| {
        let range = (i64::from(d.range.first), i64::from(d.range.last));
        (u32::from(d.dimension.unwrap_or(0)), d.array_id.unwrap_or(0), range)
    });
    Counters::new(counters)
}

impl Builder<'_> {
    pub(super) fn memory(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
        action: MemoryAction,
    ) -> Result<MemoryStep> {
        let roles = inst.opcode.info().src_roles;
        let read = inst.src.iter().zip(roles).find(|(_, role)| **role == SrcRole::Resource);
        let written = inst.dst.first().filter(|_| action == MemoryAction::Store);
        let read = read.map(|(src, _)| (src.reg, src.swizzle.get(Component::X)));
        let place = read.or(written.map(|dst| (dst.reg, Component::X)));
        let (reg, channel) = place.ok_or(ExecError::Operand { at })?;
        Ok(MemoryStep {
            place: self.memory_place(at, inst, &reg)?,
            unit: self.memory_unit(at, &reg, channel)?,
            action,
            mask: inst.dst.first().map_or(0, |dst| dst.mask.bits()),
        })
    }

    /// Counters are numbered by the first of their two subscripts.
    fn memory_unit(
        &mut self,
        at: InstructionId,
        reg: &Register,
        channel: Component,
    ) -> Result<Unit> {
        if reg.file != File::HwAtomic {
            return self.unit(at, reg, channel);
        }
        let buffer = reg.dimension.map_or(0, |dimension| dimension.index);
        match reg.dimension.and_then(|dimension| dimension.indirect) {
            Some(indirect) => {
                let slot = self.index_slot(at, &indirect)?;
                Ok(Unit::Indexed(UnitIndex { base: buffer.into(), slot, file: None, array: 0 }))
            }
            None => {
                let number = u32::try_from(buffer).ok();
                number.map(Unit::Fixed).ok_or(ExecError::Operand { at })
            }
        }
    }

    fn memory_place(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
        reg: &Register,
    ) -> Result<MemoryPlace> {
        let (target, format) = self
            .shader
            .memory_of(inst)
            .map_or((TextureTarget::Buffer, Format::NONE), |memory| (memory.target, memory.format));
        Ok(match reg.file {
            File::Buffer => MemoryPlace::Buffer,
            File::Image => MemoryPlace::Image(target, format),
            File::Memory => self.kind_of_memory(reg),
            File::Constbuf | File::Constant => MemoryPlace::Constants,
            File::HwAtomic => {
                let index = reg.indirect.map(|indirect| {
                    self.index_slot(at, &indirect).map(|slot| (slot, indirect.array_id))
                });
                MemoryPlace::HardwareAtomic(i64::from(reg.index), index.transpose()?)
            }
            // A handle says only by its use what it is one of.
            _ if target == TextureTarget::Buffer => MemoryPlace::Buffer,
            _ => MemoryPlace::Image(target, format),
        })
    }

    fn kind_of_memory(&self, reg: &Register) -> MemoryPlace {
        match self.declarations.first(File::Memory, reg.index.into()).map(|d| &d.attributes) {
            Some(FileAttributes::Memory(MemoryType::Private)) => MemoryPlace::Private,
            Some(FileAttributes::Memory(MemoryType::Global | MemoryType::Input)) => {
                MemoryPlace::Memory
            }
            _ => MemoryPlace::Shared,
        }
    }
}
