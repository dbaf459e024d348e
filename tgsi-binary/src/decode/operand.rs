//! Operands.

use tgsi_ir::{Component, Dimension, Dst, File, Indirect, Register, Src, Swizzle, WriteMask};

use super::reader::Reader;
use super::{DecodeError, DecodeReason, Note};
use crate::format::Shape;
use crate::generated::layout::WordKind;

impl<S: Shape, N: Note> Reader<'_, S, N> {
    #[inline]
    pub(super) fn destination(&mut self) -> Result<Dst, DecodeError> {
        let f = &Self::LAYOUT.dst;
        let word = self.fields(WordKind::Dst, f.used)?;
        let file = File::from_number_in(S::DIALECT, f.file.byte(word));
        let mut reg = Register::new(file, f.index.signed(word));
        if word & (f.indirect.bits() | f.dimension.bits()) != 0 {
            self.addressing(&mut reg, f.indirect.flag(word), f.dimension.flag(word))?;
        }
        Ok(Dst { reg, mask: WriteMask::from_bits(f.write_mask.byte(word)) })
    }

    #[inline]
    pub(super) fn source(&mut self) -> Result<Src, DecodeError> {
        let f = &Self::LAYOUT.src;
        let word = self.fields(WordKind::Src, f.used)?;
        let file = File::from_number_in(S::DIALECT, f.file.byte(word));
        let mut reg = Register::new(file, f.index.signed(word));
        if word & (f.indirect.bits() | f.dimension.bits()) != 0 {
            self.addressing(&mut reg, f.indirect.flag(word), f.dimension.flag(word))?;
        }
        let swizzle = [f.swizzle_x, f.swizzle_y, f.swizzle_z, f.swizzle_w];
        Ok(Src {
            reg,
            swizzle: Swizzle::new(swizzle.map(|field| Component::from_bits(field.byte(word)))),
            absolute: f.absolute.flag(word),
            negate: f.negate.flag(word),
        })
    }

    /// The words behind an operand: what is added to its subscript, and its first subscript.
    fn addressing(
        &mut self,
        reg: &mut Register,
        has_indirect: bool,
        has_dimension: bool,
    ) -> Result<(), DecodeError> {
        if has_indirect {
            reg.indirect = Some(self.indirect()?);
        }
        if has_dimension {
            reg.dimension = Some(self.dimension()?);
        }
        Ok(())
    }

    fn dimension(&mut self) -> Result<Dimension, DecodeError> {
        let f = &Self::LAYOUT.dimension;
        let start = self.at;
        let word = self.fields(WordKind::Dimension, f.used)?;
        if f.dimension.flag(word) {
            return Err(self.error(start, DecodeReason::ThirdSubscript));
        }
        let indirect = match f.indirect.flag(word) {
            true => Some(self.indirect()?),
            false => None,
        };
        Ok(Dimension { index: f.index.signed(word), indirect })
    }

    fn indirect(&mut self) -> Result<Indirect, DecodeError> {
        let f = &Self::LAYOUT.indirect;
        let start = self.at;
        let word = self.fields(WordKind::Indirect, f.used)?;
        let channel = f.swizzle.get(word);
        // Old layouts repeat the channel: what says otherwise is kept beside the shader.
        let copies = [f.swizzle_y, f.swizzle_z, f.swizzle_w].into_iter().filter(|c| c.exists());
        let expected = copies.fold(word & f.used, |word, field| {
            word & !field.bits() | field.put(channel).unwrap_or(0)
        });
        self.keep(start, word & f.used ^ expected, 0);
        Ok(Indirect {
            file: File::from_number_in(S::DIALECT, f.file.byte(word)),
            index: f.index.signed(word),
            component: Component::from_bits(channel as u8),
            array_id: f.array_id.get(word) as u16,
        })
    }
}
