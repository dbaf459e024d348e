//! Operands of the code builder.

use tgsi_ir::{Component, File, Swizzle, WriteMask};

/// A register, or the words of an immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    Temp(u32),
    Words([u32; 4]),
    Register(File, u16),
    /// A register with two subscripts.
    Register2(File, u16, u16),
}

/// A dynamic subscript: a channel of a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Index {
    pub(crate) temp: u32,
    pub(crate) component: Component,
}

/// A source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Operand {
    pub(crate) base: Base,
    /// Added to the last subscript.
    pub(crate) index: Option<Index>,
    /// Added to the first of two subscripts.
    pub(crate) outer: Option<Index>,
    pub(crate) swizzle: Swizzle,
    pub(crate) absolute: bool,
    pub(crate) negate: bool,
}

/// A destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub(crate) base: Base,
    pub(crate) index: Option<Index>,
    pub(crate) outer: Option<Index>,
    pub(crate) mask: WriteMask,
}

impl Operand {
    /// All of a register.
    pub(crate) const fn new(base: Base) -> Self {
        Self {
            base,
            index: None,
            outer: None,
            swizzle: Swizzle::XYZW,
            absolute: false,
            negate: false,
        }
    }

    /// All of a temporary.
    pub(crate) const fn temp(temp: u32) -> Self {
        Self::new(Base::Temp(temp))
    }

    /// Four words.
    pub(crate) const fn words(words: [u32; 4]) -> Self {
        Self::new(Base::Words(words))
    }

    /// One word in all channels.
    pub(crate) const fn word(word: u32) -> Self {
        Self::words([word; 4])
    }

    /// One float in all channels.
    pub(crate) const fn float(value: f32) -> Self {
        Self::word(value.to_bits())
    }

    /// Channel `n`, in all channels.
    pub(crate) fn channel(self, n: usize) -> Self {
        self.pick(&[n])
    }

    /// The listed channels. The last one fills the remaining channels.
    pub(crate) fn pick(self, channels: &[usize]) -> Self {
        let last = channels.last().copied().unwrap_or(0);
        let component = |n: usize| {
            let channel = channels.get(n).copied().unwrap_or(last);
            self.swizzle.get(Component::from_bits(channel as u8))
        };
        let swizzle = Swizzle::new([component(0), component(1), component(2), component(3)]);
        Self { swizzle, ..self }
    }

    /// The channels from `first` on.
    pub(crate) fn from(self, first: usize) -> Self {
        let channels = [first, (first + 1).min(3), (first + 2).min(3), (first + 3).min(3)];
        self.pick(&channels)
    }

    /// The first `len` channels. The last of them fills the rest.
    pub(crate) fn first(self, len: usize) -> Self {
        self.pick(&[0, 1, 2, 3][..len.clamp(1, 4)])
    }

    /// The negative of it, as a float.
    pub(crate) const fn neg(mut self) -> Self {
        self.negate = !self.negate;
        self
    }

    /// The magnitude of it, as a float.
    pub(crate) const fn abs(mut self) -> Self {
        self.absolute = true;
        self.negate = false;
        self
    }

    /// Whether it is read with a modifier.
    pub(crate) const fn has_modifier(&self) -> bool {
        self.absolute || self.negate
    }

    /// The words of an immediate in the order of its swizzle; `None` for a register.
    pub(crate) fn constant(&self) -> Option<[u32; 4]> {
        let Base::Words(words) = self.base else { return None };
        if self.has_modifier() {
            return None;
        }
        Some(self.swizzle.components().map(|component| words[component.index()]))
    }

    /// The word in the first channel of an immediate.
    pub(crate) fn constant_word(&self) -> Option<u32> {
        self.constant().map(|words| words[0])
    }
}

impl Target {
    /// Channels of a register.
    pub(crate) const fn new(base: Base, mask: WriteMask) -> Self {
        Self { base, index: None, outer: None, mask }
    }

    /// Channels of a temporary.
    pub(crate) const fn temp(temp: u32, mask: WriteMask) -> Self {
        Self::new(Base::Temp(temp), mask)
    }
}
