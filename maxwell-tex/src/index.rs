//! The texture index of an instruction.

use crate::field::Bits;
use crate::generated::words::{index_pair, tlds};

/// `#tsPtrIdxU13`: the 32-bit word of the constant bank that holds header and sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u16", into = "u16"))]
pub struct TexIndex(u16);

impl TexIndex {
    /// The largest index.
    pub const MAX: Self = Self(tlds::INDEX.max() as u16);

    /// The index of a word; `None` above [`MAX`](Self::MAX).
    pub const fn new(word: u16) -> Option<Self> {
        if word <= Self::MAX.0 { Some(Self(word)) } else { None }
    }

    /// The older spelling, with separate texture and sampler numbers; `None` for a sampler above 31.
    pub fn from_pair(tid: u8, smp: u8) -> Option<Self> {
        let fits = u64::from(smp) <= index_pair::SMP.max();
        let word = index_pair::TID.place(tid.into()) | index_pair::SMP.place(smp.into());
        fits.then_some(Self(word as u16))
    }

    /// The word's number.
    pub const fn word(self) -> u16 {
        self.0
    }

    /// Texture and sampler number of the older spelling.
    pub const fn pair(self) -> (u8, u8) {
        let word = self.0 as u64;
        (index_pair::TID.get(word) as u8, index_pair::SMP.get(word) as u8)
    }
}

impl From<TexIndex> for u16 {
    fn from(index: TexIndex) -> Self {
        index.word()
    }
}

impl TryFrom<u16> for TexIndex {
    type Error = &'static str;

    fn try_from(word: u16) -> Result<Self, Self::Error> {
        Self::new(word).ok_or("an index has 13 bits")
    }
}

impl Bits for TexIndex {
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn from_bits(bits: u64) -> Self {
        Self(bits as u16 & Self::MAX.0)
    }
}
