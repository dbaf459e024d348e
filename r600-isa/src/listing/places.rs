//! What each line of a listing shows.

use super::started_clause;
use crate::{Clause, ClauseId, Program};

/// What a line of a listing shows.
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
    /// The last line.
    End,
}

impl Program {
    /// What the lines of the listing show, one each and in the same order.
    pub fn listing_places(&self) -> Vec<ListingPlace> {
        let mut places = Vec::new();
        for (at, cf) in self.cf.iter().enumerate() {
            let id = started_clause(cf).map(ClauseId);
            let clause = id.and_then(|id| Some((id, self.clauses.get(id.0 as usize)?)));
            places.push(ListingPlace::Cf { cf: at, clause: clause.map(|(id, _)| id) });
            if let Some((id, clause)) = clause {
                clause_places(id, clause, &mut places);
            }
        }
        places.push(ListingPlace::End);
        places
    }
}

fn clause_places(id: ClauseId, clause: &Clause, places: &mut Vec<ListingPlace>) {
    match clause {
        Clause::Alu(groups) => {
            for (at, group) in groups.iter().enumerate() {
                let slot = |inst| ListingPlace::Slot { clause: id, group: at, inst };
                places.extend((0..group.insts.len()).map(slot));
            }
        }
        Clause::Fetch(fetches) => {
            let fetch = |fetch| ListingPlace::Fetch { clause: id, fetch };
            places.extend((0..fetches.len()).map(fetch));
        }
        Clause::Raw(words) => {
            places.extend((0..words.len().div_ceil(2)).map(|_| ListingPlace::Words));
        }
    }
}
