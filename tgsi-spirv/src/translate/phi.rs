//! Phis: lowered to copies on the edges to their block.

use std::collections::HashSet;

use tgsi_ir::Opcode;

use crate::binary::{Id, Inst};
use crate::code::{Base, Operand, Target};
use crate::error::{Fault, invalid};

use super::value::Value;
use super::{Translator, mask};

/// Number of phi sources whose examination counts as the work of one instruction.
const SOURCES_OF_STEP: usize = 1024;

/// Number of parts of a composite whose copy counts as the work of one instruction.
const PARTS_OF_STEP: usize = 32;

impl<'m> Translator<'m> {
    /// Takes the edge from `from` to `to`: copies the values of this edge to the phis of `to`.
    pub(super) fn phi_edge(&mut self, from: Id, to: Id) -> Result<(), Fault> {
        let function = self.frame()?.function;
        let Some(block) = function.blocks.get(&to) else {
            return Err(invalid(format!("{to} is not a block of this function")));
        };
        self.frame()?.reached.insert(to);
        let mut copies = Vec::new();
        for &phi in &block.phis {
            self.go_to(phi);
            let pairs = phi.rest(2).chunks_exact(2);
            self.code.add_work(1 + pairs.len() / SOURCES_OF_STEP);
            self.check_size()?;
            let value = pairs.clone().find(|pair| pair[1] == from.0).map(|pair| Id(pair[0]));
            let Some(value) = value else { continue };
            let value = self.phi_source(value)?;
            let Some(value) = value else { continue };
            let result = self.phi_result(phi)?;
            if let Value::Pointer(_) | Value::Handle(_) = value {
                return self.refuse("the hardware cannot select between pointers");
            }
            copies.push((result, value));
        }
        self.parallel(copies)
    }

    /// The value of a phi's source; `None` if the source is not defined on this path.
    fn phi_source(&mut self, id: Id) -> Result<Option<Value>, Fault> {
        match self.value(id) {
            Ok(value) => Ok(Some(value)),
            Err(_) if self.is_result(id)? => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Whether some instruction of the function has this result.
    fn is_result(&mut self, id: Id) -> Result<bool, Fault> {
        let function = self.frame()?.function;
        Ok(self.paths()?.has_result(function, id))
    }

    /// The registers of a phi's result.
    pub(super) fn phi_result(&mut self, phi: Inst<'m>) -> Result<Value, Fault> {
        let (ty, id) = (phi.id(0)?, phi.id(1)?);
        if let Some((_, value)) = self.frame()?.values.get(&id) {
            return Ok(value.clone());
        }
        let value = self.new_registers(ty)?;
        self.frame()?.values.insert(id, (ty, value.clone()));
        Ok(value)
    }

    /// New registers for a value of a type.
    pub(super) fn new_registers(&mut self, ty: Id) -> Result<Value, Fault> {
        let module = self.module;
        if let Some(shape) = module.find_shape(ty)?
            && !(shape.is_wide() && shape.len > 1)
        {
            let temp = Operand::temp(self.code.temp());
            let value = if shape.is_wide() {
                temp.pick(&[0, 1, 0, 1])
            } else {
                temp.first(shape.len.into())
            };
            return Ok(Value::Vector(value));
        }
        module.slots(ty)?;
        let num = module.num_parts(ty)?.ok_or_else(|| invalid("a value has no parts"))?;
        // Parts without registers also take memory.
        self.code.add_parts(num as usize);
        self.check_size()?;
        let parts: Result<Vec<Value>, Fault> =
            (0..num).map(|n| self.new_registers(module.part_type(ty, n)?)).collect();
        Ok(Value::Composite(parts?.into()))
    }

    /// Performs copies in parallel: reads all sources before it overwrites any target.
    fn parallel(&mut self, copies: Vec<(Value, Value)>) -> Result<(), Fault> {
        let written: HashSet<u32> = copies.iter().flat_map(|(result, _)| temps(result)).collect();
        let mut late = Vec::new();
        for (n, (result, value)) in copies.iter().enumerate() {
            let own = temps(result);
            // A move reads a whole vector before it writes. A composite takes several moves.
            let is_safe =
                |temp: &u32| matches!(value, Value::Vector(_)) && (n == 0 || own.contains(temp));
            if temps(value).iter().any(|temp| written.contains(temp) && !is_safe(temp)) {
                let saved = self.saved(value);
                self.check_size()?;
                late.push((result.clone(), saved));
            } else {
                late.push((result.clone(), value.clone()));
            }
        }
        for (result, value) in late {
            self.assign(&result, &value)?;
        }
        Ok(())
    }

    fn saved(&mut self, value: &Value) -> Value {
        match value {
            Value::Vector(operand) => Value::Vector(self.copy_all(*operand)),
            Value::Composite(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.saved(part)).collect();
                Value::Composite(parts.into())
            }
            other => other.clone(),
        }
    }

    fn copy_all(&mut self, operand: Operand) -> Operand {
        let temp = self.code.temp();
        self.code.emit(Opcode::Mov, Target::temp(temp, mask(4)), &[operand]);
        Operand::temp(temp)
    }

    /// Copies a value to registers of its type.
    pub(super) fn assign(&mut self, to: &Value, value: &Value) -> Result<(), Fault> {
        // Copies of parts without registers emit nothing, but take time.
        self.code.add_work(num_parts(value) / PARTS_OF_STEP);
        self.assign_parts(to, value)
    }

    fn assign_parts(&mut self, to: &Value, value: &Value) -> Result<(), Fault> {
        match (to, value) {
            (Value::Vector(to), Value::Vector(from)) => {
                let Base::Temp(temp) = to.base else {
                    return Err(invalid("a phi has no registers"));
                };
                let channels = to.swizzle.components();
                let len = channels.iter().map(|component| component.index() + 1).max().unwrap_or(4);
                if to != from {
                    self.code.emit(Opcode::Mov, Target::temp(temp, mask(len as u8)), &[*from]);
                }
                Ok(())
            }
            (Value::Composite(to), Value::Composite(from)) if to.len() == from.len() => {
                for (to, from) in to.iter().zip(from.iter()) {
                    self.assign_parts(to, from)?;
                }
                self.check_size()
            }
            (_, Value::Pointer(_) | Value::Handle(_)) => {
                self.refuse("the hardware cannot select between pointers")
            }
            _ => Err(invalid("a value does not match its type")),
        }
    }
}

/// Number of values in a value: itself and all its parts.
fn num_parts(value: &Value) -> usize {
    1 + value.parts().unwrap_or_default().iter().map(num_parts).sum::<usize>()
}

/// The temporaries that a value is in.
fn temps(value: &Value) -> Vec<u32> {
    match value {
        Value::Vector(operand) => {
            let base = match operand.base {
                Base::Temp(temp) => Some(temp),
                _ => None,
            };
            let index = operand.index.map(|index| index.temp);
            base.into_iter().chain(index).collect()
        }
        Value::Composite(parts) => parts.iter().flat_map(temps).collect(),
        _ => Vec::new(),
    }
}
