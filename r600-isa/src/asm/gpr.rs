//! Registers of exports, memory accesses and fetches, and their components.

use std::ops::Range;

use crate::{Chan, ComponentSel};

use super::cursor::Cursor;
use super::{Code, Diagnostic, Parsed};

/// Reads `R1` or `R[AL+1]`.
pub(super) fn register(cursor: &mut Cursor<'_>) -> Parsed<(u8, bool)> {
    let span = cursor.next_span();
    let unknown = cursor.unexpected("a register such as R1");
    let name = cursor.name().unwrap_or("");
    let (number, mut relative) = if name == "R" {
        cursor.expect("[")?;
        let relative = al_plus(cursor)?;
        let number = cursor.number().ok_or_else(|| cursor.unexpected("a number"))?;
        cursor.expect("]")?;
        (number, relative)
    } else {
        let number = name.strip_prefix('R').and_then(|digits| digits.parse().ok());
        (number.ok_or(unknown)?, false)
    };
    if !relative && cursor.eat("[AL]") {
        relative = true;
    }
    match u8::try_from(number) {
        Ok(gpr) if gpr < 128 => Ok((gpr, relative)),
        _ => Err(too_large(span, 127)),
    }
}

pub(super) fn al_plus(cursor: &mut Cursor<'_>) -> Parsed<bool> {
    let found = cursor.eat("AL");
    if found {
        cursor.expect("+")?;
    }
    Ok(found)
}

/// Reads `N` components, one letter each.
pub(super) fn selects<const N: usize>(cursor: &mut Cursor<'_>) -> Parsed<[ComponentSel; N]> {
    let mut sels = [ComponentSel::Mask; N];
    let unknown = cursor.unexpected(&format!("{N} components of x, y, z, w, 0, 1 and _"));
    let text = cursor.components();
    if text.len() != N {
        return Err(unknown);
    }
    for (sel, c) in sels.iter_mut().zip(text.chars()) {
        let own = ComponentSel::from_letter(c.to_ascii_lowercase());
        *sel = own.ok_or_else(|| unknown.clone())?;
    }
    Ok(sels)
}

pub(super) fn too_large(span: Range<usize>, max: u32) -> Diagnostic {
    Diagnostic::new(Code::OutOfRange, span, format!("the number is at most {max}"))
}

/// Reads the letter of a channel.
pub(super) fn bare_channel(cursor: &mut Cursor<'_>) -> Parsed<Chan> {
    let unexpected = cursor.unexpected("a channel (x, y, z or w)");
    match cursor.name() {
        Some("x") => Ok(Chan::X),
        Some("y") => Ok(Chan::Y),
        Some("z") => Ok(Chan::Z),
        Some("w") => Ok(Chan::W),
        _ => Err(unexpected),
    }
}
