//! Candidate placements of an operation in a group.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, Generation, IndexMode, Omod, Slot, Slots};

use crate::SchedError;
use crate::accesses::Accesses;
use crate::clause::OpenClause;
use crate::demand::Addition;
use crate::group::{Candidate, GroupBuilder, Misfit};
use crate::registers::Registers;
use crate::schedule::{Placed, PlacedDst, PlacedSel, PlacedSrc};
use crate::slots::{self, Among};
use r600_mir::{Alu, Dst, FixedSlots, Local, Op, OpId, Reduction, Replicated, Src, SrcKind};

/// An attempt to place operations in one group of a clause.
pub(crate) struct Attempt<'a, 'f> {
    pub(crate) generation: Generation,
    pub(crate) clause: &'a mut OpenClause,
    pub(crate) registers: &'a Registers<'f>,
    pub(crate) builder: &'a mut GroupBuilder,
    pub(crate) accesses: &'a Accesses,
    /// The slots to try for an operation that can take any slot.
    pub(crate) among: Among,
    /// The operation's additions to the group, which has room for them.
    pub(crate) addition: Addition,
}

/// An operation in slot x without a result.
fn in_slot_x(op: AluOp, src: ArrayVec<Src, 3>) -> Alu {
    Alu {
        op,
        dst: Dst::None,
        src,
        omod: Omod::None,
        clamp: false,
        update_exec_mask: false,
        index: None,
    }
}

/// The destinations of the placed instructions, with their channels.
pub(crate) type Destinations = ArrayVec<(PlacedDst, Chan), 4>;

impl Attempt<'_, '_> {
    /// Places `op`; `None` if it does not fit.
    pub(crate) fn place(
        &mut self,
        node: OpId,
        op: &Op,
    ) -> Result<Option<Destinations>, SchedError> {
        match op {
            Op::Alu(alu) => self.alu(node, alu),
            Op::Reduction(reduction) => self.reduction(node, reduction),
            Op::Replicated(replicated) => self.replicated(node, replicated),
            Op::FixedSlots(fixed) => self.fixed(node, fixed),
            Op::Local(local) => self.local(node, local),
            Op::Barrier => self.barrier(node),
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => Ok(None),
        }
    }

    fn alu(&mut self, node: OpId, alu: &Alu) -> Result<Option<Destinations>, SchedError> {
        let choices = match alu.dst {
            Dst::VReg(vreg) => self.registers.channel_choices(vreg, node),
            Dst::Element(element) => [element.chan].into_iter().collect(),
            Dst::None => Chan::ALL.into(),
        };
        let taken = self.builder.taken();
        let in_vector = |chan: Chan| (Slot::vector(chan), chan);
        let in_trans = |chan: Chan| (Slot::T, chan);
        let is_free = |chan: &Chan| taken & slots::only(Slot::vector(*chan)) == 0;
        let choices = choices.into_iter();
        match alu.op.slots(self.generation) {
            Some(Slots::Trans) => self.first_that_fits(node, alu, choices.map(in_trans)),
            Some(Slots::X) => self.first_that_fits(node, alu, [(Slot::X, Chan::X)].into_iter()),
            Some(Slots::Any | Slots::Vector) => {
                let free = choices.clone().filter(is_free).map(in_vector);
                if self.among.has_vector()
                    && let Some(destinations) = self.first_that_fits(node, alu, free)?
                {
                    return Ok(Some(destinations));
                }
                let has_trans = self.among.has_trans()
                    && taken & slots::only(Slot::T) == 0
                    && self.accesses.demand(node).slots.has_trans();
                if !has_trans {
                    return Ok(None);
                }
                // The hardware executes such an operation in trans only if the vector slot of its channel is taken.
                let rest = choices.filter(|chan| !is_free(chan)).map(in_trans);
                self.first_that_fits(node, alu, rest)
            }
            _ => Err(SchedError::Unsupported(alu.op)),
        }
    }

    /// Places `alu` in the first of `places` where it fits. Vector slots differ only in the channel that they write, so
    /// operands that cannot be read in one cannot be read in another.
    fn first_that_fits(
        &mut self,
        node: OpId,
        alu: &Alu,
        mut places: impl Iterator<Item = (Slot, Chan)>,
    ) -> Result<Option<Destinations>, SchedError> {
        let Some(first) = places.next() else { return Ok(None) };
        let mut placed = self.placed(node, alu, Chan::X)?;
        let room = self.clause.room();
        for (slot, chan) in [first].into_iter().chain(places) {
            placed.chan = chan;
            match self.builder.place(&[(slot, &placed)], &self.addition, room) {
                Ok(()) => return Ok(Some([(placed.dst, chan)].into_iter().collect())),
                Err(Misfit::Slot) => {}
                Err(Misfit::Operands) => break,
            }
        }
        Ok(None)
    }

    fn add(&mut self, candidate: &Candidate) -> Option<Destinations> {
        let all: ArrayVec<(Slot, &Placed), 4> =
            candidate.iter().map(|(slot, placed)| (*slot, placed)).collect();
        self.builder.place(&all, &self.addition, self.clause.room()).ok()?;
        Some(candidate.iter().map(|(_, placed)| (placed.dst, placed.chan)).collect())
    }

    fn placed(&self, node: OpId, alu: &Alu, chan: Chan) -> Result<Placed, SchedError> {
        Ok(Placed {
            node: Some(node),
            op: alu.op,
            dst: match alu.dst {
                Dst::None => PlacedDst::None,
                Dst::VReg(vreg) => PlacedDst::VReg(vreg),
                Dst::Element(element) => PlacedDst::Element(element),
            },
            chan,
            src: self.sources(&alu.src)?,
            omod: alu.omod,
            clamp: alu.clamp,
            update_exec_mask: alu.update_exec_mask,
            index_mode: IndexMode::ArX,
            vec_210: false,
            lds: None,
        })
    }

    /// Places an access to the local data share, which takes slot x.
    fn local(&mut self, node: OpId, local: &Local) -> Result<Option<Destinations>, SchedError> {
        let alu = in_slot_x(AluOp::LdsIdxOp, local.src.clone());
        let placed = Placed { lds: Some(local.access), ..self.placed(node, &alu, Chan::X)? };
        Ok(self.add(&[(Slot::X, placed)].into_iter().collect()))
    }

    /// Places a barrier, which takes a group of its own.
    fn barrier(&mut self, node: OpId) -> Result<Option<Destinations>, SchedError> {
        let alu = in_slot_x(AluOp::GroupBarrier, ArrayVec::new());
        let placed = self.placed(node, &alu, Chan::X)?;
        Ok(self.builder.place_alone(placed).then(Destinations::new))
    }

    fn sources(&self, all: &ArrayVec<Src, 3>) -> Result<ArrayVec<PlacedSrc, 3>, SchedError> {
        let mut sources = ArrayVec::new();
        for &src in all {
            sources.push(self.source(src)?);
        }
        Ok(sources)
    }

    fn source(&self, src: Src) -> Result<PlacedSrc, SchedError> {
        let placed = self.unforwarded(src)?;
        let sel = match placed.sel {
            PlacedSel::VReg(vreg, chan) => self.clause.register(vreg, chan),
            sel => sel,
        };
        Ok(PlacedSrc { sel, ..placed })
    }

    /// The source by its register, even if `PV` or `PS` holds its value.
    fn unforwarded(&self, src: Src) -> Result<PlacedSrc, SchedError> {
        let sel = match src.kind {
            SrcKind::VReg(vreg) => PlacedSel::VReg(vreg, self.registers.settled(vreg)?),
            SrcKind::Const(bits) => PlacedSel::Const(bits),
            SrcKind::Uniform { bank, index, chan } => PlacedSel::Uniform { bank, index, chan },
            SrcKind::Element(element) => PlacedSel::Element(element),
            SrcKind::Special(sel, chan) => PlacedSel::Special(sel, chan),
        };
        Ok(PlacedSrc { sel, neg: src.neg, abs: src.abs })
    }

    fn reduction(
        &mut self,
        node: OpId,
        reduction: &Reduction,
    ) -> Result<Option<Destinations>, SchedError> {
        if !self.builder.are_free(4) {
            return Ok(None);
        }
        let choices = self.registers.channel_choices(reduction.dst, node);
        let chan = *choices.first().ok_or(SchedError::NoChannel(reduction.dst))?;
        let candidate = Chan::ALL
            .into_iter()
            .zip(&reduction.pairs)
            .map(|(slot, pair)| {
                let alu = Alu {
                    op: reduction.op,
                    dst: if slot == chan { Dst::VReg(reduction.dst) } else { Dst::None },
                    src: pair.iter().copied().collect(),
                    omod: reduction.omod,
                    clamp: reduction.clamp,
                    update_exec_mask: false,
                    index: None,
                };
                Ok((Slot::vector(slot), self.placed(node, &alu, slot)?))
            })
            .collect::<Result<Candidate, SchedError>>()?;
        Ok(self.add(&candidate))
    }

    fn replicated(
        &mut self,
        node: OpId,
        replicated: &Replicated,
    ) -> Result<Option<Destinations>, SchedError> {
        if !self.builder.are_free(3) {
            return Ok(None);
        }
        let choices = self.registers.channel_choices(replicated.dst, node).into_iter();
        // A result in w takes an additional slot, so w is tried last.
        let (last, first): (ArrayVec<Chan, 4>, ArrayVec<Chan, 4>) =
            choices.partition(|&chan| chan == Chan::W && !replicated.all_slots);
        for chan in first.into_iter().chain(last) {
            let candidate = self.copies(node, replicated, chan)?;
            if let Some(destinations) = self.add(&candidate) {
                return Ok(Some(destinations));
            }
        }
        Ok(None)
    }

    fn copies(
        &self,
        node: OpId,
        replicated: &Replicated,
        chan: Chan,
    ) -> Result<Candidate, SchedError> {
        let with_w = replicated.all_slots || chan == Chan::W;
        Chan::ALL[..if with_w { 4 } else { 3 }]
            .iter()
            .map(|&slot| {
                let alu = Alu {
                    op: replicated.op,
                    dst: if slot == chan { Dst::VReg(replicated.dst) } else { Dst::None },
                    src: replicated.src.clone(),
                    omod: replicated.omod,
                    clamp: replicated.clamp,
                    update_exec_mask: false,
                    index: None,
                };
                Ok((Slot::vector(slot), self.placed(node, &alu, slot)?))
            })
            .collect()
    }

    /// Places an operation of fixed slots, which determine the channels of its results; `None` if a result has another
    /// channel.
    fn fixed(
        &mut self,
        node: OpId,
        fixed: &FixedSlots,
    ) -> Result<Option<Destinations>, SchedError> {
        let mut candidate = Candidate::new();
        for (chan, alu) in &fixed.slots {
            if !self.builder.is_free(Slot::vector(*chan)) {
                return Ok(None);
            }
            if let Dst::VReg(vreg) = alu.dst
                && !self.registers.may_get(vreg, *chan)
            {
                return Ok(None);
            }
            let mut placed = self.placed(node, alu, *chan)?;
            if fixed.vec_210 {
                // Both coordinates must come from one register, so neither may be forwarded.
                let unforwarded = alu.src.iter().map(|&src| self.unforwarded(src));
                placed.src = unforwarded.collect::<Result<_, _>>()?;
                placed.vec_210 = true;
            }
            candidate.push((Slot::vector(*chan), placed));
        }
        Ok(self.add(&candidate))
    }
}
