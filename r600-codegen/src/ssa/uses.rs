//! Use counts of values.

use std::ops::{Index, IndexMut};

use cranelift_entity::SecondaryMap;

use super::walk::Event;
use super::{Function, Operand, Value};

/// How often each value of a function is read.
#[derive(Clone, Debug)]
pub struct Uses(SecondaryMap<Value, u32>);

impl Uses {
    /// Counts the uses in the whole of `function`.
    pub fn of(function: &Function) -> Self {
        let mut uses = SecondaryMap::new();
        uses.resize(function.values.len());
        let mut count = |operand: Operand| {
            if let Some(value) = operand.as_value() {
                uses[value] += 1;
            }
        };
        for event in function.body.walk() {
            match event {
                Event::Inst(inst) => function.insts[inst].data.for_each_operand(&mut count),
                other => other.for_each_operand(&mut count),
            }
        }
        Self(uses)
    }
}

impl Index<Value> for Uses {
    type Output = u32;

    fn index(&self, value: Value) -> &u32 {
        &self.0[value]
    }
}

impl IndexMut<Value> for Uses {
    fn index_mut(&mut self, value: Value) -> &mut u32 {
        &mut self.0[value]
    }
}
