//! Operands and results of operations.

use arrayvec::ArrayVec;
use r600_isa::{AluSel, Chan};

use crate::{Component, Dst, Element, Src, SrcKind, VReg};

use super::cursor::{Cursor, Reading};
use super::error::ParseFault;

/// The destinations before `=`, of which there are at most four.
pub(super) type Destinations = ArrayVec<Dst, 4>;

/// Reads destinations such as `r1, _, array0[2].x = `, if there are any.
pub(super) fn destinations(at: &mut Cursor<'_>) -> Reading<Destinations> {
    let mut all = Destinations::new();
    while let Some(dst) = find_destination(at)? {
        if all.try_push(dst).is_err() {
            return at.expected("at most four results");
        }
        if at.eat(" = ") {
            return Ok(all);
        }
        at.expect(", ")?;
    }
    if all.is_empty() { Ok(all) } else { at.expected("a result") }
}

fn find_destination(at: &mut Cursor<'_>) -> Reading<Option<Dst>> {
    if at.eat("_") {
        return Ok(Some(Dst::None));
    }
    if let Some(vreg) = at.find_entity("r")? {
        return Ok(Some(Dst::VReg(vreg)));
    }
    Ok(find_element(at)?.map(Dst::Element))
}

/// Reads `array0[AR+2].x`, if it comes next.
fn find_element(at: &mut Cursor<'_>) -> Reading<Option<Element>> {
    let Some(array) = at.find_entity("array")? else { return Ok(None) };
    at.expect("[")?;
    let relative = at.eat("AR+");
    let offset = at.number()?;
    at.expect("]")?;
    Ok(Some(Element { array, offset, chan: at.channel()?, relative }))
}

/// Reads a space and all operands, separated by commas.
pub(super) fn sources(at: &mut Cursor<'_>) -> Reading<Vec<Src>> {
    at.expect(" ")?;
    let mut all = vec![source(at)?];
    while at.eat(", ") {
        all.push(source(at)?);
    }
    Ok(all)
}

/// Reads one operand.
pub(super) fn source(at: &mut Cursor<'_>) -> Reading<Src> {
    let start = *at;
    let neg = at.eat("-");
    if at.eat("|") {
        let kind = kind(at)?;
        at.expect("|")?;
        return Ok(Src { kind, neg, abs: true });
    }
    if neg && at.eat("(") {
        let kind = kind(at)?;
        at.expect(")")?;
        return Ok(Src { kind, neg, abs: false });
    }
    if neg && at.rest().starts_with(|c: char| c.is_ascii_digit()) {
        // The sign belongs to the constant.
        *at = start;
        return Ok(Src::new(kind(at)?));
    }
    Ok(Src { kind: kind(at)?, neg, abs: false })
}

fn kind(at: &mut Cursor<'_>) -> Reading<SrcKind> {
    if let Some(vreg) = at.find_entity("r")? {
        return Ok(SrcKind::VReg(vreg));
    }
    if let Some(element) = find_element(at)? {
        return Ok(SrcKind::Element(element));
    }
    if let Some(special) = find_special(at)? {
        return Ok(special);
    }
    if at.rest().starts_with('c') {
        return uniform(at);
    }
    Ok(SrcKind::Const(constant(at)?))
}

/// Reads `PARAM3.x`, `CONST12.y` or `SEL221.x`, if it comes next.
fn find_special(at: &mut Cursor<'_>) -> Reading<Option<SrcKind>> {
    let sel = if at.eat("PARAM") {
        AluSel::Param(at.number()?)
    } else if at.eat("CONST") {
        AluSel::ConstFile(at.number()?)
    } else if at.eat("SEL") {
        AluSel::Other(at.number()?)
    } else {
        return Ok(None);
    };
    Ok(Some(SrcKind::Special(sel, at.channel()?)))
}

/// Reads `c0[12].x`.
fn uniform(at: &mut Cursor<'_>) -> Reading<SrcKind> {
    at.expect("c")?;
    let bank = at.number()?;
    at.expect("[")?;
    let index = at.number()?;
    at.expect("]")?;
    Ok(SrcKind::Uniform { bank, index, chan: at.channel()? })
}

/// Reads `1.5`, `-2.0` or `0x7fc00000`.
fn constant(at: &mut Cursor<'_>) -> Reading<u32> {
    let start = *at;
    if at.eat("0x") {
        let digits = at.name();
        let is_number = digits.chars().all(|c| c.is_ascii_hexdigit());
        return match u32::from_str_radix(digits, 16) {
            Ok(bits) if is_number => Ok(bits),
            _ => Err(start.fault(ParseFault::OutOfRange(format!("0x{digits}")))),
        };
    }
    let neg = at.eat("-");
    let whole = at.name();
    if !whole.starts_with(|c: char| c.is_ascii_digit()) || !at.eat(".") {
        return start.expected("an operand");
    }
    let text = format!("{}{whole}.{}", if neg { "-" } else { "" }, at.name());
    match text.parse::<f32>() {
        Ok(value) => Ok(value.to_bits()),
        Err(_) => Err(start.fault(ParseFault::OutOfRange(text))),
    }
}

/// Reads `(r1 _ 0 1)`.
pub(super) fn components(at: &mut Cursor<'_>) -> Reading<[Component; 4]> {
    let mut all = [Component::Unused; 4];
    for (n, component) in all.iter_mut().enumerate() {
        at.expect(if n == 0 { "(" } else { " " })?;
        *component = if at.eat("_") {
            Component::Unused
        } else if at.eat("0") {
            Component::Zero
        } else if at.eat("1") {
            Component::One
        } else {
            Component::VReg(at.entity("r", "a component: `_`, `0`, `1` or a register")?)
        };
    }
    at.expect(")")?;
    Ok(all)
}

/// Reads components that must all be registers.
pub(super) fn channels(at: &mut Cursor<'_>) -> Reading<[Option<VReg>; 4]> {
    let start = *at;
    let mut all = [None; 4];
    for (vreg, component) in all.iter_mut().zip(components(at)?) {
        *vreg = match component {
            Component::Unused => None,
            Component::VReg(vreg) => Some(vreg),
            Component::Zero | Component::One => return start.expected("registers or `_`"),
        };
    }
    Ok(all)
}

/// Reads the letter of a slot and `: `, if they come next.
pub(super) fn find_slot(at: &mut Cursor<'_>) -> Option<Chan> {
    let slots = [("x: ", Chan::X), ("y: ", Chan::Y), ("z: ", Chan::Z), ("w: ", Chan::W)];
    slots.into_iter().find_map(|(text, chan)| at.eat(text).then_some(chan))
}

/// Checks that there are as many operands as the operation takes.
pub(super) fn count(
    at: &Cursor<'_>,
    (name, has): (&'static str, usize),
    all: Vec<Src>,
) -> Reading<ArrayVec<Src, 3>> {
    if all.len() != has {
        return Err(at.fault(ParseFault::Operands { name, has, given: all.len() }));
    }
    let mut src = ArrayVec::new();
    for operand in all {
        if src.try_push(operand).is_err() {
            return at.expected("at most three operands");
        }
    }
    Ok(src)
}
