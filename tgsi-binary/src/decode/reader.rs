//! A position in a stream, and the items that need no more than a few fields.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use tgsi_ir::limits::{Limit, Limits, Meter};
use tgsi_ir::{
    Immediate, ImmediateType, ItemKind, Processor, Property, PropertyName, Shader, TokenType,
};

use super::{DecodeError, DecodeReason, Note};
use crate::field::Field;
use crate::format::Shape;
use crate::generated::layout::{Layout, WordKind};
use crate::reserved::{HEADER_WORDS, Reserved};

/// Words of a short instruction, to estimate the number of instructions: too little capacity costs a copy of them all.
const WORDS_PER_INSTRUCTION: usize = 3;

/// A position in the body of a stream.
pub(super) struct Reader<'w, S, N> {
    words: &'w [u32],
    pub(super) at: usize,
    pub(super) stage: Processor,
    pub(super) reserved: Reserved,
    meter: Meter,
    note: &'w mut N,
    shape: PhantomData<S>,
}

impl<'w, S: Shape, N: Note> Reader<'w, S, N> {
    pub(super) const LAYOUT: &'static Layout = S::LAYOUT;

    /// Reads the header; the shader has only its stage.
    pub(super) fn open(
        words: &'w [u32],
        limits: Limits,
        note: &'w mut N,
    ) -> Result<(Self, Shader), DecodeError> {
        let mut reader = Self {
            words,
            at: 0,
            stage: Processor::Vertex,
            reserved: Reserved::default(),
            meter: Meter::new(limits),
            note,
            shape: PhantomData,
        };
        let layout = Self::LAYOUT;
        let head = reader.fields(WordKind::Header, layout.header.used)?;
        let size = layout.header.header_size.get(head) as usize;
        let body_len = layout.header.body_size.get(head) as usize;
        let end = size + body_len;
        if size < HEADER_WORDS {
            return Err(reader.error(0, DecodeReason::HeaderSize { size }));
        }
        if end > words.len() {
            let reason = DecodeReason::TooShort { promised: end, present: words.len() };
            return Err(reader.error(0, reason));
        }
        limits
            .check(Limit::Tokens, end as u64)
            .map_err(|exceeded| reader.error(0, DecodeReason::Limit(exceeded)))?;
        let stage = reader.next(WordKind::Processor)?;
        reader.reserved = Reserved::new(&words[HEADER_WORDS..size], body_len);
        if size != HEADER_WORDS {
            // The size field may differ from the header of the encoded shader.
            let size_bits = layout.header.header_size.put((size ^ HEADER_WORDS) as u32);
            reader.reserved.note(0, size_bits.unwrap_or(0));
        }
        reader.stage =
            Processor::from_number_in(S::DIALECT, layout.processor.processor.byte(stage));
        reader.keep(1, stage, layout.processor.used);
        reader.words = &words[..end];
        reader.at = size;
        let mut shader = Shader::new(reader.stage);
        shader.instructions.reserve(body_len / WORDS_PER_INSTRUCTION);
        Ok((reader, shader))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.words.len()
    }

    #[cold]
    pub(super) fn error(&self, word: usize, reason: DecodeReason) -> DecodeError {
        DecodeError { word, reason }
    }

    #[inline]
    pub(super) fn next(&mut self, kind: WordKind) -> Result<u32, DecodeError> {
        let Some(&word) = self.words.get(self.at) else {
            return Err(self.error(self.at, DecodeReason::EndsWithinItem));
        };
        (self.note)(self.at, kind);
        self.at += 1;
        Ok(word)
    }

    /// Reads a word, keeping the bits outside `used`.
    #[inline]
    pub(super) fn fields(&mut self, kind: WordKind, used: u32) -> Result<u32, DecodeError> {
        let word = self.next(kind)?;
        self.keep(self.at - 1, word, used);
        Ok(word)
    }

    /// Keeps the bits of the word at `at` that lie outside `used`.
    #[inline]
    pub(super) fn keep(&mut self, at: usize, word: u32, used: u32) {
        if word & !used != 0 {
            self.reserved.note(at, word & !used);
        }
    }

    /// Keeps the bits of a head word that differ from `canonical`.
    #[inline]
    pub(super) fn keep_difference(&mut self, at: usize, word: u32, canonical: u32) {
        if word != canonical {
            self.reserved.note(at, word ^ canonical);
        }
    }

    /// Reads one item.
    pub(super) fn item(&mut self, shader: &mut Shader) -> Result<(), DecodeError> {
        let start = self.at;
        let head = self.words[start];
        let number = Self::LAYOUT.instruction.kind.byte(head);
        let kind = match TokenType::from_number(number) {
            Some(TokenType::Declaration) => {
                let declaration = self.declaration()?;
                shader.declarations.push(declaration);
                ItemKind::Declaration
            }
            Some(TokenType::Immediate) => {
                let immediate = self.immediate()?;
                shader.immediates.push(immediate);
                ItemKind::Immediate
            }
            Some(TokenType::Instruction) => {
                self.instruction(&mut shader.instructions)?;
                ItemKind::Instruction
            }
            Some(TokenType::Property) => {
                let property = self.property()?;
                shader.properties.push(property);
                ItemKind::Property
            }
            None => return Err(self.error(start, DecodeReason::UnknownItem { number })),
        };
        shader.note_order(kind);
        self.meter
            .count(shader, kind)
            .map_err(|exceeded| self.error(start, DecodeReason::Limit(exceeded)))
    }

    /// The values that follow a head word which counts itself.
    fn values<const MOST: usize>(
        &mut self,
        num_tokens: u32,
        what: &'static str,
    ) -> Result<ArrayVec<u32, MOST>, DecodeError> {
        let count = num_tokens.saturating_sub(1) as usize;
        if count > MOST {
            let reason = DecodeReason::TooMany { count, what, most: MOST };
            return Err(self.error(self.at - 1, reason));
        }
        (0..count).map(|_| self.value()).collect()
    }

    /// A bare value.
    pub(super) fn value(&mut self) -> Result<u32, DecodeError> {
        let f = &Self::LAYOUT.data;
        Ok(f.bits.get(self.fields(WordKind::Data, f.used)?))
    }

    fn property(&mut self) -> Result<Property, DecodeError> {
        let f = &Self::LAYOUT.property;
        let start = self.at;
        let head = self.next(WordKind::Property)?;
        let name = PropertyName::from_number_in(S::DIALECT, f.name.byte(head));
        let values = self.values(f.num_tokens.get(head), "values of a property")?;
        self.keep_count(start, head, f.used, f.num_tokens);
        Ok(Property { name, values })
    }

    fn immediate(&mut self) -> Result<Immediate, DecodeError> {
        let f = &Self::LAYOUT.immediate;
        let start = self.at;
        let head = self.next(WordKind::Immediate)?;
        let number = f.data_type.byte(head);
        let dialect = S::DIALECT;
        let kind = ImmediateType::from_number_in(dialect, number).ok_or_else(|| {
            self.error(start, DecodeReason::UnknownImmediateType { number, dialect })
        })?;
        let words = self.values(f.num_tokens.get(head), "words of an immediate")?;
        self.keep_count(start, head, f.used, f.num_tokens);
        Ok(Immediate { kind, words })
    }

    /// Keeps reserved bits of a head word that counts itself, and a count of 0, which is encoded as 1.
    fn keep_count(&mut self, at: usize, head: u32, used: u32, count: Field) {
        let one = count.put(1).unwrap_or(0);
        let canonical = if count.get(head) == 0 { head & used | one } else { head & used };
        self.keep_difference(at, head, canonical);
    }
}
