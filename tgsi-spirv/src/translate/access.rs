//! Access chains: pointers to parts.

use std::collections::hash_map::Entry;

use crate::binary::{Id, Inst};
use crate::code::{Base, Operand};
use crate::error::{Fault, invalid};
use crate::types::Type;
use tgsi_ir::Opcode;

use super::Translator;
use super::qualifiers::both;
use super::value::{
    BytePointer, Component, Dynamic, DynamicHandle, HandlePointer, Layout, Memory, Pointer,
    SlotPointer, Storage, Value, Vertex, Which,
};

/// A subscript.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subscript {
    Constant(u32),
    Dynamic(Operand),
}

impl<'m> Translator<'m> {
    /// `OpAccessChain` and `OpInBoundsAccessChain`.
    pub(super) fn access_chain(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let mut pointer = (*self.pointer(inst.id(2)?)?).clone();
        for id in inst.ids(3) {
            let subscript = self.subscript(id)?;
            pointer = self.part_pointer(pointer, subscript)?;
        }
        self.define(inst, Value::Pointer(pointer.into()))
    }

    /// A subscript, folded to a constant if possible.
    pub(super) fn subscript(&self, id: Id) -> Result<Subscript, Fault> {
        let (operand, _) = self.operand(id)?;
        Ok(match operand.constant_word() {
            Some(word) => Subscript::Constant(word),
            None => Subscript::Dynamic(operand.channel(0)),
        })
    }

    pub(super) fn part_pointer(
        &mut self,
        pointer: Pointer,
        at: Subscript,
    ) -> Result<Pointer, Fault> {
        match pointer {
            Pointer::Slots(pointer) => self.slot_part(pointer, at).map(Pointer::Slots),
            Pointer::Bytes(pointer) => self.byte_part(pointer, at).map(Pointer::Bytes),
            Pointer::Handle(pointer) => self.handle_part(pointer, at).map(Pointer::Handle),
            Pointer::Texel(_) => Err(invalid("an access chain goes into a texel")),
        }
    }

    fn handle_part(
        &mut self,
        mut pointer: HandlePointer,
        at: Subscript,
    ) -> Result<HandlePointer, Fault> {
        let module = self.module;
        match (module.ty(pointer.ty)?, at) {
            (&Type::Array { of, len }, Subscript::Constant(index)) => {
                let index = index.min(len.saturating_sub(1));
                let handles = index.saturating_mul(module.num_handles(of)?);
                pointer.element = pointer.element.saturating_add(handles);
                pointer.ty = of;
            }
            (&Type::Array { of, len }, Subscript::Dynamic(index)) => {
                if pointer.dynamic.is_some() {
                    return self.refuse("textures with two subscripts that are not constant");
                }
                let stride = module.num_handles(of)?;
                pointer.dynamic = Some(DynamicHandle { index, stride, len });
                pointer.ty = of;
            }
            (Type::Struct { .. }, Subscript::Constant(index)) => {
                for n in 0..index {
                    let handles = module.num_handles(module.part_type(pointer.ty, n)?)?;
                    pointer.element = pointer.element.saturating_add(handles);
                }
                pointer.ty = module.part_type(pointer.ty, index)?;
            }
            _ => return self.refuse("arrays of textures without a length"),
        }
        Ok(pointer)
    }

    fn slot_part(&mut self, mut pointer: SlotPointer, at: Subscript) -> Result<SlotPointer, Fault> {
        let module = self.module;
        if let Storage::Interface(storage) = &pointer.storage
            && storage.is_per_vertex
            && pointer.vertex.is_none()
        {
            pointer.vertex = Some(match at {
                Subscript::Constant(index) => Vertex::Constant(index as u16),
                Subscript::Dynamic(index) => Vertex::Dynamic(index),
            });
            pointer.ty = module.part_type(pointer.ty, 0)?;
            return Ok(pointer);
        }
        let ty = pointer.ty;
        match (module.ty(ty)?, at) {
            (&Type::Vector { of, len }, _) if !module.shape(of)?.is_wide() => {
                let which = match at {
                    Subscript::Constant(index) => {
                        Which::Constant(index.min(u32::from(len) - 1) as u8)
                    }
                    Subscript::Dynamic(index) => Which::Dynamic(index),
                };
                pointer.component = Some(Component { which, len });
                pointer.ty = of;
            }
            (Type::Struct { .. }, Subscript::Constant(index)) => {
                pointer.ty = module.part_type(ty, index)?;
                pointer.slot += self.member_slot(ty, index)?;
            }
            (Type::Struct { .. }, Subscript::Dynamic(_)) => {
                return Err(invalid("the index of a struct member is not a constant"));
            }
            (_, Subscript::Constant(index)) => {
                let num = module.num_parts(ty)?.unwrap_or(0);
                // An out-of-bounds index is undefined: any element will do.
                let part = module.part_type(ty, index.min(num.saturating_sub(1)))?;
                pointer.slot += index.min(num.saturating_sub(1)) * module.slots(part)?;
                pointer.ty = part;
            }
            (_, Subscript::Dynamic(index)) => {
                let part = module.part_type(ty, 0)?;
                self.add_dynamic(&mut pointer, index, module.slots(part)?)?;
                pointer.ty = part;
            }
        }
        Ok(pointer)
    }

    /// The first register of member `index` of a structure.
    fn member_slot(&mut self, ty: Id, index: u32) -> Result<u32, Fault> {
        if !self.member_slots.contains_key(&ty) {
            self.member_slots.insert(ty, self.module.member_slots(ty)?);
        }
        let slot = self.member_slots.get(&ty).and_then(|slots| slots.get(index as usize));
        slot.copied().ok_or_else(|| invalid("an index is beyond the members of a structure"))
    }

    /// The first byte of member `index` of a structure.
    fn member_offset(&mut self, layout: Layout, ty: Id, index: u32) -> Result<u32, Fault> {
        let module = self.module;
        let Type::Struct { members } = module.ty(ty)? else {
            return Err(invalid("an access chain goes into a member of what has none"));
        };
        if layout == Layout::Decorated {
            return module.member_offset(layout, ty, index);
        }
        // Each offset is the sum of all earlier sizes.
        let offsets = match self.member_offsets.entry((layout, ty)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(module.member_offsets(layout, ty, members)?),
        };
        let offset = offsets.get(index as usize);
        offset.copied().ok_or_else(|| invalid("an index is beyond the members of a structure"))
    }

    /// Adds a dynamic `index` times `stride` registers.
    fn add_dynamic(
        &mut self,
        pointer: &mut SlotPointer,
        index: Operand,
        stride: u32,
    ) -> Result<(), Fault> {
        let slots = self.module.slots(pointer.ty)?;
        let scaled = self.scaled(index, stride);
        pointer.dynamic = Some(match pointer.dynamic {
            Some(outer) => {
                let sum = self.compute(Opcode::Uadd, 1, &[outer.slots, scaled]);
                Dynamic { slots: sum, step: gcd(outer.step, stride), ..outer }
            }
            None => Dynamic { slots: scaled, first: pointer.slot, len: slots, step: stride },
        });
        Ok(())
    }

    /// The product of an index and a constant, in a temporary. For a factor of 1, this may be the temporary of the
    /// index.
    pub(super) fn scaled(&mut self, index: Operand, factor: u32) -> Operand {
        match factor {
            1 if matches!(index.base, Base::Temp(_)) && index.index.is_none() => index,
            1 => self.copy(index, 1),
            _ if factor.is_power_of_two() => {
                let shift = Operand::word(factor.trailing_zeros());
                self.compute(Opcode::Shl, 1, &[index, shift])
            }
            _ => self.compute(Opcode::Umul, 1, &[index, Operand::word(factor)]),
        }
    }

    fn byte_part(&mut self, mut pointer: BytePointer, at: Subscript) -> Result<BytePointer, Fault> {
        let module = self.module;
        let ty = pointer.ty;
        if self.is_block_array(&pointer)? {
            return self.block_element(pointer, at);
        }
        let layout = pointer.layout;
        let stride = match module.ty(ty)? {
            Type::Struct { .. } => {
                let Subscript::Constant(index) = at else {
                    return Err(invalid("the index of a struct member is not a constant"));
                };
                pointer.ty = module.part_type(ty, index)?;
                let offset = self.member_offset(layout, ty, index)?;
                pointer.offset = pointer.offset.saturating_add(offset);
                pointer.matrix = module.member_matrix(layout, ty, index);
                pointer.qualifiers = both(pointer.qualifiers, module.qualifiers(ty, Some(index)));
                return Ok(pointer);
            }
            &Type::Array { of, .. } | &Type::RuntimeArray { of } => {
                pointer.ty = of;
                module.array_stride(layout, ty, of, pointer.matrix)?
            }
            &Type::Matrix { column, .. } => {
                pointer.ty = column;
                let default = (module.column_stride(layout, column)?, false);
                let (stride, is_row_major) = pointer.matrix.unwrap_or(default);
                let size = u32::from(module.shape(column)?.bits / 8);
                pointer.step = if is_row_major { stride } else { size };
                pointer.matrix = None;
                if is_row_major { size } else { stride }
            }
            &Type::Vector { of, .. } => {
                let size = u32::from(module.shape(of)?.bits / 8);
                pointer.ty = of;
                if pointer.step == 4 { size } else { pointer.step }
            }
            _ => {
                return Err(invalid(format!("an access chain goes into {ty}, which has no parts")));
            }
        };
        self.add_bytes(&mut pointer, at, stride);
        Ok(pointer)
    }

    /// Whether a pointer points to an array whose elements are separate blocks.
    fn is_block_array(&self, pointer: &BytePointer) -> Result<bool, Fault> {
        let Type::Array { of, .. } = *self.module.ty(pointer.ty)? else { return Ok(false) };
        let has = |what| self.module.decorations.has(of, what);
        Ok(pointer.layout == Layout::Decorated
            && matches!(self.module.ty(of)?, Type::Struct { .. })
            && (has(spirv::Decoration::Block) || has(spirv::Decoration::BufferBlock)))
    }

    fn block_element(
        &mut self,
        mut pointer: BytePointer,
        at: Subscript,
    ) -> Result<BytePointer, Fault> {
        let dynamic = match at {
            Subscript::Constant(_) => None,
            Subscript::Dynamic(index) => Some(self.scaled(index, 1)),
        };
        let constant = match at {
            Subscript::Constant(index) => {
                let num = self.module.num_parts(pointer.ty)?.unwrap_or(1);
                index.min(num.saturating_sub(1)) as u16
            }
            Subscript::Dynamic(_) => 0,
        };
        pointer.memory = match pointer.memory {
            Memory::Constants(buffer, _) => {
                let num = self.module.num_parts(pointer.ty)?.unwrap_or(1).min(256) as u16;
                let dynamic = dynamic.map(|index| (index, num));
                Memory::Constants(buffer.saturating_add(constant), dynamic)
            }
            Memory::Buffer(buffer, _) => Memory::Buffer(buffer.saturating_add(constant), dynamic),
            other => other,
        };
        pointer.ty = self.module.part_type(pointer.ty, 0)?;
        Ok(pointer)
    }

    /// Adds a subscript times `stride` bytes.
    pub(super) fn add_bytes(&mut self, pointer: &mut BytePointer, at: Subscript, stride: u32) {
        let index = match at {
            Subscript::Constant(index) => {
                let bytes = index.saturating_mul(stride);
                pointer.offset = pointer.offset.saturating_add(bytes);
                return;
            }
            Subscript::Dynamic(index) => index,
        };
        pointer.dynamic = Some(match pointer.dynamic {
            None => (index, stride.max(1)),
            Some((sum, unit)) => {
                let common = gcd(unit, stride.max(1));
                let sum = self.scaled(sum, unit / common);
                let more = self.scaled(index, stride / common);
                (self.compute(Opcode::Uadd, 1, &[sum, more]), common)
            }
        });
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a.max(1), b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
