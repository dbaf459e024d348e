//! Finds code that a chip with a hazard may run incorrectly. It uses only the plan, not the verifier's rules, and marks
//! groups and fetches regardless of which chips have the hazard.

use r600_isa::{AluFlags, AluOp, Hazard, HazardSet};

use crate::declaration::Stage;

use super::Plan;
use super::alu::{Action, AddressTarget, Group, IndexRegister, Slot, Source, TRANS};
use super::cf::CfAction;
use super::fetch::{Fetch, Select};

/// Marks the groups of one clause.
pub(super) fn mark_groups(clause: &mut [Group]) {
    let last = clause.len().saturating_sub(1);
    let has_barrier = clause.iter().any(Group::is_barrier);
    // The last load of the address register.
    let mut loaded = None;
    for (at, group) in clause.iter_mut().enumerate() {
        let trans = group.slots.iter().find(|slot| slot.index == TRANS);
        let indexes_registers = group.slots.iter().any(indexes_register);
        let found = [
            (Hazard::LdsBesideTrans, trans.is_some() && group.slots.iter().any(touches_share)),
            (Hazard::MuladdInTrans, trans.is_some_and(|slot| is_muladd(slot.op))),
            (Hazard::KillInClause, at < last && group.slots.iter().any(kills)),
            (Hazard::BarrierInClause, at < last && group.is_barrier()),
            (Hazard::BarrierInClause, has_barrier && group.slots.iter().any(disturbs_barrier)),
            (Hazard::IndexKinds, mixes_index_kinds(group)),
            (Hazard::MovaGpr, indexes_registers && loaded != Some(AluOp::MovaGprInt)),
        ];
        let found = found.into_iter().filter(|(_, is_so)| *is_so);
        group.exposed_to = found.fold(HazardSet::NONE, |set, (hazard, _)| set.with(hazard));
        let load = group.slots.iter().find(|slot| loads_address(slot));
        loaded = load.map(|slot| slot.op).or(loaded);
    }
}

/// Marks the fetches of one clause. A register counts as written as soon as one of its channels is.
pub(super) fn mark_fetches(clause: &mut [Fetch]) {
    let mut written = Vec::new();
    for fetch in clause {
        let reads = fetch.source_select.iter().any(|from| matches!(from, Select::Channel(_)));
        if reads && written.contains(&fetch.source) {
            fetch.exposed_to = fetch.exposed_to.with(Hazard::FetchOfFetched);
        }
        if fetch.destination_select.iter().any(|select| *select != Select::Masked) {
            written.extend(fetch.destinations());
        }
    }
}

/// Hazards to which the program as a whole is exposed.
pub(crate) fn of_program(plan: &Plan, stage: Stage) -> HazardSet {
    let has_clause = plan.cf.iter().any(|step| matches!(step.action, CfAction::Alu(_)));
    match stage {
        Stage::Vertex if !has_clause => HazardSet::NONE.with(Hazard::VertexWithoutAlu),
        Stage::Vertex | Stage::Pixel | Stage::Other => HazardSet::NONE,
    }
}

fn kills(slot: &Slot) -> bool {
    matches!(slot.action, Action::Kill { .. })
}

/// Whether one register is accessed both with an index and without, or with two indices.
fn mixes_index_kinds(group: &Group) -> bool {
    let operands = || group.slots.iter().flat_map(|slot| &slot.operands);
    let reads = || {
        operands().filter_map(|operand| match operand.source {
            Source::Gpr { gpr, index, .. } => Some((gpr, index)),
            _ => None,
        })
    };
    reads().any(|(gpr, index)| {
        index.is_some() && reads().any(|(other, kind)| other == gpr && kind != index)
    })
}

fn touches_share(slot: &Slot) -> bool {
    let reads_queue =
        slot.operands.iter().any(|operand| matches!(operand.source, Source::Queue { .. }));
    reads_queue || matches!(slot.action, Action::Lds(_))
}

fn is_muladd(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::Muladd
            | AluOp::MuladdM2
            | AluOp::MuladdM4
            | AluOp::MuladdD2
            | AluOp::MuladdIeee
            | AluOp::MuladdIeeeM2
            | AluOp::MuladdIeeeM4
            | AluOp::MuladdIeeeD2
    )
}

/// Whether the slot must not share a clause with a barrier.
fn disturbs_barrier(slot: &Slot) -> bool {
    kills(slot)
        || matches!(slot.action, Action::Predicate { .. } | Action::SetIndex(_))
        || slot.op.has(AluFlags::INTERPOLATION)
        || loads_address(slot)
        || uses_address(slot)
}

fn loads_address(slot: &Slot) -> bool {
    matches!(slot.action, Action::LoadAddress { target: AddressTarget::Address(_), .. })
}

fn is_address(index: Option<IndexRegister>) -> bool {
    matches!(index, Some(IndexRegister::Address(_)))
}

/// Whether the address register indexes a register of the slot.
fn indexes_register(slot: &Slot) -> bool {
    let mut sources = slot.operands.iter().map(|operand| operand.source);
    slot.destination.is_some_and(|to| is_address(to.index))
        || sources.any(|source| matches!(source, Source::Gpr { index, .. } if is_address(index)))
}

fn uses_address(slot: &Slot) -> bool {
    let by_address = |source| match source {
        Source::Constant { index, .. } | Source::ConstantFile { index, .. } => is_address(index),
        _ => false,
    };
    indexes_register(slot) || slot.operands.iter().any(|operand| by_address(operand.source))
}
