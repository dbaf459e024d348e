//! Bundles: a control word and three instructions.

use alloc::vec::Vec;
use core::iter;

use crate::control::Control;
use crate::field::Field;
use crate::generated::words::{BUNDLE_SLOTS, NOP, control_word};
use crate::instruction::Instruction;
use crate::tlds::MaskError;

/// One instruction with its scheduling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slot {
    /// The instruction.
    pub op: Op,
    /// Its scheduling.
    pub control: Control,
}

/// What a slot executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Op {
    /// TEX or TLDS.
    Texture(Instruction),
    /// The word of another instruction.
    Other(u64),
}

impl Op {
    /// Reads any word.
    pub fn from_word(word: u64) -> Self {
        Instruction::from_word(word).map_or(Self::Other(word), Self::Texture)
    }

    /// The word.
    ///
    /// # Errors
    /// When a TLDS has a mask that its Rd1 excludes.
    pub fn to_word(&self) -> Result<u64, MaskError> {
        match self {
            Self::Texture(instruction) => instruction.to_word(),
            Self::Other(word) => Ok(*word),
        }
    }
}

impl Slot {
    /// The no-op instruction that pads a bundle.
    pub const NOP: Self = Self { op: Op::Other(NOP), control: Control::NONE };

    /// An instruction without scheduling.
    pub const fn plain(op: Op) -> Self {
        Self { op, control: Control::NONE }
    }
}

/// Three instructions and their control word: 32 bytes, aligned to 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bundle {
    /// The instructions, in the order of execution.
    pub slots: [Slot; BUNDLE_SLOTS],
    /// The bit of the control word that belongs to no instruction.
    pub spare: bool,
}

const GROUPS: [Field; BUNDLE_SLOTS] =
    [control_word::GROUP0, control_word::GROUP1, control_word::GROUP2];

impl Bundle {
    /// Words of a bundle.
    pub const WORDS: usize = 1 + BUNDLE_SLOTS;

    /// Reads any words.
    pub fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [control, instructions @ ..] = words;
        let mut slots = instructions.map(|word| Slot::plain(Op::from_word(word)));
        for (slot, group) in slots.iter_mut().zip(GROUPS) {
            slot.control = Control::from_group(group.get(control) as u32);
        }
        Self { slots, spare: control_word::SPARE.get(control) != 0 }
    }

    /// The words.
    ///
    /// # Errors
    /// When a TLDS has a mask that its Rd1 excludes.
    pub fn to_words(&self) -> Result<[u64; Self::WORDS], MaskError> {
        let mut words = [control_word::SPARE.place(self.spare.into()), 0, 0, 0];
        for (at, (slot, group)) in self.slots.iter().zip(GROUPS).enumerate() {
            words[0] |= group.place(slot.control.to_group().into());
            words[1 + at] = slot.op.to_word()?;
        }
        Ok(words)
    }
}

/// Instructions in bundles; the last is padded with no-ops.
pub fn bundles(slots: &[Slot]) -> Vec<Bundle> {
    slots.chunks(BUNDLE_SLOTS).map(bundle).collect()
}

fn bundle(slots: &[Slot]) -> Bundle {
    let mut filled = slots.iter().copied().chain(iter::repeat(Slot::NOP));
    let slots = core::array::from_fn(|_| filled.next().unwrap_or(Slot::NOP));
    Bundle { slots, spare: false }
}
