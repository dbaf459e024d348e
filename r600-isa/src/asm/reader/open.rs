//! The clause whose lines are being read.

use std::ops::Range;

use crate::FetchInst;
use crate::asm::cf::ClauseProperties;
use crate::asm::group::PendingGroup;

/// The clause whose lines are being read.
pub(super) struct OpenClause {
    pub(super) cf: usize,
    pub(super) properties: ClauseProperties,
    pub(super) is_fetch: bool,
    /// Whether groups begin with numbers; `None` before the first group.
    pub(super) is_numbered: Option<bool>,
    pub(super) group: PendingGroup,
    pub(super) parts: Vec<Part>,
    /// The lines of each part.
    pub(super) lines: Vec<Vec<Range<usize>>>,
    pub(super) span: Range<usize>,
    /// Whether a line of it could not be read.
    pub(super) is_broken: bool,
}

/// A part of a clause.
pub(super) enum Part {
    Group(crate::AluGroup),
    Fetch(FetchInst),
    Words(Vec<u32>),
}

impl Part {
    pub(super) fn num_words(&self) -> usize {
        match self {
            Self::Group(group) => 2 * group.num_slots(),
            Self::Fetch(_) => 4,
            Self::Words(words) => words.len(),
        }
    }
}
