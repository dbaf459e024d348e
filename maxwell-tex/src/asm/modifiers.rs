//! The modifiers after an instruction's name.

use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;
use core::mem::discriminant;

use super::error::{AsmError, AsmErrorKind};
use super::lexer::Token;
use crate::generated::enums::{Lod, Phase};

/// Instructions that have modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mnemonic {
    Tex,
    Tlds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    Bindless,
    F16,
    Lod(Lod),
    Clamp,
    Offsets,
    Multisample,
    Compare,
    NotDivergent,
    NoDep,
    Phase(Phase),
}

/// Modifiers with a single name, and the instructions that have them.
const NAMED: [(&str, Modifier, &[Mnemonic]); 8] = [
    ("B", Modifier::Bindless, &[Mnemonic::Tex]),
    ("F16", Modifier::F16, &[Mnemonic::Tlds]),
    ("LC", Modifier::Clamp, &[Mnemonic::Tex]),
    ("AOFFI", Modifier::Offsets, &[Mnemonic::Tex, Mnemonic::Tlds]),
    ("MS", Modifier::Multisample, &[Mnemonic::Tlds]),
    ("DC", Modifier::Compare, &[Mnemonic::Tex]),
    ("NDV", Modifier::NotDivergent, &[Mnemonic::Tex]),
    ("NODEP", Modifier::NoDep, &[Mnemonic::Tex, Mnemonic::Tlds]),
];

impl Modifier {
    fn find(mnemonic: Mnemonic, name: &str) -> Option<Self> {
        let is = |text: &str| !text.is_empty() && text.eq_ignore_ascii_case(name);
        let named = NAMED.iter().find(|(text, _, on)| is(text) && on.contains(&mnemonic));
        let lod = || Lod::ALL.into_iter().find(|lod| is(lod.text())).map(Self::Lod);
        let phase = || Phase::ALL.into_iter().find(|phase| is(phase.text())).map(Self::Phase);
        named.map(|(_, modifier, _)| *modifier).or_else(lod).or_else(phase)
    }
}

/// The modifiers of one instruction, each kind once.
#[derive(Debug, Default)]
pub(super) struct Modifiers(Vec<Modifier>);

impl Modifiers {
    /// Reads what follows the name in `token`.
    pub(super) fn parse(mnemonic: Mnemonic, token: &Token<'_>) -> Result<Self, AsmError> {
        let mut modifiers = Self::default();
        let mut at = token.span.start;
        for (place, name) in token.text.split('.').enumerate() {
            let span = at..at + name.len();
            at = span.end + 1;
            if place == 0 {
                continue;
            }
            let Some(modifier) = Modifier::find(mnemonic, name) else {
                return Err(AsmError::new(span, AsmErrorKind::UnknownModifier(name.to_owned())));
            };
            if modifiers.0.iter().any(|other| discriminant(other) == discriminant(&modifier)) {
                return Err(AsmError::new(span, AsmErrorKind::RepeatedModifier(name.to_owned())));
            }
            modifiers.0.push(modifier);
        }
        Ok(modifiers)
    }

    pub(super) fn has(&self, modifier: Modifier) -> bool {
        self.0.contains(&modifier)
    }

    pub(super) fn lod(&self) -> Lod {
        let lod = self.0.iter().find_map(|modifier| match modifier {
            Modifier::Lod(lod) => Some(*lod),
            _ => None,
        });
        lod.unwrap_or(Lod::Implicit)
    }

    pub(super) fn phase(&self) -> Phase {
        let phase = self.0.iter().find_map(|modifier| match modifier {
            Modifier::Phase(phase) => Some(*phase),
            _ => None,
        });
        phase.unwrap_or(Phase::None)
    }
}
