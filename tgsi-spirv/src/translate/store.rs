//! Memory writes.

use tgsi_ir::{Opcode, WriteMask};

use crate::binary::Inst;
use crate::code::{Base, Operand, Target};
use crate::error::{Fault, invalid};
use crate::types::Shape;

use super::access::Subscript;
use super::qualifiers::{accessed, of_copy};
use super::value::{
    BytePointer, Component, Dynamic, Pointer, SlotPointer, SlotStorage, Storage, Value, Vertex,
    Which,
};
use super::{Translator, mask};

impl<'m> Translator<'m> {
    /// `OpStore`.
    pub(super) fn store(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let pointer = accessed(self.pointer(inst.id(0)?)?, inst.rest(2));
        let value = self.value(inst.id(1)?)?;
        self.store_pointer(&pointer, &value)
    }

    /// `OpCopyMemory`.
    pub(super) fn copy_memory(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (to, from) = (self.pointer(inst.id(0)?)?, self.pointer(inst.id(1)?)?);
        let (of_target, of_source) = of_copy(inst.rest(2));
        let value = self.load_pointer(&accessed(from, of_source))?;
        self.store_pointer(&accessed(to, of_target), &value)
    }

    /// Sets the target of a pointer to `value`.
    pub(super) fn store_pointer(&mut self, pointer: &Pointer, value: &Value) -> Result<(), Fault> {
        match pointer {
            Pointer::Slots(pointer) => self.store_slots(pointer, value),
            Pointer::Bytes(pointer) => self.store_bytes(pointer, value),
            Pointer::Handle(_) | Pointer::Texel(_) => {
                Err(invalid("a store to something that cannot be written"))
            }
        }
    }

    pub(super) fn store_slots(
        &mut self,
        pointer: &SlotPointer,
        value: &Value,
    ) -> Result<(), Fault> {
        let module = self.module;
        if let (Storage::Interface(_), Some(dynamic)) = (&pointer.storage, pointer.dynamic)
            && !matches!(value, Value::Composite(_))
        {
            let Some(reach) = self.array_in_reach(pointer)? else {
                return self.store_apart((pointer, dynamic), value);
            };
            self.registers.add_array(reach);
        }
        if let Some(component) = pointer.component {
            let Value::Vector(value) = value else {
                return Err(invalid("a stored component is not a scalar"));
            };
            return self.store_component(pointer, component, *value);
        }
        match value {
            Value::Vector(operand) => {
                let shape = module.shape(pointer.ty)?;
                let mut target = self.slot_target(pointer, shape)?;
                let first = target.mask.iter().next().map_or(0, |component| component.index());
                target.mask = WriteMask::from_bits(target.mask.bits());
                let len = if shape.is_wide() { 2 } else { usize::from(shape.len) };
                let channels: Vec<usize> =
                    (0..4usize).map(|n| n.saturating_sub(first).min(len - 1)).collect();
                self.emit(Opcode::Mov, target, &[operand.pick(&channels)]);
                Ok(())
            }
            Value::Composite(parts) => {
                let mut slot = pointer.slot;
                for (n, part) in (0..).zip(parts.iter()) {
                    let ty = module.part_type(pointer.ty, n)?;
                    self.store_slots(&SlotPointer { ty, slot, ..pointer.clone() }, part)?;
                    slot += module.slots(ty)?;
                    self.check_size()?;
                }
                Ok(())
            }
            Value::Pointer(_) | Value::Handle(_) => Err(invalid("a pointer is stored")),
        }
    }

    /// Stores to one of several places that a dynamic subscript selects, where the places do not form an array. The
    /// others are not written, since another lane may write them.
    fn store_apart(
        &mut self,
        (pointer, dynamic): (&SlotPointer, Dynamic),
        value: &Value,
    ) -> Result<(), Fault> {
        for n in dynamic.reach(pointer.slot) {
            let is_it = self.compute(Opcode::Useq, 1, &[dynamic.slots, Operand::word(n)]);
            self.code.bare(Opcode::Uif, &[is_it.channel(0)]);
            let one = SlotPointer { slot: pointer.slot + n, dynamic: None, ..pointer.clone() };
            self.store_slots(&one, value)?;
            self.code.bare(Opcode::Endif, &[]);
        }
        Ok(())
    }

    fn store_component(
        &mut self,
        pointer: &SlotPointer,
        component: Component,
        value: Operand,
    ) -> Result<(), Fault> {
        let len = component.len;
        let target = self.slot_target(pointer, Shape::float(len))?;
        let first = target.mask.iter().next().map_or(0, |component| component.index());
        match component.which {
            Which::Constant(n) => {
                let bits = 1u8 << (first + usize::from(n)).min(3);
                let target = Target { mask: WriteMask::from_bits(bits), ..target };
                self.emit(Opcode::Mov, target, &[value.channel(0)]);
            }
            Which::Dynamic(index) if matches!(pointer.storage, Storage::Interface(_)) => {
                // Another lane may write the other components at the same time, so they must not be written.
                for n in 0..usize::from(len).min(4 - first) {
                    let number = Operand::word(n as u32);
                    let is_it = self.compute(Opcode::Useq, 1, &[index.channel(0), number]);
                    self.code.bare(Opcode::Uif, &[is_it.channel(0)]);
                    let mask = WriteMask::from_bits(1 << (first + n));
                    self.emit(Opcode::Mov, Target { mask, ..target }, &[value.channel(0)]);
                    self.code.bare(Opcode::Endif, &[]);
                }
            }
            Which::Dynamic(index) => {
                let numbers = Operand::words([0, 1, 2, 3]);
                let is_it = self.compute(Opcode::Useq, len, &[index.channel(0), numbers]);
                let Target { base, index, outer, .. } = target;
                let old = Operand { index, outer, ..Operand::new(base) };
                self.emit(Opcode::Ucmp, target, &[is_it, value.channel(0), old]);
            }
        }
        Ok(())
    }

    /// The register and channels of the vector that a pointer points to.
    fn slot_target(&mut self, pointer: &SlotPointer, shape: Shape) -> Result<Target, Fault> {
        let len = if shape.is_wide() { 2 } else { shape.len };
        let (base, component) = match &pointer.storage {
            Storage::Temps(first) => (Base::Temp(first + pointer.slot), 0),
            Storage::Interface(storage) => {
                let place = storage.places.get(pointer.slot as usize);
                let place =
                    place.ok_or_else(|| invalid("a constant subscript is out of bounds"))?;
                let SlotStorage::Register(file, register) = place.storage else {
                    return Err(invalid("a store to something that cannot be written"));
                };
                let base = match pointer.vertex {
                    None => Base::Register(file, register),
                    Some(Vertex::Constant(vertex)) => Base::Register2(file, vertex, register),
                    Some(Vertex::Dynamic(_)) => Base::Register2(file, 0, register),
                };
                (base, place.component)
            }
        };
        let bits = (u16::from(mask(len).bits()) << component) as u8;
        let mut target = Target::new(base, WriteMask::from_bits(bits));
        if let Some(Vertex::Dynamic(vertex)) = pointer.vertex {
            target.outer = Some(self.index(vertex));
        }
        if let Some(dynamic) = pointer.dynamic {
            if let Storage::Temps(first) = pointer.storage {
                self.code.add_array(first + dynamic.first, dynamic.len);
            }
            target.index = Some(self.index(dynamic.slots));
        }
        Ok(target)
    }

    fn store_bytes(&mut self, pointer: &BytePointer, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Vector(operand) => self.store_vector(pointer, *operand),
            Value::Composite(parts) => {
                for (n, part) in (0..).zip(parts.iter()) {
                    let pointer = self.byte_part_at(pointer, Subscript::Constant(n))?;
                    self.store_bytes(&pointer, part)?;
                    self.check_size()?;
                }
                Ok(())
            }
            Value::Pointer(_) | Value::Handle(_) => Err(invalid("a pointer is stored")),
        }
    }

    /// The pointer to part `at` of a target.
    pub(super) fn byte_part_at(
        &mut self,
        pointer: &BytePointer,
        at: Subscript,
    ) -> Result<BytePointer, Fault> {
        match self.part_pointer(Pointer::Bytes(pointer.clone()), at)? {
            Pointer::Bytes(pointer) => Ok(pointer),
            _ => Err(invalid("an access chain leaves its memory")),
        }
    }

    fn store_vector(&mut self, pointer: &BytePointer, value: Operand) -> Result<(), Fault> {
        let shape = self.module.shape(pointer.ty)?;
        let (resource, memory) = (self.memory_operand(pointer)?, self.memory_word(pointer));
        let target = |mask| Target { index: resource.index, ..Target::new(resource.base, mask) };
        if shape.is_wide() || pointer.step == 4 || shape.len == 1 {
            let address = self.byte_address(pointer, pointer.offset);
            let len = if shape.is_wide() { 2 } else { shape.len };
            let sources = [address, value.first(len.into())];
            self.code.emit(Opcode::Store, target(mask(len)), &sources).memory = memory;
            return Ok(());
        }
        for n in 0..u32::from(shape.len) {
            let offset = pointer.offset.saturating_add(n * pointer.step);
            let address = self.byte_address(pointer, offset);
            let sources = [address, value.channel(n as usize)];
            self.code.emit(Opcode::Store, target(WriteMask::X), &sources).memory = memory;
        }
        Ok(())
    }
}
