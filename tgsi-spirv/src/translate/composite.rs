//! Composites: construction, extraction, insertion.

use tgsi_ir::{Opcode, WriteMask};

use crate::binary::{Id, Inst};
use crate::code::{Operand, Target};
use crate::error::{Fault, invalid};
use crate::types::Type;

use super::Translator;
use super::access::Subscript;
use super::value::{Component, Value, Which};
use super::wide::component;

impl<'m> Translator<'m> {
    /// `OpCompositeConstruct`.
    pub(super) fn construct(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let ty = inst.id(0)?;
        let Some(shape) = self.module.find_shape(ty)? else {
            let mut parts = Vec::new();
            for (n, id) in (0..).zip(inst.ids(2)) {
                let (part, value) = self.typed_value(id)?;
                self.check_type(self.module.part_type(ty, n)?, part, &value)?;
                parts.push(value);
            }
            let value = self.composite(parts)?;
            return self.define(inst, value);
        };
        let mut parts = Vec::new();
        for id in inst.ids(2) {
            let (part, value) = self.typed_value(id)?;
            for n in 0..usize::from(self.module.shape(part)?.len) {
                parts.push(component(&value, n)?);
            }
        }
        if parts.len() != usize::from(shape.len) {
            return Err(invalid("a vector has more or fewer components than its type"));
        }
        if shape.is_wide() {
            let value = self.vector_of(shape, parts)?;
            return self.define(inst, value);
        }
        let value = self.assembled(&parts);
        self.define_operand(inst, value)
    }

    /// `OpCopyObject` and `OpCopyLogical`.
    pub(super) fn copy_object(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, value) = self.typed_value(inst.id(2)?)?;
        self.check_type(inst.id(0)?, ty, &value)?;
        self.define(inst, value)
    }

    /// Rejects a composite of type `ty` in place of type `wanted`. Without this check, repeated mismatches could nest
    /// composites without bound, deeper than their types.
    pub(super) fn check_type(&self, wanted: Id, ty: Id, value: &Value) -> Result<(), Fault> {
        if value.parts().is_some() && !self.is_alike(wanted, ty)? {
            return Err(invalid(format!("a composite of type {ty} is not of type {wanted}")));
        }
        Ok(())
    }

    /// Whether types are the same, or have the same parts.
    fn is_alike(&self, a: Id, b: Id) -> Result<bool, Fault> {
        if a == b {
            return Ok(true);
        }
        self.code.add_work(1);
        self.check_size()?;
        match (self.module.ty(a)?, self.module.ty(b)?) {
            (Type::Array { of: a, len }, Type::Array { of: b, len: other }) => {
                Ok(len == other && self.is_alike(*a, *b)?)
            }
            (Type::Struct { members: a }, Type::Struct { members: b }) if a.len() == b.len() => {
                for (&a, &b) in a.iter().zip(b) {
                    if !self.is_alike(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A vector of scalars. They are copied to one register unless they are in one already.
    pub(super) fn assembled(&mut self, parts: &[Operand]) -> Operand {
        let first = parts[0];
        let is_same = |one: &Operand| {
            (one.base, one.index, one.outer) == (first.base, first.index, first.outer)
                && (one.absolute, one.negate) == (first.absolute, first.negate)
        };
        if parts.iter().all(is_same) {
            let channels: Vec<usize> =
                parts.iter().map(|one| one.swizzle.components()[0].index()).collect();
            let whole = Operand { swizzle: tgsi_ir::Swizzle::XYZW, ..first };
            return whole.pick(&channels);
        }
        let words: Option<Vec<u32>> = parts.iter().map(Operand::constant_word).collect();
        if let Some(words) = words {
            let last = words[words.len() - 1];
            return Operand::words(std::array::from_fn(|n| words.get(n).copied().unwrap_or(last)));
        }
        self.gathered_in_groups(parts)
    }

    /// Copies scalars to one register, with one instruction for all scalars of the same source.
    fn gathered_in_groups(&mut self, parts: &[Operand]) -> Operand {
        let temp = self.code.temp();
        let mut done = [false; 4];
        for n in 0..parts.len() {
            if done[n] {
                continue;
            }
            let mut channels = [0; 4];
            let mut mask = 0;
            let key = |one: &Operand| (one.base, one.index, one.outer, one.absolute, one.negate);
            for (m, part) in parts.iter().enumerate().skip(n) {
                if key(part) == key(&parts[n]) {
                    channels[m] = part.swizzle.components()[0].index();
                    mask |= 1 << m;
                    done[m] = true;
                }
            }
            let whole = Operand { swizzle: tgsi_ir::Swizzle::XYZW, ..parts[n] };
            let target = Target::temp(temp, WriteMask::from_bits(mask));
            self.emit(Opcode::Mov, target, &[whole.pick(&channels)]);
        }
        Operand::temp(temp).first(parts.len())
    }

    /// `OpCompositeExtract`.
    pub(super) fn extract(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (mut ty, mut value) = self.typed_value(inst.id(2)?)?;
        for &index in inst.rest(3) {
            let part = self.module.part_type(ty, index)?;
            value = match &value {
                Value::Vector(operand) => Value::Vector(operand.channel(index as usize)),
                Value::Composite(parts) => {
                    let part = parts.get(index as usize).cloned();
                    part.ok_or_else(|| invalid("an index is beyond the parts of a composite"))?
                }
                _ => return Err(invalid("an index goes into a value without parts")),
            };
            ty = part;
        }
        self.check_type(inst.id(0)?, ty, &value)?;
        self.define(inst, value)
    }

    /// `OpCompositeInsert`.
    pub(super) fn insert(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let object = self.typed_value(inst.id(2)?)?;
        let (ty, into) = self.typed_value(inst.id(3)?)?;
        let value = self.inserted(ty, &into, inst.rest(4), object)?;
        self.check_type(inst.id(0)?, ty, &value)?;
        self.define(inst, value)
    }

    fn inserted(
        &mut self,
        ty: Id,
        into: &Value,
        path: &[u32],
        object: (Id, Value),
    ) -> Result<Value, Fault> {
        let Some((&index, rest)) = path.split_first() else {
            let (of, value) = object;
            self.check_type(ty, of, &value)?;
            return Ok(value);
        };
        let part = self.module.part_type(ty, index)?;
        match (into, object) {
            (Value::Composite(parts), object) => {
                let mut parts = parts.to_vec();
                let slot = parts.get_mut(index as usize);
                let slot =
                    slot.ok_or_else(|| invalid("an index is beyond the parts of a composite"))?;
                *slot = self.inserted(part, &slot.clone(), rest, object)?;
                self.composite(parts)
            }
            (Value::Vector(vector), (_, Value::Vector(scalar))) => {
                let len = usize::from(self.module.shape(ty)?.len);
                let mut parts: Vec<Operand> = (0..len).map(|n| vector.channel(n)).collect();
                parts[index as usize] = scalar.channel(0);
                Ok(Value::Vector(self.assembled(&parts)))
            }
            _ => Err(invalid("an index goes into a value without parts")),
        }
    }

    /// `OpVectorShuffle`.
    pub(super) fn shuffle(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (first_ty, first) = self.typed_value(inst.id(2)?)?;
        let second = self.value(inst.id(3)?)?;
        let shape = self.module.shape(first_ty)?;
        let len = u32::from(shape.len);
        let mut parts = Vec::new();
        for &index in inst.rest(4) {
            parts.push(match index {
                // An undefined component may be any component.
                u32::MAX => component(&first, 0)?,
                _ if index < len => component(&first, index as usize)?,
                _ => component(&second, (index - len) as usize)?,
            });
        }
        if parts.is_empty() || parts.len() > 4 {
            return Err(invalid("a vector has no component or more than four"));
        }
        if shape.is_wide() {
            let value = self.vector_of(shape, parts)?;
            return self.define(inst, value);
        }
        let parts: Vec<Operand> = parts.into_iter().map(|part| part.channel(0)).collect();
        let value = self.assembled(&parts);
        self.define_operand(inst, value)
    }

    /// `OpVectorExtractDynamic`.
    pub(super) fn extract_dynamic(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, value) = self.typed_value(inst.id(2)?)?;
        let shape = self.module.shape(ty)?;
        let last = usize::from(shape.len) - 1;
        let index = match self.subscript(inst.id(3)?)? {
            Subscript::Constant(n) => {
                let value = component(&value, (n as usize).min(last))?;
                let value = if shape.is_wide() { value } else { value.channel(0) };
                return self.define_operand(inst, value);
            }
            Subscript::Dynamic(index) => index,
        };
        if shape.is_wide() {
            let mut chosen = component(&value, 0)?;
            for n in 1..=last {
                let is_it = self.compute(Opcode::Useq, 1, &[index, Operand::word(n as u32)]);
                chosen =
                    self.pair(Opcode::Ucmp, &[is_it.channel(0), component(&value, n)?, chosen]);
            }
            return self.define_operand(inst, chosen);
        }
        let value = self.channel_at(component(&value, 0)?, shape.len, index);
        self.define_operand(inst, value)
    }

    /// A component of a vector that starts at the first channel of `vector`. Later channels may belong to another
    /// variable.
    pub(super) fn component_of(&mut self, vector: Operand, component: Component) -> Operand {
        match component.which {
            Which::Constant(n) => vector.channel(n.into()),
            Which::Dynamic(index) => self.channel_at(vector, component.len, index),
        }
    }

    /// The channel of `vector` that a dynamic index selects.
    pub(super) fn channel_at(&mut self, vector: Operand, len: u8, index: Operand) -> Operand {
        let numbers = Operand::words([0, 1, 2, 3]);
        let is_it = self.compute(Opcode::Useq, len, &[index.channel(0), numbers]);
        let mut chosen = vector.channel(0);
        for n in 1..usize::from(len) {
            let sources = [is_it.channel(n), vector.channel(n), chosen];
            chosen = self.compute(Opcode::Ucmp, 1, &sources);
        }
        chosen.channel(0)
    }

    /// `OpVectorInsertDynamic`.
    pub(super) fn insert_dynamic(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, vector) = self.typed_value(inst.id(2)?)?;
        let shape = self.module.shape(ty)?;
        let scalar = self.source(inst, 3)?;
        let index = self.source(inst, 4)?.channel(0);
        let mut parts = Vec::new();
        for n in 0..usize::from(shape.len) {
            let is_it = self.compute(Opcode::Useq, 1, &[index, Operand::word(n as u32)]).channel(0);
            let old = component(&vector, n)?;
            parts.push(if shape.is_wide() {
                self.pair(Opcode::Ucmp, &[is_it, scalar, old])
            } else {
                self.compute(Opcode::Ucmp, 1, &[is_it, scalar.channel(0), old.channel(0)])
            });
        }
        let value = self.vector_of(shape, parts)?;
        self.define(inst, value)
    }
}
