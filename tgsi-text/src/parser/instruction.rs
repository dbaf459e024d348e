//! Instructions.

use tgsi_ir::{
    Format, Instruction, ItemKind, LabelUse, Memory, MemoryQualifier, MemoryQualifiers, Opcode,
    ReturnType, Saturate, Texture, TextureTarget,
};

use crate::Code;
use crate::cursor::Stop;

use super::Parser;

/// Texture targets, for suggestions.
pub(super) const TARGETS: [&str; 19] = [
    "BUFFER",
    "1D",
    "2D",
    "3D",
    "CUBE",
    "RECT",
    "SHADOW1D",
    "SHADOW2D",
    "SHADOWRECT",
    "1D_ARRAY",
    "2D_ARRAY",
    "SHADOW1D_ARRAY",
    "SHADOW2D_ARRAY",
    "SHADOWCUBE",
    "2D_MSAA",
    "2D_ARRAY_MSAA",
    "CUBEARRAY",
    "SHADOWCUBEARRAY",
    "UNKNOWN",
];

/// Texture offsets of one instruction.
const MAX_OFFSETS: usize = 4;

/// A memory word that says nothing.
const NO_MEMORY: Memory = Memory {
    qualifiers: MemoryQualifiers::from_bits(0),
    target: TextureTarget::Buffer,
    format: Format(0),
};

/// A mnemonic taken apart.
struct Mnemonic {
    opcode: Opcode,
    saturate: Saturate,
    precise: bool,
}

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> Result<(), Stop> {
        let start = self.cursor.at;
        let mnemonic = self.mnemonic(start)?;
        let mut inst = Instruction::new(mnemonic.opcode);
        inst.saturate = mnemonic.saturate;
        inst.precise = mnemonic.precise;
        let info = inst.opcode.info();
        for n in 0..usize::from(info.num_dst) {
            self.comma_before(n)?;
            let dst = self.destination()?;
            inst.dst.push(dst);
        }
        for n in 0..usize::from(info.num_src) {
            self.comma_before(usize::from(info.num_dst) + n)?;
            let src = self.source()?;
            inst.src.push(src);
        }
        if info.has_texture_word() {
            inst.texture = Some(Box::new(self.texture(info.is_tex)?));
        }
        if takes_memory(&inst) {
            // The commas of SAMP2HND belong to texel offsets: it has the word, but nothing to say in it.
            let takes_arguments = inst.opcode != Opcode::Samp2hnd;
            inst.memory = Some(if takes_arguments { self.memory()? } else { NO_MEMORY });
        }
        if info.label == LabelUse::Read && self.cursor.eat(b':') {
            // The token has 24 bits for it; Mesa drops the rest.
            inst.label = Some(self.cursor.unsigned()? as u32 & 0xFF_FFFF);
        }
        self.shader.instructions.push(inst);
        self.finish(ItemKind::Instruction, start);
        Ok(())
    }

    fn mnemonic(&mut self, start: usize) -> Result<Mnemonic, Stop> {
        let word = self.cursor.word();
        if let Some(opcode) = Opcode::from_name_bytes(word) {
            return Ok(Mnemonic { opcode, saturate: Saturate::None, precise: false });
        }
        let (rest, precise) = strip_suffix(word, b"_PRECISE");
        let (rest, saturated) = strip_suffix(rest, b"_SAT");
        match Opcode::from_name_bytes(rest) {
            Some(opcode) if rest.len() < word.len() => {
                let saturate = if saturated { Saturate::ZeroOne } else { Saturate::None };
                Ok(Mnemonic { opcode, saturate, precise })
            }
            _ => {
                let names = tgsi_ir::Opcode::ALL.iter().map(|opcode| opcode.name());
                let names = names.chain(["DCL", "IMM", "PROPERTY"]);
                Err(self.unknown(Code::UnknownStatement, start, "opcode", names))
            }
        }
    }

    /// Operands are separated by commas, the first from the mnemonic by a blank.
    fn comma_before(&mut self, n: usize) -> Result<(), Stop> {
        if n == 0 {
            self.cursor.skip_space();
            Ok(())
        } else {
            self.cursor.expect(b',')
        }
    }

    /// The target, where the opcode has one, and texel offsets.
    fn texture(&mut self, has_target: bool) -> Result<Texture, Stop> {
        let target = if has_target {
            self.cursor.expect(b',')?;
            self.target()?
        } else {
            TextureTarget::Unknown
        };
        let mut offsets = arrayvec::ArrayVec::new();
        while self.cursor.eat(b',') {
            if offsets.is_full() {
                let message = format!("an instruction has at most {MAX_OFFSETS} texture offsets");
                return Err(self.cursor.fail(Code::TooManyOffsets, message));
            }
            let offset = self.texture_offset()?;
            offsets.push(offset);
        }
        Ok(Texture { target, return_type: ReturnType::Unknown, offsets })
    }

    pub(super) fn target(&mut self) -> Result<TextureTarget, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        match TextureTarget::from_name_bytes(word) {
            Some(target) => Ok(target),
            None => Err(self.unknown(Code::UnknownTarget, start, "texture target", TARGETS)),
        }
    }

    /// Qualifiers, target and format, in any order.
    fn memory(&mut self) -> Result<Memory, Stop> {
        let mut memory = NO_MEMORY;
        while self.cursor.eat(b',') {
            self.cursor.skip_space();
            let start = self.cursor.at;
            let word = self.cursor.word();
            if let Some(qualifier) = MemoryQualifier::from_name_bytes(word) {
                let bits = memory.qualifiers.bits() | qualifier.number();
                memory.qualifiers = MemoryQualifiers::from_bits(bits);
            } else if let Some(target) = TextureTarget::from_name_bytes(word) {
                memory.target = target;
            } else if let Some(format) = self.format_at(start) {
                memory.format = format;
            } else {
                let what = "memory qualifier, texture target or format";
                return Err(self.unknown(Code::UnknownTarget, start, what, TARGETS));
            }
        }
        Ok(memory)
    }

    /// The format whose name stands from `start` to the position.
    pub(super) fn format_at(&self, start: usize) -> Option<Format> {
        Format::from_name(self.cursor.text.get(start..self.cursor.at)?)
    }
}

fn strip_suffix<'w>(word: &'w [u8], suffix: &[u8]) -> (&'w [u8], bool) {
    match word.len().checked_sub(suffix.len()) {
        Some(at) if word[at..].eq_ignore_ascii_case(suffix) => (&word[..at], true),
        _ => (word, false),
    }
}

/// Whether text gives the instruction a memory word: by opcode alone.
fn takes_memory(inst: &Instruction) -> bool {
    let number = inst.opcode as u16;
    let by_number = (Opcode::Load as u16..=Opcode::Atomimax as u16).contains(&number);
    by_number || inst.opcode == Opcode::Resq
}
