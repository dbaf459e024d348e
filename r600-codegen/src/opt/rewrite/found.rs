//! The result of matching a row.

use arrayvec::ArrayVec;

use crate::ssa::{Operand, Value};

/// The operands bound to the names of a row, and the values that nothing else reads.
#[derive(Default)]
pub(super) struct Match {
    names: [Option<Operand>; 5],
    pub(super) eaten: ArrayVec<Value, 4>,
}

impl Match {
    /// The operand bound to the name with this number.
    pub(super) fn get(&self, number: usize) -> Option<Operand> {
        self.names.get(number).copied().flatten()
    }

    pub(super) fn bind(&mut self, number: usize, operand: Operand) -> bool {
        let place = self.names.get_mut(number);
        place.map(|place| *place = Some(operand)).is_some()
    }
}
