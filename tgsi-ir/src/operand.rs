//! Operands: registers with their addressing, swizzles, write masks and modifiers.

use std::fmt;

use crate::{Declaration, File};

/// One of the four channels of a vec4 register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Component {
    /// First channel.
    #[default]
    X,
    /// Second channel.
    Y,
    /// Third channel.
    Z,
    /// Fourth channel.
    W,
}

impl Component {
    /// The channels in order.
    pub const ALL: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::W];

    /// The channel with number `bits & 3`.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::X,
            1 => Self::Y,
            2 => Self::Z,
            _ => Self::W,
        }
    }

    /// Position in a vec4, 0 to 3.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter, lower case.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Z => 'z',
            Self::W => 'w',
        }
    }
}

/// The source channel for each of the four channels read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Swizzle(u8);

impl Swizzle {
    /// `.xyzw`: every channel from itself.
    pub const XYZW: Self = Self(0b11_10_01_00);

    /// The swizzle that reads `components[c]` for channel `c`.
    #[inline]
    pub const fn new(components: [Component; 4]) -> Self {
        Self(
            components[0] as u8
                | (components[1] as u8) << 2
                | (components[2] as u8) << 4
                | (components[3] as u8) << 6,
        )
    }

    /// One channel in all four.
    #[inline]
    pub const fn splat(component: Component) -> Self {
        Self::new([component; 4])
    }

    /// Two bits per channel, x in bits 1:0 (the order of the token stream).
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Two bits per channel, x in bits 1:0.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The channel read for `channel`.
    #[inline]
    pub const fn get(self, channel: Component) -> Component {
        Component::from_bits(self.0 >> (2 * channel as u8))
    }

    /// The four channels read, in order.
    #[inline]
    pub const fn components(self) -> [Component; 4] {
        [
            self.get(Component::X),
            self.get(Component::Y),
            self.get(Component::Z),
            self.get(Component::W),
        ]
    }

    /// Whether every channel is read from itself.
    #[inline]
    pub const fn is_identity(self) -> bool {
        self.0 == Self::XYZW.0
    }
}

impl Default for Swizzle {
    fn default() -> Self {
        Self::XYZW
    }
}

impl fmt::Debug for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".")?;
        self.components().iter().try_for_each(|c| write!(f, "{}", c.letter()))
    }
}

/// The channels of a register that are written, or used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WriteMask(u8);

impl WriteMask {
    /// No channel.
    pub const NONE: Self = Self(0);
    /// x alone.
    pub const X: Self = Self(1);
    /// y alone.
    pub const Y: Self = Self(2);
    /// x and y.
    pub const XY: Self = Self(3);
    /// z alone.
    pub const Z: Self = Self(4);
    /// x, y and z.
    pub const XYZ: Self = Self(7);
    /// w alone.
    pub const W: Self = Self(8);
    /// z and w.
    pub const ZW: Self = Self(12);
    /// All four.
    pub const XYZW: Self = Self(15);

    /// Bit `c` stands for channel `c`; bits above 3 are dropped.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// Bit `c` stands for channel `c`.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The mask of one channel.
    #[inline]
    pub const fn only(component: Component) -> Self {
        Self(1 << component as u8)
    }

    /// Whether `component` is in the mask.
    #[inline]
    pub const fn contains(self, component: Component) -> bool {
        self.0 & (1 << component as u8) != 0
    }

    /// Whether no channel is in the mask.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of channels in the mask.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The channels of either mask.
    #[inline]
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The channels in both masks.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The channels that are not in the other mask.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The channels in the mask, in order.
    pub fn iter(self) -> impl Iterator<Item = Component> {
        Component::ALL.into_iter().filter(move |&c| self.contains(c))
    }
}

impl Default for WriteMask {
    fn default() -> Self {
        Self::XYZW
    }
}

impl fmt::Debug for WriteMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".")?;
        self.iter().try_for_each(|c| write!(f, "{}", c.letter()))
    }
}

/// The register whose value is added to an index: `ADDR[0].x` in `CONST[ADDR[0].x+2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Indirect {
    /// File of the index register.
    pub file: File,
    /// Number of the index register.
    pub index: i16,
    /// Channel that holds the index, an integer.
    pub component: Component,
    /// Array that bounds the access, 0 for none; at most 1023.
    pub array_id: u16,
}

impl Indirect {
    /// Whether the access may reach registers of a declaration of the indexed file: those of the array that bounds the
    /// access, or any.
    pub fn can_mean(&self, declaration: &Declaration) -> bool {
        self.array_id == 0 || declaration.array_id == Some(self.array_id)
    }
}

/// The first subscript of a two-dimensional register: `2` in `CONST[2][5]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dimension {
    /// Constant part of the subscript.
    pub index: i16,
    /// Register added to it.
    pub indirect: Option<Indirect>,
}

/// A register of an operand: file, subscript, and the registers added to it at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Register {
    /// Register file.
    pub file: File,
    /// Constant part of the subscript; the last subscript if there are two.
    pub index: i16,
    /// Register added to `index`.
    pub indirect: Option<Indirect>,
    /// First subscript of a two-dimensional register.
    pub dimension: Option<Dimension>,
}

impl Register {
    /// `FILE[index]`.
    #[inline]
    pub const fn new(file: File, index: i16) -> Self {
        Self { file, index, indirect: None, dimension: None }
    }

    /// `FILE[dimension][index]`.
    #[inline]
    pub const fn new_2d(file: File, dimension: i16, index: i16) -> Self {
        let dimension = Some(Dimension { index: dimension, indirect: None });
        Self { file, index, indirect: None, dimension }
    }

    /// Whether any subscript depends on a register.
    #[inline]
    pub const fn is_indirect(&self) -> bool {
        self.indirect.is_some()
            || matches!(self.dimension, Some(Dimension { indirect: Some(_), .. }))
    }
}

/// A destination operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dst {
    /// The register written.
    pub reg: Register,
    /// Channels written.
    pub mask: WriteMask,
}

impl Dst {
    /// All channels of `reg`.
    #[inline]
    pub const fn new(reg: Register) -> Self {
        Self { reg, mask: WriteMask::XYZW }
    }
}

/// A source operand. The absolute value is taken before the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Src {
    /// The register read.
    pub reg: Register,
    /// The source channel of each channel.
    pub swizzle: Swizzle,
    /// Absolute value.
    pub absolute: bool,
    /// Negation, after the absolute value.
    pub negate: bool,
}

impl Src {
    /// `reg.xyzw`, unmodified.
    #[inline]
    pub const fn new(reg: Register) -> Self {
        Self { reg, swizzle: Swizzle::XYZW, absolute: false, negate: false }
    }

    /// Whether the operand is read with absolute value or negation.
    #[inline]
    pub const fn has_modifier(&self) -> bool {
        self.absolute || self.negate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_stay_small() {
        // The parser writes millions of these per second: growth is a decision.
        assert!(size_of::<Src>() <= 26, "{}", size_of::<Src>());
        assert!(size_of::<Dst>() <= 26, "{}", size_of::<Dst>());
    }

    #[test]
    fn swizzles_keep_token_order() {
        use Component::{W, X, Y, Z};
        assert_eq!(Swizzle::new([X, Y, Z, W]), Swizzle::XYZW);
        assert_eq!(Swizzle::new([W, Z, Y, X]).components(), [W, Z, Y, X]);
        assert_eq!(format!("{:?}", Swizzle::splat(Z)), ".zzzz");
    }
}
