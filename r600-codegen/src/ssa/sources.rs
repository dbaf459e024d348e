//! The sources of each phi; loop parameters and results count as phis.

use cranelift_entity::SecondaryMap;

use crate::internal::Broken;

use super::{Function, Operand, Value};

/// The sources of phis, as linked lists in one vector. Most phis have two sources.
#[derive(Debug)]
pub(crate) struct Sources {
    /// For each value, one more than the index in `all` of its newest source; 0 if it has none.
    newest: SecondaryMap<Value, u32>,
    /// Each source, with the link to the previous source of the same value, encoded as in `newest`.
    all: Vec<(Operand, u32)>,
}

impl Sources {
    /// The sources of all phis of `function`.
    ///
    /// # Errors
    /// If an exit is outside any loop.
    pub(crate) fn of(function: &Function) -> Result<Self, Broken> {
        let mut sources = Self { newest: SecondaryMap::new(), all: Vec::new() };
        if function.body.is_straight() {
            return Ok(sources);
        }
        sources.newest.resize(function.values.len());
        for event in function.body.walk() {
            event.for_each_flow(|value, from| sources.add(value, from))?;
        }
        Ok(sources)
    }

    fn add(&mut self, value: Value, from: Operand) {
        self.all.push((from, self.newest[value]));
        self.newest[value] = self.all.len() as u32;
    }

    /// The sources of `value`.
    pub(crate) fn of_value(&self, value: Value) -> impl Iterator<Item = Operand> {
        let mut place = self.newest[value];
        std::iter::from_fn(move || {
            let &(operand, before) = self.all.get(place.checked_sub(1)? as usize)?;
            place = before;
            Some(operand)
        })
    }
}
