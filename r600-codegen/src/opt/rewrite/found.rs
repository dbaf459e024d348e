//! The result of matching a row.

use arrayvec::ArrayVec;

use crate::ssa::{Operand, Value};

/// What the names of a row stand for, and what is read only here.
#[derive(Default)]
pub(super) struct Match {
    names: [Option<Operand>; 5],
    pub(super) eaten: ArrayVec<Value, 4>,
}

impl Match {
    /// What stands for the name of this number.
    pub(super) fn get(&self, number: usize) -> Option<Operand> {
        self.names.get(number).copied().flatten()
    }

    pub(super) fn bind(&mut self, number: usize, operand: Operand) -> bool {
        let place = self.names.get_mut(number);
        place.map(|place| *place = Some(operand)).is_some()
    }
}
