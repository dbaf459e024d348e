//! Variables shared by the invocations of a group.

use spirv::{BuiltIn, Decoration, StorageClass};
use tgsi_ir::{File, MemoryQualifiers, Opcode, WriteMask};

use crate::code::{Base, Operand, Target};
use crate::constant::Const;
use crate::error::{Fault, invalid, too_large};
use crate::module::Variable;

use super::Translator;
use super::value::{BytePointer, Layout, Memory, Pointer, Value};

/// Maximum bytes of shared memory: twice what the chips have.
const MAX_SHARED: u32 = 65_536;

/// Bytes cleared by one instruction.
const CLEARED: u32 = 16;

impl Translator<'_> {
    /// Allocates the shared variables among `variables`. Blocks overlap, each laid out by its decorations. The other
    /// variables follow one after the other.
    pub(super) fn declare_shared(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        let shared = variables.iter().filter(|one| one.class == StorageClass::Workgroup);
        let is_block = |one: &&Variable| self.module.decorations.has(one.ty, Decoration::Block);
        let (blocks, others): (Vec<&Variable>, Vec<&Variable>) = shared.partition(is_block);
        let mut end = 0;
        for variable in blocks {
            end = end.max(self.place_shared(variable, Layout::Decorated, 0)?);
        }
        for variable in others {
            end = self.place_shared(variable, Layout::Tight, end)?;
        }
        self.interface.shared_bytes = end;
        Ok(())
    }

    /// Allocates a shared variable at `offset`; returns its end.
    fn place_shared(
        &mut self,
        variable: &Variable,
        layout: Layout,
        offset: u32,
    ) -> Result<u32, Fault> {
        let size = self.module.byte_size(layout, variable.ty, None)?;
        let pointer = Pointer::Bytes(BytePointer {
            memory: Memory::Shared,
            layout,
            ty: variable.ty,
            offset,
            dynamic: None,
            matrix: None,
            step: 4,
            qualifiers: MemoryQualifiers::default(),
        });
        let end = offset.saturating_add(size.checked_next_multiple_of(16).unwrap_or(u32::MAX));
        if end > MAX_SHARED {
            return Err(too_large(format!("a group shares more than {MAX_SHARED} bytes")));
        }
        self.globals.insert(variable.id, Value::Pointer(pointer.into()));
        Ok(end)
    }

    /// Clears the zero-initialised shared variables. Each invocation clears a part; no invocation continues before all
    /// are done.
    pub(super) fn clear_shared(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        let mut any = false;
        for variable in variables.iter().filter(|one| one.class == StorageClass::Workgroup) {
            let Some(initializer) = variable.initializer else { continue };
            let constant = self.module.constants.get(&initializer).map(|one| &one.value);
            if constant != Some(&Const::Null) {
                return Err(invalid("a shared variable has an initializer other than null"));
            }
            let pointer = self.pointer(variable.id)?;
            let Pointer::Bytes(BytePointer { offset, ty, layout, .. }) = *pointer else {
                return Err(invalid("a shared variable has no size"));
            };
            let size = self.module.byte_size(layout, ty, None)?;
            self.clear_bytes(offset, offset.saturating_add(size))?;
            any = true;
        }
        if any {
            self.code.bare(Opcode::Barrier, &[]);
        }
        Ok(())
    }

    /// Clears shared bytes. The last vector may extend into padding, which is unused.
    fn clear_bytes(&mut self, first: u32, end: u32) -> Result<(), Fault> {
        let index = self.computed_value(BuiltIn::LocalInvocationIndex)?;
        let index = index.ok_or_else(|| invalid("the shader has no local invocation index"))?;
        let size = self.work_group_size()?;
        let step = size.into_iter().fold(CLEARED, u32::saturating_mul);
        let at = self.code.temp();
        let (target, place) = (Target::temp(at, WriteMask::X), Operand::temp(at).channel(0));
        self.emit(Opcode::Umad, target, &[index, Operand::word(CLEARED), Operand::word(first)]);
        self.code.bare(Opcode::Bgnloop, &[]);
        let is_done = self.compute(Opcode::Usge, 1, &[place, Operand::word(end)]);
        self.leave_where(is_done);
        let memory = Target::new(Base::Register(File::Memory, 0), WriteMask::XYZW);
        self.emit(Opcode::Store, memory, &[place, Operand::word(0)]);
        self.emit(Opcode::Uadd, target, &[place, Operand::word(step)]);
        self.code.bare(Opcode::Endloop, &[]);
        Ok(())
    }
}
