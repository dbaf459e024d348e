//! Operands.

use arrayvec::ArrayVec;
use tgsi_ir::{Component, Dimension, Dst, File, Indirect, Register, Src, Swizzle, WriteMask};

use super::reader::Reader;
use super::{DecodeError, DecodeReason, Note};
use crate::format::Shape;
use crate::generated::layout::WordKind;

impl<S: Shape, N: Note> Reader<'_, S, N> {
    // Nearly every operand is a plain register, and one test distinguishes the others. The two paths share no value: a
    // shared one would go through memory in pieces, and stall the processor.

    #[inline]
    pub(super) fn destination(&mut self, list: &mut ArrayVec<Dst, 2>) -> Result<(), DecodeError> {
        let f = &Self::LAYOUT.dst;
        let word = self.next(WordKind::Dst)?;
        if word & (f.indirect.bits() | f.dimension.bits() | !f.used) == 0 {
            list.push(Self::plain_destination(word));
            return Ok(());
        }
        self.rare_destination(word, list)
    }

    #[inline]
    fn plain_destination(word: u32) -> Dst {
        let f = &Self::LAYOUT.dst;
        let file = File::from_number_in(S::DIALECT, f.file.byte(word));
        Dst {
            reg: Register::new(file, f.index.signed(word)),
            mask: WriteMask::from_bits(f.write_mask.byte(word)),
        }
    }

    #[cold]
    #[inline(never)]
    fn rare_destination(
        &mut self,
        word: u32,
        list: &mut ArrayVec<Dst, 2>,
    ) -> Result<(), DecodeError> {
        let f = &Self::LAYOUT.dst;
        self.keep(self.at - 1, word, f.used);
        let mut dst = Self::plain_destination(word);
        self.addressing(&mut dst.reg, f.indirect.flag(word), f.dimension.flag(word))?;
        list.push(dst);
        Ok(())
    }

    #[inline]
    pub(super) fn source(&mut self, list: &mut ArrayVec<Src, 5>) -> Result<(), DecodeError> {
        let f = &Self::LAYOUT.src;
        let word = self.next(WordKind::Src)?;
        if word & (f.indirect.bits() | f.dimension.bits() | !f.used) == 0 {
            list.push(Self::plain_source(word));
            return Ok(());
        }
        self.rare_source(word, list)
    }

    #[inline]
    fn plain_source(word: u32) -> Src {
        let f = &Self::LAYOUT.src;
        let file = File::from_number_in(S::DIALECT, f.file.byte(word));
        let swizzle = [f.swizzle_x, f.swizzle_y, f.swizzle_z, f.swizzle_w];
        Src {
            reg: Register::new(file, f.index.signed(word)),
            swizzle: Swizzle::new(swizzle.map(|field| Component::from_bits(field.byte(word)))),
            absolute: f.absolute.flag(word),
            negate: f.negate.flag(word),
        }
    }

    #[cold]
    #[inline(never)]
    fn rare_source(&mut self, word: u32, list: &mut ArrayVec<Src, 5>) -> Result<(), DecodeError> {
        let f = &Self::LAYOUT.src;
        self.keep(self.at - 1, word, f.used);
        let mut src = Self::plain_source(word);
        self.addressing(&mut src.reg, f.indirect.flag(word), f.dimension.flag(word))?;
        list.push(src);
        Ok(())
    }

    /// The words after an operand: what is added to its subscript, and its first subscript.
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
        // Old layouts repeat the channel: deviating copies are kept beside the shader.
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
