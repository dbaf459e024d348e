//! The operands, registers and memory that operations read and write.

use arrayvec::ArrayVec;
use r600_isa::CfOp;

use crate::{Component, Dst, Op, Src, SrcKind, Storage, TIME_HI, TIME_LO, VReg};

/// Calls `visit` for each ALU operand of `op`.
pub fn for_each_source(op: &Op, mut visit: impl FnMut(&Src)) {
    match op {
        Op::Alu(alu) => alu.src.iter().for_each(visit),
        Op::Reduction(reduction) => reduction.pairs.iter().flatten().for_each(visit),
        Op::Replicated(replicated) => replicated.src.iter().for_each(visit),
        Op::FixedSlots(fixed) => {
            fixed.slots.iter().for_each(|(_, alu)| alu.src.iter().for_each(&mut visit));
        }
        Op::Local(local) => local.src.iter().for_each(visit),
        Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) | Op::Barrier => {}
    }
}

/// Whether `op` reads the clock.
fn reads_time(op: &Op) -> bool {
    let mut reads = false;
    for_each_source(op, |src| {
        reads |= matches!(src.kind, SrcKind::Special(TIME_LO | TIME_HI, _));
    });
    reads
}

/// The memory that `op` accesses, and whether it writes it. A clock read separates accesses as a barrier does: it stays
/// after the previous one and measures the accesses in between.
pub fn storages_of(op: &Op) -> ArrayVec<(Storage, bool), 2> {
    let one = |touched: Option<(Storage, bool)>| touched.into_iter().collect();
    match op {
        Op::Memory(memory) => one(Some((memory.storage, !memory.is_read()))),
        Op::Fetch(fetch) => one(fetch.reads.map(|storage| (storage, fetch.is_change()))),
        // Accesses after it may see writes of other lanes; those before it must not see later ones.
        Op::Barrier => ArrayVec::from([(Storage::Shared, true), (Storage::Counters, true)]),
        Op::Event(flow) if flow.op == CfOp::WaitAck => {
            ArrayVec::from([(Storage::Shared, true), (Storage::Counters, true)])
        }
        op if reads_time(op) => {
            ArrayVec::from([(Storage::Shared, true), (Storage::Counters, true)])
        }
        _ => ArrayVec::new(),
    }
}

/// Calls `visit` for each register that `op` reads.
pub fn for_each_read(op: &Op, mut visit: impl FnMut(VReg)) {
    for_each_source(op, |src| {
        if let SrcKind::VReg(vreg) = src.kind {
            visit(vreg);
        }
    });
    let components: &mut dyn FnMut(Component) = &mut |component| {
        if let Component::VReg(vreg) = component {
            visit(vreg);
        }
    };
    match op {
        Op::Alu(alu) => alu.index.into_iter().for_each(visit),
        Op::Fetch(fetch) => {
            fetch.steps.iter().flat_map(|step| step.src).for_each(components);
        }
        Op::Export(export) => export.src.into_iter().for_each(components),
        Op::Memory(memory) => memory.data.into_iter().chain(memory.index).flatten().for_each(visit),
        Op::Reduction(_)
        | Op::Replicated(_)
        | Op::FixedSlots(_)
        | Op::Event(_)
        | Op::Local(_)
        | Op::Barrier => {}
    }
}

/// Calls `visit` for each register that `op` writes.
pub fn for_each_write(op: &Op, mut visit: impl FnMut(VReg)) {
    match op {
        Op::Alu(alu) => {
            if let Dst::VReg(vreg) = alu.dst {
                visit(vreg);
            }
        }
        Op::Reduction(reduction) => visit(reduction.dst),
        Op::Replicated(replicated) => visit(replicated.dst),
        Op::FixedSlots(fixed) => {
            for (_, alu) in &fixed.slots {
                if let Dst::VReg(vreg) = alu.dst {
                    visit(vreg);
                }
            }
        }
        Op::Fetch(fetch) => fetch.steps.iter().flat_map(|s| s.dst).flatten().for_each(visit),
        Op::Memory(memory) => memory.dst.into_iter().flatten().for_each(visit),
        Op::Export(_) | Op::Event(_) | Op::Local(_) | Op::Barrier => {}
    }
}
