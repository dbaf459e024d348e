//! Operations on doubles: slots in the order that the hardware requires, halves in matching channels.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, Generation, Omod, Slots};
use r600_mir::{Alu, Dst, FixedSlots, Op, Region, Src, SrcKind, VReg};

use crate::ssa::{DoubleInst, Inst, Operand};

use super::Selection;
use super::operations::Copies;

/// Which half a slot reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Low,
    High,
}

impl Selection<'_> {
    pub(super) fn double(&mut self, double: &DoubleInst, inst: &Inst, out: &mut Region) {
        let pairs: ArrayVec<[Src; 2], 3> =
            double.src.iter().map(|pair| self.halves(*pair, out)).collect();
        let generation = self.machine.chip.generation();
        let is_seed = DoubleInst::is_seed(double.op, generation);
        let reads: &[Half] = match double.op.slots(generation) {
            Some(Slots::Pair) => &[Half::High, Half::Low],
            _ if double.op == AluOp::Frexp64 => &[Half::High, Half::Low, Half::High, Half::Low],
            _ => &[Half::High, Half::High, Half::High, Half::Low],
        };
        let mut copies = Copies::new();
        let mut dst = [None; 4];
        for (n, &slot) in double.result_slots().iter().enumerate() {
            let wanted = self.result(inst.results[n]);
            dst[slot] = wanted.map(|vreg| self.fixed_result(vreg, Chan::ALL[slot], &mut copies));
        }
        if double.op.is_op3() {
            // The three-source form always writes, so unwanted results get registers that nothing reads.
            for (slot, dst) in dst.iter_mut().enumerate().filter(|(_, dst)| dst.is_none()) {
                let unread = self.new_vreg();
                self.machine.vregs[unread].chan = Some(Chan::ALL[slot]);
                *dst = Some(unread);
            }
        }
        if is_seed {
            self.seed(double.op, pairs[0], dst, (&mut copies, out));
        } else {
            let slots = reads.iter().enumerate().map(|(slot, half)| {
                let src = pairs.iter().map(|pair| pair[*half as usize]).collect();
                (Chan::ALL[slot], alu(double.op, dst[slot], src))
            });
            let slots = slots.collect();
            self.push(out, Op::FixedSlots(Box::new(FixedSlots { slots, vec_210: false })));
        }
        self.copy_fixed_results(copies, out);
    }

    /// Selects a reciprocal or a root, which reads both halves in one slot. Cayman needs it in three slots. The other
    /// chips write one half at a time from the trans slot.
    fn seed(
        &mut self,
        op: AluOp,
        [low, high]: [Src; 2],
        dst: [Option<VReg>; 4],
        (copies, out): (&mut Copies, &mut Region),
    ) {
        let src: ArrayVec<Src, 3> = [high, low].into_iter().collect();
        if self.machine.chip.generation() == Generation::Cayman {
            let slots = (0..3).map(|slot| (Chan::ALL[slot], alu(op, dst[slot], src.clone())));
            let slots = slots.collect();
            self.push(out, Op::FixedSlots(Box::new(FixedSlots { slots, vec_210: false })));
            return;
        }
        let last = dst.iter().rposition(Option::is_some);
        for (slot, vreg) in dst.into_iter().enumerate() {
            let Some(vreg) = vreg else { continue };
            // The register of the result may also hold an operand that a later operation reads.
            let is_read = src.iter().any(|src| src.kind == SrcKind::VReg(vreg));
            let vreg = if is_read && Some(slot) != last {
                self.moved_result(vreg, Chan::ALL[slot], copies)
            } else {
                vreg
            };
            self.push(out, Op::Alu(alu(op, Some(vreg), src.clone())));
        }
    }

    /// The halves in registers: low ones in channel x, high ones in y. The slots of a group can then read up to three
    /// doubles.
    fn halves(&mut self, pair: [Operand; 2], out: &mut Region) -> [Src; 2] {
        let [low, high] = pair;
        [self.half(low, Chan::X, out), self.half(high, Chan::Y, out)]
    }

    fn half(&mut self, operand: Operand, chan: Chan, out: &mut Region) -> Src {
        let mut src = self.source(operand);
        // A modifier of a low half flips one of its bits, so a move applies it. The operation applies the modifiers of
        // high halves.
        let is_plain = chan == Chan::Y || !operand.has_modifier();
        if let SrcKind::VReg(vreg) = src.kind
            && is_plain
        {
            let info = &mut self.machine.vregs[vreg];
            if info.chan.is_none() && info.vector.is_none() {
                info.chan = Some(chan);
            }
            if info.chan == Some(chan) {
                return src;
            }
        }
        let copy = self.new_vreg();
        self.machine.vregs[copy].chan = Some(chan);
        if !is_plain {
            self.mov(out, copy, src);
            return Src::new(SrcKind::VReg(copy));
        }
        self.mov(out, copy, Src::new(src.kind));
        src.kind = SrcKind::VReg(copy);
        src
    }
}

fn alu(op: AluOp, dst: Option<VReg>, src: ArrayVec<Src, 3>) -> Alu {
    Alu {
        op,
        dst: dst.map_or(Dst::None, Dst::VReg),
        src,
        omod: Omod::default(),
        clamp: false,
        update_exec_mask: false,
        index: None,
    }
}
