//! The place that each line of a listing shows.

use crate::{ClauseId, ListingOptions, Program};

/// The place that a line of a listing shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListingPlace {
    /// A control-flow instruction.
    Cf {
        /// Its position.
        cf: usize,
        /// The clause that it starts.
        clause: Option<ClauseId>,
    },
    /// A slot of a group.
    Slot {
        /// The clause.
        clause: ClauseId,
        /// Position of the group in it.
        group: usize,
        /// Position of the instruction in the group.
        inst: usize,
    },
    /// A fetch.
    Fetch {
        /// The clause.
        clause: ClauseId,
        /// Position in it.
        fetch: usize,
    },
    /// Words that are no instruction.
    Words,
    /// A label, before the control-flow instruction at this position.
    Label {
        /// The position.
        cf: usize,
    },
    /// The last line.
    End,
}

impl Program {
    /// The places that the lines of the listing show, in line order.
    pub fn listing_places(&self) -> Vec<ListingPlace> {
        self.listing_with_places(ListingOptions::default()).1
    }
}
