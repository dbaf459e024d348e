//! Operands.

use tgsi_ir::{Dimension, Dst, Indirect, Register, Src};

use super::EncodeError;
use super::writer::Writer;
use crate::format::Shape;

impl<S: Shape> Writer<S> {
    pub(super) fn destination(&mut self, dst: &Dst) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.dst;
        let word = self.number(f.file, dst.reg.file.number_in(S::DIALECT), dst.reg.file)?
            | self.put(f.write_mask, dst.mask.bits())?
            | self.put(f.indirect, dst.reg.indirect.is_some())?
            | self.put(f.dimension, dst.reg.dimension.is_some())?
            | self.signed(f.index, dst.reg.index)?;
        self.words.push(word);
        self.addressing(&dst.reg)
    }

    pub(super) fn source(&mut self, src: &Src) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.src;
        let [x, y, z, w] = src.swizzle.components().map(|component| component as u32);
        let word = self.number(f.file, src.reg.file.number_in(S::DIALECT), src.reg.file)?
            | self.put(f.indirect, src.reg.indirect.is_some())?
            | self.put(f.dimension, src.reg.dimension.is_some())?
            | self.signed(f.index, src.reg.index)?
            | self.put(f.swizzle_x, x)?
            | self.put(f.swizzle_y, y)?
            | self.put(f.swizzle_z, z)?
            | self.put(f.swizzle_w, w)?
            | self.put(f.absolute, src.absolute)?
            | self.put(f.negate, src.negate)?;
        self.words.push(word);
        self.addressing(&src.reg)
    }

    /// The words after an operand: what is added to its subscript, and its first subscript.
    fn addressing(&mut self, reg: &Register) -> Result<(), EncodeError> {
        if let Some(indirect) = &reg.indirect {
            self.indirect(indirect)?;
        }
        match &reg.dimension {
            Some(dimension) => self.dimension(dimension),
            None => Ok(()),
        }
    }

    fn dimension(&mut self, dimension: &Dimension) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.dimension;
        let word = self.put(f.indirect, dimension.indirect.is_some())?
            | self.signed(f.index, dimension.index)?;
        self.words.push(word);
        match &dimension.indirect {
            Some(indirect) => self.indirect(indirect),
            None => Ok(()),
        }
    }

    fn indirect(&mut self, indirect: &Indirect) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.indirect;
        let channel = indirect.component as u32;
        let mut word = self.number(f.file, indirect.file.number_in(S::DIALECT), indirect.file)?
            | self.signed(f.index, indirect.index)?
            | self.put(f.swizzle, channel)?
            | self.put(f.array_id, indirect.array_id)?;
        // Old layouts have the channel four times, as a swizzle.
        let copies = [f.swizzle_y, f.swizzle_z, f.swizzle_w];
        for copy in copies.into_iter().filter(|copy| copy.exists()) {
            word |= self.put(copy, channel)?;
        }
        self.words.push(word);
        Ok(())
    }
}
