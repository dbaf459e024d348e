//! Sets of lanes.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// Maximum number of lanes of a wavefront.
pub const MAX_LANES: usize = 64;

/// A set of lanes of a wavefront; lane `n` is bit `n`.
///
/// Lanes come in quads of 2×2 pixels: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct LaneMask(u64);

impl LaneMask {
    /// No lane.
    pub const EMPTY: Self = Self(0);

    /// The set with the given bits.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The lanes below `count`.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        if count >= MAX_LANES { Self(u64::MAX) } else { Self((1 << count) - 1) }
    }

    /// The set as bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether no lane is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `lane` is in the set.
    #[must_use]
    pub const fn contains(self, lane: usize) -> bool {
        lane < MAX_LANES && self.0 >> lane & 1 == 1
    }

    /// Number of lanes in the set.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds `lane`; lanes beyond a wavefront are ignored.
    pub fn insert(&mut self, lane: usize) {
        if lane < MAX_LANES {
            self.0 |= 1 << lane;
        }
    }

    /// The lanes of the set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lanes in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(lane)
        })
    }

    /// The set of those lanes of `0..count` for which `is_member` holds.
    pub fn select(count: usize, mut is_member: impl FnMut(usize) -> bool) -> Self {
        let mut mask = Self::EMPTY;
        (0..count).filter(|&lane| is_member(lane)).for_each(|lane| mask.insert(lane));
        mask
    }
}

impl BitAnd for LaneMask {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for LaneMask {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAndAssign for LaneMask {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for LaneMask {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for LaneMask {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaneMask({:#x})", self.0)
    }
}
