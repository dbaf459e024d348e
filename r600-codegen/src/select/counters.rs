//! Hardware counters, which are operands of moves.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, AluSel, Chan};
use r600_mir::{FixedSlots, HW_WAVE_ID, Op, Region, SE_ID, Src, SrcKind, TIME_HI, TIME_LO};

use crate::ssa::{Counter, Inst};

use super::Selection;
use super::operations::Copies;

/// A mask of all lanes of half a wave.
const ALL: Src = Src::new(SrcKind::Const(u32::MAX));

const fn special(sel: AluSel) -> Src {
    Src::new(SrcKind::Special(sel, Chan::X))
}

impl Selection<'_> {
    pub(super) fn counter(&mut self, counter: Counter, inst: &Inst, out: &mut Region) {
        match counter {
            // Slot x counts the lower lanes and adds the result of slot y, which counts the upper ones.
            Counter::Lane => {
                let slots = [(AluOp::Mbcnt32loAccumPrevInt, ALL), (AluOp::Mbcnt32hiInt, ALL)];
                self.two_slots(slots, inst, out);
            }
            Counter::Time => {
                // One group reads both halves, so they belong to the same moment.
                let slots = [(AluOp::Mov, special(TIME_LO)), (AluOp::Mov, special(TIME_HI))];
                self.two_slots(slots, inst, out);
            }
            Counter::Wave => self.move_special(HW_WAVE_ID, inst, out),
            Counter::Engine => self.move_special(SE_ID, inst, out),
        }
    }

    fn move_special(&mut self, sel: AluSel, inst: &Inst, out: &mut Region) {
        if let Some(dst) = self.result(inst.results[0]) {
            self.mov(out, dst, special(sel));
        }
    }

    fn two_slots(&mut self, slots: [(AluOp, Src); 2], inst: &Inst, out: &mut Region) {
        let mut copies = Copies::new();
        let mut placed = ArrayVec::new();
        for (n, (op, src)) in slots.into_iter().enumerate() {
            let wanted = inst.results.get(n).and_then(|&value| self.result(value));
            let dst = wanted.map(|vreg| self.fixed_result(vreg, Chan::ALL[n], &mut copies));
            placed.push(self.fixed(op, Chan::ALL[n], dst, [src; 2]));
        }
        self.push(out, Op::FixedSlots(Box::new(FixedSlots { slots: placed, vec_210: false })));
        self.copy_fixed_results(copies, out);
    }
}
