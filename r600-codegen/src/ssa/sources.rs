//! The sources of each phi; loop parameters and results count as phis.

use cranelift_entity::SecondaryMap;

use crate::internal::Broken;

use super::{Function, Operand, Value};

/// The sources of phis, as chains in one vector: most phis have two.
#[derive(Debug)]
pub(crate) struct Sources {
    /// One more than the place of the newest source of each value; 0 where there is none.
    newest: SecondaryMap<Value, u32>,
    /// Each source, and the place of the one before it likewise.
    all: Vec<(Operand, u32)>,
}

impl Sources {
    /// The sources of all phis of `function`.
    ///
    /// # Errors
    /// When an exit stands outside any loop.
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
