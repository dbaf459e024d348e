//! Atomic operations on buffers, shared memory, texels and counters.

use spirv::Op;
use tgsi_ir::{File, Memory, Opcode};

use crate::binary::{Id, Inst};
use crate::code::{Base, NO_IMAGE, Operand, Target};
use crate::error::{Fault, invalid, unsupported};

use super::qualifiers::{COHERENT, both};
use super::value::{BytePointer, Memory as Place, Pointer, TexelPointer};
use super::{Translator, mask};

/// The memory operand of an atomic operation.
struct Cell {
    resource: Operand,
    address: Operand,
    memory: Option<Memory>,
}

impl Cell {
    /// The memory word of an atomic load or store. It is coherent: other lanes see each access, so none may be merged
    /// with another.
    fn coherent(&self) -> Option<Memory> {
        match self.resource.base {
            Base::Register(File::Buffer | File::Image, _) => {
                let memory = self.memory.unwrap_or(NO_IMAGE);
                Some(Memory { qualifiers: both(memory.qualifiers, COHERENT), ..memory })
            }
            _ => self.memory,
        }
    }
}

impl<'m> Translator<'m> {
    pub(super) fn atomic(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let is_store = op == Op::AtomicStore;
        let ty = if is_store { self.typed_value(inst.id(3)?)?.0 } else { inst.id(0)? };
        self.judge_width(ty)?;
        let pointer = self.pointer(inst.id(if is_store { 0 } else { 2 })?)?;
        let value = match *pointer {
            Pointer::Texel(texel) if texel.image.dynamic.is_some() => {
                self.atomic_on_one_of(op, inst, texel)?
            }
            _ => {
                let cell = self.cell(&pointer)?;
                self.atomic_on(op, inst, cell)?
            }
        };
        if is_store { Ok(()) } else { self.define_operand(inst, value) }
    }

    /// An operation on a texel of one of several images, which the lane selects. Returns the result.
    fn atomic_on_one_of(
        &mut self,
        op: Op,
        inst: Inst<'m>,
        texel: TexelPointer,
    ) -> Result<Operand, Fault> {
        let result = self.code.temp();
        self.with_image(texel.image, |this, image| {
            let cell = this.cell(&Pointer::Texel(TexelPointer { image, ..texel }))?;
            let value = this.atomic_on(op, inst, cell)?;
            this.code.emit(Opcode::Mov, Target::temp(result, mask(1)), &[value]);
            Ok(())
        })?;
        Ok(Operand::temp(result).channel(0))
    }

    /// Performs an operation and returns its result. A store returns the stored value.
    fn atomic_on(&mut self, op: Op, inst: Inst<'m>, cell: Cell) -> Result<Operand, Fault> {
        let coherent = cell.coherent();
        let Cell { resource, address, memory } = cell;
        Ok(match op {
            Op::AtomicStore => {
                let value = self.source(inst, 3)?.channel(0);
                let target =
                    Target { index: resource.index, ..Target::new(resource.base, mask(1)) };
                self.code.emit(Opcode::Store, target, &[address, value]).memory = coherent;
                value
            }
            Op::AtomicLoad => self.memory_inst(Opcode::Load, &[resource, address], coherent),
            Op::AtomicCompareExchange => {
                let (value, wanted) = (self.source(inst, 6)?, self.source(inst, 7)?);
                let sources = [resource, address, wanted.channel(0), value.channel(0)];
                self.memory_inst(Opcode::Atomcas, &sources, memory)
            }
            _ => {
                let (opcode, operand) = self.update(op, inst)?;
                self.memory_inst(opcode, &[resource, address, operand], memory)
            }
        })
    }

    /// Rejects types for which the hardware has no atomic operations.
    fn judge_width(&self, ty: Id) -> Result<(), Fault> {
        if self.module.shape(ty)?.is_wide() {
            return self.refuse("atomic operations on 64 bits: use numbers of 32 bits");
        }
        Ok(())
    }

    /// The opcode of a read-modify-write operation, and its operand.
    fn update(&mut self, op: Op, inst: Inst<'m>) -> Result<(Opcode, Operand), Fault> {
        let opcode = match op {
            Op::AtomicIIncrement => return Ok((Opcode::Atomuadd, Operand::word(1))),
            Op::AtomicIDecrement => return Ok((Opcode::Atomuadd, Operand::word(u32::MAX))),
            Op::AtomicISub => {
                let value = self.source(inst, 5)?.channel(0);
                return Ok((Opcode::Atomuadd, self.compute(Opcode::Ineg, 1, &[value])));
            }
            Op::AtomicExchange => Opcode::Atomxchg,
            Op::AtomicIAdd => Opcode::Atomuadd,
            Op::AtomicSMin => Opcode::Atomimin,
            Op::AtomicUMin => Opcode::Atomumin,
            Op::AtomicSMax => Opcode::Atomimax,
            Op::AtomicUMax => Opcode::Atomumax,
            Op::AtomicAnd => Opcode::Atomand,
            Op::AtomicOr => Opcode::Atomor,
            Op::AtomicXor => Opcode::Atomxor,
            Op::AtomicFAddEXT => Opcode::Atomfadd,
            _ => return Err(unsupported("the hardware has nothing like this instruction")),
        };
        Ok((opcode, self.source(inst, 5)?.channel(0)))
    }

    /// The memory operand for the target of a pointer.
    fn cell(&mut self, pointer: &Pointer) -> Result<Cell, Fault> {
        match pointer {
            Pointer::Bytes(BytePointer {
                memory: Place::Counters(buffer),
                offset,
                dynamic,
                ..
            }) => {
                let number = (offset / 4) as u16;
                let mut resource = Operand::new(Base::Register2(File::HwAtomic, *buffer, number));
                if let Some((sum, unit)) = *dynamic {
                    let scaled = self.scaled(sum, (unit / 4).max(1));
                    resource.index = Some(self.index(scaled));
                }
                Ok(Cell { resource, address: Operand::word(0), memory: None })
            }
            Pointer::Bytes(bytes) => {
                let resource = self.memory_operand(bytes)?;
                let address = self.byte_address(bytes, bytes.offset);
                Ok(Cell { resource, address, memory: self.memory_word(bytes) })
            }
            Pointer::Texel(texel) => {
                let (resource, memory, _) = self.image_operand(&texel.image)?;
                Ok(Cell { resource, address: texel.coordinates, memory: Some(memory) })
            }
            _ => Err(invalid(
                "an atomic operation on something other than a buffer, shared memory or a texel",
            )),
        }
    }
}
