//! Memory reads.

use tgsi_ir::{File, Opcode, WriteMask};

use crate::binary::Inst;
use crate::code::{Base, Index, Operand, Target};
use crate::error::{Fault, invalid};
use crate::types::{Kind, Shape};

use super::access::Subscript;
use super::qualifiers::accessed;
use super::registers::Reach;
use super::value::{
    BytePointer, Handle, Memory, Pointer, SlotPlace, SlotPointer, SlotStorage, Storage, Value,
    Vertex,
};
use super::{Translator, mask};

impl<'m> Translator<'m> {
    /// `OpLoad`.
    pub(super) fn load(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let pointer = accessed(self.pointer(inst.id(2)?)?, inst.rest(3));
        let value = self.load_pointer(&pointer)?;
        self.define(inst, value)
    }

    /// Loads the target of a pointer.
    pub(super) fn load_pointer(&mut self, pointer: &Pointer) -> Result<Value, Fault> {
        match pointer {
            Pointer::Slots(pointer) => self.load_slots(pointer),
            Pointer::Bytes(pointer) => self.load_bytes(pointer),
            Pointer::Handle(pointer) => {
                if self.module.num_handles(pointer.ty)? == 0 {
                    return self.refuse("structs with both textures and numbers");
                }
                Ok(Value::Handle(Handle { image: *pointer, sampler: None }.into()))
            }
            Pointer::Texel(_) => Err(invalid("a load through a pointer to a texel")),
        }
    }

    fn load_slots(&mut self, pointer: &SlotPointer) -> Result<Value, Fault> {
        let module = self.module;
        if let Storage::Interface(storage) = &pointer.storage
            && storage.is_per_vertex
            && pointer.vertex.is_none()
        {
            return self.load_vertices(pointer);
        }
        if let Some(component) = pointer.component {
            let vector = self.slot_operand(pointer, 0, Shape::float(component.len))?;
            let value = self.component_of(vector, component);
            return Ok(Value::Vector(self.snapshot(pointer, value, 1)));
        }
        if let Some(shape) = module.find_shape(pointer.ty)?
            && !(shape.is_wide() && shape.len > 1)
        {
            let operand = self.slot_operand(pointer, 0, shape)?;
            let len = if shape.is_wide() { 2 } else { shape.len };
            return Ok(Value::Vector(self.snapshot(pointer, operand, len)));
        }
        let num = module
            .num_parts(pointer.ty)?
            .ok_or_else(|| invalid("a load of a type without contents"))?;
        let mut parts = Vec::new();
        let mut slot = pointer.slot;
        module.slots(pointer.ty)?;
        for n in 0..num {
            let ty = module.part_type(pointer.ty, n)?;
            parts.push(self.load_slots(&SlotPointer { ty, slot, ..pointer.clone() })?);
            slot += module.slots(ty)?;
            self.check_size()?;
        }
        self.composite(parts)
    }

    /// Loads an input for all vertices.
    fn load_vertices(&mut self, pointer: &SlotPointer) -> Result<Value, Fault> {
        let num = self.module.num_parts(pointer.ty)?.unwrap_or(0).min(64);
        let ty = self.module.part_type(pointer.ty, 0)?;
        let vertex = |n: u32| {
            let vertex = Some(Vertex::Constant(n as u16));
            SlotPointer { ty, vertex, ..pointer.clone() }
        };
        let vertices: Result<Vec<Value>, Fault> =
            (0..num).map(|n| self.load_slots(&vertex(n))).collect();
        self.composite(vertices?)
    }

    /// The current value of a variable. Later stores do not change it.
    fn snapshot(&mut self, pointer: &SlotPointer, operand: Operand, len: u8) -> Operand {
        let is_fixed = match &pointer.storage {
            Storage::Temps(_) => false,
            Storage::Interface(_) => {
                matches!(operand.base, Base::Register(file, _) | Base::Register2(file, ..)
                    if file != File::Output)
                    && operand.index.is_none()
                    && operand.outer.is_none()
            }
        };
        if is_fixed { operand } else { self.copy(operand, len) }
    }

    /// A subscript: a channel of a temporary. It is 0 in a discarded lane, which may have skipped the code that sets
    /// the temporary.
    pub(super) fn index(&mut self, operand: Operand) -> Index {
        let plain = match (self.discarded.filter(|_| self.discarded_go_on), operand.base) {
            (Some(discarded), _) => {
                let is_discarded = Operand::temp(discarded).channel(0);
                let sources = [is_discarded, Operand::word(0), operand.channel(0)];
                self.compute(Opcode::Ucmp, 1, &sources)
            }
            (None, Base::Temp(_)) if !operand.has_modifier() && operand.index.is_none() => operand,
            (None, _) => self.copy(operand, 1),
        };
        let temp = match plain.base {
            Base::Temp(temp) => temp,
            _ => 0,
        };
        Index { temp, component: plain.swizzle.components()[0] }
    }

    /// The operand for register `offset` of a pointer.
    fn slot_operand(
        &mut self,
        pointer: &SlotPointer,
        offset: u32,
        shape: Shape,
    ) -> Result<Operand, Fault> {
        let slot = pointer.slot + offset;
        let storage = match &pointer.storage {
            Storage::Temps(first) => {
                let mut operand = Operand::temp(first + slot);
                if let Some(dynamic) = pointer.dynamic {
                    self.code.add_array(first + dynamic.first, dynamic.len);
                    operand.index = Some(self.index(dynamic.slots));
                }
                return Ok(self.leaf(operand, 0, shape));
            }
            Storage::Interface(storage) => storage.clone(),
        };
        let place = |slot: u32| {
            let place = storage.places.get(slot as usize).copied();
            place.ok_or_else(|| invalid("a constant subscript is out of bounds"))
        };
        let Some(dynamic) = pointer.dynamic else {
            return self.place_operand(pointer, place(slot)?, shape);
        };
        if let Some(reach) = self.array_in_reach(pointer)?
            && reach.first < reach.last
        {
            let mut operand = self.place_operand(pointer, place(slot)?, shape)?;
            operand.index = Some(self.index(dynamic.slots));
            self.registers.add_array(reach);
            return Ok(operand);
        }
        let len = if shape.is_wide() { 2 } else { shape.len };
        let mut choices = Vec::new();
        for n in dynamic.reach(slot) {
            choices.push((n, self.place_operand(pointer, place(slot + n)?, shape)?));
        }
        self.chosen(dynamic.slots, len, choices)
    }

    /// The registers that a dynamic subscript may select. `None` unless they are consecutive, hold the value in the
    /// same channels and fit in one declaration.
    pub(super) fn array_in_reach(&self, pointer: &SlotPointer) -> Result<Option<Reach>, Fault> {
        let (Storage::Interface(storage), Some(dynamic)) = (&pointer.storage, pointer.dynamic)
        else {
            return Ok(None);
        };
        let outside = || invalid("a constant subscript is out of bounds");
        let place = |n: u32| storage.places.get((pointer.slot + n) as usize).ok_or_else(outside);
        let begin = place(0)?;
        let mut last = 0;
        for n in dynamic.reach(pointer.slot) {
            last = n as u16;
            if !place(n)?.follows(begin, last) {
                return Ok(None);
            }
        }
        let SlotStorage::Register(file, first) = begin.storage else { return Ok(None) };
        let reach = Reach { file, first, last: first.saturating_add(last) };
        Ok(Some(reach).filter(|_| self.registers.can_be_array(reach)))
    }

    /// Selects the operand whose number equals a dynamic index.
    pub(super) fn chosen(
        &mut self,
        index: Operand,
        len: u8,
        choices: Vec<(u32, Operand)>,
    ) -> Result<Operand, Fault> {
        let mut chosen: Option<Operand> = None;
        for (number, operand) in choices {
            chosen = Some(match chosen {
                None => operand,
                Some(other) => {
                    let is_it = self.compute(Opcode::Useq, 1, &[index, Operand::word(number)]);
                    self.compute(Opcode::Ucmp, len, &[is_it.channel(0), operand, other])
                }
            });
        }
        chosen.ok_or_else(|| invalid("a subscript into an array without elements"))
    }

    fn leaf(&self, operand: Operand, component: u8, shape: Shape) -> Operand {
        let first = usize::from(component);
        if shape.is_wide() {
            return operand.pick(&[first, (first + 1).min(3), first, (first + 1).min(3)]);
        }
        operand.from(first).first(shape.len.into())
    }

    /// The operand for a register of the interface.
    pub(super) fn place_operand(
        &mut self,
        pointer: &SlotPointer,
        place: SlotPlace,
        shape: Shape,
    ) -> Result<Operand, Fault> {
        if place.is_unknown {
            return self.refuse(
                "cull distances of the previous stage, which share registers with its clip distances: declare \
                 gl_ClipDistance with the same size in both stages",
            );
        }
        let (file, register) = match place.storage {
            SlotStorage::Register(file, register) => (file, register),
            SlotStorage::Helper(_) if pointer.is_volatile || place.is_volatile => {
                return Ok(self.compute(Opcode::ReadHelper, 1, &[]));
            }
            SlotStorage::Helper(temp) | SlotStorage::Temp(temp) => {
                return Ok(self.leaf(Operand::temp(temp), 0, shape));
            }
        };
        let operand = match pointer.vertex {
            None => Operand::new(Base::Register(file, register)),
            Some(Vertex::Constant(vertex)) => Operand::new(Base::Register2(file, vertex, register)),
            Some(Vertex::Dynamic(vertex)) => {
                let mut operand = Operand::new(Base::Register2(file, 0, register));
                operand.outer = Some(self.index(vertex));
                operand
            }
        };
        Ok(self.leaf(operand, place.component, shape))
    }

    fn load_bytes(&mut self, pointer: &BytePointer) -> Result<Value, Fault> {
        let module = self.module;
        if let Some(shape) = module.find_shape(pointer.ty)? {
            if shape.is_wide() && shape.len > 1 {
                return self.load_parts(pointer, u32::from(shape.len));
            }
            return self.load_vector(pointer, shape).map(Value::Vector);
        }
        let num = module
            .num_parts(pointer.ty)?
            .ok_or_else(|| invalid("a load of a type without contents"))?;
        module.slots(pointer.ty)?;
        self.load_parts(pointer, num)
    }

    fn load_parts(&mut self, pointer: &BytePointer, num: u32) -> Result<Value, Fault> {
        let mut parts = Vec::new();
        for n in 0..num {
            let part = self.byte_part_at(pointer, Subscript::Constant(n))?;
            parts.push(self.load_bytes(&part)?);
            self.check_size()?;
        }
        self.composite(parts)
    }

    fn load_vector(&mut self, pointer: &BytePointer, shape: Shape) -> Result<Operand, Fault> {
        let value = match pointer.memory {
            Memory::Constants(buffer, None) => self.load_constants(pointer, shape, buffer)?,
            // An instruction encodes the number of the constant buffer, so each buffer is read and one value selected.
            Memory::Constants(buffer, Some((index, num))) => {
                let mut choices = Vec::new();
                for n in 0..num {
                    let buffer = buffer.saturating_add(n);
                    choices.push((u32::from(n), self.load_constants(pointer, shape, buffer)?));
                }
                let len = if shape.is_wide() { 2 } else { shape.len };
                self.chosen(index, len, choices)?
            }
            Memory::Buffer(..) | Memory::Shared => self.load_memory(pointer, shape)?,
            Memory::Counters(_) => {
                return Err(invalid(
                    "a load of an atomic counter: only atomic operations reach it",
                ));
            }
        };
        if shape.kind == Kind::Bool {
            return Ok(self.compute(Opcode::Usne, shape.len, &[value, Operand::word(0)]));
        }
        Ok(value)
    }

    /// The first byte of each channel of a vector.
    fn channel_offsets(pointer: &BytePointer, shape: Shape) -> Vec<u32> {
        let num = if shape.is_wide() { 2 } else { u32::from(shape.len) };
        let step = if shape.is_wide() { 4 } else { pointer.step };
        (0..num).map(|n| pointer.offset.saturating_add(n.saturating_mul(step))).collect()
    }

    fn load_constants(
        &mut self,
        pointer: &BytePointer,
        shape: Shape,
        buffer: u16,
    ) -> Result<Operand, Fault> {
        let offsets = Self::channel_offsets(pointer, shape);
        if offsets.iter().any(|&offset| offset / 16 > 4095) {
            return self.refuse("a constant buffer has more than 4096 registers");
        }
        let register = |offset: u32| {
            Operand::new(Base::Register2(File::Constant, buffer, (offset / 16) as u16))
        };
        let index = match pointer.dynamic {
            None => None,
            Some((sum, unit)) if unit % 16 == 0 => {
                let scaled = self.scaled(sum, unit / 16);
                Some(self.index(scaled))
            }
            Some(dynamic) => {
                return Ok(self.load_constants_anywhere(&offsets, register(0), dynamic));
            }
        };
        let channels: Vec<usize> =
            offsets.iter().map(|&offset| (offset / 4 % 4) as usize).collect();
        let operand = |offset: u32| Operand { index, ..register(offset) };
        if offsets.iter().all(|&offset| offset / 16 == offsets[0] / 16) {
            let value = widen(operand(offsets[0]), &channels, shape);
            let is_fixed = index.is_none();
            let len = offsets.len() as u8;
            return Ok(if is_fixed { value } else { self.copy(value, len) });
        }
        let temp = self.code.temp();
        for (n, (&offset, &channel)) in offsets.iter().zip(&channels).enumerate() {
            let target = Target::temp(temp, WriteMask::from_bits(1 << n));
            self.emit(Opcode::Mov, target, &[operand(offset).channel(channel)]);
        }
        Ok(widen(Operand::temp(temp), &[0, 1, 2, 3][..offsets.len()], shape))
    }

    /// Loads constants at a dynamic byte offset, which may fall in any channel.
    fn load_constants_anywhere(
        &mut self,
        offsets: &[u32],
        register: Operand,
        (sum, unit): (Operand, u32),
    ) -> Operand {
        let bytes = self.scaled(sum, unit);
        let temp = self.code.temp();
        for (n, &offset) in offsets.iter().enumerate() {
            let at = self.compute(Opcode::Uadd, 1, &[bytes, Operand::word(offset)]);
            let number = self.compute(Opcode::Ushr, 1, &[at, Operand::word(4)]);
            let word = self.compute(Opcode::Ushr, 1, &[at, Operand::word(2)]);
            let channel = self.compute(Opcode::And, 1, &[word, Operand::word(3)]);
            let index = Some(self.index(number));
            let vector = self.copy(Operand { index, ..register }, 4);
            let value = self.channel_at(vector, 4, channel);
            let target = Target::temp(temp, WriteMask::from_bits(1 << n));
            self.emit(Opcode::Mov, target, &[value]);
        }
        Operand::temp(temp).first(offsets.len())
    }

    fn load_memory(&mut self, pointer: &BytePointer, shape: Shape) -> Result<Operand, Fault> {
        let offsets = Self::channel_offsets(pointer, shape);
        let resource = self.memory_operand(pointer)?;
        if shape.is_wide() || pointer.step == 4 || shape.len == 1 {
            let address = self.byte_address(pointer, offsets[0]);
            let value = self.load_words(pointer, offsets.len() as u8, [resource, address]);
            return Ok(widen(value, &[0, 1, 2, 3][..offsets.len()], shape));
        }
        let temp = self.code.temp();
        for (n, &offset) in offsets.iter().enumerate() {
            let address = self.byte_address(pointer, offset);
            let value = self.load_words(pointer, 1, [resource, address]);
            let target = Target::temp(temp, WriteMask::from_bits(1 << n));
            self.emit(Opcode::Mov, target, &[value]);
        }
        Ok(Operand::temp(temp).first(offsets.len()))
    }

    fn load_words(&mut self, pointer: &BytePointer, len: u8, sources: [Operand; 2]) -> Operand {
        let memory = self.memory_word(pointer);
        let temp = self.code.temp();
        self.code.emit(Opcode::Load, Target::temp(temp, mask(len)), &sources).memory = memory;
        Operand::temp(temp).first(len.into())
    }

    /// The register that stands for a memory.
    pub(super) fn memory_operand(&mut self, pointer: &BytePointer) -> Result<Operand, Fault> {
        match pointer.memory {
            Memory::Buffer(buffer, outer) => {
                let index = outer.map(|outer| self.index(outer));
                Ok(Operand { index, ..Operand::new(Base::Register(File::Buffer, buffer)) })
            }
            Memory::Shared => Ok(Operand::new(Base::Register(File::Memory, 0))),
            _ => Err(invalid("a store to memory that is only read")),
        }
    }

    /// The byte address of a pointer: its dynamic part plus `offset`.
    pub(super) fn byte_address(&mut self, pointer: &BytePointer, offset: u32) -> Operand {
        match pointer.dynamic {
            None => Operand::word(offset),
            Some((sum, unit)) => {
                let bytes = self.scaled(sum, unit);
                if offset == 0 {
                    return bytes.channel(0);
                }
                self.compute(Opcode::Uadd, 1, &[bytes, Operand::word(offset)])
            }
        }
    }

    /// Copies scalars to the channels of a new temporary.
    pub(super) fn gathered(&mut self, channels: &[Operand]) -> Operand {
        let temp = self.code.temp();
        for (n, &channel) in channels.iter().enumerate().take(4) {
            let target = Target::temp(temp, WriteMask::from_bits(1 << n));
            self.emit(Opcode::Mov, target, &[channel.channel(0)]);
        }
        Operand::temp(temp).first(channels.len())
    }
}

/// The listed channels of a vector. A 64-bit number fills both pairs of channels.
fn widen(operand: Operand, channels: &[usize], shape: Shape) -> Operand {
    match (shape.is_wide(), channels) {
        (true, &[low, high]) => operand.pick(&[low, high, low, high]),
        _ => operand.pick(channels),
    }
}
