//! Instructions.

use arrayvec::ArrayVec;
use tgsi_ir::{
    Dialect, Feature, File, Format, Instruction, ItemKind, LabelUse, Memory, MemoryQualifier,
    MemoryQualifiers, Opcode, OpcodeInfo, Predicate, ReturnType, Saturate, Texture, TextureOffset,
    TextureTarget,
};

use crate::cursor::Stop;
use crate::{Code, Span};

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

/// The maximum number of operands of an instruction.
const MAX_DST: u64 = 2;
const MAX_SRC: u64 = 5;

/// A memory word without any qualifiers.
pub(crate) const NO_MEMORY: Memory = Memory {
    qualifiers: MemoryQualifiers::from_bits(0),
    target: TextureTarget::Buffer,
    format: Format(0),
};

/// A mnemonic split into its parts.
struct Mnemonic {
    opcode: Opcode,
    saturate: Saturate,
    precise: bool,
}

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> Result<(), Stop> {
        let start = self.cursor.at;
        let predicate = match self.cursor.peek() {
            Some(b'(') => Some(self.predicate()?),
            _ => None,
        };
        let mnemonic = self.mnemonic()?;
        let mut inst = Instruction::new(mnemonic.opcode);
        inst.saturate = mnemonic.saturate;
        inst.precise = mnemonic.precise;
        inst.predicate = predicate;
        let info = inst.opcode.info();
        let (num_dst, least_src, most_src) = self.counts(mnemonic.opcode)?;
        let least = num_dst + least_src;
        for n in 0..num_dst {
            self.comma_before(n, (start, least))?;
            let dst = self.destination()?;
            inst.dst.push(dst);
        }
        for n in 0..least_src {
            self.comma_before(num_dst + n, (start, least))?;
            let src = self.source()?;
            inst.src.push(src);
        }
        if least_src < most_src && self.has_more_operands(least) {
            for n in least_src..most_src {
                self.comma_before(num_dst + n, (start, num_dst + most_src))?;
                let src = self.source()?;
                inst.src.push(src);
            }
        }
        inst.texture = self.texture_word(info)?.map(Box::new);
        inst.memory = self.memory_word(info)?;
        if (info.label == LabelUse::Read || self.next_on_line() == Some(b':'))
            && self.cursor.eat(b':')
        {
            inst.label = Some(self.cursor.bounded(24, "label")?);
        }
        self.no_more_operands(inst.dst.len() + inst.src.len())?;
        self.shader.instructions.push(inst);
        self.finish(ItemKind::Instruction, start);
        Ok(())
    }

    /// `(!PRED[0].xyzw)` before an instruction.
    fn predicate(&mut self) -> Result<Predicate, Stop> {
        self.cursor.expect(b'(')?;
        let negate = self.cursor.eat(b'!');
        self.cursor.skip_space();
        let start = self.cursor.at;
        if self.file()? != File::Predicate {
            return Err(self.unknown(Code::UnknownFile, start, "predicate register", ["PRED"]));
        }
        self.cursor.expect(b'[')?;
        let index = self.register_number()?;
        self.cursor.expect(b']')?;
        let swizzle = self.swizzle()?;
        self.cursor.expect(b')')?;
        Ok(Predicate { index, swizzle, negate })
    }

    fn mnemonic(&mut self) -> Result<Mnemonic, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        if let Some(opcode) = Opcode::from_name_bytes(word) {
            return Ok(Mnemonic { opcode, saturate: Saturate::None, precise: false });
        }
        let (rest, precise) = strip_suffix(word, b"_PRECISE");
        let suffixes: [(&[u8], Saturate); 3] = [
            (b"_SAT", Saturate::ZeroOne),
            (b"_SATNV", Saturate::MinusPlusOne),
            (b"_SAT3", Saturate::Reserved),
        ];
        let found = suffixes.into_iter().find_map(|(suffix, saturate)| {
            let (rest, is_there) = strip_suffix(rest, suffix);
            is_there.then_some((rest, saturate))
        });
        let (rest, saturate) = found.unwrap_or((rest, Saturate::None));
        match Opcode::from_name_bytes(rest) {
            Some(opcode) if rest.len() < word.len() => Ok(Mnemonic { opcode, saturate, precise }),
            _ => {
                let names = tgsi_ir::Opcode::ALL.iter().map(|opcode| opcode.name());
                let names = names.chain(["DCL", "IMM", "PROPERTY"]);
                Err(self.unknown(Code::UnknownStatement, start, "opcode", names))
            }
        }
    }

    /// The number of destinations and the minimum and maximum number of sources. They come from the opcode, or from the
    /// counts directly after the mnemonic.
    #[inline]
    fn counts(&mut self, opcode: Opcode) -> Result<(usize, usize, usize), Stop> {
        let info = opcode.info();
        if self.cursor.peek() == Some(b'(') {
            return self.given_counts().map(|(num_dst, num_src)| (num_dst, num_src, num_src));
        }
        let (least, most) = opcode.src_counts_in(self.dialect);
        Ok((usize::from(info.num_dst), usize::from(least), usize::from(most)))
    }

    /// Whether another operand follows the `n` already parsed.
    fn has_more_operands(&mut self, n: usize) -> bool {
        let start = self.cursor.at;
        let follows = if n == 0 { self.is_source_next() } else { self.cursor.eat(b',') };
        self.cursor.at = start;
        follows
    }

    /// `(destinations,sources)`.
    fn given_counts(&mut self) -> Result<(usize, usize), Stop> {
        self.cursor.expect(b'(')?;
        let num_dst = self.cursor.unsigned()?;
        self.cursor.expect(b',')?;
        let num_src = self.cursor.unsigned()?;
        self.cursor.expect(b')')?;
        if num_dst > MAX_DST || num_src > MAX_SRC {
            let message =
                format!("an instruction has at most {MAX_DST} destinations and {MAX_SRC} sources");
            return Err(self.cursor.fail(Code::TooManyOperands, message));
        }
        Ok((num_dst as usize, num_src as usize))
    }

    /// Parses operands separated by commas; a blank separates the first from the mnemonic. If the line ends early, the
    /// instruction at `start` lacks some of its `num` operands.
    fn comma_before(&mut self, n: usize, (start, num): (usize, usize)) -> Result<(), Stop> {
        if n > 0 && self.cursor.eat(b',') {
            return Ok(());
        }
        let ends_line = |byte| matches!(byte, b'\r' | b'\n' | b'/' | b'#' | b';');
        if self.next_on_line().is_some_and(|byte| !ends_line(byte)) {
            // A wrong first operand is reported where it is parsed.
            return if n == 0 { Ok(()) } else { self.cursor.expect(b',') };
        }
        if n == 0 && self.reach_operand() {
            return Ok(());
        }
        let span = Span::new(start, self.cursor.at);
        let message = format!("expected {}, found {n}", operands(num));
        self.cursor.report(Code::ExpectedMark, span, message);
        Err(Stop)
    }

    /// Advances to the next token if it begins an operand, even on a later line.
    fn reach_operand(&mut self) -> bool {
        let start = self.cursor.at;
        self.cursor.skip_space();
        let at = self.cursor.at;
        let begins = matches!(self.cursor.peek(), Some(b'-' | b'|')) || self.file_next().is_some();
        self.cursor.at = if begins { at } else { start };
        begins
    }

    /// Rejects anything that looks like an operand after the instruction's `num` operands.
    fn no_more_operands(&mut self, num: usize) -> Result<(), Stop> {
        let next = self.next_on_line();
        let follows = match num {
            // Declarations of constants begin like operands.
            0 if next.is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.file_next().is_some_and(|file| file != File::Immediate)
            }
            0 => false,
            _ => next == Some(b','),
        };
        if !follows {
            return Ok(());
        }
        self.cursor.skip_space();
        let message = format!("expected {}, found more", operands(num));
        Err(self.cursor.fail(Code::TooManyOperands, message))
    }

    /// The file of registers that comes next, if one does.
    fn file_next(&mut self) -> Option<File> {
        let start = self.cursor.at;
        self.cursor.skip_space();
        let word = self.cursor.word();
        let file = File::from_name_bytes(word);
        let file = file.or_else(|| word.eq_ignore_ascii_case(b"FILE").then_some(File::Null));
        self.cursor.at = start;
        file
    }

    /// The texture word: required by the opcode, or written out in full.
    #[inline]
    fn texture_word(&mut self, info: &OpcodeInfo) -> Result<Option<Texture>, Stop> {
        if !info.has_texture_word() && !self.is_word_next() {
            return Ok(None);
        }
        if self.cursor.keyword("NO_TEXTURE") {
            return Ok(None);
        }
        if self.parenthesis_after("TEXTURE") {
            return self.whole_texture().map(Some);
        }
        if !info.has_texture_word() {
            return Ok(None);
        }
        let target = if info.is_tex {
            self.cursor.expect(b',')?;
            self.target()?
        } else {
            TextureTarget::Unknown
        };
        let offsets = self.offsets()?;
        Ok(Some(Texture { target, return_type: ReturnType::Unknown, offsets }))
    }

    /// Whether the next token on this line is a word.
    fn is_word_next(&self) -> bool {
        self.next_on_line().is_some_and(|byte| byte.is_ascii_alphabetic())
    }

    /// Whether the next token on this line may begin a source: a register file or a modifier.
    fn is_source_next(&self) -> bool {
        self.next_on_line()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'|'))
    }

    /// The next character after blanks. Most instructions end with their line, so this check keeps them cheap.
    #[inline]
    fn next_on_line(&self) -> Option<u8> {
        let rest = &self.cursor.text.as_bytes()[self.cursor.at..];
        rest.iter().copied().find(|byte| !matches!(byte, b' ' | b'\t'))
    }

    /// Takes `keyword` and the parenthesis directly after it.
    fn parenthesis_after(&mut self, keyword: &str) -> bool {
        let start = self.cursor.at;
        if self.cursor.keyword(keyword) && self.cursor.peek() == Some(b'(') {
            self.cursor.at += 1;
            return true;
        }
        self.cursor.at = start;
        false
    }

    /// The rest of `TEXTURE(target, type, offsets…)`.
    fn whole_texture(&mut self) -> Result<Texture, Stop> {
        let target = self.target()?;
        self.cursor.expect(b',')?;
        let return_type = self.return_type()?;
        let offsets = self.offsets()?;
        self.cursor.expect(b')')?;
        Ok(Texture { target, return_type, offsets })
    }

    fn offsets(&mut self) -> Result<ArrayVec<TextureOffset, 4>, Stop> {
        let mut offsets = ArrayVec::new();
        while self.cursor.eat(b',') {
            if offsets.is_full() {
                let most = offsets.capacity();
                let message = format!("an instruction has at most {most} texture offsets");
                return Err(self.cursor.fail(Code::TooManyOffsets, message));
            }
            let offset = self.texture_offset()?;
            offsets.push(offset);
        }
        Ok(offsets)
    }

    pub(super) fn target(&mut self) -> Result<TextureTarget, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        match TextureTarget::from_name_bytes(word) {
            Some(target) => Ok(target),
            None if word.eq_ignore_ascii_case(b"TARGET") => {
                let number = self.cursor.number_in_parentheses(8, "texture target")?;
                Ok(TextureTarget::from_number_in(self.dialect, number as u8))
            }
            None => Err(self.unknown(Code::UnknownTarget, start, "texture target", TARGETS)),
        }
    }

    /// The memory word: required by the opcode, or written out in full.
    #[inline]
    fn memory_word(&mut self, info: &OpcodeInfo) -> Result<Option<Memory>, Stop> {
        let has_memory_word = has_memory_word(info, self.dialect);
        if !has_memory_word && !self.is_word_next() {
            return Ok(None);
        }
        if self.cursor.keyword("NO_MEMORY") {
            return Ok(None);
        }
        let mut memory = NO_MEMORY;
        if self.parenthesis_after("MEMORY") {
            let mut is_first = true;
            while !self.cursor.eat(b')') {
                if !std::mem::take(&mut is_first) {
                    self.cursor.expect(b',')?;
                }
                self.memory_argument(&mut memory)?;
            }
            return Ok(Some(memory));
        }
        if !has_memory_word {
            return Ok(None);
        }
        // With a texture word, commas belong to its offsets, so no memory word can follow.
        while !info.has_texture_word() && self.cursor.eat(b',') {
            self.memory_argument(&mut memory)?;
        }
        Ok(Some(memory))
    }

    /// Qualifiers, the target and the format, in any order.
    fn memory_argument(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        if let Some(qualifier) = MemoryQualifier::from_name_bytes(word) {
            let bits = memory.qualifiers.bits() | qualifier.number();
            memory.qualifiers = MemoryQualifiers::from_bits(bits);
        } else if let Some(target) = TextureTarget::from_name_bytes(word) {
            memory.target = target;
        } else if word.eq_ignore_ascii_case(b"TARGET") {
            self.cursor.at = start;
            memory.target = self.target()?;
        } else if let Some(format) = self.format_at(start)? {
            memory.format = format;
        } else {
            let what = "memory qualifier, texture target or format";
            return Err(self.unknown(Code::UnknownTarget, start, what, TARGETS));
        }
        Ok(())
    }

    /// The format whose name stands from `start` to the position, or `FORMAT(number)`.
    pub(super) fn format_at(&mut self, start: usize) -> Result<Option<Format>, Stop> {
        let word = self.cursor.text.get(start..self.cursor.at).unwrap_or_default();
        if word.eq_ignore_ascii_case("FORMAT") {
            let number = self.cursor.number_in_parentheses(10, "format")?;
            return Ok(Some(Format(number as u16)));
        }
        Ok(Format::from_name(word))
    }
}

/// Whether instructions with this opcode have a memory word in a dialect.
pub(crate) fn has_memory_word(info: &OpcodeInfo, dialect: Dialect) -> bool {
    info.has_memory_word && dialect.has(Feature::MemoryWords)
}

/// So many operands in words.
fn operands(num: usize) -> String {
    match num {
        0 => "no operands".to_owned(),
        1 => "one operand".to_owned(),
        _ => format!("{num} operands"),
    }
}

fn strip_suffix<'w>(word: &'w [u8], suffix: &[u8]) -> (&'w [u8], bool) {
    match word.len().checked_sub(suffix.len()) {
        Some(at) if word[at..].eq_ignore_ascii_case(suffix) => (&word[..at], true),
        _ => (word, false),
    }
}
