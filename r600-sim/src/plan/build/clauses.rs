//! The planned clauses of a program: each is planned once, however many instructions run it.

use std::ops::Range;

use r600_isa::CfOp;

use crate::error::Fault;

use super::super::alu::Group;
use super::super::fetch::{Fetch, FetchAction};
use super::super::{clause, fetches, hazards};
use super::{Builder, Locks, StepFault};

/// Start and length of a clause, in words.
pub(super) type Extent = (usize, usize);

/// How often a word may occur in clauses on average. Clauses may overlap partially, but no compiler makes such clauses.
const MAX_OVERLAP: usize = 2;
/// Number of words that clauses may always hold together, however small the program is.
const FEWEST_WORDS: usize = 1 << 16;

impl<'a> Builder<'a> {
    /// The planned groups of a clause.
    pub(super) fn groups(
        &mut self,
        extent: Extent,
        locks: Locks,
    ) -> Result<Range<usize>, StepFault> {
        if let Some(known) = self.groups.get(&(extent, locks)) {
            return Ok(known.clone());
        }
        let words = self.clause(extent).map_err(|fault| (None, fault))?;
        let groups = clause::groups(words, self.generation, &locks)
            .map_err(|(step, fault)| (Some(step), fault))?;
        self.check_operations(&groups)?;
        let begin = self.plan.groups.len();
        self.plan.groups.extend(groups);
        let range = begin..self.plan.groups.len();
        self.groups.insert((extent, locks), range.clone());
        Ok(range)
    }

    /// The words of a clause to be planned. Partially overlapping clauses are planned separately, so their total is
    /// limited.
    fn clause(&mut self, (start, length): Extent) -> Result<&'a [u32], Fault> {
        let end = start.saturating_add(length);
        let words = self.words.get(start..end).ok_or(Fault::ClauseOverrun)?;
        self.planned += length;
        let limit = self.words.len().saturating_mul(MAX_OVERLAP).max(FEWEST_WORDS);
        if self.planned > limit { Err(Fault::ClausesOverlap(limit)) } else { Ok(words) }
    }

    /// Refuses operations that the generation has but the chip lacks.
    fn check_operations(&self, groups: &[Group]) -> Result<(), StepFault> {
        for (at, group) in groups.iter().enumerate() {
            if let Some(slot) = group.slots.iter().find(|slot| !self.chip.has_op(slot.op)) {
                return Err((Some(at), Fault::NoDoubles(slot.op.name())));
            }
        }
        Ok(())
    }

    /// The planned fetches of a clause.
    pub(super) fn fetches(&mut self, extent: Extent, op: CfOp) -> Result<Range<usize>, StepFault> {
        if let Some(known) = self.fetches.get(&(extent, op)) {
            return Ok(known.clone());
        }
        let words = self.clause(extent).map_err(|fault| (None, fault))?;
        let begin = self.plan.fetches.len();
        for (number, words) in words.chunks_exact(4).enumerate() {
            let words = [words[0], words[1], words[2], words[3]];
            let mut fetch =
                fetches::fetch(words, self.generation).map_err(|fault| (Some(number), fault))?;
            check_unit(op, &fetch).map_err(|fault| (Some(number), fault))?;
            if let FetchAction::Buffer(access) = &mut fetch.action {
                access.is_of_vertices = matches!(op, CfOp::Vtx | CfOp::VtxAck);
            }
            self.plan.fetches.push(fetch);
        }
        fetches::check_order(&self.plan.fetches[begin..])
            .map_err(|(number, fault)| (Some(number), fault))?;
        hazards::mark_fetches(&mut self.plan.fetches[begin..]);
        let range = begin..self.plan.fetches.len();
        self.fetches.insert((extent, op), range.clone());
        Ok(range)
    }
}

/// Checks that global data share operations have clauses of their own, and that the vertex unit runs no texture
/// fetches.
fn check_unit(clause: CfOp, fetch: &Fetch) -> Result<(), Fault> {
    let is_of_vertices = matches!(clause, CfOp::Vtx | CfOp::VtxTc | CfOp::VtxAck | CfOp::VtxTcAck);
    let shares = matches!(fetch.action, FetchAction::Gds(_) | FetchAction::TessellationFactor);
    let fits = shares == (clause == CfOp::Gds) && !(is_of_vertices && fetch.is_texture());
    if fits { Ok(()) } else { Err(Fault::WrongUnit(fetch.name, clause.name())) }
}
