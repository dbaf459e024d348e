//! Groups: literals, bank swizzles and slots.

use arrayvec::ArrayVec;

use crate::listing::{early_operands, port_operands};
use crate::ports::{PortUse, VEC_210, solve_early};
use crate::{AluFlags, AluGroup, Chan, Generation, Slot, Slots};

use super::alu::Pending;
use super::operand::Literal;
use super::{Code, Diagnostic, Parsed};

/// A group under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingGroup {
    pub(super) insts: Vec<Pending>,
    /// The literals of a `.literal` line.
    pub(super) literals: Option<ArrayVec<u32, 4>>,
}

impl PendingGroup {
    /// The finished group.
    pub(super) fn finish(mut self, generation: Generation) -> Parsed<AluGroup> {
        let literals = self.place_literals()?;
        let mut insts = ArrayVec::new();
        for pending in &self.insts {
            if insts.try_push(pending.inst).is_err() {
                let message = "the group has more than five instructions";
                let help = "start a new group: put a number before the first of its lines";
                let span = pending.span.clone();
                return Err(Diagnostic::new(Code::GroupTooLong, span, message).help(help));
            }
        }
        let mut group = AluGroup { insts, literals };
        self.check_literals(&group)?;
        self.check_slots(&group, generation)?;
        self.choose_swizzles(&mut group, generation)?;
        Ok(group)
    }

    /// Assigns a word to each literal. Literals whose word the listing names come first.
    fn place_literals(&mut self) -> Parsed<ArrayVec<u32, 4>> {
        let mut words: [Option<u32>; 4] = [None; 4];
        if let Some(given) = &self.literals {
            for (word, given) in words.iter_mut().zip(given) {
                *word = Some(*given);
            }
        }
        for pending in &self.insts {
            for Literal { bits, chan, .. } in pending.literals.into_iter().flatten() {
                let Some(chan) = chan else { continue };
                let word = &mut words[chan as usize];
                if word.is_some_and(|other| other != bits) {
                    let message = format!("literal {} has two values", chan.letter());
                    let span = pending.span.clone();
                    return Err(Diagnostic::new(Code::LiteralConflict, span, message));
                }
                *word = Some(bits);
            }
        }
        for pending in &mut self.insts {
            for (at, literal) in pending.literals.iter().enumerate() {
                let Some(literal @ Literal { chan: None, .. }) = literal else { continue };
                let chan = word_of(&mut words, literal).ok_or_else(|| {
                    let message = "the group has more than four different literals";
                    let help = "move an instruction to another group";
                    Diagnostic::new(Code::TooManyLiterals, pending.span.clone(), message).help(help)
                })?;
                pending.inst.src[at].chan = chan;
            }
        }
        let len = words.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        Ok(words[..len].iter().map(|word| word.unwrap_or(0)).collect())
    }

    /// Refuses literal words that no source reads. The hardware skips only as many words as are read, and would execute
    /// the others as instructions.
    fn check_literals(&self, group: &AluGroup) -> Parsed<()> {
        let (read, given) = (group.num_literals().div_ceil(2), group.literals.len().div_ceil(2));
        match self.insts.first() {
            Some(pending) if read != given => {
                let message = "the group has literals that no instruction reads";
                let help = "leave `.literal` out: the operands give their literals";
                let span = pending.span.clone();
                Err(Diagnostic::new(Code::UnusedLiteral, span, message).help(help))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the slots in the listing are those that the hardware assigns.
    fn check_slots(&self, group: &AluGroup, generation: Generation) -> Parsed<()> {
        let Some(slots) = group.slots(generation) else {
            return self.check_taken(group, generation);
        };
        for (pending, slot) in self.insts.iter().zip(slots) {
            match pending.slot {
                Some(own) if own != slot => {
                    return Err(wrong_slot(pending, own, slot, generation));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Handles a group in which two instructions need one slot: every slot in the listing must be `?`.
    fn check_taken(&self, group: &AluGroup, generation: Generation) -> Parsed<()> {
        let Some(pending) = self.insts.iter().rev().find(|pending| pending.slot.is_some()) else {
            return Ok(());
        };
        let mut part = AluGroup::default();
        for (own, inst) in self.insts.iter().zip(&group.insts) {
            part.insts.push(*inst);
            if part.slots(generation).is_none() {
                let message = format!("the slot of {} is taken", inst.op.name());
                let help = "start a new group: put a number before the line";
                let span = own.span.clone();
                return Err(Diagnostic::new(Code::SlotTaken, span, message).help(help));
            }
        }
        let message = "two instructions of the group need one slot";
        Err(Diagnostic::new(Code::SlotTaken, pending.span.clone(), message))
    }

    /// Chooses bank swizzles that let the group read its registers. If the listing names a bank swizzle, the other
    /// instructions get 0.
    fn choose_swizzles(&self, group: &mut AluGroup, generation: Generation) -> Parsed<()> {
        if self.insts.iter().any(|pending| pending.swizzle.is_some() || pending.slot.is_none()) {
            for (inst, pending) in group.insts.iter_mut().zip(&self.insts) {
                inst.bank_swizzle = pending.swizzle.unwrap_or(0);
            }
            return Ok(());
        }
        let uses: Vec<PortUse<(u8, bool)>> = self
            .insts
            .iter()
            .zip(&group.insts)
            .map(|(pending, inst)| (pending.slot.unwrap_or(Slot::X), port_operands(inst)))
            .collect();
        let is_forced = group.insts.iter().any(|inst| inst.op.has(AluFlags::FORCES_VEC_210));
        let forced = is_forced.then_some(VEC_210);
        let early = uses.iter().zip(&group.insts);
        let early: Vec<u8> =
            early.map(|((slot, _), inst)| early_operands(inst, *slot, generation)).collect();
        // If no swizzles read the queues in time, the verifier reports it.
        let solved =
            solve_early(&uses, forced, &early).or_else(|_| solve_early(&uses, forced, &[]));
        let swizzles = solved.map_err(|error| {
            let last = self.insts.len().saturating_sub(1);
            let span = self.insts.first().map_or(0, |pending| pending.span.start)
                ..self.insts.get(last).map_or(0, |pending| pending.span.end);
            let help = "read fewer registers of one channel, read results of the previous group from PV and PS, \
                        or move an instruction to another group";
            Diagnostic::new(Code::ReadPorts, span, error.to_string()).help(help)
        })?;
        for (inst, swizzle) in group.insts.iter_mut().zip(swizzles) {
            inst.bank_swizzle = swizzle;
        }
        Ok(())
    }
}

/// The word for a literal: one that already has its value, or a free one.
fn word_of(words: &mut [Option<u32>; 4], literal: &Literal) -> Option<Chan> {
    let Literal { bits, is_own, .. } = *literal;
    let own = words.iter().position(|word| *word == Some(bits) && !is_own);
    let at = own.or_else(|| words.iter().position(Option::is_none))?;
    words[at] = Some(bits);
    Some(Chan::ALL[at])
}

fn wrong_slot(pending: &Pending, own: Slot, slot: Slot, generation: Generation) -> Diagnostic {
    let name = pending.inst.op.name();
    let (own, letter) = (own.letter(), slot.letter());
    let message = format!("{name} runs in slot {letter} here, not in slot {own}");
    let help = match (slot, pending.inst.op.slots(generation)) {
        (_, Some(Slots::Trans)) => format!("{name} runs in slot t only: write `t:`"),
        (Slot::T, _) => "its vector slot is taken by an earlier line: write `t:`".to_owned(),
        _ if !generation.has_trans_slot() => {
            format!("{} has no slot t: write `{letter}:`", generation.name())
        }
        _ => format!(
            "the hardware uses slot t only where the vector slot is taken: write `{letter}:`, or put an \
             instruction into slot {letter} before it"
        ),
    };
    Diagnostic::new(Code::WrongSlot, pending.span.clone(), message).help(help)
}
