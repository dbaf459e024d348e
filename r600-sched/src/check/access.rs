//! What an operation accesses, derived from the machine IR alone.

use arrayvec::ArrayVec;
use r600_isa::{CfOp, FetchOp};

use r600_mir::{
    Alu, Component, Dst, Element, Fetch, FetchTemplate, LDS_QUEUE_A_POP, Memory, Op, Src, SrcKind,
    Storage, TIME_HI, TIME_LO, VReg,
};

/// Calls `visit` with each ALU source of an operation.
fn sources(op: &Op, mut visit: impl FnMut(&Src)) {
    match op {
        Op::Alu(alu) => alu.src.iter().for_each(visit),
        Op::Reduction(reduction) => reduction.pairs.iter().flatten().for_each(visit),
        Op::Replicated(replicated) => replicated.src.iter().for_each(visit),
        Op::FixedSlots(fixed) => fixed.slots.iter().flat_map(|(_, alu)| &alu.src).for_each(visit),
        Op::Local(local) => local.src.iter().for_each(&mut visit),
        Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) | Op::Barrier => {}
    }
}

/// The single-slot instructions that an operation contains.
fn instructions(op: &Op) -> ArrayVec<&Alu, 4> {
    match op {
        Op::Alu(alu) => [alu].into_iter().collect(),
        Op::FixedSlots(fixed) => fixed.slots.iter().map(|(_, alu)| alu).collect(),
        _ => ArrayVec::new(),
    }
}

fn of_component(component: Component) -> Option<VReg> {
    match component {
        Component::VReg(vreg) => Some(vreg),
        Component::Unused | Component::Zero | Component::One => None,
    }
}

/// Calls `visit` for each register that `op` reads.
pub(super) fn reads(op: &Op, mut visit: impl FnMut(VReg)) {
    sources(op, |src| {
        if let SrcKind::VReg(vreg) = src.kind {
            visit(vreg);
        }
    });
    instructions(op).iter().filter_map(|alu| alu.index).for_each(&mut visit);
    match op {
        Op::Fetch(fetch) => {
            let components = fetch.steps.iter().flat_map(|step| step.src);
            components.filter_map(of_component).for_each(visit);
        }
        Op::Export(export) => export.src.into_iter().filter_map(of_component).for_each(visit),
        Op::Memory(memory) => memory.data.into_iter().chain(memory.index).flatten().for_each(visit),
        _ => {}
    }
}

/// Calls `visit` for each register that `op` writes.
pub(super) fn writes(op: &Op, mut visit: impl FnMut(VReg)) {
    for alu in instructions(op) {
        if let Dst::VReg(vreg) = alu.dst {
            visit(vreg);
        }
    }
    match op {
        Op::Reduction(reduction) => visit(reduction.dst),
        Op::Replicated(replicated) => visit(replicated.dst),
        Op::Fetch(fetch) => fetch.steps.iter().flat_map(|step| step.dst).flatten().for_each(visit),
        Op::Memory(memory) => memory.dst.into_iter().flatten().for_each(visit),
        _ => {}
    }
}

/// The array elements that `op` reads.
pub(super) fn elements_read(op: &Op) -> Vec<Element> {
    let mut found = Vec::new();
    sources(op, |src| {
        if let SrcKind::Element(element) = src.kind {
            found.push(element);
        }
    });
    found
}

/// The array elements that `op` writes.
pub(super) fn elements_written(op: &Op) -> ArrayVec<Element, 4> {
    let of = |alu: &&Alu| match alu.dst {
        Dst::Element(element) => Some(element),
        Dst::VReg(_) | Dst::None => None,
    };
    instructions(op).iter().filter_map(of).collect()
}

fn changes_share(fetch: &Fetch) -> bool {
    let changes = |template: &FetchTemplate| match template {
        FetchTemplate::Gds(gds) => gds.op != FetchOp::GdsReadRet,
        FetchTemplate::Tex(_)
        | FetchTemplate::Vtx(_)
        | FetchTemplate::Mem(_)
        | FetchTemplate::Covering(_) => false,
    };
    fetch.reads.is_some() && fetch.steps.iter().any(|step| changes(&step.template))
}

/// Whether a fetch tells covered lanes from helper lanes.
fn distinguishes_helpers(fetch: &Fetch) -> bool {
    fetch.steps.iter().any(|step| matches!(step.template, FetchTemplate::Covering(_)))
}

fn reads_memory(memory: &Memory) -> bool {
    memory.dst.iter().any(Option::is_some)
}

/// Whether `op` reads the clock.
fn reads_time(op: &Op) -> bool {
    let mut reads = false;
    sources(op, |src| reads |= matches!(src.kind, SrcKind::Special(TIME_LO | TIME_HI, _)));
    reads
}

/// The memory that `op` accesses, and whether it writes it. Waits and barriers count as writes, because they separate
/// the accesses of other lanes before and after them. So do clock reads, because they separate the accesses that are
/// measured.
pub(super) fn memory(op: &Op) -> ArrayVec<(Storage, bool), 2> {
    let mut touched = ArrayVec::new();
    match op {
        Op::Memory(memory) => touched.push((memory.storage, !reads_memory(memory))),
        Op::Fetch(fetch) => {
            touched.extend(fetch.reads.map(|storage| (storage, changes_share(fetch))));
        }
        Op::Event(flow) if flow.op != CfOp::WaitAck => {}
        Op::Barrier | Op::Event(_) => {
            touched.extend([(Storage::Shared, true), (Storage::Counters, true)]);
        }
        op if reads_time(op) => {
            touched.extend([(Storage::Shared, true), (Storage::Counters, true)]);
        }
        Op::Alu(_)
        | Op::Reduction(_)
        | Op::Replicated(_)
        | Op::FixedSlots(_)
        | Op::Export(_)
        | Op::Local(_) => {}
    }
    touched
}

/// Whether the effect of `op` is visible outside, or it ends lanes.
pub(super) fn has_effect(op: &Op) -> bool {
    match op {
        Op::Alu(alu) => alu.op.is_kill(),
        Op::Export(_) | Op::Event(_) | Op::Barrier => true,
        Op::Memory(memory) => !matches!(memory.storage, Storage::Scratch(_)),
        // A killed lane counts as a helper, so a fetch that finds helpers must keep its order with kills.
        Op::Fetch(fetch) => changes_share(fetch) || distinguishes_helpers(fetch),
        Op::Reduction(_) | Op::Replicated(_) | Op::FixedSlots(_) | Op::Local(_) => false,
    }
}

/// Whether `op` reads other lanes of the quad.
pub(super) fn takes_derivatives(op: &Op) -> bool {
    let takes = |template: &FetchTemplate| match template {
        FetchTemplate::Tex(tex) => tex.op.takes_derivatives(),
        FetchTemplate::Vtx(_)
        | FetchTemplate::Covering(_)
        | FetchTemplate::Mem(_)
        | FetchTemplate::Gds(_) => false,
    };
    matches!(op, Op::Fetch(fetch) if fetch.steps.iter().any(|step| takes(&step.template)))
}

/// Whether `op` ends lanes.
pub(super) fn kills(op: &Op) -> bool {
    matches!(op, Op::Alu(alu) if alu.op.is_kill())
}

/// Whether `op` pops a value from the queue of the local data share.
pub(super) fn pops_queue(op: &Op) -> bool {
    let mut pops = false;
    sources(op, |src| pops |= matches!(src.kind, SrcKind::Special(LDS_QUEUE_A_POP, _)));
    pops
}

/// Whether `op` accesses the local data share or its queue, waits for lanes that do, or measures the time of such
/// accesses.
pub(super) fn is_local(op: &Op) -> bool {
    matches!(op, Op::Local(_) | Op::Barrier) || pops_queue(op) || reads_time(op)
}
