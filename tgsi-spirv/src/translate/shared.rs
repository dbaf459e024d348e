//! Variables that the invocations of a group share.

use spirv::{BuiltIn, StorageClass};
use tgsi_ir::{File, MemoryQualifiers, Opcode, WriteMask};

use crate::code::{Base, Operand, Target};
use crate::constant::Const;
use crate::error::{Fault, invalid, too_large};
use crate::module::Variable;

use super::Translator;
use super::value::{BytePointer, Layout, Memory, Pointer, Value};

/// Bytes that a group may share: twice what the chips have.
const MAX_SHARED: u32 = 65_536;

/// Bytes that one instruction clears.
const CLEARED: u32 = 16;

impl Translator<'_> {
    /// Gives a shared variable its bytes, from `next` on.
    pub(super) fn declare_shared(
        &mut self,
        variable: &Variable,
        next: &mut u32,
    ) -> Result<(), Fault> {
        let size = self.module.byte_size(Layout::Tight, variable.ty, None)?;
        let pointer = Pointer::Bytes(BytePointer {
            memory: Memory::Shared,
            layout: Layout::Tight,
            ty: variable.ty,
            offset: *next,
            dynamic: None,
            matrix: None,
            step: 4,
            qualifiers: MemoryQualifiers::default(),
        });
        *next = next.saturating_add(size.checked_next_multiple_of(16).unwrap_or(u32::MAX));
        if *next > MAX_SHARED {
            return Err(too_large(format!("a group shares more than {MAX_SHARED} bytes")));
        }
        self.globals.insert(variable.id, Value::Pointer(pointer.into()));
        Ok(())
    }

    /// Clears the shared variables that begin as zero, each invocation its part, before any of them goes on.
    pub(super) fn clear_shared(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        let mut any = false;
        for variable in variables.iter().filter(|one| one.class == StorageClass::Workgroup) {
            let Some(initializer) = variable.initializer else { continue };
            let constant = self.module.constants.get(&initializer).map(|one| &one.value);
            if constant != Some(&Const::Null) {
                return Err(invalid("a shared variable has an initializer other than null"));
            }
            let pointer = self.pointer(variable.id)?;
            let Pointer::Bytes(BytePointer { offset, ty, .. }) = *pointer else {
                return Err(invalid("a shared variable has no size"));
            };
            let size = self.module.byte_size(Layout::Tight, ty, None)?;
            self.clear_bytes(offset, offset.saturating_add(size))?;
            any = true;
        }
        if any {
            self.code.bare(Opcode::Barrier, &[]);
        }
        Ok(())
    }

    /// Clears shared bytes; what fills up the last vector is nobody's.
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
