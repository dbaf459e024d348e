//! Components of a texel, and sets of them.

use core::fmt;

/// A component of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Component {
    /// Red.
    R,
    /// Green.
    G,
    /// Blue.
    B,
    /// Alpha.
    A,
}

impl Component {
    /// All four, in the order of results.
    pub const ALL: [Self; 4] = [Self::R, Self::G, Self::B, Self::A];
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A set of components, R in the lowest bit (`#wmskU04`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct ComponentMask(u8);

impl ComponentMask {
    /// No component.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(0xf);

    /// The set with these bits; `None` if a bit above the fourth is set.
    pub const fn new(bits: u8) -> Option<Self> {
        if bits <= Self::ALL.0 { Some(Self(bits)) } else { None }
    }

    /// The set with the lower four of these bits.
    pub const fn from_code(code: u8) -> Self {
        Self(code & Self::ALL.0)
    }

    /// Its bits.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The number of components.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has `component`.
    pub const fn contains(self, component: Component) -> bool {
        self.0 & (1 << component as u8) != 0
    }

    /// Its components, R first: the order of result registers.
    pub fn iter(self) -> impl Iterator<Item = Component> {
        Component::ALL.into_iter().filter(move |&component| self.contains(component))
    }
}

impl FromIterator<Component> for ComponentMask {
    fn from_iter<I: IntoIterator<Item = Component>>(components: I) -> Self {
        Self(components.into_iter().fold(0, |bits, component| bits | 1 << component as u8))
    }
}

impl From<ComponentMask> for u8 {
    fn from(mask: ComponentMask) -> Self {
        mask.code()
    }
}

impl TryFrom<u8> for ComponentMask {
    type Error = &'static str;

    fn try_from(bits: u8) -> Result<Self, Self::Error> {
        Self::new(bits).ok_or("a mask has four bits")
    }
}

/// The letters, as TLDS writes them.
impl fmt::Display for ComponentMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|component| component.fmt(f))
    }
}

crate::field::bits_of_codes!(ComponentMask);
