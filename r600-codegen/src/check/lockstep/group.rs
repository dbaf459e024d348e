//! Compares groups with the schedule.

use r600_isa::{AluDst, AluGroup, AluInst, AluSel, AluSrc, Cf, Chan, Clause, KcacheWindow};
use r600_mir::{Element, Op, VReg};
use r600_sched::{AluClause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc};

use super::super::CodeFault;
use super::{CodeStep, Walk, place};

/// Vec4 in a line of the constant cache.
const VECTORS_PER_LINE: u16 = 16;

impl<'a> Walk<'a> {
    pub(super) fn alu_clause(&mut self, clause: &AluClause) -> Result<(), CodeFault> {
        let Some(Clause::Alu(words)) = self.clause() else {
            return Err(CodeFault::Clauses(self.cf));
        };
        if words.len() != clause.groups.len() {
            return Err(CodeFault::Clauses(self.cf));
        }
        for (at, (group, words)) in clause.groups.iter().zip(words).enumerate() {
            self.group((clause, at), group, words)?;
        }
        self.cf += 1;
        Ok(())
    }

    fn group(
        &mut self,
        place: (&AluClause, usize),
        group: &Group,
        words: &AluGroup,
    ) -> Result<(), CodeFault> {
        self.demand(group.iter().count() == words.insts.len(), "the slots")?;
        let mut step = CodeStep { cf: self.cf, ..CodeStep::default() };
        for ((_, placed), inst) in group.iter().zip(&words.insts) {
            let inst = self.without_access(placed, inst)?;
            self.operation(placed, &inst)?;
            for (want, src) in placed.src.iter().zip(&inst.src) {
                self.source(place, (placed, *want), (*src, words), &mut step)?;
            }
            let always_writes = inst.op.is_op3() && placed.lds.is_none();
            self.destination(placed, &inst.dst, &mut step, always_writes)?;
        }
        self.out.steps.push(step);
        Ok(())
    }

    /// The instruction without the bits that identify its access to the local data share.
    fn without_access(&self, placed: &Placed, inst: &AluInst) -> Result<AluInst, CodeFault> {
        self.demand(inst.lds() == placed.lds, "an access to the local data share")?;
        let mut plain = *inst;
        if placed.lds.is_some() {
            (plain.dst.gpr, plain.dst.rel, plain.dst.clamp) = (0, false, false);
            plain.src.iter_mut().for_each(|src| src.neg = false);
        }
        Ok(plain)
    }

    fn operation(&self, placed: &Placed, inst: &AluInst) -> Result<(), CodeFault> {
        let is_same = inst.op == placed.op
            && inst.dst.omod == placed.omod
            && inst.dst.clamp == placed.clamp
            && !inst.dst.fog_merge
            && inst.update_exec_mask == placed.update_exec_mask
            && inst.update_pred == placed.update_exec_mask
            && inst.pred_sel == r600_isa::PredSel::Off
            && inst.index_mode == r600_isa::IndexMode::ArX;
        self.demand(is_same, "the operation")
    }

    fn source(
        &self,
        (clause, at): (&AluClause, usize),
        (placed, want): (&Placed, PlacedSrc),
        (src, words): (AluSrc, &AluGroup),
        step: &mut CodeStep,
    ) -> Result<(), CodeFault> {
        let before = at.checked_sub(1).and_then(|before| clause.groups.get(before));
        let is_plain = (src.neg, src.abs, src.rel) == (want.neg, want.abs, false);
        match (want.sel, src.sel) {
            (PlacedSel::VReg(vreg, _), AluSel::Gpr(gpr)) => {
                step.reads.push((vreg, place(gpr, src.chan)));
                self.demand(is_plain, "a source")
            }
            (PlacedSel::Pv(chan), AluSel::Pv) => {
                self.demand(is_plain && src.chan == chan, "a source")?;
                self.forwarded(placed, before.and_then(|g| g.slots[chan as usize].as_ref()))
            }
            (PlacedSel::Ps, AluSel::Ps) => {
                self.demand(is_plain, "a source")?;
                self.forwarded(placed, before.and_then(|group| group.slots[4].as_ref()))
            }
            (
                PlacedSel::Kcache { set, index, chan },
                AluSel::Kcache { set: own, index: within },
            ) => {
                let wanted = vector(&clause.kcache, (set, index));
                let is_it = wanted.is_some() && wanted == self.vector((own, within));
                self.demand(is_plain && is_it && chan == src.chan, "a constant")
            }
            (PlacedSel::Const(bits), sel) => {
                self.demand(self.is_constant(placed, (want, bits), (src, sel, words)), "a constant")
            }
            (PlacedSel::Element(element), AluSel::Gpr(gpr)) => {
                let modified = (src.neg, src.abs) == (want.neg, want.abs);
                self.demand(modified && src.rel == element.relative, "an element")?;
                self.element(element, gpr, src.chan)
            }
            (PlacedSel::Special(sel, chan), found) => {
                self.demand(is_plain && (sel, chan) == (found, src.chan), "a source")
            }
            _ => Err(self.fault("a source")),
        }
    }

    /// The constant vec4 at a place in a window of this clause.
    fn vector(&self, place: (u8, u8)) -> Option<(u8, u16)> {
        match self.program.cf.get(self.cf) {
            Some(Cf::Alu(alu)) => vector(&alu.kcache, place),
            _ => None,
        }
    }

    /// Whether a source is the expected constant: a literal of the group with these bits, or the inline constant of
    /// that value.
    fn is_constant(
        &self,
        placed: &Placed,
        (want, bits): (PlacedSrc, u32),
        (src, sel, words): (AluSrc, AluSel, &AluGroup),
    ) -> bool {
        match sel {
            _ if src.rel => false,
            AluSel::Literal => {
                (src.neg, src.abs) == (want.neg, want.abs)
                    && words.literals.get(src.chan as usize) == Some(&bits)
            }
            AluSel::Inline(found) => {
                r600_sched::inline_constant(placed, want, bits).is_some_and(|(constant, flips)| {
                    constant == found && (src.neg, src.abs) == (want.neg ^ flips, want.abs)
                })
            }
            _ => false,
        }
    }

    /// Checks that a forwarded result of the previous group is an operand of the operation.
    fn forwarded(&self, reader: &Placed, writer: Option<&Placed>) -> Result<(), CodeFault> {
        let fault = CodeFault::Forwarded(self.out.steps.len());
        let ops = &self.code.machine.ops;
        let value = writer.and_then(|writer| result_of(&ops[writer.node?], writer));
        let Some(value) = value else { return Err(fault) };
        let reads = match reader.node {
            Some(node) => reads_of(&ops[node], value),
            // An instruction without a node is a load of the address register, which the scheduler adds.
            None => true,
        };
        if reads { Ok(()) } else { Err(fault) }
    }

    fn destination(
        &self,
        placed: &Placed,
        dst: &AluDst,
        step: &mut CodeStep,
        always_writes: bool,
    ) -> Result<(), CodeFault> {
        self.demand(dst.chan == placed.chan, "a destination")?;
        let writes = dst.write || always_writes;
        match placed.dst {
            // The destination GPR of a move to the address register selects which register is loaded.
            PlacedDst::None => self.demand(!writes && !dst.rel && dst.gpr == 0, "a destination"),
            PlacedDst::VReg(vreg) => {
                self.demand(writes && !dst.rel, "a destination")?;
                step.writes.push((Some(vreg), place(dst.gpr, dst.chan)));
                Ok(())
            }
            PlacedDst::Element(element) => {
                self.demand(writes && dst.rel == element.relative, "a destination")?;
                self.element(element, dst.gpr, dst.chan)
            }
        }
    }

    fn element(&self, element: Element, gpr: u8, chan: Chan) -> Result<(), CodeFault> {
        let base = self.code.allocation.arrays[element.array];
        let is_it = base + element.offset == gpr && element.chan == chan;
        if is_it { Ok(()) } else { Err(CodeFault::Array(self.out.steps.len())) }
    }
}

/// The value that one slot of an operation writes.
fn result_of(op: &Op, placed: &Placed) -> Option<VReg> {
    use r600_mir::Dst;
    let of = |dst: Dst| match dst {
        Dst::VReg(vreg) => Some(vreg),
        Dst::None | Dst::Element(_) => None,
    };
    match op {
        Op::Alu(alu) => of(alu.dst),
        Op::Reduction(reduction) => Some(reduction.dst),
        Op::Replicated(replicated) => Some(replicated.dst),
        Op::FixedSlots(fixed) => {
            let slot = fixed.slots.iter().find(|(chan, _)| *chan == placed.chan)?;
            of(slot.1.dst)
        }
        Op::Fetch(_)
        | Op::Export(_)
        | Op::Memory(_)
        | Op::Event(_)
        | Op::Local(_)
        | Op::Barrier => None,
    }
}

/// The bank, and the index in it, of the vec4 at a place in a window.
fn vector(windows: &[KcacheWindow; 4], (set, within): (u8, u8)) -> Option<(u8, u16)> {
    let window = windows.get(usize::from(set))?;
    Some((window.bank, u16::from(window.line) * VECTORS_PER_LINE + u16::from(within)))
}

/// Whether an operation reads a value.
fn reads_of(op: &Op, value: VReg) -> bool {
    let mut found = false;
    r600_mir::for_each_read(op, |vreg| found |= vreg == value);
    found
}
