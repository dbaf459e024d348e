//! Operands by their spelling, and taking them from a list in order.

use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;
use core::ops::Range;

use super::error::{AsmError, AsmErrorKind};
use super::lexer::Token;
use crate::diagnostic::Part;
use crate::generated::enums::ParamA;
use crate::generated::packing::TldsMask;
use crate::register::{Pred, Reg};

/// An operand. Its spelling determines its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Reg(Reg),
    Pred(Pred),
    /// `None` for a number that does not fit a word.
    Number(Option<u64>),
    Param(ParamA),
    Mask(TldsMask),
}

impl Operand {
    fn parse(word: &str) -> Option<Self> {
        let is = |text: &str| text.eq_ignore_ascii_case(word);
        let param = || ParamA::ALL.into_iter().find(|param| is(param.text())).map(Self::Param);
        let mask = || TldsMask::ALL.into_iter().find(|mask| is(mask.text())).map(Self::Mask);
        let reg = || parse_reg(word).map(Self::Reg);
        let pred = || parse_pred(word).map(Self::Pred);
        let number = || parse_word(word).map(Self::Number);
        param().or_else(mask).or_else(reg).or_else(pred).or_else(number)
    }
}

fn parse_reg(word: &str) -> Option<Reg> {
    if word.eq_ignore_ascii_case("RZ") {
        return Some(Reg::RZ);
    }
    Reg::new(parse_digits(word.strip_prefix(['R', 'r'])?)?)
}

pub(super) fn parse_pred(word: &str) -> Option<Pred> {
    if word.eq_ignore_ascii_case("PT") {
        return Some(Pred::PT);
    }
    Pred::new(parse_digits(word.strip_prefix(['P', 'p'])?)?)
}

/// A decimal number without a sign. The standard library's parser would accept a sign.
pub(super) fn parse_digits(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// A decimal or hexadecimal number. One that does not fit a word counts as the largest.
pub(super) fn parse_number(text: &str) -> Option<u64> {
    parse_word(text).map(or_largest)
}

/// The number, or the largest one if it does not fit a word. Callers reject large numbers anyway.
fn or_largest(number: Option<u64>) -> u64 {
    number.unwrap_or(u64::MAX)
}

/// A decimal or hexadecimal number; `Some(None)` if it does not fit a word.
fn parse_word(text: &str) -> Option<Option<u64>> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    is_number.then(|| u64::from_str_radix(digits, radix).ok())
}

/// The remaining operands of a statement.
pub(super) struct Operands<'t, 'a> {
    tokens: &'t [Token<'a>],
    /// The position for errors about a missing operand.
    end: usize,
    is_first: bool,
    pub(super) places: Vec<(Part, Range<usize>)>,
}

impl<'t, 'a> Operands<'t, 'a> {
    pub(super) fn new(tokens: &'t [Token<'a>], end: usize) -> Self {
        Self { tokens, end, is_first: true, places: Vec::new() }
    }

    pub(super) fn reg(&mut self, part: Part) -> Result<Reg, AsmError> {
        self.maybe_reg(part)?.map_or_else(|| Err(self.expected("a register")), Ok)
    }

    pub(super) fn maybe_reg(&mut self, part: Part) -> Result<Option<Reg>, AsmError> {
        self.take(part, |operand| match operand {
            Operand::Reg(reg) => Some(reg),
            _ => None,
        })
    }

    pub(super) fn maybe_pred(&mut self, part: Part) -> Result<Option<Pred>, AsmError> {
        self.take(part, |operand| match operand {
            Operand::Pred(pred) => Some(pred),
            _ => None,
        })
    }

    pub(super) fn number(&mut self, part: Part) -> Result<u64, AsmError> {
        self.maybe_number(part)?.map_or_else(|| Err(self.expected("a number")), Ok)
    }

    pub(super) fn maybe_number(&mut self, part: Part) -> Result<Option<u64>, AsmError> {
        self.take(part, |operand| match operand {
            Operand::Number(number) => Some(or_largest(number)),
            _ => None,
        })
    }

    /// A number that stands for all bits of a word.
    pub(super) fn word(&mut self, part: Part) -> Result<u64, AsmError> {
        let word = self.take(part, |operand| match operand {
            Operand::Number(number) => number,
            _ => None,
        })?;
        word.ok_or_else(|| self.expected("a number of 64 bits"))
    }

    pub(super) fn param(&mut self) -> Result<ParamA, AsmError> {
        let param = self.take(Part::ParamA, |operand| match operand {
            Operand::Param(param) => Some(param),
            _ => None,
        })?;
        param.map_or_else(|| Err(self.expected("a shape such as 2D")), Ok)
    }

    pub(super) fn maybe_mask(&mut self) -> Result<Option<TldsMask>, AsmError> {
        self.take(Part::Mask, |operand| match operand {
            Operand::Mask(mask) => Some(mask),
            _ => None,
        })
    }

    /// Checks that no operand is left.
    pub(super) fn finish(self) -> Result<Vec<(Part, Range<usize>)>, AsmError> {
        if self.tokens.is_empty() { Ok(self.places) } else { Err(self.expected("`;`")) }
    }

    /// The position of `part`, or the end if it was left out.
    pub(super) fn place(&self, part: Part) -> Range<usize> {
        let place = self.places.iter().find(|(other, _)| *other == part);
        place.map_or(self.end..self.end, |(_, span)| span.clone())
    }

    /// Takes the next operand if it is of the kind that `wanted` picks.
    fn take<T>(
        &mut self,
        part: Part,
        wanted: impl Fn(Operand) -> Option<T>,
    ) -> Result<Option<T>, AsmError> {
        let Some((token, rest)) = self.next()? else { return Ok(None) };
        let Some(operand) = Operand::parse(token.text) else {
            let kind = AsmErrorKind::UnknownOperand(token.text.to_owned());
            return Err(AsmError::new(token.span.clone(), kind));
        };
        let Some(value) = wanted(operand) else { return Ok(None) };
        self.places.push((part, token.span.clone()));
        self.tokens = rest;
        self.is_first = false;
        Ok(Some(value))
    }

    /// The next operand after its comma, and what follows it.
    fn next(&self) -> Result<Option<(&'t Token<'a>, &'t [Token<'a>])>, AsmError> {
        if self.is_first {
            return Ok(self.tokens.split_first());
        }
        let Some((comma, rest)) = self.tokens.split_first() else { return Ok(None) };
        if !comma.is(",") {
            return Err(self.expected("`,` or `;`"));
        }
        let operand = rest.split_first();
        operand.map(Some).ok_or_else(|| self.missing("an operand after the comma"))
    }

    fn expected(&self, what: &'static str) -> AsmError {
        let skip = usize::from(!self.is_first && self.tokens.len() > 1 && self.tokens[0].is(","));
        match self.tokens.get(skip) {
            Some(token) => {
                let kind = AsmErrorKind::Expected { what, found: token.text.to_owned() };
                AsmError::new(token.span.clone(), kind)
            }
            None => self.missing(what),
        }
    }

    fn missing(&self, what: &'static str) -> AsmError {
        AsmError::new(self.end..self.end, AsmErrorKind::Missing { what })
    }
}
