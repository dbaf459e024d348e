//! Multi-slot operations: the operands that each slot must have, and the results of the slots.

use r600_codegen::internals::ssa::{DoubleInst, InterpPart};
use r600_isa::{AluOp, AluSel, Chan, Slots};

use super::super::names;
use super::super::outcome::End;
use super::super::word::Word;
use super::group::{Given, Unit};
use super::slots::Source;
use super::{Machine, broken};

/// The operand of a channel's slot.
fn words_of<'r>(unit: &Unit<'r, '_>, chan: Chan) -> Result<&'r [Word], End> {
    let slot = unit.slots().find(|read| read.slot.place == Some(chan));
    let name = unit.slot(0).slot.operation.op.name();
    let lacks = || broken(format!("{name} lacks its slot {}", chan.letter()));
    Ok(&slot.ok_or_else(lacks)?.words)
}

/// Word `n` of the operand of a channel's slot.
fn word_of(unit: &Unit<'_, '_>, chan: Chan, n: usize) -> Result<Word, End> {
    let word = words_of(unit, chan)?.get(n).copied();
    word.ok_or_else(|| broken(format!("slot {} has too few operands", chan.letter())))
}

/// The result of each channel's slot, for those that exist.
fn by_channel(unit: &Unit<'_, '_>, word: impl Fn(Chan) -> Option<Word>) -> Vec<Given> {
    let given = |chan: Option<Chan>| Given { word: chan.and_then(&word), is_forwarded: false };
    unit.slots().map(|read| given(read.slot.place)).collect()
}

impl Machine<'_> {
    /// Slots of a cube projection read (z, y), (z, x), (x, z) and (y, z).
    pub(super) fn cube(&self, unit: &Unit<'_, '_>) -> Result<Vec<Given>, End> {
        let [x, y] = [word_of(unit, Chan::Z, 0)?, word_of(unit, Chan::W, 0)?];
        let z = word_of(unit, Chan::X, 0)?;
        for (chan, pair) in Chan::ALL.into_iter().zip([[z, y], [z, x], [x, z], [y, z]]) {
            if words_of(unit, chan)? != pair {
                return Err(broken("the slots of CUBE do not read one direction"));
            }
        }
        let number = names::number(names::CUBE);
        let word = |chan| Some(self.world.answer(number, chan as usize, &[x, y, z], 0));
        let mut given = by_channel(unit, word);
        given.iter_mut().for_each(|given| given.is_forwarded = true);
        Ok(given)
    }

    /// Slots x and z of an interpolation read j, y and w read i; all read one parameter. The first result alone takes
    /// two slots.
    pub(super) fn interpolation(&self, unit: &Unit<'_, '_>) -> Result<Vec<Given>, End> {
        let op = unit.slot(0).slot.operation.op;
        let (part, first) = match op {
            AluOp::InterpXy | AluOp::InterpX => (InterpPart::Xy, 0),
            AluOp::InterpZw | AluOp::InterpZ => (InterpPart::Zw, 2),
            AluOp::InterpLoadP0 => (InterpPart::Flat, 0),
            other => return Err(broken(format!("{} is not known", other.name()))),
        };
        let mut param = None;
        for src in unit.slots().flat_map(|read| &read.slot.src) {
            if let Source::Special(AluSel::Param(number)) = src.source
                && *param.get_or_insert(number) != number
            {
                return Err(broken("an interpolation reads two parameters"));
            }
        }
        let param = param.ok_or_else(|| broken("an interpolation reads no parameter"))?;
        let words = match part {
            InterpPart::Flat => Vec::new(),
            InterpPart::Xy | InterpPart::Zw => {
                let slots: &[[Chan; 2]] = match op {
                    AluOp::InterpX => &[[Chan::Y, Chan::X]],
                    AluOp::InterpZ => &[[Chan::W, Chan::Z]],
                    _ => &[[Chan::Y, Chan::X], [Chan::W, Chan::Z]],
                };
                let mut pairs = Vec::new();
                for [i, j] in slots {
                    pairs.push(vec![word_of(unit, *i, 0)?, word_of(unit, *j, 0)?]);
                }
                if pairs.iter().any(|pair| *pair != pairs[0]) {
                    return Err(broken("an interpolation reads two pairs of coordinates"));
                }
                pairs.swap_remove(0)
            }
        };
        let number = names::number(&names::interpolation(part, param));
        let last = if part == InterpPart::Flat { 4 } else { first + 2 };
        let word = |chan| {
            let slot = chan as usize;
            let n = (first..last).contains(&slot).then(|| slot - first)?;
            Some(self.world.answer(number, n, &words, 0))
        };
        Ok(by_channel(unit, word))
    }

    /// The sum of four products, which every slot returns.
    pub(super) fn reduction(&mut self, unit: &Unit<'_, '_>) -> Result<Vec<Given>, End> {
        let mut pairs = [[Word::default(); 2]; 4];
        for (chan, pair) in Chan::ALL.into_iter().zip(&mut pairs) {
            *pair = [word_of(unit, chan, 0)?, word_of(unit, chan, 1)?];
        }
        let operation = unit.slot(0).slot.operation;
        if unit.slots().any(|read| read.slot.operation != operation) {
            return Err(broken("the slots of a reduction have different modifiers"));
        }
        let word = self.arithmetic.reduction(operation, &pairs)?;
        Ok(unit.slots().map(|_| Given::forwarded(word)).collect())
    }

    /// Doubles: seeds read both halves in each slot, other operations one half, the low one in the last slot.
    pub(super) fn double(&self, unit: &Unit<'_, '_>) -> Result<Vec<Given>, End> {
        let first = unit.slot(0);
        let op = first.slot.operation.op;
        let slots = op.slots(self.code.function.chip.generation());
        let is_seed = matches!(slots, Some(Slots::Trans | Slots::Replicated3));
        let low = match slots {
            Some(Slots::Pair) => Chan::Y,
            _ if op == AluOp::Frexp64 => Chan::Y,
            _ => Chan::W,
        };
        let mut words = Vec::new();
        if is_seed {
            let [high, low] = first.words[..] else {
                return Err(broken(format!("{} reads two halves", op.name())));
            };
            if unit.slots().any(|read| read.words != first.words) {
                return Err(broken("slots of one operation read different values"));
            }
            words.extend([low, high]);
        } else {
            for (n, &high) in words_of(unit, Chan::X)?.iter().enumerate() {
                words.extend([word_of(unit, low, n)?, high]);
            }
        }
        let slots = DoubleInst { op, src: [].into_iter().collect() }.result_slots();
        let results = self.arithmetic.double(op, slots, &words);
        // Three-source forms write in every slot: a result that is no half of the double is undefined.
        let word = |chan: Chan| {
            let n = slots.iter().position(|&slot| slot == chan as usize);
            n.map_or(Some(Word::UNWRITTEN), |n| results.get(n).copied())
        };
        // The channel that a seed of the trans slot writes selects the half.
        let chan = |read: &super::group::Read<'_>| read.slot.place.or(read.slot.chan);
        let given = |chan: Option<Chan>| Given { word: chan.and_then(word), is_forwarded: false };
        Ok(unit.slots().map(|read| given(chan(read).or_else(|| self.chan_of(read)))).collect())
    }

    /// The channel of the register that a slot writes.
    fn chan_of(&self, read: &super::group::Read<'_>) -> Option<Chan> {
        match read.slot.dst {
            r600_mir::Dst::VReg(vreg) => self.code.function.vregs[vreg].chan,
            r600_mir::Dst::None | r600_mir::Dst::Element(_) => None,
        }
    }
}
