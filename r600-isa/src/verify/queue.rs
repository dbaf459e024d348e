//! Rules of the output queues of local memory.

use crate::names::alu_source_name;
use crate::ports::read_cycle;
use crate::{AluGroup, AluInst, AluSel, AluSrc, Generation, Hazard, Slot};

use super::placed::{Placed, sources};
use super::{Rule, Verifier};

/// Pending values in queues A and B.
#[derive(Clone, Copy, Default)]
pub(super) struct Queues {
    waiting: [u32; 2],
}

/// How a source reads a queue.
struct QueueRead {
    queue: usize,
    pops: bool,
}

fn queue_read(generation: Generation, src: &AluSrc) -> Option<QueueRead> {
    let AluSel::Other(number) = src.sel else { return None };
    let (queue, pops) = match alu_source_name(generation, number)? {
        "LDS_OQ_A" => (0, false),
        "LDS_OQ_B" => (1, false),
        "LDS_OQ_A_POP" => (0, true),
        "LDS_OQ_B_POP" => (1, true),
        _ => return None,
    };
    Some(QueueRead { queue, pops })
}

/// Checks that a queue is read in the first cycle, and not by the trans slot.
pub(super) fn check_cycles(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    for (slot, inst) in placed {
        for (n, src) in sources(inst).iter().enumerate() {
            let reads = queue_read(cx.generation(), src).is_some();
            if reads && (*slot == Slot::T || read_cycle(*slot, inst.bank_swizzle, n) != Some(0)) {
                let message = format!("slot {slot:?} reads a queue of local memory too late");
                cx.report(Rule::QueueCycle, message);
            }
        }
    }
}

/// Checks that on chips with this bug the trans slot is empty beside a local memory access.
pub(super) fn check_trans(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let generation = cx.generation();
    let has_trans = placed.iter().any(|(slot, _)| *slot == Slot::T);
    let touches = |inst: &AluInst| {
        inst.lds().is_some()
            || sources(inst).iter().any(|src| queue_read(generation, src).is_some())
    };
    if has_trans
        && generation.has(Hazard::LdsBesideTrans)
        && placed.iter().any(|(_, inst)| touches(inst))
    {
        let message = "the trans slot is used beside an access to local memory";
        cx.report(Rule::LdsBesideTrans, message);
    }
}

impl Queues {
    /// Removes the values that a group reads, then adds those that its accesses return. No source says whether lanes
    /// excluded by a predicate keep their pending values; code that depends on it is not safe.
    pub(super) fn step(&mut self, cx: &mut Verifier<'_>, group: &AluGroup) {
        let mut popped = [false; 2];
        for src in group.insts.iter().flat_map(sources) {
            let Some(read) = queue_read(cx.generation(), src) else { continue };
            if self.waiting[read.queue] == 0 {
                cx.report(Rule::QueueBalance, "a queue of local memory is read that is empty");
                return;
            }
            popped[read.queue] |= read.pops;
        }
        for (waiting, popped) in self.waiting.iter_mut().zip(popped) {
            *waiting -= u32::from(popped);
        }
        for access in group.insts.iter().filter_map(AluInst::lds) {
            for (waiting, returned) in self.waiting.iter_mut().zip(access.op.returns()) {
                *waiting += u32::from(returned);
            }
        }
    }

    /// Reports values that a clause leaves in the queues, which the next clause would read.
    pub(super) fn finish(self, cx: &mut Verifier<'_>) {
        let left: u32 = self.waiting.iter().sum();
        if left > 0 {
            let message = format!("the clause leaves {left} values in queues of local memory");
            cx.report(Rule::QueueBalance, message);
        }
    }
}
