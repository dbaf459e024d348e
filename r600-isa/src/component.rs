//! Selected components of vectors.

use crate::Chan;
use crate::codec::field_enum;

/// Selector of a component of a fetch's address or result, or of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum ComponentSel {
    /// x of the vector.
    X,
    /// y of the vector.
    Y,
    /// z of the vector.
    Z,
    /// w of the vector.
    W,
    /// 0.0.
    Zero,
    /// 1.0.
    One,
    /// Not used, or not written.
    #[default]
    Mask = 7,
}

field_enum!(ComponentSel {
    X = "x",
    Y = "y",
    Z = "z",
    W = "w",
    Zero = "0",
    One = "1",
    Mask = "_",
});

impl ComponentSel {
    /// Its letter in listings.
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Z => 'z',
            Self::W => 'w',
            Self::Zero => '0',
            Self::One => '1',
            Self::Mask => '_',
        }
    }

    /// The selector with this letter.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        let all = [Self::X, Self::Y, Self::Z, Self::W, Self::Zero, Self::One, Self::Mask];
        all.into_iter().find(|sel| sel.letter() == letter)
    }

    /// The channel that it reads; `None` for a constant or nothing.
    pub const fn chan(self) -> Option<Chan> {
        match self {
            Self::X => Some(Chan::X),
            Self::Y => Some(Chan::Y),
            Self::Z => Some(Chan::Z),
            Self::W => Some(Chan::W),
            Self::Zero | Self::One | Self::Mask => None,
        }
    }
}

impl From<Chan> for ComponentSel {
    fn from(chan: Chan) -> Self {
        [Self::X, Self::Y, Self::Z, Self::W][chan as usize]
    }
}
