//! Checks slots, windows and clause lengths, independently of values.

use r600_isa::{
    AluOp, AluSel, FetchOp, Generation, Hazard, IndexMode, MAX_ALU_CLAUSE_SLOTS, Slot, Slots,
};

use crate::schedule::{AluClause, Clause, Group, Placed, PlacedDst, PlacedSel, Schedule};
use r600_mir::{Block, Element, Fetch, FetchTemplate, Function, Op, OpId, Storage};

use super::CheckError;

/// Checks the clauses of a block.
pub(super) fn check(
    function: &Function,
    schedule: &Schedule,
    block: Block,
) -> Result<(), CheckError> {
    let limits = Limits { function, schedule, block };
    for clause in &schedule.blocks[block] {
        match clause {
            Clause::Alu(alu) => limits.alu_clause(alu)?,
            Clause::Fetch(fetches) => limits.fetch_clause(fetches)?,
            Clause::Export(_) => {}
        }
    }
    Ok(())
}

/// The unit that executes the fetches of a clause; it must be the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Textures,
    Vertices,
    Share,
    Covering,
}

struct Limits<'a> {
    function: &'a Function,
    schedule: &'a Schedule,
    block: Block,
}

impl Limits<'_> {
    fn generation(&self) -> Generation {
        self.function.chip.generation()
    }

    fn alu_clause(&self, clause: &AluClause) -> Result<(), CheckError> {
        let length: usize = clause.groups.iter().map(Group::num_units).sum();
        if length > MAX_ALU_CLAUSE_SLOTS {
            return Err(CheckError::Clause(self.block));
        }
        clause.groups.iter().try_for_each(one_parameter)?;
        if self.function.avoids(Hazard::IndexKinds) {
            clause.groups.iter().try_for_each(one_kind_of_index)?;
        }
        for (slot, placed) in clause.groups.iter().flat_map(Group::iter) {
            match placed.node {
                Some(node) => self.slot(node, slot, placed)?,
                None if is_schedulers_own(placed) => {}
                None => return Err(CheckError::Stray(self.block)),
            }
        }
        Ok(())
    }

    fn slot(&self, node: OpId, slot: Slot, placed: &Placed) -> Result<(), CheckError> {
        let is_legal = match placed.op.slots(self.generation()) {
            None => false,
            Some(Slots::Trans) => slot == Slot::T,
            Some(Slots::Any) => true,
            Some(Slots::X) => slot == Slot::X,
            Some(_) => slot != Slot::T,
        };
        let exists = slot != Slot::T || self.generation().has_trans_slot();
        let chan_fits = slot == Slot::T || Slot::vector(placed.chan) == slot;
        let dst_fits = match placed.dst {
            PlacedDst::VReg(vreg) => self.schedule.chans[vreg] == placed.chan,
            PlacedDst::Element(element) => element.chan == placed.chan,
            PlacedDst::None => true,
        };
        if is_legal && exists && chan_fits && dst_fits {
            Ok(())
        } else {
            Err(CheckError::Slot(node))
        }
    }

    fn fetch_clause(&self, fetches: &[OpId]) -> Result<(), CheckError> {
        let fetches = || {
            fetches.iter().filter_map(|&op| match &self.function.ops[op] {
                Op::Fetch(fetch) => Some(&**fetch),
                _ => None,
            })
        };
        let mut units = fetches().flat_map(|fetch| self.units(fetch));
        let first = units.next();
        let mixes = units.any(|unit| Some(unit) != first);
        let length: usize = fetches().map(|fetch| fetch.steps.len()).sum();
        if mixes || length > self.generation().max_fetches() {
            return Err(CheckError::Clause(self.block));
        }
        Ok(())
    }

    /// The units of a fetch's steps. The texture unit also executes vertex fetches on Cayman. So it does on chips with
    /// stale vertex caches, if the fetch reads memory that programs write.
    fn units(&self, fetch: &Fetch) -> impl Iterator<Item = Unit> {
        let function = self.function;
        let goes_past = fetch.reads == Some(Storage::Shared);
        let is_cayman = self.generation() == Generation::Cayman;
        let is_stale = function.chip.has(Hazard::StaleVertexCache)
            && !function.ignored.contains(Hazard::StaleVertexCache);
        fetch.steps.iter().map(move |step| match &step.template {
            FetchTemplate::Gds(_) => Unit::Share,
            FetchTemplate::Covering(_) => Unit::Covering,
            FetchTemplate::Tex(_) => Unit::Textures,
            FetchTemplate::Vtx(vtx) if is_stale && vtx.op == FetchOp::GetBufferResinfo => {
                Unit::Textures
            }
            FetchTemplate::Vtx(_) | FetchTemplate::Mem(_) if is_cayman || is_stale && goes_past => {
                Unit::Textures
            }
            FetchTemplate::Vtx(_) | FetchTemplate::Mem(_) => Unit::Vertices,
        })
    }
}

/// Whether `placed` is an instruction that the scheduler may add: a no-op, or a load of the address register.
fn is_schedulers_own(placed: &Placed) -> bool {
    let num_sources = match placed.op {
        AluOp::AluNop => 0,
        AluOp::MovaInt | AluOp::MovaGprInt => 1,
        _ => return false,
    };
    let Placed { dst, src, clamp, update_exec_mask, index_mode, vec_210, lds, .. } = placed;
    *dst == PlacedDst::None
        && src.len() == num_sources
        && !(*clamp || *update_exec_mask || *vec_210 || lds.is_some())
        && *index_mode == IndexMode::ArX
}

/// Checks that a group reads at most one parameter.
fn one_parameter(group: &Group) -> Result<(), CheckError> {
    let mut first = None;
    for (_, placed) in group.iter() {
        for src in &placed.src {
            if let PlacedSel::Special(AluSel::Param(number), _) = src.sel
                && *first.get_or_insert(number) != number
                && let Some(node) = placed.node
            {
                return Err(CheckError::Slot(node));
            }
        }
    }
    Ok(())
}

/// Checks that two instructions of a group read the same array both by an index or both directly.
fn one_kind_of_index(group: &Group) -> Result<(), CheckError> {
    let reads = group.iter().flat_map(|(_, placed)| {
        placed.src.iter().filter_map(|src| match src.sel {
            PlacedSel::Element(element) => Some((placed.node?, element)),
            _ => None,
        })
    });
    let reads: Vec<(OpId, Element)> = reads.collect();
    let indexed = reads.iter().filter(|(_, element)| element.relative);
    for (node, by_index) in indexed {
        let is_direct = |(other, element): &(OpId, Element)| {
            other != node && element.array == by_index.array && !element.relative
        };
        if reads.iter().any(is_direct) {
            return Err(CheckError::IndexKinds(*node));
        }
    }
    Ok(())
}
