//! Lines of fetch clauses.

use std::ops::Range;

use crate::{Chan, ComponentSel, CoordType, FetchInst, FetchOp, Generation};

use super::cursor::Cursor;
use super::gpr::{register, selects};
use super::names;
use super::property::Property;
use super::{Code, Diagnostic, Parsed};

/// Reads the rest of a line after the name of its operation, which is at `name`.
pub(super) fn read<'t>(
    (text, generation): (&'t str, Generation),
    op: FetchOp,
    cursor: &mut Cursor<'t>,
    name: Range<usize>,
) -> Parsed<FetchInst> {
    exists(op, generation, name)?;
    let mut fetch = FetchInst::new(op);
    registers(cursor, &mut fetch)?;
    if matches!(fetch, FetchInst::Tex(_) | FetchInst::Vtx(_) | FetchInst::Mem(_)) {
        cursor.expect(",")?;
    }
    settings((text, generation), cursor, &mut fetch)?;
    Ok(fetch)
}

/// Checks that the generation has the operation, whose name is at `name`.
pub(super) fn exists(op: FetchOp, generation: Generation, name: Range<usize>) -> Parsed<()> {
    if op.opcode(generation).is_some() {
        return Ok(());
    }
    let message = format!("{} has no {}", generation.name(), op.name());
    let help = names::generations(op.info().opcode);
    Err(Diagnostic::new(Code::NotOnGeneration, name, message).help(help))
}

/// Reads what follows the registers: numbers of resources, and properties.
pub(super) fn settings<'t>(
    (text, generation): (&'t str, Generation),
    cursor: &mut Cursor<'t>,
    fetch: &mut FetchInst,
) -> Parsed<()> {
    numbers(cursor, fetch)?;
    let mut seen = Vec::new();
    while let Some(property) = Property::read_new(cursor, text, &mut seen)? {
        let is_coord = matches!(property.name, "DENORM" | "NORM");
        match &mut *fetch {
            FetchInst::Tex(tex) if is_coord => coord_types(&property, &mut tex.coord_type)?,
            fetch => property.apply(generation, |io| fetch.describe(io))?,
        }
    }
    Ok(())
}

fn numbers(cursor: &mut Cursor<'_>, fetch: &mut FetchInst) -> Parsed<()> {
    match fetch {
        FetchInst::Tex(tex) => {
            tex.resource_id = numbered(cursor, 't')?;
            cursor.expect(",")?;
            tex.sampler_id = numbered(cursor, 's')?;
        }
        FetchInst::Vtx(vtx) => vtx.buffer_id = numbered(cursor, 'b')?,
        FetchInst::Mem(mem) => {
            let at = cursor.next_span();
            let base = cursor.number().ok_or_else(|| cursor.unexpected("a number"))?;
            mem.array_base = u16::try_from(base).map_err(|_| {
                Diagnostic::new(Code::OutOfRange, at, "the number does not fit its field")
            })?;
        }
        FetchInst::Gds(_)
        | FetchInst::LocalWrite(_)
        | FetchInst::LocalRead(_)
        | FetchInst::Raw(_) => {}
    }
    Ok(())
}

fn registers(cursor: &mut Cursor<'_>, fetch: &mut FetchInst) -> Parsed<()> {
    match fetch {
        FetchInst::Tex(tex) => {
            (tex.dst_gpr, tex.dst_rel) = destination(cursor, &mut tex.dst_sel)?;
            cursor.expect(",")?;
            (tex.src_gpr, tex.src_rel) = register(cursor)?;
            tex.src_sel = vector(cursor)?;
        }
        FetchInst::Vtx(vtx) if vtx.op == FetchOp::Semfetch => {
            cursor.expect("SEM")?;
            cursor.expect("[")?;
            vtx.dst_gpr = small(cursor)?;
            cursor.expect("]")?;
            vtx.dst_sel = vector(cursor)?;
            (vtx.src_gpr, vtx.src_rel, vtx.src_sel) = source(cursor)?;
        }
        FetchInst::Vtx(vtx) => {
            (vtx.dst_gpr, vtx.dst_rel) = destination(cursor, &mut vtx.dst_sel)?;
            (vtx.src_gpr, vtx.src_rel, vtx.src_sel) = source(cursor)?;
        }
        FetchInst::Mem(mem) => {
            (mem.dst_gpr, mem.dst_rel) = destination(cursor, &mut mem.dst_sel)?;
            (mem.src_gpr, mem.src_rel, mem.src_sel) = source(cursor)?;
        }
        FetchInst::Gds(gds) => {
            gds.dst_gpr = destination(cursor, &mut gds.dst_sel)?.0;
            cursor.expect(",")?;
            gds.src_gpr = register(cursor)?.0;
            gds.src_sel = vector(cursor)?;
        }
        FetchInst::LocalWrite(local) => {
            local.src_gpr = register(cursor)?.0;
            local.src_sel = vector(cursor)?;
        }
        FetchInst::LocalRead(local) => {
            let mut sels = [ComponentSel::Mask; 4];
            local.dst_gpr = destination(cursor, &mut sels)?.0;
            local.dst_write = sels.map(|sel| sel != ComponentSel::Mask);
            cursor.expect(",")?;
            local.src_gpr = register(cursor)?.0;
            local.src_sel = vector(cursor)?;
        }
        FetchInst::Raw(_) => {}
    }
    Ok(())
}

/// Reads `R1.xyz_`, or `____` for nothing.
fn destination(cursor: &mut Cursor<'_>, sels: &mut [ComponentSel; 4]) -> Parsed<(u8, bool)> {
    if cursor.eat("____") {
        return Ok((0, false));
    }
    let register = register(cursor)?;
    *sels = vector(cursor)?;
    Ok(register)
}

/// Reads components such as `.xyzw`, of which there must be `N`. If none are written, all of them are selected in
/// order.
fn vector<const N: usize>(cursor: &mut Cursor<'_>) -> Parsed<[ComponentSel; N]> {
    if !cursor.eat(".") {
        let mut sels = [ComponentSel::Mask; N];
        for (sel, own) in sels.iter_mut().zip(Chan::ALL) {
            *sel = own.into();
        }
        return Ok(sels);
    }
    selects(cursor)
}

/// Reads `, R0.x`.
fn source(cursor: &mut Cursor<'_>) -> Parsed<(u8, bool, ComponentSel)> {
    cursor.expect(",")?;
    let (gpr, relative) = register(cursor)?;
    let [sel] = vector::<1>(cursor)?;
    Ok((gpr, relative, sel))
}

/// Reads a number such as `t3`.
fn numbered(cursor: &mut Cursor<'_>, letter: char) -> Parsed<u8> {
    let unknown = cursor.unexpected(&format!("a number such as {letter}0"));
    let name = cursor.name().unwrap_or("");
    name.strip_prefix(letter).and_then(|digits| digits.parse().ok()).ok_or(unknown)
}

fn small(cursor: &mut Cursor<'_>) -> Parsed<u8> {
    let unknown = cursor.unexpected("a number up to 255");
    cursor.number().and_then(|number| u8::try_from(number).ok()).ok_or(unknown)
}

/// Reads `DENORM(xy)` or `NORM(zw)`.
fn coord_types(property: &Property<'_>, kinds: &mut [CoordType; 4]) -> Parsed<()> {
    let kind =
        if property.name == "DENORM" { CoordType::Unnormalized } else { CoordType::Normalized };
    let text = property.argument.as_ref().map_or("", |argument| argument.rest().trim());
    let places: Option<Vec<usize>> =
        text.chars().map(|c| "xyzw".find(c.to_ascii_lowercase())).collect();
    match places.filter(|places| !places.is_empty()) {
        Some(places) => {
            for place in places {
                kinds[place] = kind;
            }
            Ok(())
        }
        None => {
            let name = property.name;
            let message = format!("{name} needs coordinates, as in {name}(xy)");
            Err(Diagnostic::new(Code::Unexpected, property.span.clone(), message))
        }
    }
}
