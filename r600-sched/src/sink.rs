//! Sinks operations that are scheduled earlier than needed.
//!
//! A list scheduler fills each group with ready operations, so results that are not urgent occupy registers long before
//! their first read. Therefore an operation that ends no operand's live range moves towards the first read of its
//! result: to the last group with a slot for it, past fetches if need be. The program never gets more groups or more
//! words.

mod groups;
mod taken;

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::{AluFlags, AluSel, Chan, Slot, Slots};
use r600_mir::{Alu, Block, Function, Op, SrcKind, VReg, for_each_read, for_each_write};

use crate::facts::{RegisterFacts, of_all};
use crate::group::GroupRules;
use crate::schedule::{Clause, Placed, PlacedDst, PlacedSel, PlacedSrc, Schedule};

use self::groups::Groups;
use self::taken::Taken;

/// The most groups tried for an operation.
const MAX_TRIED: usize = 4;

/// When a block reads and writes a register, by step number.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    last_read: Option<u32>,
    /// The first read after the current step.
    next_read: Option<u32>,
    /// The first write after the current step.
    next_write: Option<u32>,
    /// Reads by name, not through `PV` or `PS`.
    num_reads: u32,
}

/// Sinks operations of all blocks; true if any moved to another group.
pub(crate) fn sink(function: &Function, facts: &RegisterFacts, schedule: &mut Schedule) -> bool {
    let mut times = of_all(function);
    let mut has_moved = false;
    for block in function.blocks.keys() {
        let groups = Groups::of(function, std::mem::take(&mut schedule.blocks[block]));
        let mut sinker = Sinker {
            function,
            facts,
            chans: &schedule.chans,
            rules: GroupRules::of(function),
            block,
            taken: Taken::none(groups.num_steps()),
            groups,
            times: &mut times,
        };
        has_moved |= sinker.run();
        let clauses = sinker.finish();
        schedule.blocks[block] = clauses;
    }
    has_moved
}

/// An operation that may move.
struct Candidate<'a> {
    alu: &'a Alu,
    uniforms: &'a [(u8, u16)],
    /// Its result.
    vreg: VReg,
    /// Its new form, in which all sources name registers.
    placed: Placed,
    /// For each operand, whether it was read through `PV` or `PS`.
    forwarded: ArrayVec<bool, 3>,
}

struct Sinker<'a> {
    function: &'a Function,
    facts: &'a RegisterFacts,
    chans: &'a SecondaryMap<VReg, Chan>,
    rules: GroupRules,
    block: Block,
    groups: Groups<'a>,
    times: &'a mut SecondaryMap<VReg, Times>,
    taken: Taken,
}

impl<'a> Sinker<'a> {
    /// Visits steps from last to first: readers sink before the producers of their operands.
    fn run(&mut self) -> bool {
        let num_steps = self.groups.num_steps();
        for step in 0..num_steps {
            let times = &mut *self.times;
            self.groups.each_read(step, |vreg| {
                times[vreg].last_read = Some(step);
                times[vreg].num_reads += 1;
            });
        }
        let mut has_moved = false;
        for step in (0..num_steps).rev() {
            for slot in Slot::ALL {
                has_moved |= self.sink_slot(step, slot);
            }
            let times = &mut *self.times;
            self.groups.each_write(step, |vreg| times[vreg].next_write = Some(step));
            self.groups.each_read(step, |vreg| times[vreg].next_read = Some(step));
        }
        has_moved
    }

    /// The clauses. Times are reset for the next block.
    fn finish(self) -> Vec<Clause> {
        for &op in &self.function.blocks[self.block] {
            let op = &self.function.ops[op];
            for_each_read(op, |vreg| self.times[vreg] = Times::default());
            for_each_write(op, |vreg| self.times[vreg] = Times::default());
        }
        self.groups.finish()
    }

    /// Moves the operation in `slot` of group `step` to the last group that has room and where all its operands are
    /// still held.
    fn sink_slot(&mut self, step: u32, slot: Slot) -> bool {
        let Some(found) = self.candidate(step, slot) else { return false };
        let end = self.end_of_operands(step, found.alu, self.end_of_wait(found.vreg));
        let slots = self.slots_for(found.placed.chan, found.alu);
        let mut last = end;
        for _ in 0..MAX_TRIED {
            let Some((target, free)) = self.last_free(&slots, step + 1..=last) else { break };
            if self.groups.moves((step, slot), (target, free), &found.placed, found.uniforms) {
                self.note_move(&found, target, free);
                return true;
            }
            last = target - 1;
        }
        false
    }

    /// The operation in `slot` of group `step`, if it may move: a plain operation of one slot whose result is not
    /// forwarded. If the trans slot holds an operation that could also be in a vector slot, the vector slot of its
    /// channel must stay taken.
    fn candidate(&self, step: u32, slot: Slot) -> Option<Candidate<'a>> {
        let group = self.groups.group(step)?;
        let placed = group.slots[slot as usize].as_ref()?;
        let id = placed.node?;
        let Op::Alu(alu) = &self.function.ops[id] else { return None };
        let PlacedDst::VReg(vreg) = placed.dst else { return None };
        let is_plain = alu.index.is_none()
            && !alu.update_exec_mask
            && !alu.op.is_kill()
            && !alu.op.has(AluFlags::PREDICATE)
            && !alu.op.has(AluFlags::DOUBLE);
        let slots = alu.op.slots(self.rules.generation)?;
        let trans = group.slots[Slot::T as usize].as_ref();
        let is_held = slot != Slot::T
            && trans.is_some_and(|trans| {
                trans.chan == placed.chan
                    && trans.op.slots(self.rules.generation) != Some(Slots::Trans)
            });
        let may_go = is_plain && !is_held && !self.groups.is_forwarded(step, slot);
        if !may_go || !matches!(slots, Slots::Any | Slots::Vector | Slots::Trans) {
            return None;
        }
        let src = alu.src.iter().map(|src| {
            let sel = match src.kind {
                SrcKind::VReg(vreg) => PlacedSel::VReg(vreg, self.chans[vreg]),
                SrcKind::Const(bits) => PlacedSel::Const(bits),
                SrcKind::Uniform { bank, index, chan } => PlacedSel::Uniform { bank, index, chan },
                SrcKind::Special(sel @ AluSel::ConstFile(_), chan) => PlacedSel::Special(sel, chan),
                SrcKind::Special(..) | SrcKind::Element(_) => return None,
            };
            Some(PlacedSrc { sel, neg: src.neg, abs: src.abs })
        });
        let src: ArrayVec<PlacedSrc, 3> = src.collect::<Option<_>>()?;
        let is_forwarded = |was: &PlacedSrc| matches!(was.sel, PlacedSel::Pv(_) | PlacedSel::Ps);
        let forwarded = placed.src.iter().map(is_forwarded).collect();
        let placed = Placed { src, ..placed.clone() };
        let uniforms = self.facts.accesses.uniforms(id);
        Some(Candidate { alu, uniforms, vreg, placed, forwarded })
    }

    /// The last step before the next read or write of `vreg`, which receives the result; 0 if nothing needs the result.
    fn end_of_wait(&self, vreg: VReg) -> u32 {
        let Times { next_read, next_write, .. } = self.times[vreg];
        match (next_read, next_write) {
            (Some(read), write) => write.unwrap_or(read).min(read) - 1,
            (None, None) if !self.facts.is_in_one_block(vreg) => self.groups.num_steps() - 1,
            (None, _) => 0,
        }
    }

    /// The last step up to `end` at which the operands of `alu`, now at `step`, are still in registers without
    /// extending their ranges.
    fn end_of_operands(&self, step: u32, alu: &Alu, end: u32) -> u32 {
        let operands = alu.src.iter().filter_map(|src| match src.kind {
            SrcKind::VReg(vreg) => Some(vreg),
            _ => None,
        });
        operands.fold(end, |end, vreg| {
            let Times { last_read, next_write, .. } = self.times[vreg];
            let kept = if self.facts.is_pinned(vreg) { end } else { last_read.unwrap_or(0) };
            let mut next_write = next_write.unwrap_or(end);
            // Groups read before they write.
            self.groups.each_write(step, |written| {
                next_write = if written == vreg { step } else { next_write };
            });
            end.min(kept).min(next_write)
        })
    }

    /// The slots that `alu` can take with its result in `chan`, best first.
    fn slots_for(&self, chan: Chan, alu: &Alu) -> ArrayVec<Slot, 2> {
        let generation = self.rules.generation;
        let is_kept_out = self.rules.keeps_muladd_from_trans && alu.op.is_multiply_add();
        let (in_vector, in_trans) = match alu.op.slots(generation) {
            Some(Slots::Trans) => (false, true),
            // The hardware moves an operation to trans if its vector slot is taken.
            Some(Slots::Any) => (true, !is_kept_out),
            _ => (true, false),
        };
        let trans = (in_trans && generation.has_trans_slot()).then_some(Slot::T);
        in_vector.then_some(Slot::vector(chan)).into_iter().chain(trans).collect()
    }

    /// The last group among `steps` with a free slot of `slots`, and the first such slot.
    fn last_free(&mut self, slots: &[Slot], steps: RangeInclusive<u32>) -> Option<(u32, Slot)> {
        let groups = &self.groups;
        let mut best = None;
        for &slot in slots {
            let found = self.taken.last_free(slot, steps.clone(), |step| {
                groups.group(step).is_some_and(|group| group.slots[slot as usize].is_none())
            });
            if let Some(step) = found
                && best.is_none_or(|(best, _)| step > best)
            {
                best = Some((step, slot));
            }
        }
        best
    }

    /// Records that an operation moved to `slot` of group `target`. The group after it then reads the result through
    /// `PV` or `PS`.
    fn note_move(&mut self, found: &Candidate<'_>, target: u32, slot: Slot) {
        self.times[found.vreg].next_write = Some(target);
        for (src, was_forwarded) in found.placed.src.iter().zip(&found.forwarded) {
            if let PlacedSel::VReg(vreg, _) = src.sel {
                let Times { next_read, num_reads, .. } = &mut self.times[vreg];
                *next_read = Some(next_read.map_or(target, |next| next.min(target)));
                *num_reads += u32::from(*was_forwarded);
            }
        }
        let forwarded = match slot {
            Slot::T => PlacedSel::Ps,
            _ => PlacedSel::Pv(found.placed.chan),
        };
        let times = &mut self.times[found.vreg];
        times.num_reads -= self.groups.forward(target, found.vreg, forwarded);
        let is_read = times.num_reads > 0
            || !self.facts.is_local(found.vreg, self.block)
            || self.function.vregs[found.vreg].vector.is_some();
        if !is_read && !found.alu.op.is_op3() {
            self.groups.drop_write(target, slot);
        }
    }
}
