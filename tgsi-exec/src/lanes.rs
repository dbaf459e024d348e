//! Values of all lanes of a quad at once.
//!
//! Registers are stored channel by channel, each with its four lanes side by side. An operation on a channel is then
//! one vector operation of the host.

use crate::resources::Quad;

/// Lanes of a quad.
pub(crate) const LANES: usize = 4;

/// The mask of all lanes.
pub(crate) const ALL: u8 = 0xf;

/// One channel of every lane.
pub(crate) type Channel = [u32; LANES];

/// Four channels of every lane.
pub(crate) type Vector = [Channel; 4];

/// The sources of an instruction after swizzle and modifiers; missing sources have arbitrary values.
pub(crate) type Operands = [Vector; 4];

/// All zeros.
pub(crate) const ZERO: Vector = [[0; LANES]; 4];

/// The same four channels in every lane.
pub(crate) fn splat(vector: [u32; 4]) -> Vector {
    vector.map(|bits| [bits; LANES])
}

/// Transposes between lane-major and channel-major order.
pub(crate) fn transposed(rows: &Quad) -> Quad {
    [0, 1, 2, 3].map(|column| [0, 1, 2, 3].map(|row: usize| rows[row][column]))
}

/// All bits of each lane that is in the mask.
pub(crate) fn expanded(mask: u8) -> Channel {
    [0, 1, 2, 3].map(|lane| if mask >> lane & 1 == 1 { u32::MAX } else { 0 })
}

/// The lanes of a mask, in order.
pub(crate) fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |&lane| has(mask, lane))
}

/// Whether a lane is in the mask.
pub(crate) const fn has(mask: u8, lane: usize) -> bool {
    mask >> lane & 1 == 1
}

/// The first lane of a mask, or lane 0 if the mask is empty.
pub(crate) fn first(mask: u8) -> usize {
    lanes(mask).next().unwrap_or(0)
}
