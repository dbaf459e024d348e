//! Operands of ALU instructions.

use std::collections::HashMap;
use std::ops::Range;

use crate::alu::FIRST_TEMPORARY;
use crate::decode::selector;
use crate::listing::{Number, negated_inline};
use crate::names::alu_source;
use crate::{AluDst, AluOp, AluSel, AluSrc, Chan, Generation, IndexMode, InlineConst};

use super::cursor::{Cursor, Value};
use super::gpr::bare_channel;
use super::{Code, Diagnostic, Dialect, Parsed};

/// Context for reading operands.
#[derive(Clone, Copy)]
pub(super) struct OperandContext<'a, 't> {
    pub(super) generation: Generation,
    pub(super) dialect: Dialect,
    pub(super) op: AluOp,
    /// How a minus before hexadecimal digits is read.
    pub(super) number: Number,
    /// The names that `.define` introduced.
    pub(super) defines: &'a HashMap<&'t str, &'t str>,
}

/// A literal that an operand needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Literal {
    pub(super) bits: u32,
    /// The word that holds it, if the listing names one.
    pub(super) chan: Option<Chan>,
    /// Whether it needs a word of its own, even if another word has the same value.
    pub(super) is_own: bool,
}

/// A source as written.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) src: AluSrc,
    pub(super) index: Option<IndexMode>,
    pub(super) literal: Option<Literal>,
    pub(super) span: Range<usize>,
}

/// A destination as written.
#[derive(Clone, Debug)]
pub(super) struct Destination {
    pub(super) dst: AluDst,
    pub(super) index: Option<IndexMode>,
    /// Whether the listing gives the channel.
    pub(super) has_chan: bool,
}

/// A selector with its index.
struct Selected {
    sel: AluSel,
    index: Option<IndexMode>,
    has_chan: bool,
}

impl<'t> OperandContext<'_, 't> {
    /// Reads a source.
    pub(super) fn source(&self, cursor: &mut Cursor<'t>) -> Parsed<Source> {
        let start = cursor.at();
        let neg = cursor.eat("-");
        let abs = cursor.eat("|");
        let inner_neg = abs && cursor.eat("-");
        let is_number = cursor.peek().is_some_and(|c| c.is_ascii_digit());
        // The sign of a number is part of its value.
        let has_sign = if abs { inner_neg } else { neg };
        // An absolute value is always that of a float.
        let number = if abs { Number::Float } else { self.number };
        let within = Self { number, ..*self };
        let mut source = match cursor.peek() {
            _ if is_number => within.constant(cursor, has_sign)?,
            Some('(') => within.parenthesised(cursor)?,
            _ => within.named(cursor)?,
        };
        if abs {
            // The absolute value discards the inner sign.
            cursor.expect("|")?;
            (source.src.abs, source.src.neg) = (true, neg);
        } else if !is_number {
            source.src.neg ^= neg;
        }
        source.span = cursor.span_from(start);
        Ok(source)
    }

    /// Reads a number, with its index and channel if any.
    fn constant(&self, cursor: &mut Cursor<'t>, neg: bool) -> Parsed<Source> {
        let is_float = matches!(cursor.clone().value(), Some(Value::Float(_)));
        let bits = self.value(cursor, neg)?;
        let mut source = match self.dialect {
            Dialect::Latte if is_float => own_literal(bits),
            Dialect::Latte | Dialect::Canonical => self.of_bits(bits),
        };
        self.suffix(cursor, &mut source)?;
        Ok(source)
    }

    /// Reads the index and the channel that an operand of neither kind may still have.
    fn suffix(&self, cursor: &mut Cursor<'t>, source: &mut Source) -> Parsed<()> {
        if let Some(index) = self.bare_index(cursor)? {
            source.index = Some(index);
            source.src.rel = true;
        }
        if cursor.peek() == Some('@') && source.src.sel == AluSel::Literal {
            let message = "the channel of a literal is the word that holds it";
            let error = Diagnostic::new(Code::Unexpected, cursor.next_span(), message);
            return Err(error.help("name the word, as in (1.5).y"));
        }
        if cursor.eat("@") {
            source.src.chan = bare_channel(cursor)?;
        }
        Ok(())
    }

    /// The inline constant or literal for a value.
    fn of_bits(&self, bits: u32) -> Source {
        let (sel, neg, literal) = if let Some(constant) = InlineConst::from_bits(bits) {
            (AluSel::Inline(constant), false, None)
        } else if let Some(constant) = negated_inline(self.op, bits) {
            (AluSel::Inline(constant), true, None)
        } else {
            (AluSel::Literal, false, Some(Literal { bits, chan: None, is_own: false }))
        };
        let src = AluSrc { neg, ..AluSrc::new(sel, Chan::X) };
        Source { src, index: None, literal, span: 0..0 }
    }

    /// Reads `(1.5)`, or `(0x3fc00000, 1.5)` with or without the word that holds it.
    fn parenthesised(&self, cursor: &mut Cursor<'t>) -> Parsed<Source> {
        let start = cursor.at();
        cursor.expect("(")?;
        let neg = cursor.eat("-");
        let bits = self.value(cursor, neg)?;
        if cursor.eat(",") {
            // The float is only informative: some, such as NaN, cannot be read back.
            let len = cursor.rest().find(')').unwrap_or(0);
            *cursor = cursor.advanced_by(len);
        }
        let mut source = self.of_bits(bits);
        self.suffix(cursor, &mut source)?;
        cursor.expect(")")?;
        if let Some(chan) = cursor.channel()? {
            source.src = AluSrc::new(AluSel::Literal, chan);
            source.literal = Some(Literal { bits, chan: Some(chan), is_own: false });
            self.suffix(cursor, &mut source)?;
        }
        source.span = cursor.span_from(start);
        Ok(source)
    }

    fn named(&self, cursor: &mut Cursor<'t>) -> Parsed<Source> {
        let start = cursor.at();
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("an operand")) };
        if let Some(text) = self.defines.get(name) {
            let mut source = self.defined(cursor, text).map_err(|error| Diagnostic {
                span: cursor.span_from(start),
                message: format!("{name} stands for `{text}`: {}", error.message),
                ..error
            })?;
            source.span = cursor.span_from(start);
            return Ok(source);
        }
        let selected = self.selector(cursor, name, start)?;
        let mut src = AluSrc::new(selected.sel, Chan::X);
        src.rel = selected.index.is_some();
        let chan = cursor.channel()?;
        if selected.has_chan {
            src.chan = chan.ok_or_else(|| missing_channel(cursor, start, name))?;
        } else if let Some(chan) = chan {
            src.chan = chan;
        } else if cursor.eat("@") {
            src.chan = bare_channel(cursor)?;
        }
        Ok(Source { src, index: selected.index, literal: None, span: cursor.span_from(start) })
    }

    /// Reads the definition `text`: a register whose channel follows in the line, or a whole operand.
    fn defined(&self, cursor: &mut Cursor<'t>, text: &'t str) -> Parsed<Source> {
        let mut inner = Cursor::new(text, 0..text.len());
        if cursor.peek() != Some('.') {
            let source = self.without_defines().source(&mut inner)?;
            inner.finish()?;
            return Ok(source);
        }
        let name = inner.name().unwrap_or("");
        let selected = self.selector(&mut inner, name, 0)?;
        inner.finish()?;
        let mut src = AluSrc::new(selected.sel, cursor.channel()?.unwrap_or_default());
        src.rel = selected.index.is_some();
        Ok(Source { src, index: selected.index, literal: None, span: 0..0 })
    }

    /// Without definitions: a definition may not use others, so that there are no cycles.
    fn without_defines(self) -> Self {
        static NONE: std::sync::LazyLock<HashMap<&'static str, &'static str>> =
            std::sync::LazyLock::new(HashMap::new);
        Self { defines: &NONE, ..self }
    }

    fn selector(&self, cursor: &mut Cursor<'t>, name: &str, start: usize) -> Parsed<Selected> {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = name[letters.len()..].parse::<u32>().ok();
        let plain = |sel| Selected { sel, index: None, has_chan: true };
        let selected = match (letters, digits) {
            ("R", number) => self.register(cursor, (number, start))?,
            // The field of a source that the operation does not read may select a literal.
            ("LITERAL", None) => {
                let index = self.bare_index(cursor)?;
                Selected { sel: AluSel::Literal, index, has_chan: true }
            }
            ("T", Some(number)) => {
                let gpr = number.checked_add(u32::from(FIRST_TEMPORARY));
                plain(AluSel::Gpr(self.limited(cursor, start, gpr, 127)?))
            }
            ("KC", Some(set)) => self.kcache(cursor, (set, start))?,
            ("C", number) => self.constant_file(cursor, (number, start))?,
            // The number of the group that computed it is only informative.
            ("PV", _) => Selected { index: self.bare_index(cursor)?, ..plain(AluSel::Pv) },
            ("PS", _) => {
                let index = self.bare_index(cursor)?;
                Selected { sel: AluSel::Ps, index, has_chan: false }
            }
            ("PARAM", Some(number)) => {
                let number = self.limited(cursor, start, Some(number), 31)?;
                let index = self.bare_index(cursor)?;
                Selected { sel: AluSel::Param(number), index, has_chan: true }
            }
            ("SEL", Some(number)) if number < 512 => {
                let (index, sel) = (self.bare_index(cursor)?, selector(number, self.generation));
                Selected { sel, index, has_chan: true }
            }
            _ => {
                let Some(number) = alu_source(self.generation, name) else {
                    return Err(unknown_operand(cursor, start, name));
                };
                let index = self.bare_index(cursor)?;
                Selected { sel: AluSel::Other(number), index, has_chan: false }
            }
        };
        Ok(selected)
    }

    /// Reads `R1`, `R1[AR.x]` or `R[AR.x+1]`; `number` is the number after the letter.
    fn register(
        &self,
        cursor: &mut Cursor<'t>,
        (number, start): (Option<u32>, usize),
    ) -> Parsed<Selected> {
        let (number, index) = match number {
            Some(number) => (number, self.bare_index(cursor)?),
            None => self.indexed(cursor)?,
        };
        let gpr = self.limited(cursor, start, Some(number), 127)?;
        Ok(Selected { sel: AluSel::Gpr(gpr), index, has_chan: true })
    }

    fn kcache(&self, cursor: &mut Cursor<'t>, (set, start): (u32, usize)) -> Parsed<Selected> {
        let has_four = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        let max = if has_four { 3 } else { 1 };
        let set = self.limited(cursor, start, Some(set), max)?;
        let (number, mut index) = self.indexed(cursor)?;
        if index.is_none() {
            // The vendor's form, `KC0[3][AR.x]`.
            index = self.bare_index(cursor)?;
        }
        let number = self.limited(cursor, start, Some(number), 31)?;
        Ok(Selected { sel: AluSel::Kcache { set, index: number }, index, has_chan: true })
    }

    /// Reads `C5`, `C5[AR.x]` or `C[AR.x+5]`.
    fn constant_file(
        &self,
        cursor: &mut Cursor<'t>,
        (number, start): (Option<u32>, usize),
    ) -> Parsed<Selected> {
        if matches!(self.generation, Generation::Evergreen | Generation::Cayman) {
            let message = format!("{} has no constant file", self.generation.name());
            let help = "read a window of the constant cache, as in KC0[5].x";
            let span = cursor.span_from(start);
            return Err(Diagnostic::new(Code::NotOnGeneration, span, message).help(help));
        }
        let (number, index) = match number {
            Some(number) => (number, self.bare_index(cursor)?),
            None => self.indexed(cursor)?,
        };
        let number = self.limited(cursor, start, Some(number), 255)?;
        Ok(Selected { sel: AluSel::ConstFile(number), index, has_chan: true })
    }

    fn limited(
        &self,
        cursor: &Cursor<'t>,
        start: usize,
        number: Option<u32>,
        max: u32,
    ) -> Parsed<u8> {
        match number {
            Some(number) if number <= max => Ok(number as u8),
            _ => {
                let message = format!("the number of the operand is at most {max}");
                Err(Diagnostic::new(Code::OutOfRange, cursor.span_from(start), message))
            }
        }
    }

    /// Reads `[3]`, `[AR.x+3]` or `[3+AR]`.
    fn indexed(&self, cursor: &mut Cursor<'t>) -> Parsed<(u32, Option<IndexMode>)> {
        cursor.expect("[")?;
        let mut index = None;
        let number = if let Some(number) = cursor.number() {
            if cursor.eat("+") {
                index = Some(self.index_register(cursor)?);
            }
            number
        } else {
            index = Some(self.index_register(cursor)?);
            if cursor.eat("+") {
                cursor.number().ok_or_else(|| cursor.unexpected("a number"))?
            } else {
                0
            }
        };
        cursor.expect("]")?;
        Ok((number, index))
    }

    /// Reads `[AR.x]`, if it is present.
    fn bare_index(&self, cursor: &mut Cursor<'t>) -> Parsed<Option<IndexMode>> {
        if !cursor.eat("[") {
            return Ok(None);
        }
        let index = self.index_register(cursor)?;
        cursor.expect("]")?;
        Ok(Some(index))
    }

    pub(super) fn index_register(&self, cursor: &mut Cursor<'t>) -> Parsed<IndexMode> {
        let wanted = "an index (AR.x, AR.y, AR.z, AR.w, AL, GLOBAL or GLOBAL_AR.x)";
        let unknown = cursor.unexpected(wanted);
        match cursor.name() {
            Some("AL") => Ok(IndexMode::Loop),
            Some("GLOBAL") => Ok(IndexMode::Global),
            Some("GLOBAL_AR") => match cursor.channel()? {
                Some(Chan::X) => Ok(IndexMode::GlobalArX),
                _ => Err(unknown),
            },
            Some("AR") => Ok(match cursor.channel()? {
                None | Some(Chan::X) => IndexMode::ArX,
                Some(Chan::Y) => IndexMode::ArY,
                Some(Chan::Z) => IndexMode::ArZ,
                Some(Chan::W) => IndexMode::ArW,
            }),
            _ => Err(unknown),
        }
    }

    /// Reads a destination register.
    pub(super) fn destination(&self, cursor: &mut Cursor<'t>) -> Parsed<Destination> {
        let start = cursor.at();
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("a destination")) };
        let (selected, own_chan) = match self.defines.get(name) {
            Some(text) => self
                .defined_destination(text)
                .map_err(|error| Diagnostic { span: cursor.span_from(start), ..error })?,
            None => (self.selector(cursor, name, start)?, None),
        };
        let AluSel::Gpr(gpr) = selected.sel else {
            let message = format!("{name} cannot be written, only registers can");
            return Err(Diagnostic::new(Code::Destination, cursor.span_from(start), message));
        };
        let chan = match own_chan {
            None => cursor.channel()?,
            Some(chan) => Some(chan),
        };
        let rel = selected.index.is_some();
        let dst = AluDst { gpr, chan: chan.unwrap_or_default(), rel, ..AluDst::default() };
        Ok(Destination { dst, index: selected.index, has_chan: chan.is_some() })
    }
}

impl<'t> OperandContext<'_, 't> {
    /// The register of a definition, and its channel if the definition has one.
    fn defined_destination(&self, text: &'t str) -> Parsed<(Selected, Option<Chan>)> {
        let mut inner = Cursor::new(text, 0..text.len());
        let name = inner.name().unwrap_or("");
        let selected = self.selector(&mut inner, name, 0)?;
        let chan = inner.channel()?;
        inner.finish()?;
        Ok((selected, chan))
    }
}

/// A literal that shares its word with no other operand.
fn own_literal(bits: u32) -> Source {
    let literal = Some(Literal { bits, chan: None, is_own: true });
    Source { src: AluSrc::new(AluSel::Literal, Chan::X), index: None, literal, span: 0..0 }
}

fn missing_channel(cursor: &Cursor<'_>, start: usize, name: &str) -> Diagnostic {
    let message = format!("{name} needs a channel");
    let help = "say which of x, y, z and w is read, as in R1.x";
    Diagnostic::new(Code::MissingChannel, cursor.span_from(start), message).help(help)
}

fn unknown_operand(cursor: &Cursor<'_>, start: usize, name: &str) -> Diagnostic {
    let message = format!("there is no operand `{name}`");
    let help = "operands are R1.x, T0.x, KC0[2].x, C2.x, PV.x, PS, PARAM0.x and numbers";
    Diagnostic::new(Code::UnknownOperand, cursor.span_from(start), message).help(help)
}
