//! The source channels that an instruction reads.

use crate::dialect::wording::Wording;
use crate::{
    Component, Instruction, Memory, Opcode, OpcodeType, OutputMode, Src, SrcRole, Swizzle,
    TextureTarget, WriteMask,
};

impl OpcodeType {
    /// Whether a value takes two channels.
    pub const fn is_64_bit(self) -> bool {
        matches!(self, Self::Double | Self::Unsigned64 | Self::Signed64)
    }

    /// Whether a value is an integer.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Unsigned | Self::Signed | Self::Unsigned64 | Self::Signed64)
    }
}

impl Swizzle {
    /// The channels of the register that are read for `mask`.
    pub fn apply(self, mask: WriteMask) -> WriteMask {
        mask.iter()
            .fold(WriteMask::NONE, |read, channel| read.union(WriteMask::only(self.get(channel))))
    }
}

impl Src {
    /// The channels of the register that are read for `mask`.
    pub fn read_mask(&self, mask: WriteMask) -> WriteMask {
        self.swizzle.apply(mask)
    }
}

/// The context of an instruction from its shader or dialect.
pub(crate) struct Meant {
    /// How it accesses memory or an image.
    pub(crate) memory: Option<Memory>,
    /// The target of its texture.
    pub(crate) target: TextureTarget,
    /// How its opcode is expressed today.
    pub(crate) wording: Wording,
}

impl Instruction {
    /// The channels requested from source `index`, before its swizzle. For an image without a memory word, and for a
    /// view, only the shader knows the coordinates: see [`crate::Shader::src_mask`].
    ///
    /// Samplers, views and resources have none: their swizzles select from the result, if they have any meaning.
    pub fn src_mask(&self, index: usize) -> WriteMask {
        let (memory, target) = (self.memory, self.target());
        self.mask_with(index, &Meant { memory, target, wording: Wording::Today })
    }

    /// As [`Instruction::src_mask`], with the instruction's context.
    pub(crate) fn mask_with(&self, index: usize, meant: &Meant) -> WriteMask {
        if let Some(mask) = self.former_mask(index, meant.wording) {
            return mask;
        }
        let info = self.opcode.info();
        let role = info.src_roles.get(index).copied().unwrap_or(SrcRole::Value);
        match role {
            SrcRole::Value | SrcRole::Test => self.value_mask(index),
            SrcRole::Channels(mask) => mask,
            SrcRole::ByChannel(masks) => self
                .dst_mask()
                .iter()
                .fold(WriteMask::NONE, |all, channel| all.union(masks[channel.index()])),
            SrcRole::PairCounts => pair_counts(self.dst_mask()),
            SrcRole::Coordinates if meant.wording == Wording::SampleInW => {
                self.coordinate_mask(meant.target).union(WriteMask::W)
            }
            SrcRole::Coordinates => self.coordinate_mask(meant.target),
            SrcRole::CoordinatesAndW => self.coordinate_mask(meant.target).union(WriteMask::W),
            SrcRole::Derivatives => derivative_mask(meant.target),
            SrcRole::Address => address_mask(meant.memory),
            SrcRole::Input | SrcRole::Output => self.dst_mask(),
            SrcRole::Unused | SrcRole::Sampler | SrcRole::View | SrcRole::Resource => {
                WriteMask::NONE
            }
        }
    }

    /// The channels requested from a source that differs in an old dialect.
    fn former_mask(&self, index: usize, wording: Wording) -> Option<WriteMask> {
        match (wording, index) {
            (Wording::CountInX, 1) => Some(WriteMask::X),
            (Wording::DoubleExponent, 1) | (Wording::FractionFirst | Wording::ExponentFirst, 0) => {
                Some(pairs(self.dst_mask()))
            }
            _ => None,
        }
    }

    /// The type of source `index`, with the opcode's former meaning.
    pub(crate) fn src_type_as(&self, wording: Wording, index: usize) -> OpcodeType {
        match (wording, index) {
            (Wording::DoubleExponent, 1) => OpcodeType::Double,
            _ => self.opcode.info().src_types.get(index).copied().unwrap_or(OpcodeType::Untyped),
        }
    }

    /// The type of destination `index`, with the opcode's former meaning.
    pub(crate) fn dst_type_as(&self, wording: Wording, index: usize) -> OpcodeType {
        match wording {
            Wording::TruthAsDouble | Wording::FractionFirst | Wording::ExponentFirst => {
                OpcodeType::Double
            }
            _ => self.opcode.info().dst_types.get(index).copied().unwrap_or(OpcodeType::Untyped),
        }
    }

    /// The channels of the register that source `index` reads.
    pub fn src_read_mask(&self, index: usize) -> WriteMask {
        let mask = self.src_mask(index);
        self.src.get(index).map_or(WriteMask::NONE, |src| src.read_mask(mask))
    }

    /// The channels that any destination writes.
    fn dst_mask(&self) -> WriteMask {
        self.dst.iter().fold(WriteMask::NONE, |mask, dst| mask.union(dst.mask))
    }

    /// The channels written to destination `index`. A 64-bit result fills both channels of each pair that the mask
    /// touches. A 32-bit result from 64-bit values fills one channel per value, possibly fewer than the mask has.
    pub(crate) fn written_mask(&self, index: usize) -> WriteMask {
        let info = self.opcode.info();
        let mask = self.dst.get(index).map_or(WriteMask::NONE, |dst| dst.mask);
        let wide = |types: &[OpcodeType], at: usize| types.get(at).is_some_and(|ty| ty.is_64_bit());
        match (wide(info.dst_types, index), wide(info.src_types, 0)) {
            (true, _) => pairs(mask),
            // The second result of two is plain.
            (false, _) if index > 0 => mask,
            (false, true) if info.num_src == 1 => first_two(mask),
            (false, true) => firsts(mask),
            (false, false) if self.opcode.has_one_pair() => common(mask, WriteMask::XY),
            (false, false) => mask,
        }
    }

    /// The same with the opcode's former meaning: doubles that an old dialect has instead of masks and integers fill
    /// the channels of the write mask.
    pub(crate) fn written_mask_as(&self, wording: Wording, index: usize) -> WriteMask {
        match wording {
            Wording::TruthAsDouble | Wording::FractionFirst | Wording::ExponentFirst => {
                self.dst.get(index).map_or(WriteMask::NONE, |dst| dst.mask)
            }
            _ => self.written_mask(index),
        }
    }

    /// The channels requested from a value, by the write mask and the widths of the types.
    fn value_mask(&self, index: usize) -> WriteMask {
        let info = self.opcode.info();
        let mask = self.dst_mask();
        match info.output_mode {
            OutputMode::Componentwise => {}
            // Memory instructions have no channel they could be asked for alone.
            OutputMode::Other => return if mask.is_empty() { WriteMask::XYZW } else { mask },
            OutputMode::None | OutputMode::Replicate | OutputMode::ChanDependent => {
                return WriteMask::XYZW;
            }
        }
        let wide = |types: &[OpcodeType], at: usize| types.get(at).is_some_and(|ty| ty.is_64_bit());
        match (wide(info.dst_types, 0), wide(info.src_types, index)) {
            (false, false) => mask,
            (true, true) => pairs(mask),
            (true, false) => widened(mask),
            (false, true) if info.num_src == 1 => narrowed(mask),
            (false, true) => pairs(mask),
        }
    }

    /// The target in the texture word.
    pub(crate) fn target(&self) -> TextureTarget {
        self.texture.as_ref().map_or(TextureTarget::Unknown, |texture| texture.target)
    }

    /// Coordinates of the texture target, with layer and depth to compare with.
    fn coordinate_mask(&self, target: TextureTarget) -> WriteMask {
        let Some(count) = target.coordinates() else { return WriteMask::XYZW };
        let reference = match target.reference() {
            Some(component @ 0..=3) if self.opcode.compares_by_coordinates() => {
                WriteMask::from_bits(1 << component)
            }
            _ => WriteMask::NONE,
        };
        first_channels(count).union(reference)
    }
}

/// Derivatives are taken of all coordinates but the layer.
fn derivative_mask(target: TextureTarget) -> WriteMask {
    match target {
        TextureTarget::D1
        | TextureTarget::Shadow1d
        | TextureTarget::D1Array
        | TextureTarget::Shadow1dArray => WriteMask::X,
        TextureTarget::D2
        | TextureTarget::Rect
        | TextureTarget::Shadow2d
        | TextureTarget::Shadowrect
        | TextureTarget::D2Array
        | TextureTarget::Shadow2dArray => WriteMask::XY,
        _ => WriteMask::XYZ,
    }
}

/// A byte offset in x, or the coordinates of an image with the sample.
fn address_mask(memory: Option<Memory>) -> WriteMask {
    let target = memory.map_or(TextureTarget::Buffer, |memory| memory.target);
    match target {
        TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa => WriteMask::XYZW,
        _ => target.coordinates().map_or(WriteMask::XYZW, first_channels),
    }
}

fn first_channels(count: u8) -> WriteMask {
    WriteMask::from_bits(((1u16 << count.min(4)) - 1) as u8)
}

/// Both channels of every pair that `mask` touches.
fn pairs(mask: WriteMask) -> WriteMask {
    let touches = |a, b| mask.contains(a) || mask.contains(b);
    let low = if touches(Component::X, Component::Y) { WriteMask::XY } else { WriteMask::NONE };
    let high = if touches(Component::Z, Component::W) { WriteMask::ZW } else { WriteMask::NONE };
    low.union(high)
}

/// One channel for each pair that is written: x for xy, y for zw.
fn widened(mask: WriteMask) -> WriteMask {
    let pairs = pairs(mask).bits();
    WriteMask::from_bits(pairs & 1 | (pairs >> 2 & 1) << 1)
}

/// One pair for each channel that is written, at most two.
fn narrowed(mask: WriteMask) -> WriteMask {
    match mask.len() {
        0 => WriteMask::NONE,
        1 => WriteMask::XY,
        _ => WriteMask::XYZW,
    }
}

fn common(one: WriteMask, other: WriteMask) -> WriteMask {
    WriteMask::from_bits(one.bits() & other.bits())
}

/// The first two channels that are written: a channel for each pair that is read.
fn first_two(mask: WriteMask) -> WriteMask {
    mask.iter().take(2).fold(WriteMask::NONE, |all, own| all.union(WriteMask::only(own)))
}

/// The first channel that is written of each pair: a comparison of pairs has one for each.
fn firsts(mask: WriteMask) -> WriteMask {
    let first = |pair| common(mask, pair).iter().next().map_or(WriteMask::NONE, WriteMask::only);
    first(WriteMask::XY).union(first(WriteMask::ZW))
}

/// x for the pair xy, z for the pair zw.
fn pair_counts(mask: WriteMask) -> WriteMask {
    WriteMask::from_bits(pairs(mask).bits() & 0b0101)
}

impl Opcode {
    /// Whether it derives its level of detail from neighbouring invocations.
    pub fn has_implicit_derivatives(self) -> bool {
        matches!(
            self,
            Self::Tex
                | Self::Txp
                | Self::Txb
                | Self::Tex2
                | Self::Txb2
                | Self::Lodq
                | Self::Lod
                | Self::Sample
                | Self::SampleB
                | Self::SampleC
                | Self::Texld
                | Self::Texldb
        )
    }

    /// Whether the depth reference is one of the coordinates. Fetches and level-of-detail queries compare nothing, and
    /// these samples have a separate source for it.
    const fn compares_by_coordinates(self) -> bool {
        !matches!(
            self,
            Self::SampleC
                | Self::SampleCLz
                | Self::Txf
                | Self::TxfLz
                | Self::SampleI
                | Self::SampleIMs
                | Self::LoadMs
                | Self::Lodq
                | Self::Lod
        )
    }

    /// Whether its result has 64 bits, in x and y, although the table gives another type.
    const fn has_one_pair(self) -> bool {
        matches!(self, Self::Ballot | Self::Clock | Self::Img2hnd | Self::Samp2hnd)
    }

    /// Whether it computes a screen-space derivative.
    pub fn is_derivative(self) -> bool {
        matches!(
            self,
            Self::Ddx | Self::Ddy | Self::DdxFine | Self::DdyFine | Self::Dsx | Self::Dsy
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dst, File, Register, Texture};

    fn mask_of(opcode: Opcode, dst: WriteMask, source: usize) -> String {
        let mut instruction = Instruction::new(opcode);
        let mut operand = Dst::new(Register::new(File::Temporary, 0));
        operand.mask = dst;
        instruction.dst.push(operand);
        format!("{:?}", instruction.src_mask(source))
    }

    #[test]
    fn masks_follow_output_mode_and_width() {
        for (opcode, dst, source, want) in [
            (Opcode::Add, WriteMask::XYZ, 0, ".xyz"),
            (Opcode::Rcp, WriteMask::XYZW, 0, ".x"),
            (Opcode::Dp3, WriteMask::X, 1, ".xyz"),
            (Opcode::Dst, WriteMask::XYZW, 1, ".yw"),
            (Opcode::Dst, WriteMask::Y, 0, ".y"),
            (Opcode::Dst, WriteMask::W, 0, "."),
            (Opcode::Lit, WriteMask::XY, 0, ".x"),
            (Opcode::Lit, WriteMask::Z, 0, ".xyw"),
            (Opcode::Exp, WriteMask::W, 0, "."),
            (Opcode::Log, WriteMask::Z, 0, ".x"),
            (Opcode::Xpd, WriteMask::X, 1, ".yz"),
            (Opcode::X2d, WriteMask::Y, 2, ".zw"),
            (Opcode::X2d, WriteMask::Y, 1, ".xy"),
            (Opcode::Scs, WriteMask::ZW, 0, "."),
            (Opcode::Nrm, WriteMask::X, 0, ".xyz"),
            (Opcode::Dadd, WriteMask::XY, 1, ".xy"),
            (Opcode::F2d, WriteMask::XYZW, 0, ".xy"),
            (Opcode::F2d, WriteMask::ZW, 0, ".y"),
            (Opcode::D2f, WriteMask::Z, 0, ".xy"),
            (Opcode::D2f, WriteMask::XY, 0, ".xyzw"),
            (Opcode::Dslt, WriteMask::Z, 0, ".zw"),
            (Opcode::U64shl, WriteMask::XYZW, 1, ".xz"),
            (Opcode::Tex, WriteMask::XYZW, 1, "."),
        ] {
            assert_eq!(mask_of(opcode, dst, source), want, "{opcode} {dst:?} {source}");
        }
    }

    #[test]
    fn results_fill_pairs_or_leave_channels_out() {
        use WriteMask as M;
        for (opcode, dst, result, want) in [
            (Opcode::Add, M::XYZ, 0, ".xyz"),
            (Opcode::Dadd, M::Y, 0, ".xy"),
            (Opcode::Dfracexp, M::ZW, 0, ".zw"),
            (Opcode::Dfracexp, M::Y, 1, ".y"),
            (Opcode::Dslt, M::XYZW, 0, ".xz"),
            (Opcode::U64seq, M::from_bits(0b1010), 0, ".yw"),
            (Opcode::D2f, M::XYZ, 0, ".xy"),
            (Opcode::D2i, M::from_bits(0b1110), 0, ".yz"),
            (Opcode::Ballot, M::XYZW, 0, ".xy"),
            (Opcode::Clock, M::ZW, 0, "."),
        ] {
            let mut instruction = Instruction::new(opcode);
            let operand = Dst::new(Register::new(File::Temporary, 0)).masked(dst);
            instruction.dst.extend([operand; 2]);
            let got = format!("{:?}", instruction.written_mask(result));
            assert_eq!(got, want, "{opcode} {dst:?} {result}");
        }
    }

    #[test]
    fn coordinates_follow_the_target() {
        let mask = |target, opcode| {
            let mut instruction = Instruction::new(opcode);
            instruction.texture = Some(Box::new(Texture {
                target,
                return_type: crate::ReturnType::Unknown,
                offsets: Default::default(),
            }));
            format!("{:?}", instruction.src_mask(0))
        };
        assert_eq!(mask(TextureTarget::D2, Opcode::Tex), ".xy");
        assert_eq!(mask(TextureTarget::Shadow1d, Opcode::Tex), ".xz");
        assert_eq!(mask(TextureTarget::D2Array, Opcode::Txl), ".xyzw");
        assert_eq!(mask(TextureTarget::Shadow2dArray, Opcode::Tex), ".xyzw");
        assert_eq!(mask(TextureTarget::Cube, Opcode::Txl2), ".xyz");
        // Nothing is compared with.
        assert_eq!(mask(TextureTarget::Shadow2d, Opcode::Lodq), ".xy");
        assert_eq!(mask(TextureTarget::Shadow2d, Opcode::Txf), ".xyw");
    }
}
