//! The optional operands of image instructions.

use arrayvec::ArrayVec;
use spirv::ImageOperands;
use tgsi_ir::MemoryQualifiers;

use crate::binary::{Id, Inst};
use crate::code::Operand;
use crate::error::{Fault, invalid, unsupported};

use super::Translator;
use super::qualifiers::of_texel;
use super::value::Value;

/// The level of a texture to read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Implicit,
    Bias(Operand),
    Explicit(Operand),
    Gradients(Operand, Operand),
}

/// Optional operands.
#[derive(Clone, Debug)]
pub(super) struct Extras {
    pub(super) level: Level,
    pub(super) offsets: ArrayVec<Operand, 4>,
    pub(super) sample: Option<Operand>,
    /// The memory qualifiers of the texel.
    pub(super) qualifiers: MemoryQualifiers,
}

impl<'m> Translator<'m> {
    /// The optional operands, which start at operand `n`.
    pub(super) fn extras(&self, inst: Inst<'m>, n: usize) -> Result<Extras, Fault> {
        let mut extras = Extras {
            level: Level::Implicit,
            offsets: ArrayVec::new(),
            sample: None,
            qualifiers: MemoryQualifiers::default(),
        };
        let Some((&bits, words)) = inst.rest(n).split_first() else { return Ok(extras) };
        let flags = ImageOperands::from_bits_truncate(bits);
        extras.qualifiers = of_texel(flags);
        let mut words = words.iter();
        let mut next = || {
            let word = words.next().ok_or_else(|| invalid("an image operand is missing"))?;
            Ok(Id(*word))
        };
        let scalar = |id: Id| self.operand(id).map(|(operand, _)| operand.channel(0));
        let vector = |id: Id| self.operand(id).map(|(operand, _)| operand);
        if flags.contains(ImageOperands::BIAS) {
            extras.level = Level::Bias(scalar(next()?)?);
        }
        if flags.contains(ImageOperands::LOD) {
            extras.level = Level::Explicit(scalar(next()?)?);
        }
        if flags.contains(ImageOperands::GRAD) {
            extras.level = Level::Gradients(vector(next()?)?, vector(next()?)?);
        }
        if flags.contains(ImageOperands::CONST_OFFSET) {
            extras.offsets.push(vector(next()?)?);
        }
        if flags.contains(ImageOperands::OFFSET) {
            extras.offsets.push(vector(next()?)?);
        }
        if flags.intersects(ImageOperands::CONST_OFFSETS | ImageOperands::OFFSETS) {
            extras.offsets = self.four_offsets(next()?)?;
        }
        if flags.contains(ImageOperands::SAMPLE) {
            extras.sample = Some(scalar(next()?)?);
        }
        if flags.contains(ImageOperands::MIN_LOD) {
            return Err(unsupported("the hardware has no lower bound for the level of a lookup"));
        }
        Ok(extras)
    }

    fn four_offsets(&self, id: Id) -> Result<ArrayVec<Operand, 4>, Fault> {
        let value = self.value(id)?;
        let parts = value.parts().filter(|parts| parts.len() == 4);
        let parts = parts.ok_or_else(|| invalid("a gather's constant offsets are not four"))?;
        parts
            .iter()
            .map(|part| match part {
                Value::Vector(operand) => Ok(*operand),
                _ => Err(invalid("an offset is neither a scalar nor a vector of its image")),
            })
            .collect()
    }
}
