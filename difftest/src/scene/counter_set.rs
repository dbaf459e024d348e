//! A subset of the counters of a scene.

/// A set of counters, by buffer and number if these are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CounterSet(Vec<[Option<i64>; 2]>);

impl CounterSet {
    /// Adds the counter of a buffer and a number. `None` stands for every buffer or every number.
    pub(crate) fn add(&mut self, place: [Option<i64>; 2]) {
        if !self.0.contains(&place) {
            self.0.push(place);
        }
    }

    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the set contains a counter.
    pub(crate) fn contains(&self, buffer: u32, number: usize) -> bool {
        let own = [i64::from(buffer), number as i64];
        let is_it = |place: &[Option<i64>; 2]| {
            place.iter().zip(own).all(|(known, own)| known.is_none_or(|known| known == own))
        };
        self.0.iter().any(is_it)
    }
}
