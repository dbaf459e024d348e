//! What each merge may come from.

use cranelift_entity::SecondaryMap;

use crate::ssa::{Function, Operand, Value};

/// The sources of merges, as chains in one vector: most merges have two.
pub(super) struct Sources {
    /// One more than the place of the newest source of each value; 0 where there is none.
    newest: SecondaryMap<Value, u32>,
    /// Each source, and the place of the one before it likewise.
    all: Vec<(Operand, u32)>,
}

/// A place in the chain of a value's sources.
#[derive(Clone, Copy)]
pub(super) struct Place(u32);

impl Sources {
    /// No sources of the values of `function`.
    pub(super) fn new(function: &Function) -> Self {
        Self { newest: SecondaryMap::with_capacity(function.values.len()), all: Vec::new() }
    }

    /// Notes that each of `values` may come from what stands at its place in `args`.
    pub(super) fn add(&mut self, values: &[Value], args: &[Operand]) {
        for (&value, &arg) in values.iter().zip(args) {
            self.all.push((arg, self.newest[value]));
            self.newest[value] = self.all.len() as u32;
        }
    }

    /// Where the sources of `value` begin.
    pub(super) fn start(&self, value: Value) -> Place {
        Place(self.newest[value])
    }

    /// The source at `place`, and the place of the next one.
    pub(super) fn at(&self, place: Place) -> Option<(Operand, Place)> {
        let &(operand, before) = self.all.get(place.0.checked_sub(1)? as usize)?;
        Some((operand, Place(before)))
    }

    /// The sources of `value`.
    pub(super) fn of(&self, value: Value) -> impl Iterator<Item = Operand> {
        let mut place = self.start(value);
        std::iter::from_fn(move || {
            let (operand, next) = self.at(place)?;
            place = next;
            Some(operand)
        })
    }
}
