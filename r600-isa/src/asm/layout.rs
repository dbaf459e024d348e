//! Layout of a program.

use std::ops::Range;

use crate::{Cf, Clause, Layout, Program};

use super::cf::ClauseProperties;
use super::{Code, Diagnostic, Parsed};

/// Maximum program size: the range that an instruction can address.
const MAX_UNITS: u32 = 1 << 22;

/// Words at a given position.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) at: u32,
    pub(super) words: Vec<u32>,
    pub(super) span: Range<usize>,
}

/// Placement given in a listing.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// For each clause, the placement on its line and the location of that line.
    pub(super) clauses: Vec<(ClauseProperties, Range<usize>)>,
    pub(super) data: Vec<Data>,
    /// Total number of words.
    pub(super) size: Option<(u32, Range<usize>)>,
}

impl Wanted {
    /// Whether the layout differs from the encoder's own.
    fn is_unusual(&self) -> bool {
        self.size.is_some() || !self.data.is_empty() || self.places_clauses()
    }

    /// Whether any line places its clause.
    fn places_clauses(&self) -> bool {
        let mut all = self.clauses.iter().map(|(properties, _)| properties);
        all.any(|properties| properties.address.is_some() || properties.align.is_some())
    }

    /// The layout of the program; `None` for the encoder's own.
    pub(super) fn layout(self, program: &Program) -> Parsed<Option<Layout>> {
        if !self.is_unusual() {
            return Ok(None);
        }
        let cf_len: u32 = program.cf.iter().map(Cf::num_units).sum();
        let mut taken = vec![(0..2 * cf_len, 0..0)];
        let mut clauses = Vec::new();
        let mut next = cf_len;
        let usual = program.clause_places(cf_len);
        let keeps_order = self.places_clauses();
        for ((clause, (properties, span)), usual) in
            program.clauses.iter().zip(&self.clauses).zip(usual)
        {
            let address = if keeps_order { place(clause, properties, next) } else { usual.addr };
            next = address.saturating_add(clause.num_units());
            check_address(next, span)?;
            taken.push((2 * address..2 * next, span.clone()));
            clauses.push(address);
        }
        let mut data = Vec::new();
        for Data { at, words, span } in self.data {
            let end = at.saturating_add(words.len() as u32);
            check_address(end / 2, &span)?;
            taken.push((at..end, span));
            data.push((at, words));
        }
        let end = check_overlaps(taken)?;
        let len = match self.size {
            None => end,
            Some((size, span)) if size < end => {
                let message = format!("the program has {end} words already");
                return Err(Diagnostic::new(Code::Address, span, message));
            }
            Some((size, span)) => {
                check_address(size / 2, &span)?;
                size
            }
        };
        Ok(Some(Layout { clauses, data, len }))
    }
}

/// The given address, or the next one that suits the clause.
fn place(clause: &Clause, properties: &ClauseProperties, next: u32) -> u32 {
    if let Some((address, _)) = &properties.address {
        return *address;
    }
    let own = if matches!(clause, Clause::Fetch(_)) { 2 } else { 1 };
    let next = next.checked_next_multiple_of(own).unwrap_or(next);
    next.checked_next_multiple_of(properties.align.unwrap_or(1)).unwrap_or(u32::MAX)
}

fn check_address(end: u32, span: &Range<usize>) -> Parsed<()> {
    if end <= MAX_UNITS {
        return Ok(());
    }
    let message = format!("programs have at most {MAX_UNITS} units of 64 bits");
    Err(Diagnostic::new(Code::Address, span.clone(), message))
}

/// Checks that no two parts overlap. Returns the word after the last part.
fn check_overlaps(mut taken: Vec<(Range<u32>, Range<usize>)>) -> Parsed<u32> {
    taken.sort_by_key(|(words, _)| words.start);
    let mut end = 0;
    for (words, span) in taken {
        if words.start < end && words.start < words.end {
            let message = format!("word {} is taken by an earlier part", words.start);
            let help = "leave the address out, and the part is placed after the previous one";
            return Err(Diagnostic::new(Code::Overlap, span, message).help(help));
        }
        end = end.max(words.end);
    }
    Ok(end)
}
