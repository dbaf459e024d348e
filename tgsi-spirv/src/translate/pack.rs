//! Numbers packed into words.

use spirv::GlslStd450Op as Glsl;
use tgsi_ir::Opcode;

use crate::code::Operand;
use crate::error::{Fault, unsupported};

use super::Translator;

/// Whether an instruction packs or unpacks.
pub(super) fn is_packing(op: Glsl) -> bool {
    let name = format!("{op:?}");
    name.starts_with("Pack") || name.starts_with("Unpack")
}

impl Translator<'_> {
    /// Packs a vector into a word, or unpacks a word.
    pub(super) fn packing(&mut self, op: Glsl, a: Operand) -> Result<Operand, Fault> {
        Ok(match op {
            Glsl::PackHalf2x16 => self.compute(Opcode::Pk2h, 1, &[a]),
            Glsl::UnpackHalf2x16 => self.compute(Opcode::Up2h, 2, &[a]),
            Glsl::PackSnorm4x8 => self.pack(a, 4, 127.0, true),
            Glsl::PackUnorm4x8 => self.pack(a, 4, 255.0, false),
            Glsl::PackSnorm2x16 => self.pack(a, 2, 32767.0, true),
            Glsl::PackUnorm2x16 => self.pack(a, 2, 65535.0, false),
            Glsl::UnpackSnorm4x8 => self.unpack(a, 4, 127.0, true),
            Glsl::UnpackUnorm4x8 => self.unpack(a, 4, 255.0, false),
            Glsl::UnpackSnorm2x16 => self.unpack(a, 2, 32767.0, true),
            Glsl::UnpackUnorm2x16 => self.unpack(a, 2, 65535.0, false),
            _ => return Err(unsupported(format!("GLSL.std.450 {op:?}"))),
        })
    }

    /// Clamps, scales and rounds the components, and places them side by side in a word.
    fn pack(&mut self, a: Operand, len: u8, scale: f32, is_signed: bool) -> Operand {
        let bits = 32 / u32::from(len);
        let clamped = if is_signed {
            let low = self.compute(Opcode::Max, len, &[a, Operand::float(-1.0)]);
            self.compute(Opcode::Min, len, &[low, Operand::float(1.0)])
        } else {
            self.saturated(a, len)
        };
        let scaled = self.compute(Opcode::Mul, len, &[clamped, Operand::float(scale)]);
        let rounded = self.compute(Opcode::Round, len, &[scaled]);
        let opcode = if is_signed { Opcode::F2i } else { Opcode::F2u };
        let whole = self.compute(opcode, len, &[rounded]);
        let kept = if is_signed {
            self.compute(Opcode::And, len, &[whole, Operand::word((1u32 << bits) - 1)])
        } else {
            whole
        };
        let shifts: [u32; 4] = std::array::from_fn(|n| n as u32 * bits % 32);
        let placed = self.compute(Opcode::Shl, len, &[kept, Operand::words(shifts)]);
        let mut word = placed.channel(0);
        for n in 1..usize::from(len) {
            word = self.compute(Opcode::Or, 1, &[word, placed.channel(n)]);
        }
        word
    }

    fn unpack(&mut self, a: Operand, len: u8, scale: f32, is_signed: bool) -> Operand {
        let bits = 32 / u32::from(len);
        let word = a.channel(0);
        // Each part moves to the top of the word first, so that the shift back extends its sign.
        let up: [u32; 4] = std::array::from_fn(|n| 32u32.saturating_sub((n as u32 + 1) * bits));
        let top = self.compute(Opcode::Shl, len, &[word, Operand::words(up)]);
        let down = Operand::word(32 - bits);
        let (shift, convert) =
            if is_signed { (Opcode::Ishr, Opcode::I2f) } else { (Opcode::Ushr, Opcode::U2f) };
        let part = self.compute(shift, len, &[top, down]);
        let number = self.compute(convert, len, &[part]);
        let value = self.compute(Opcode::Mul, len, &[number, Operand::float(1.0 / scale)]);
        if !is_signed {
            return value;
        }
        let low = self.compute(Opcode::Max, len, &[value, Operand::float(-1.0)]);
        self.compute(Opcode::Min, len, &[low, Operand::float(1.0)])
    }
}
