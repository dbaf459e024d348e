//! Scheduling operands.

use alloc::borrow::ToOwned as _;

use super::error::{AsmError, AsmErrorKind};
use super::lexer::Token;
use super::operands::{parse_digits, parse_number};
use crate::control::{Barrier, BarrierSet, Control, Reuse, Stall};
use crate::field::Field;
use crate::generated::enums::Phase;
use crate::generated::words::control_group;

/// Adds the operand of `token` to `control`.
pub(super) fn parse(token: &Token<'_>, control: &mut Control) -> Result<(), AsmError> {
    let done = match (token.text.strip_prefix('&'), token.text.strip_prefix('?')) {
        (Some(text), _) => barrier(text, control),
        (None, Some(text)) => schedule(text, control),
        // An operand after the scheduling operands.
        (None, None) => None,
    };
    done.ok_or_else(|| {
        let kind = AsmErrorKind::UnknownControl(token.text.to_owned());
        AsmError::new(token.span.clone(), kind)
    })
}

fn barrier(text: &str, control: &mut Control) -> Option<()> {
    let value = |name| text.strip_prefix(name).map(|rest| rest.trim_start_matches(['=', '_']));
    if let Some(set) = value("req") {
        control.req = barrier_set(set)?;
    } else if let Some(number) = value("rd") {
        control.rd = Barrier::new(small(number)?)?;
    } else {
        control.wr = Barrier::new(small(value("wr")?)?)?;
    }
    Some(())
}

/// A mask, or the barriers' numbers in braces.
fn barrier_set(text: &str) -> Option<BarrierSet> {
    let Some(list) = text.strip_prefix('{') else { return BarrierSet::new(small(text)?) };
    let mut bits = 0u8;
    for number in list.strip_suffix('}')?.split(',') {
        bits |= 1u8.checked_shl(small(number.trim())?.into())?;
    }
    BarrierSet::new(bits)
}

fn schedule(text: &str, control: &mut Control) -> Option<()> {
    if let Some(number) = text.strip_prefix("phase") {
        let code =
            parse_digits(number).filter(|&code| u64::from(code) <= control_group::PHASE.max());
        control.phase = Phase::from_code(code?);
    } else if let Some(number) = text.strip_prefix("reuse") {
        control.reuse = Reuse::new(parse_digits(number)?)?;
    } else if let Some(number) = text.strip_prefix("stall") {
        let plain = number.strip_suffix("_yield");
        control.stall = Stall::new(parse_digits(plain.unwrap_or(number))?)?;
        control.yields |= plain.is_some();
    } else if text == "yield" {
        control.yields = true;
    } else {
        raw(parse_number(text)?, control)?;
    }
    Some(())
}

/// The bits of stall count and flag as one number.
fn raw(bits: u64, control: &mut Control) -> Option<()> {
    let all = Field { name: "?sched", lo: control_group::STALL.lo, hi: control_group::YIELD.hi };
    control.stall = Stall::from_code(control_group::STALL.get(bits) as u8);
    control.yields = control_group::YIELD.get(bits) != 0;
    (bits <= all.max()).then_some(())
}

fn small(text: &str) -> Option<u8> {
    parse_number(text)?.try_into().ok()
}
