//! Instructions and their operands.

use tgsi_ir::{
    Dialect, File, Format, LabelUse, MemoryQualifier, Opcode, OpcodeInfo, TextureTarget,
};

use super::Refused;
use super::scan::Scan;

/// The maximum number of texture offsets of an instruction.
const MAX_OFFSETS: usize = 4;

const CHANNEL: &str = "Expected register swizzle component `x', `y', `z' or `w'";
const INDEX_CHANNEL: &str = "Expected indirect register swizzle component `x', `y', `z' or `w'";
const UNSIGNED: &str = "Expected literal unsigned integer";

/// A texture target in today's spelling.
pub(super) fn target(word: &[u8]) -> Option<TextureTarget> {
    let target = TextureTarget::from_name_bytes(word)?;
    let is_spelt_so = |name: &str| name.as_bytes().eq_ignore_ascii_case(word);
    target.name().is_some_and(is_spelt_so).then_some(target)
}

/// A register file in today's spelling.
fn file(word: &[u8]) -> Option<File> {
    File::from_name_bytes(word).filter(|file| file.number().is_some())
}

/// A texel format by its full name.
pub(super) fn format(word: &[u8]) -> Option<Format> {
    Format::from_name(std::str::from_utf8(word).ok()?)
}

/// An opcode with its suffixes in their fixed order.
fn mnemonic(word: &[u8]) -> Option<Opcode> {
    let today = |word: &[u8]| {
        Opcode::from_name_bytes(word).filter(|opcode| opcode.number_in(Dialect::Y2021).is_some())
    };
    let without = |word: &[u8], suffix: &str| -> Option<usize> {
        let at = word.len().checked_sub(suffix.len())?;
        word[at..].eq_ignore_ascii_case(suffix.as_bytes()).then_some(at)
    };
    let rest = &word[..without(word, "_PRECISE").unwrap_or(word.len())];
    let rest = &rest[..without(rest, "_SAT").unwrap_or(rest.len())];
    today(word).or_else(|| today(rest))
}

fn is_channel(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| b"xyzw".contains(&byte.to_ascii_lowercase()))
}

impl Scan<'_> {
    pub(super) fn instruction(&mut self, message: &str) -> Result<(), Refused> {
        self.white();
        let start = self.at;
        let info = self.known_word(mnemonic).map(Opcode::info);
        let Some(info) = info.filter(|info| self.is_set_off(info)) else {
            return Err(self.refuse_at(start, message));
        };
        self.operands(info)?;
        if info.has_texture_word() {
            self.offsets()?;
        }
        // The commas of SAMP2HND have already been parsed as offsets.
        if info.has_memory_word {
            self.memory()?;
        }
        self.branch_label(info)
    }

    /// A mnemonic with operands needs a blank after it.
    fn is_set_off(&mut self, info: &OpcodeInfo) -> bool {
        info.num_dst + info.num_src + u8::from(info.is_tex) == 0 || self.is_at_end() || self.white()
    }

    fn operands(&mut self, info: &OpcodeInfo) -> Result<(), Refused> {
        let count = info.num_dst + info.num_src + u8::from(info.is_tex);
        for n in 0..count {
            if n > 0 {
                self.expect(b',', "Expected `,'")?;
                self.white();
            }
            if n < info.num_dst {
                self.destination()?;
            } else if n < info.num_dst + info.num_src {
                self.source()?;
            } else if self.known_word(target).is_none() {
                return Err(self.refuse("Expected texture target"));
            }
        }
        Ok(())
    }

    fn offsets(&mut self) -> Result<(), Refused> {
        for _ in 0..MAX_OFFSETS {
            if !self.mark_after_blanks(b',') {
                break;
            }
            self.white();
            self.register()?;
            // A swizzle with a wrong channel is not consumed.
            let _ = self.swizzle(3);
        }
        Ok(())
    }

    fn memory(&mut self) -> Result<(), Refused> {
        while self.mark_after_blanks(b',') {
            self.white();
            let is_known = self.known_word(MemoryQualifier::from_name_bytes).is_some()
                || self.known_word(target).is_some()
                || self.known_word(format).is_some();
            if !is_known {
                let message = "Expected memory qualifier, texture target, or format\n";
                return Err(self.refuse(message));
            }
        }
        Ok(())
    }

    fn branch_label(&mut self, info: &OpcodeInfo) -> Result<(), Refused> {
        let start = self.at;
        if info.label != LabelUse::Read || !self.mark_after_blanks(b':') {
            return Ok(());
        }
        self.white();
        match self.unsigned() {
            Some(_) => Ok(()),
            None => Err(self.refuse_at(start, "Expected a label")),
        }
    }

    fn destination(&mut self) -> Result<(), Refused> {
        self.register()?;
        if self.mark_after_subscript() {
            self.subscript()?;
        }
        self.write_mask()
    }

    pub(super) fn write_mask(&mut self) -> Result<(), Refused> {
        let start = self.at;
        if !self.mark_after_blanks(b'.') {
            return Ok(());
        }
        self.white();
        let first = self.at;
        for channel in b"xyzw" {
            if self.byte().is_some_and(|byte| byte.eq_ignore_ascii_case(channel)) {
                self.at += 1;
            }
        }
        if self.at == first {
            return Err(self.refuse_at(start, "Writemask expected"));
        }
        Ok(())
    }

    fn source(&mut self) -> Result<(), Refused> {
        if self.mark(b'-') {
            self.white();
        }
        let is_absolute = self.mark(b'|');
        if is_absolute {
            self.white();
        }
        self.register()?;
        if self.mark_after_subscript() {
            self.subscript()?;
        }
        let _ = self.swizzle(4);
        if is_absolute {
            self.expect(b'|', "Expected `|'")?;
        }
        Ok(())
    }

    /// Consumes the bracket of a second subscript.
    fn mark_after_subscript(&mut self) -> bool {
        self.mark_after_blanks(b'[')
    }

    /// Channels after a dot. After a mistake, reading resumes at the original position.
    fn swizzle(&mut self, channels: usize) -> Result<(), Refused> {
        let start = self.at;
        if !self.mark_after_blanks(b'.') {
            return Ok(());
        }
        self.white();
        for _ in 0..channels {
            if !is_channel(self.byte()) {
                self.at = start;
                return Err(self.refuse(CHANNEL));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A register file and the bracket after it.
    pub(super) fn file_and_bracket(&mut self) -> Result<File, Refused> {
        let Some(file) = self.known_word(file) else {
            return Err(self.refuse("Unknown register file"));
        };
        self.expect(b'[', "Expected `['")?;
        Ok(file)
    }

    fn register(&mut self) -> Result<(), Refused> {
        self.file_and_bracket()?;
        self.subscript()
    }

    /// A subscript, including its closing bracket and the number of an array.
    fn subscript(&mut self) -> Result<(), Refused> {
        self.white();
        if file(self.peek_word()).is_some() {
            self.indirect()?;
        } else {
            self.expect_unsigned(UNSIGNED)?;
        }
        self.expect(b']', "Expected `]'")?;
        if self.mark(b'(') {
            self.white();
            self.expect_unsigned(UNSIGNED)?;
            self.expect(b')', "Expected `)'")?;
        }
        Ok(())
    }

    fn indirect(&mut self) -> Result<(), Refused> {
        self.file_and_bracket()?;
        self.white();
        self.expect_unsigned(UNSIGNED)?;
        self.expect(b']', "Expected `]'")?;
        self.white();
        if self.mark(b'.') {
            self.white();
            if !is_channel(self.byte()) {
                return Err(self.refuse(INDEX_CHANNEL));
            }
            self.at += 1;
            self.white();
        }
        if matches!(self.byte(), Some(b'+' | b'-')) {
            self.signed();
        }
        Ok(())
    }
}
