//! What the values of fields are called in the types.

use super::*;

pub(super) fn pick<T: Copy>(all: &[T], value: u32) -> Option<T> {
    all.get(value as usize).copied()
}

pub(super) fn sel(value: u32) -> Option<ComponentSel> {
    use ComponentSel::{Mask, One, W, X, Y, Z, Zero};
    pick(&[Some(X), Some(Y), Some(Z), Some(W), Some(Zero), Some(One), None, Some(Mask)], value)?
}

pub(super) fn index(value: u32) -> Option<CfIndex> {
    pick(&[CfIndex::None, CfIndex::Index0, CfIndex::Index1], value)
}

pub(super) fn sync_index(value: u32) -> Option<SyncIndex> {
    pick(&[SyncIndex::None, SyncIndex::Index0, SyncIndex::Index1, SyncIndex::Mix], value)
}

pub(super) fn relative(value: u32) -> Option<RelMode> {
    pick(&[RelMode::None, RelMode::Loop, RelMode::Global], value)
}

pub(super) fn window(value: u32) -> Option<KcacheMode> {
    use KcacheMode::{Lock1, Lock2, LockLoopIndex, None};
    pick(&[None, Lock1, Lock2, LockLoopIndex], value)
}

pub(super) fn condition(value: u32) -> Option<CfCondition> {
    use CfCondition::{Active, Bool, False, NotBool};
    pick(&[Active, False, Bool, NotBool], value)
}

pub(super) fn chan(value: u32) -> Option<Chan> {
    pick(&Chan::ALL, value)
}

pub(super) fn coordinate(value: u32) -> Option<CoordType> {
    pick(&[CoordType::Unnormalized, CoordType::Normalized], value)
}

pub(super) fn index_mode(value: u32) -> Option<IndexMode> {
    use IndexMode::{ArW, ArX, ArY, ArZ, Global, GlobalArX, Loop};
    pick(&[ArX, ArY, ArZ, ArW, Loop, Global, GlobalArX], value)
}

pub(super) fn predicate(value: u32) -> Option<PredSel> {
    pick(&[Some(PredSel::Off), None, Some(PredSel::Zero), Some(PredSel::One)], value)?
}

pub(super) fn omod(value: u32) -> Option<Omod> {
    pick(&[Omod::None, Omod::Times2, Omod::Times4, Omod::Half], value)
}

/// Nothing holds it: an instruction with anything here is kept as words.
pub(super) fn nothing<T>(_: &T, value: u32) -> Option<()> {
    (value == 0).then_some(())
}

/// A signed number of `width` bits.
pub(super) fn signed(value: u32, width: u32) -> i8 {
    let shift = 32 - width;
    ((value << shift).cast_signed() >> shift) as i8
}

/// What a number selects, where all generations agree.
pub(super) fn selector(value: u32) -> AluSel {
    match value {
        0..=127 => AluSel::Gpr(value as u8),
        128..=159 => AluSel::Kcache { set: 0, index: value as u8 - 128 },
        160..=191 => AluSel::Kcache { set: 1, index: value as u8 - 160 },
        248 => AluSel::Inline(InlineConst::Zero),
        249 => AluSel::Inline(InlineConst::One),
        250 => AluSel::Inline(InlineConst::IntOne),
        251 => AluSel::Inline(InlineConst::IntMinusOne),
        252 => AluSel::Inline(InlineConst::Half),
        253 => AluSel::Literal,
        254 => AluSel::Pv,
        255 => AluSel::Ps,
        _ => AluSel::Other(value as u16),
    }
}

/// The same as R600 and R700 have it.
pub(super) fn with_constant_file(value: u32) -> AluSel {
    match value {
        256..=511 => AluSel::ConstFile((value - 256) as u8),
        _ => selector(value),
    }
}

/// The same as Evergreen and Cayman have it.
pub(super) fn with_four_windows(value: u32) -> AluSel {
    match value {
        256..=287 => AluSel::Kcache { set: 2, index: (value - 256) as u8 },
        288..=319 => AluSel::Kcache { set: 3, index: (value - 288) as u8 },
        448..=479 => AluSel::Param((value - 448) as u8),
        _ => selector(value),
    }
}
