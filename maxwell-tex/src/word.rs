//! Values that share a word: offsets, handles, layers with a clamp.

use alloc::format;

use crate::diagnostic::{Diagnostic, Part};
use crate::field::Field;
use crate::generated::rules::Rule;
use crate::generated::words::{CLAMP_ONE, array_clamp, handle, offsets};

/// Texel offsets, each from −8 to 7 (`.AOFFI`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Offsets {
    u: i8,
    v: i8,
    w: i8,
}

impl Offsets {
    /// Offsets along s, t and r.
    ///
    /// # Errors
    /// [`Rule::OffsetRange`] if one does not fit its four bits; values are never wrapped.
    pub fn new(u: i8, v: i8, w: i8) -> Result<Self, Diagnostic> {
        let fits = |offset: &i8| sign_extend(offsets::U, offsets::U.get(*offset as u64)) == *offset;
        match [u, v, w].iter().find(|&offset| !fits(offset)) {
            Some(offset) => {
                Err(Diagnostic::new(Rule::OffsetRange, Part::Rb, format!("offset {offset}")))
            }
            None => Ok(Self { u, v, w }),
        }
    }

    /// The offsets along s, t and r.
    pub const fn uvw(self) -> [i8; 3] {
        [self.u, self.v, self.w]
    }

    /// Reads a register; bits above the offsets are ignored.
    pub fn from_word(word: u32) -> Self {
        let take = |field: Field| sign_extend(field, field.get(word.into()));
        Self { u: take(offsets::U), v: take(offsets::V), w: take(offsets::W) }
    }

    /// The register.
    pub fn to_word(self) -> u32 {
        let put = |field: Field, offset: i8| field.place(offset as u64) as u32;
        put(offsets::U, self.u) | put(offsets::V, self.v) | put(offsets::W, self.w)
    }
}

/// The two's complement number in the bits of `field`.
fn sign_extend(field: Field, bits: u64) -> i8 {
    let above = 7 - (field.hi - field.lo);
    ((bits as i8) << above) >> above
}

/// Header and sampler of a bindless access, or of the constant that an index finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Handle {
    header: u32,
    sampler: u32,
}

impl Handle {
    /// Entries of the pools; `None` if one is too large.
    pub fn new(header: u32, sampler: u32) -> Option<Self> {
        let fits = |field: Field, value: u32| u64::from(value) <= field.max();
        let fit = fits(handle::HEADER, header) && fits(handle::SAMPLER, sampler);
        fit.then_some(Self { header, sampler })
    }

    /// Entry of the header pool.
    pub const fn header(self) -> u32 {
        self.header
    }

    /// Entry of the sampler pool. TLDS ignores it.
    pub const fn sampler(self) -> u32 {
        self.sampler
    }

    /// Reads a register.
    pub const fn from_word(word: u32) -> Self {
        let word = word as u64;
        Self { header: handle::HEADER.get(word) as u32, sampler: handle::SAMPLER.get(word) as u32 }
    }

    /// The register.
    pub const fn to_word(self) -> u32 {
        let (header, sampler) = (self.header as u64, self.sampler as u64);
        (handle::HEADER.place(header) | handle::SAMPLER.place(sampler)) as u32
    }
}

/// A level-of-detail clamp, unsigned 4.8 fixed point (`.LC`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LodClamp(u16);

impl LodClamp {
    /// The largest clamp.
    pub const MAX: Self = Self(array_clamp::CLAMP.max() as u16);

    /// The clamp nearest to `level`; levels outside the range, and NaN, give one of its ends.
    pub fn from_f32(level: f32) -> Self {
        // The cast saturates, and converts NaN to 0.
        let fixed = (level * f32::from(CLAMP_ONE) + 0.5) as u16;
        Self(fixed.min(Self::MAX.0))
    }

    /// The clamp as a level.
    pub fn to_f32(self) -> f32 {
        f32::from(self.0) / f32::from(CLAMP_ONE)
    }

    /// Its fixed-point bits.
    pub const fn bits(self) -> u16 {
        self.0
    }
}

/// A layer and a clamp in one register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArrayClamp {
    /// The layer; 0 for shapes without.
    pub array: u16,
    /// The clamp.
    pub clamp: LodClamp,
}

impl ArrayClamp {
    /// Reads a register.
    pub const fn from_word(word: u32) -> Self {
        let word = word as u64;
        let clamp = LodClamp(array_clamp::CLAMP.get(word) as u16);
        Self { array: array_clamp::ARRAY.get(word) as u16, clamp }
    }

    /// The register.
    pub const fn to_word(self) -> u32 {
        let array = array_clamp::ARRAY.place(self.array as u64);
        (array | array_clamp::CLAMP.place(self.clamp.0 as u64)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_two_s_complement() {
        // A constant of the vendor's compiler has the sign of v above its four bits.
        assert_eq!(Offsets::from_word(0xffff_ff5e).uvw(), [-2, 5, -1]);
        let offsets = Offsets::new(-2, 5, 0).expect("the offsets are in range");
        assert_eq!(offsets.to_word(), 0x5e);
        for word in 0..1 << 12 {
            assert_eq!(Offsets::from_word(word).to_word(), word);
        }
    }

    #[test]
    fn offsets_are_never_wrapped() {
        for offset in i8::MIN..=i8::MAX {
            let rule = Offsets::new(0, offset, 0).map_err(|finding| finding.rule);
            assert_eq!(rule.is_ok(), (-8..=7).contains(&offset), "{offset}");
            assert!(rule.is_ok() || rule == Err(Rule::OffsetRange));
        }
    }

    #[test]
    fn words_split_into_their_parts() {
        let handle = Handle::new(0xabcde, 0x123).expect("both numbers fit");
        assert_eq!(handle.to_word(), 0x123a_bcde);
        assert_eq!(Handle::from_word(0x123a_bcde), handle);
        assert_eq!((Handle::new(1 << 20, 0), Handle::new(0, 1 << 12)), (None, None));
        let both = ArrayClamp { array: 7, clamp: LodClamp::from_f32(1.5) };
        assert_eq!(both.to_word(), 0x0180_0007);
        assert_eq!(ArrayClamp::from_word(0xf180_0007), both);
    }

    #[test]
    fn clamps_saturate() {
        let level = |level| LodClamp::from_f32(level).to_f32();
        assert_eq!((level(-1.0), level(f32::NAN), level(3.25)), (0.0, 0.0, 3.25));
        assert_eq!(LodClamp::from_f32(99.0), LodClamp::MAX);
        assert_eq!(LodClamp::MAX.bits(), 0xfff);
    }
}
