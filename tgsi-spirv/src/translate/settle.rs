//! Fixed registers for results of duplicated code, so that the code after it finds them in the same place whichever
//! copy ran.

use std::rc::Rc;

use tgsi_ir::Opcode;

use crate::binary::Id;
use crate::code::{Base, Operand, Target};
use crate::error::Fault;

use super::value::Value;
use super::{Translator, mask};

impl Translator<'_> {
    /// Moves a result of duplicated code to the same registers in each copy.
    pub(super) fn settle(&mut self, id: Id, value: Value) -> Result<Value, Fault> {
        if self.frame()?.settled.is_none() {
            return Ok(value);
        }
        let known = self.frame()?.settled.as_ref().and_then(|map| map.get(&id)).cloned();
        let place = match known {
            Some(place) => place,
            None => {
                let place = self.like(&value);
                if let Some(map) = &mut self.frame()?.settled {
                    map.insert(id, place.clone());
                }
                place
            }
        };
        match value {
            Value::Vector(_) | Value::Composite(_) => self.assign(&place, &value)?,
            Value::Pointer(_) | Value::Handle(_) => self.point(&place, value)?,
        }
        Ok(place)
    }

    /// New registers for a value. A pointer needs registers only for its dynamic parts.
    fn like(&mut self, value: &Value) -> Value {
        match value {
            Value::Vector(_) => Value::Vector(Operand::temp(self.code.temp())),
            Value::Composite(parts) => {
                // Parts without registers also take memory.
                self.code.add_parts(parts.len());
                let parts: Vec<Value> = parts.iter().map(|part| self.like(part)).collect();
                Value::Composite(parts.into())
            }
            Value::Pointer(_) | Value::Handle(_) => {
                let mut place = value.clone();
                for operand in dynamic(&mut place) {
                    *operand = Operand::temp(self.code.temp());
                }
                place
            }
        }
    }

    /// Copies the dynamic parts of a pointer to their fixed registers.
    fn point(&mut self, place: &Value, mut value: Value) -> Result<(), Fault> {
        let mut place = place.clone();
        let mut moves = Vec::new();
        let (to, from) = (dynamic(&mut place), dynamic(&mut value));
        let is_alike = to.len() == from.len();
        for (to, from) in to.into_iter().zip(from) {
            moves.push((*to, std::mem::replace(from, *to)));
        }
        if !is_alike || !is_same(&place, &value) {
            return self.refuse("a pointer to different memory in each copy of a block");
        }
        for (to, from) in moves {
            if let Base::Temp(temp) = to.base
                && to != from
            {
                self.code.emit(Opcode::Mov, Target::temp(temp, mask(4)), &[from]);
            }
        }
        Ok(())
    }
}

/// The dynamic parts of a pointer.
fn dynamic(value: &mut Value) -> Vec<&mut Operand> {
    match value {
        Value::Pointer(pointer) => Rc::make_mut(pointer).operands_mut(),
        Value::Handle(handle) => Rc::make_mut(handle).operands_mut(),
        Value::Vector(_) | Value::Composite(_) => Vec::new(),
    }
}

/// Whether pointers or handles are the same.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Pointer(a), Value::Pointer(b)) => a == b,
        (Value::Handle(a), Value::Handle(b)) => a == b,
        _ => false,
    }
}
