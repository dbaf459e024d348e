//! One statement: guard, name and modifiers, operands, scheduling.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Statement;
use super::control;
use super::error::{AsmError, AsmErrorKind};
use super::lexer::Token;
use super::modifiers::{Mnemonic, Modifier, Modifiers};
use super::operands::{Operands, parse_pred};
use crate::bundle::{Op, Slot};
use crate::component::ComponentMask;
use crate::control::Control;
use crate::diagnostic::{Diagnostic, Part};
use crate::generated::enums::Phase;
use crate::generated::packing::TldsMask;
use crate::generated::rules::Rule;
use crate::index::TexIndex;
use crate::modes::TldsModes;
use crate::register::{Guard, Pred, Reg};
use crate::tex::{Tex, Texture};
use crate::tlds::Tlds;

/// The parsed operands and modifiers of a statement.
struct Parsed {
    op: Op,
    phase: Phase,
    places: Vec<(Part, Range<usize>)>,
    notes: Vec<Diagnostic>,
}

/// Reads one statement; `tokens` has one token at least.
pub(super) fn parse(tokens: &[Token<'_>]) -> Result<Statement, AsmError> {
    if let Some(comment) = tokens.last().filter(|token| token.is_open_comment()) {
        return Err(AsmError::new(comment.span.clone(), AsmErrorKind::OpenComment));
    }
    let (last, body) = match tokens {
        [body @ .., last] if last.is(";") => (last, body),
        [.., last] => return Err(missing(last.span.end, "`;`")),
        [] => return Err(missing(0, "a statement")),
    };
    let span = tokens[0].span.start..last.span.end;
    let (guard, body) = split_guard(body, last.span.start)?;
    let Some((name, rest)) = body.split_first() else {
        return Err(missing(last.span.start, "an instruction"));
    };
    let first_control = rest.iter().position(Token::is_control).unwrap_or(rest.len());
    let (operands, controls) = rest.split_at(first_control);
    let mut parsed = parse_op(guard, name, Operands::new(operands, last.span.start))?;
    let mut control = Control { phase: parsed.phase, ..Control::NONE };
    for token in controls {
        control::parse(token, &mut control)?;
    }
    if let (Some(first), Some(last)) = (controls.first(), controls.last()) {
        parsed.places.push((Part::Control, first.span.start..last.span.end));
    }
    let slot = Slot { op: parsed.op, control };
    Ok(Statement { slot, span, places: parsed.places, notes: parsed.notes })
}

/// Takes `@P0` or `@!P0` off the front.
fn split_guard<'t, 'a>(
    tokens: &'t [Token<'a>],
    end: usize,
) -> Result<(Guard, &'t [Token<'a>]), AsmError> {
    let Some(rest) = tokens.strip_prefix_mark("@") else { return Ok((Guard::ALWAYS, tokens)) };
    let positive = rest.strip_prefix_mark("!");
    let (negated, rest) = (positive.is_some(), positive.unwrap_or(rest));
    let Some((token, rest)) = rest.split_first() else { return Err(missing(end, "a predicate")) };
    let pred = parse_pred(token.text).ok_or_else(|| expected(token, "a predicate"))?;
    Ok((Guard { pred, negated }, rest))
}

/// Slices of tokens that may begin with a mark.
trait StripMark {
    fn strip_prefix_mark(&self, mark: &str) -> Option<&Self>;
}

impl StripMark for [Token<'_>] {
    fn strip_prefix_mark(&self, mark: &str) -> Option<&Self> {
        self.split_first().filter(|(first, _)| first.is(mark)).map(|(_, rest)| rest)
    }
}

fn parse_op(
    guard: Guard,
    name: &Token<'_>,
    operands: Operands<'_, '_>,
) -> Result<Parsed, AsmError> {
    let mnemonic = name.text.split('.').next().unwrap_or_default();
    let mut parsed = if mnemonic.eq_ignore_ascii_case("TEX") {
        parse_tex(guard, &Modifiers::parse(Mnemonic::Tex, name)?, operands)
    } else if mnemonic.eq_ignore_ascii_case("TLDS") {
        parse_tlds(guard, &Modifiers::parse(Mnemonic::Tlds, name)?, name, operands)
    } else if name.text == ".quad" && guard == Guard::ALWAYS {
        parse_raw(operands)
    } else {
        let kind = AsmErrorKind::UnknownInstruction(name.text.to_owned());
        Err(AsmError::new(name.span.clone(), kind))
    }?;
    parsed.places.push((Part::Modifiers, name.span.clone()));
    Ok(parsed)
}

fn parse_tex(
    guard: Guard,
    modifiers: &Modifiers,
    mut operands: Operands<'_, '_>,
) -> Result<Parsed, AsmError> {
    let ps = operands.maybe_pred(Part::Ps)?.unwrap_or(Pred::PT);
    let rd = operands.reg(Part::Rd)?;
    let ra = operands.reg(Part::Ra)?;
    let rb = operands.maybe_reg(Part::Rb)?.unwrap_or(Reg::RZ);
    let index = parse_index(&mut operands)?;
    let param = operands.param()?;
    let wmsk = parse_wmsk(&mut operands)?;
    let bindless = modifiers.has(Modifier::Bindless);
    let mut notes = Vec::new();
    if bindless && index != TexIndex::default() {
        let case = format!("index {:#x}", index.word());
        notes.push(Diagnostic::new(Rule::BIndex, Part::Index, case));
    }
    let tex = Tex {
        guard,
        texture: if bindless { Texture::Bindless { ignored: 0 } } else { Texture::Indexed(index) },
        lod: modifiers.lod(),
        lc: modifiers.has(Modifier::Clamp),
        aoffi: modifiers.has(Modifier::Offsets),
        dc: modifiers.has(Modifier::Compare),
        ndv: modifiers.has(Modifier::NotDivergent),
        nodep: modifiers.has(Modifier::NoDep),
        ps,
        wmsk,
        rb,
        ..Tex::new(rd, ra, index, param)
    };
    let places = operands.finish()?;
    Ok(Parsed { op: Op::Texture(tex.into()), phase: modifiers.phase(), places, notes })
}

/// One number, or texture and sampler number.
fn parse_index(operands: &mut Operands<'_, '_>) -> Result<TexIndex, AsmError> {
    let first = operands.number(Part::Index)?;
    let second = operands.maybe_number(Part::Index)?;
    let (index, case) = match second {
        None => (u16::try_from(first).ok().and_then(TexIndex::new), format!("index {first:#x}")),
        Some(smp) => {
            let pair = u8::try_from(first).ok().zip(u8::try_from(smp).ok());
            let index = pair.and_then(|(tid, smp)| TexIndex::from_pair(tid, smp));
            (index, format!("tid {first}, smp {smp}"))
        }
    };
    index.ok_or_else(|| breach(operands, Rule::IndexRange, Part::Index, case))
}

fn parse_wmsk(operands: &mut Operands<'_, '_>) -> Result<ComponentMask, AsmError> {
    let Some(bits) = operands.maybe_number(Part::Mask)? else { return Ok(ComponentMask::ALL) };
    let mask = u8::try_from(bits).ok().and_then(ComponentMask::new);
    mask.ok_or_else(|| {
        let kind =
            AsmErrorKind::Expected { what: "a mask of four bits", found: format!("{bits:#x}") };
        AsmError::new(operands.place(Part::Mask), kind)
    })
}

fn parse_tlds(
    guard: Guard,
    modifiers: &Modifiers,
    name: &Token<'_>,
    mut operands: Operands<'_, '_>,
) -> Result<Parsed, AsmError> {
    let rd1 = operands.reg(Part::Rd1)?;
    let rd0 = operands.reg(Part::Rd)?;
    let ra = operands.reg(Part::Ra)?;
    let rb = operands.maybe_reg(Part::Rb)?.unwrap_or(Reg::RZ);
    let index = parse_index(&mut operands)?;
    let param = operands.param()?;
    let modes = TldsModes {
        param,
        lod: modifiers.lod(),
        aoffi: modifiers.has(Modifier::Offsets),
        ms: modifiers.has(Modifier::Multisample),
    };
    let form = modes
        .form()
        .map_err(|finding| AsmError::new(name.span.clone(), AsmErrorKind::Rule(finding)))?;
    let mask = parse_mask(rd1, &mut operands)?;
    let f16 = modifiers.has(Modifier::F16);
    let nodep = modifiers.has(Modifier::NoDep);
    let tlds = Tlds { guard, f16, nodep, rd1, rb, ..Tlds::new(form, rd0, ra, index, mask) };
    let (phase, notes) = (modifiers.phase(), Vec::new());
    Ok(Parsed { op: Op::Texture(tlds.into()), phase, places: operands.finish()?, notes })
}

/// A mask that Rd1 allows. Without one, the mask is RGBA if Rd1 is a register.
fn parse_mask(rd1: Reg, operands: &mut Operands<'_, '_>) -> Result<TldsMask, AsmError> {
    let Some(mask) = operands.maybe_mask()? else {
        let case = || String::from("Rd1 is RZ");
        let default = (!rd1.is_rz()).then_some(TldsMask::Rgba);
        return default.ok_or_else(|| breach(operands, Rule::MaskDefault, Part::Mask, case()));
    };
    if mask.fits(rd1) {
        return Ok(mask);
    }
    let case = format!("{} with {rd1} in Rd1", mask.text());
    Err(breach(operands, Rule::Rd1Mask, Part::Mask, case))
}

fn parse_raw(mut operands: Operands<'_, '_>) -> Result<Parsed, AsmError> {
    let op = Op::from_word(operands.word(Part::Index)?);
    Ok(Parsed { op, phase: Phase::None, places: operands.finish()?, notes: Vec::new() })
}

fn breach(operands: &Operands<'_, '_>, rule: Rule, part: Part, case: String) -> AsmError {
    let kind = AsmErrorKind::Rule(Diagnostic::new(rule, part, case));
    AsmError::new(operands.place(part), kind)
}

fn expected(token: &Token<'_>, what: &'static str) -> AsmError {
    let kind = AsmErrorKind::Expected { what, found: token.text.to_owned() };
    AsmError::new(token.span.clone(), kind)
}

fn missing(at: usize, what: &'static str) -> AsmError {
    AsmError::new(at..at, AsmErrorKind::Missing { what })
}
