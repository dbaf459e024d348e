//! Locations of a program's parts in the text.

use std::ops::Range;

use crate::verify::Place;
use crate::{ClauseId, EncodeError};

/// Locations of a program's parts in a listing.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Lines of the control-flow list.
    pub(super) cf: Vec<Range<usize>>,
    /// Groups or fetches of each clause.
    pub(super) bodies: Vec<Vec<PartLines>>,
    /// Length of the text.
    pub(super) len: usize,
}

/// Location of a group or fetch.
#[derive(Clone, Debug)]
pub(super) struct PartLines {
    /// Its lines.
    pub(super) lines: Vec<Range<usize>>,
    /// Number of words it encodes to.
    pub(super) num_words: usize,
}

impl PartLines {
    /// From its first line to its last.
    fn span(&self) -> Option<Range<usize>> {
        Some(self.lines.first()?.start..self.lines.last()?.end)
    }
}

impl SourceMap {
    /// The lines of a place reported by the verifier; the end of the text if it reports none.
    pub fn span(&self, place: Place) -> Range<usize> {
        let body = || {
            let ClauseId(clause) = place.clause?;
            self.bodies.get(clause as usize)?.get(place.body?)?.span()
        };
        let line = || self.cf.get(place.cf?).cloned();
        body().or_else(line).unwrap_or(self.len..self.len)
    }

    /// The line that cannot be encoded.
    pub(super) fn span_of_error(&self, error: &EncodeError) -> Range<usize> {
        let cf = match error {
            EncodeError::Field { cf, .. } | EncodeError::Target { cf, .. } => Some(*cf),
            EncodeError::Clause { .. } | EncodeError::Layout { .. } => None,
        };
        self.span(Place { cf, ..Place::default() })
    }
}
