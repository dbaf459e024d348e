//! Changes of what goes through memory: accesses to the local data share, writes to rings, random access targets
//! and scratch memory, waits for them, and the events that say what is in a ring.

use difftest::random::Random;
use r600_isa::{
    AluInst, AluOp, AluSel, AluSrc, Cf, CfCondition, CfIndex, CfKind, CfMemory, CfOp, CfRat,
    FetchInst, LdsAccess, LdsOp, MemInst, MemoryAccess, MemoryType,
};
use r600_mir::LDS_QUEUE_A_POP;

use super::alu::{flip_register, other};
use super::places::{cf, doubled_cf, fetch, flow, inst, lost_cf, memory, swapped_cf};
use super::{Kind, Whole};

/// The front of queue A of local memory, left there, and that of queue B, taken off.
const LDS_QUEUE_A: AluSel = AluSel::Other(219);
const LDS_QUEUE_B_POP: AluSel = AluSel::Other(222);

/// All of them.
pub(super) const KINDS: &[Kind] = &[
    ("local operation", |w, r| local(w, r, |access| access.op = other_operation(access.op))),
    ("second address in local memory", |w, r| local(w, r, |access| access.offset ^= 1)),
    ("local address", |w, r| operand(w, r, 0, |src| flip_register(&mut src.sel))),
    ("channel of a local address", |w, r| operand(w, r, 0, |src| src.chan = other(src.chan))),
    ("value for local memory", |w, r| operand(w, r, 1, |src| flip_register(&mut src.sel))),
    ("channel for local memory", |w, r| operand(w, r, 1, |src| src.chan = other(src.chan))),
    ("swapped operands of local memory", |w, r| inst(w, r, |i| takes(i, 1), |i| i.src.swap(0, 1))),
    ("lost local access", |w, r| {
        inst(w, r, |i| i.lds().is_some(), |i| *i = AluInst { op: AluOp::AluNop, ..*i })
    }),
    ("value left in a queue", |w, r| queue(w, r, LDS_QUEUE_A)),
    ("another queue", |w, r| queue(w, r, LDS_QUEUE_B_POP)),
    ("lost meeting of invocations", |w, r| {
        inst(w, r, |i| i.op == AluOp::GroupBarrier, |i| i.op = AluOp::AluNop)
    }),
    ("place in memory", |w, r| {
        memory(w, r, |m| {
            if let MemoryAccess::Base(base) = &mut m.access {
                *base ^= 4;
            }
        })
    }),
    ("register for memory", |w, r| memory(w, r, |m| m.gpr ^= 1)),
    ("channels for memory", |w, r| memory(w, r, |m| m.comp_mask ^= 1)),
    ("size of an element of memory", |w, r| memory(w, r, |m| m.elem_size ^= 1)),
    ("reach in memory", |w, r| memory(w, r, |m| m.array_size ^= 1)),
    ("length of a write to memory", |w, r| memory(w, r, |m| m.burst += 1)),
    ("relative register for memory", |w, r| memory(w, r, |m| m.relative ^= true)),
    ("index in memory", |w, r| memory(w, r, |m| m.index_gpr ^= 1)),
    ("lost index in memory", |w, r| {
        memory(w, r, |m| {
            let is_indexed = m.kind.is_indexed();
            m.kind = if is_indexed { MemoryType::Write } else { MemoryType::WriteIndexed };
        })
    }),
    ("another ring", |w, r| {
        memory(w, r, |m| {
            m.op = if m.op == CfOp::MemRing { CfOp::MemRing1 } else { CfOp::MemRing };
        })
    }),
    ("lost write to memory", |w, r| lost_cf(w, r, is_memory)),
    ("doubled write to memory", |w, r| doubled_cf(w, r, is_memory)),
    ("swapped writes to memory", |w, r| swapped_cf(w, r, is_memory)),
    ("random access target", |w, r| target(w, r, |target| target.id ^= 1)),
    ("operation on a target", |w, r| target(w, r, |target| target.op ^= 1)),
    ("index of a target", |w, r| target(w, r, |target| target.index = CfIndex::Index0)),
    ("acknowledgement", |w, r| memory(w, r, |m| m.mark ^= true)),
    ("lost wait for memory", |w, r| lost_cf(w, r, is_wait)),
    ("swapped wait for memory", |w, r| swapped_cf(w, r, is_wait)),
    ("place in scratch memory", |w, r| scratch(w, r, |read| read.array_base ^= 1)),
    ("channels of scratch memory", |w, r| scratch(w, r, |read| read.dst_sel.swap(0, 1))),
    ("register of scratch memory", |w, r| scratch(w, r, |read| read.dst_gpr ^= 1)),
    ("size of an element of scratch memory", |w, r| scratch(w, r, |read| read.elem_size ^= 1)),
    ("index in scratch memory", |w, r| scratch(w, r, |read| read.indexed ^= true)),
    ("cache of scratch memory", |w, r| scratch(w, r, |read| read.uncached ^= true)),
    ("another event", |w, r| {
        flow(w, r, is_geometry, |f| {
            let is_cut = f.op == CfOp::CutVertex;
            f.op = if is_cut { CfOp::EmitVertex } else { CfOp::CutVertex };
        })
    }),
    ("both events", |w, r| flow(w, r, is_geometry, |f| f.op = CfOp::EmitCutVertex)),
    ("stream of an event", |w, r| flow(w, r, is_geometry, |f| f.count ^= 1)),
    ("condition of an event", |w, r| {
        flow(w, r, is_geometry, |f| f.modes.condition = CfCondition::False)
    }),
    ("lost event", |w, r| lost_cf(w, r, is_event)),
    ("doubled event", |w, r| doubled_cf(w, r, is_event)),
    ("swapped event", |w, r| swapped_cf(w, r, is_event)),
];

fn is_memory(cf: &Cf) -> bool {
    matches!(cf, Cf::Memory(_))
}

fn is_wait(cf: &Cf) -> bool {
    matches!(cf, Cf::Flow(flow) if flow.op == CfOp::WaitAck)
}

/// Changes what a write to a random access target does.
fn target(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut CfRat)) -> bool {
    let is_it =
        |cf: &Cf| matches!(cf, Cf::Memory(memory) if matches!(memory.access, MemoryAccess::Rat(_)));
    cf(whole, random, is_it, |cf| {
        if let Cf::Memory(CfMemory { access: MemoryAccess::Rat(target), .. }) = cf {
            change(target);
        }
    })
}

/// Changes a read of scratch memory.
fn scratch(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut MemInst)) -> bool {
    let is_it = |fetch: &FetchInst| matches!(fetch, FetchInst::Mem(_));
    fetch(whole, random, is_it, |fetch| {
        if let FetchInst::Mem(read) = fetch {
            change(read);
        }
    })
}

fn is_event(cf: &Cf) -> bool {
    matches!(cf, Cf::Flow(flow) if is_geometry(flow.op))
}

fn is_geometry(op: CfOp) -> bool {
    op.info().kind == CfKind::Geom
}

/// Changes an access to local memory.
fn local(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut LdsAccess)) -> bool {
    inst(
        whole,
        random,
        |inst| inst.lds().is_some(),
        |inst| {
            if let Some(mut access) = inst.lds() {
                change(&mut access);
                inst.set_lds(access);
            }
        },
    )
}

/// Whether it is an access to local memory with an operand of this number.
fn takes(inst: &AluInst, number: usize) -> bool {
    inst.lds().is_some() && number < inst.num_src()
}

/// Changes an operand of an access to local memory that is in a register.
fn operand(
    whole: &mut Whole,
    random: &mut Random,
    number: usize,
    change: impl Fn(&mut AluSrc),
) -> bool {
    let is_it =
        |inst: &AluInst| takes(inst, number) && matches!(inst.src[number].sel, AluSel::Gpr(_));
    inst(whole, random, is_it, |inst| change(&mut inst.src[number]))
}

/// Has an instruction that takes a value out of the queue of local memory read something else.
fn queue(whole: &mut Whole, random: &mut Random, sel: AluSel) -> bool {
    let pops = |inst: &AluInst| inst.num_src() > 0 && inst.src[0].sel == LDS_QUEUE_A_POP;
    inst(whole, random, pops, |inst| inst.src[0].sel = sel)
}

/// Another operation with as many operands and results.
fn other_operation(op: LdsOp) -> LdsOp {
    let shape = |op: LdsOp| (op.info().num_src, op.returns());
    let mut like = LdsOp::ALL.into_iter().filter(|&like| shape(like) == shape(op) && like != op);
    like.next().unwrap_or(op)
}
