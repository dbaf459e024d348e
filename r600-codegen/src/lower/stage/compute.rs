//! Compute shaders: invocation ids, and the shared memory of a work group.

use r600_isa::{Chan, LdsOp};
use tgsi_ir::{
    Component, File, FileAttributes, Instruction, MemoryType, Opcode, PropertyName, Register,
    Semantic, Shader,
};

use crate::abi::DriverConstant;
use crate::refusal::Refusal;
use crate::ssa::{InstData, Operand};

use super::super::operands::source;
use super::super::{LowerError, Lowering, chan};
use super::{SystemValues, Tessellation};

/// Registers with the number of the invocation in its group, and with the number of the group.
const THREAD_GPR: u8 = 0;
const GROUP_GPR: u8 = 1;

/// The most invocations along an axis that the chip can count (`SPI_COMPUTE_NUM_THREAD`).
const MAX_AXIS: u32 = 0xFFFF;

/// Refuses groups that are too large along an axis.
pub(super) fn judge_size(shader: &Shader) -> Result<(), LowerError> {
    let axes = [
        PropertyName::CsFixedBlockWidth,
        PropertyName::CsFixedBlockHeight,
        PropertyName::CsFixedBlockDepth,
    ];
    let is_large = |name: &PropertyName| shader.property(*name).is_some_and(|n| n > MAX_AXIS);
    match axes.into_iter().find(is_large) {
        Some(axis) => Err(LowerError::new(axis.name().unwrap_or("COMP"), Refusal::GroupSize)),
        None => Ok(()),
    }
}

impl Lowering<'_> {
    pub(super) fn compute_value(
        &mut self,
        name: Semantic,
        component: Component,
    ) -> Result<Operand, LowerError> {
        if component == Component::W {
            return Ok(Operand::ZERO);
        }
        Ok(match name {
            Semantic::ThreadId => self.entry_channel(THREAD_GPR, chan(component)),
            Semantic::BlockId => self.entry_channel(GROUP_GPR, chan(component)),
            Semantic::BlockSize => match self.fixed_size(component) {
                Some(size) => Operand::constant(size),
                None => self.driver_constant(DriverConstant::BlockSize, chan(component)),
            },
            Semantic::GridSize => self.driver_constant(DriverConstant::GridSize, chan(component)),
            other => return Err(super::super::error::refused_value(other)),
        })
    }

    fn entry_channel(&mut self, gpr: u8, chan: Chan) -> Operand {
        Operand::value(self.function.live_in_value(gpr, chan))
    }

    /// The size of a group along an axis, if the shader fixes it.
    fn fixed_size(&self, component: Component) -> Option<u32> {
        let name = match component {
            Component::X => PropertyName::CsFixedBlockWidth,
            Component::Y => PropertyName::CsFixedBlockHeight,
            _ => PropertyName::CsFixedBlockDepth,
        };
        self.shader.property(name).filter(|&size| size != 0)
    }

    /// Waits for all invocations of the group or patch.
    pub(super) fn barrier(&mut self) -> Result<(), LowerError> {
        match self.stage.values {
            SystemValues::Compute | SystemValues::Tessellation(Tessellation::Control) => {
                self.emit(InstData::Barrier);
                Ok(())
            }
            _ => Err(LowerError::new("BARRIER", Refusal::BarrierStage)),
        }
    }

    /// Lowers an instruction on the group's memory; false if `inst` is another one.
    pub(super) fn shared_memory(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let resource = match inst.opcode {
            Opcode::Store => inst.dst.first().map(|dst| dst.reg),
            _ => inst.src.first().map(|src| src.reg),
        };
        let Some(resource) = resource.filter(|reg| reg.file == File::Memory) else {
            return Ok(false);
        };
        self.require_shared(&resource)?;
        match inst.opcode {
            Opcode::Load => self.load_shared(inst)?,
            Opcode::Store => self.store_shared(inst)?,
            opcode => self.change_shared(inst, opcode)?,
        }
        Ok(true)
    }

    /// Refuses memory other than that which a group shares: only this is in the local data share, and only compute
    /// shaders run in groups. A group has one such memory. As in the open driver, every register that is declared
    /// `SHARED` means it from its first byte on, whatever its number.
    fn require_shared(&self, resource: &Register) -> Result<(), LowerError> {
        let refused = |reason| Err(LowerError::new("MEMORY", reason));
        if self.stage.values != SystemValues::Compute {
            return refused(Refusal::SharedMemoryStage);
        }
        if resource.is_indirect() {
            return refused(Refusal::SharedMemoryNumber);
        }
        let declared = self.declarations.first(File::Memory, resource.index.into());
        match declared.map(|d| &d.attributes) {
            Some(FileAttributes::Memory(MemoryType::Private)) => refused(Refusal::PrivateMemory),
            Some(FileAttributes::Memory(MemoryType::Global | MemoryType::Input)) => {
                refused(Refusal::GlobalMemory)
            }
            _ => Ok(()),
        }
    }

    fn load_shared(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let address = self.source(inst, 1, Component::X)?;
        let mask = inst.dst.first().map(|dst| dst.mask).unwrap_or_default();
        let mut values = [None; 4];
        for component in mask.iter() {
            let place = self.dword_address(address, component.index());
            values[component.index()] = Some(self.load_local(place));
        }
        self.write(inst, 0, values)
    }

    fn store_shared(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let address = self.source(inst, 0, Component::X)?;
        let mask = inst.dst.first().map(|dst| dst.mask).unwrap_or_default();
        for component in mask.iter() {
            let value = self.source(inst, 1, component)?;
            let place = self.dword_address(address, component.index());
            self.store_local(place, value);
        }
        Ok(())
    }

    fn change_shared(&mut self, inst: &Instruction, opcode: Opcode) -> Result<(), LowerError> {
        let name = opcode.info().name;
        let op = match opcode {
            Opcode::Atomfadd => {
                return Err(LowerError::new(name, Refusal::SharedFloatAdd));
            }
            Opcode::Resq => {
                return Err(LowerError::new(name, Refusal::SharedSize));
            }
            other => {
                atomic(other).ok_or_else(|| LowerError::new(name, Refusal::SharedOperation))?
            }
        };
        let mut operands = arrayvec::ArrayVec::<Operand, 3>::new();
        for n in 1..usize::from(op.info().num_src) + 1 {
            source(inst, n)?;
            operands.push(self.source(inst, n, Component::X)?);
        }
        let old = self.change_local(op, &operands);
        self.write(inst, 0, [Some(old); 4])
    }
}

fn atomic(opcode: Opcode) -> Option<LdsOp> {
    Some(match opcode {
        Opcode::Atomuadd => LdsOp::LdsAddRet,
        Opcode::Atomxchg => LdsOp::LdsXchgRet,
        Opcode::Atomcas => LdsOp::LdsCmpXchgRet,
        Opcode::Atomand => LdsOp::LdsAndRet,
        Opcode::Atomor => LdsOp::LdsOrRet,
        Opcode::Atomxor => LdsOp::LdsXorRet,
        Opcode::Atomumin => LdsOp::LdsMinUintRet,
        Opcode::Atomumax => LdsOp::LdsMaxUintRet,
        Opcode::Atomimin => LdsOp::LdsMinIntRet,
        Opcode::Atomimax => LdsOp::LdsMaxIntRet,
        Opcode::AtomincWrap => LdsOp::LdsIncRet,
        Opcode::AtomdecWrap => LdsOp::LdsDecRet,
        _ => return None,
    })
}
