//! Assigns the colours of a fragment shader to colour buffers.

use r600_isa::Generation;
use tgsi_ir::{PropertyName, Semantic, Shader};

use super::{OutputSlot, ShaderKey};

/// Number of colour buffers of a chip.
pub(crate) const MAX_COLOR_BUFFERS: u8 = 8;

/// The colours that a fragment shader exports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colors {
    /// Colours with both an output and a buffer, one bit each.
    written: u32,
    /// Colours that can be exported.
    limit: u8,
    /// Whether colour 0 is also exported, one export each, to the buffers without a colour of their own.
    is_spread: bool,
    /// Buffers to which the chip itself copies colour 0, the first included; 0 if it copies nothing.
    copies: u8,
    /// Whether exports must be consecutive: the first chips may hang if a colour below the highest exported one is
    /// missing.
    is_counted: bool,
}

impl Colors {
    /// The colours of a shader with these outputs.
    ///
    /// R600 and R700 can copy colour 0 to all buffers, so it takes one export. This does not work if another colour is
    /// exported: the copies would overwrite it.
    pub(crate) fn of(
        shader: &Shader,
        key: &ShaderKey,
        outputs: &[OutputSlot],
        generation: Generation,
    ) -> Self {
        let limit = key.num_colors().min(MAX_COLOR_BUFFERS);
        let colors = outputs.iter().filter(|slot| slot.semantic.0 == Semantic::Color);
        let bound = colors.map(|slot| slot.semantic.1).filter(|&index| index < limit.into());
        let written = bound.fold(0, |mask, index| mask | 1 << index);
        let is_for_all = written & 1 == 1 && shader.is_set(PropertyName::FsColor0WritesAllCbufs);
        let can_copy = matches!(generation, Generation::R600 | Generation::R700);
        let is_copied =
            is_for_all && can_copy && written == 1 && key.num_color_buffers > 1 && !key.dual_source;
        Self {
            written,
            limit,
            is_spread: is_for_all && !is_copied,
            copies: if is_copied { key.num_color_buffers.min(MAX_COLOR_BUFFERS) } else { 0 },
            is_counted: can_copy,
        }
    }

    /// The exports of colour `index`; none if it has no buffer.
    pub(crate) fn exports_of(self, index: u16) -> impl Iterator<Item = u8> {
        let is_its = move |buffer: u8| {
            let is_own = u16::from(buffer) == index;
            is_own || index == 0 && self.is_spread && self.written >> buffer & 1 == 0
        };
        (0..self.limit).filter(move |&buffer| is_its(buffer))
    }

    /// All exports, one bit each.
    pub(crate) fn exports(self) -> u32 {
        if self.is_spread { (1 << self.limit) - 1 } else { self.written }
    }

    /// Buffers that get an empty export because they have no colour: exports must have no gap.
    pub(crate) fn gaps(self) -> impl Iterator<Item = u8> {
        let exports = if self.is_counted { self.exports() } else { 0 };
        let highest = (32 - exports.leading_zeros()) as u8;
        (0..highest).filter(move |&buffer| exports >> buffer & 1 == 0)
    }

    /// Whether the chip copies colour 0 to all buffers.
    pub(crate) fn is_copied(self) -> bool {
        self.copies > 0
    }

    /// The buffers that get colours, one bit each.
    pub(crate) fn buffers(self) -> u32 {
        self.exports() | ((1 << self.copies) - 1)
    }
}
