//! Instructions: everything on a line except results.

use arrayvec::ArrayVec;
use r600_isa::asm::Op;
use r600_isa::{AluFlags, AluOp, CfKind, CfOp, Generation, Omod};
use r600_mir::ExportTarget;

use super::cursor::{Cursor, Reading, some};
use super::error::{ParseError, ParseErrorKind};
use crate::ssa::{
    AluInst, ArrayAccess, ArrayId, Counter, CubeInst, DotInst, DoubleInst, ExportInst, InstData,
    InterpInst, InterpPart, Operand,
};

use super::memory;

/// Parses an instruction, up to the end of the line.
pub(super) fn read(cursor: &mut Cursor<'_>, generation: Generation) -> Reading<InstData> {
    let start = *cursor;
    match cursor.word() {
        "barrier" => Ok(InstData::Barrier),
        "export" => export(cursor),
        "load" => Ok(InstData::Load(element(cursor)?.0)),
        "store" => store(cursor),
        "counter" => counter(cursor),
        "interp" => interp(cursor),
        "cube" => cube(cursor, start),
        "covering" => memory::covering(cursor, generation),
        name => match name.strip_prefix("dot") {
            Some(form) => dot(cursor, start, form),
            None => operation(cursor, (start, name), generation),
        },
    }
}

/// A hardware instruction.
fn operation(
    cursor: &mut Cursor<'_>,
    (start, name): (Cursor<'_>, &str),
    generation: Generation,
) -> Reading<InstData> {
    let (plain, clamp) = suffix(name, "_sat");
    match Op::from_name(plain) {
        Some(Op::Alu(op)) => alu(cursor, start, (op, clamp), generation),
        Some(Op::Fetch(op)) => memory::fetch(cursor, (start, op), generation),
        Some(Op::Lds(op)) => memory::local(cursor, (start, op)),
        Some(Op::Cf(op)) => match op.info().kind {
            CfKind::Mem | CfKind::Stream | CfKind::Rat => {
                memory::write(cursor, (start, op), generation)
            }
            CfKind::Plain | CfKind::Geom if op != CfOp::WaveSync => {
                memory::event(cursor, (start, op), generation)
            }
            _ => Err(start.error(ParseErrorKind::NotInSsa { name: name.to_owned() })),
        },
        None => Err(unknown(start, name)),
    }
}

fn unknown(start: Cursor<'_>, name: &str) -> ParseError {
    if name.is_empty() {
        return start.expected("an instruction");
    }
    let near = Op::nearest(name);
    start.error(ParseErrorKind::UnknownInstruction { name: name.to_owned(), near })
}

fn alu(
    cursor: &mut Cursor<'_>,
    start: Cursor<'_>,
    (op, mut clamp): (AluOp, bool),
    generation: Generation,
) -> Reading<InstData> {
    if op.opcode(generation).is_none() {
        return Err(start.error(ParseErrorKind::NotOnGeneration { op, generation }));
    }
    let scales = [("*2", Omod::Times2), ("*4", Omod::Times4), ("/2", Omod::Half)];
    let scale = scales.into_iter().find(|(text, _)| cursor.eat(text));
    let omod = scale.map_or(Omod::None, |(_, omod)| omod);
    clamp |= scale.is_some() && cursor.eat("_sat");
    let is_double = op.has(AluFlags::DOUBLE);
    let are_halves = !is_double || DoubleInst::is_seed(op, generation);
    let takes = op.num_src() * if are_halves { 1 } else { 2 };
    let src = some(cursor, start, (op.name(), takes))?;
    if is_double {
        let src = src.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        return Ok(InstData::Double(Box::new(DoubleInst { op, src })));
    }
    Ok(InstData::Alu(AluInst { op, src: src.into_iter().collect(), omod, clamp }))
}

/// `dot3_zero_sat %0, %1, %2, %3, %4, %5`
fn dot(cursor: &mut Cursor<'_>, start: Cursor<'_>, form: &str) -> Reading<InstData> {
    let (form, clamp) = suffix(form, "_sat");
    let (form, zero_wins) = suffix(form, "_zero");
    let len = form.parse().ok().filter(|len| *len <= 4);
    let len: usize = len.ok_or_else(|| start.expected("a dot product of up to four components"))?;
    let src = some(cursor, start, ("dot", 2 * len))?;
    let pairs = src.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    Ok(InstData::Dot(Box::new(DotInst { pairs, ieee: !zero_wins, clamp })))
}

fn cube(cursor: &mut Cursor<'_>, start: Cursor<'_>) -> Reading<InstData> {
    let src: ArrayVec<Operand, 3> = some(cursor, start, ("cube", 3))?.into_iter().collect();
    let src = src.into_inner().map_err(|_| start.expected("three operands"))?;
    Ok(InstData::Cube(CubeInst { src }))
}

/// `interp.xy p3 %0, %1`, `interp.flat p3`
fn interp(cursor: &mut Cursor<'_>) -> Reading<InstData> {
    const LAST_PARAM: u8 = 31;
    cursor.expect(".")?;
    let start = *cursor;
    let part = match cursor.word() {
        "xy" => InterpPart::Xy,
        "zw" => InterpPart::Zw,
        "flat" => InterpPart::Flat,
        _ => return Err(start.expected("xy, zw or flat")),
    };
    cursor.expect("p")?;
    let param = cursor.number_u8(LAST_PARAM)?;
    let takes = if part == InterpPart::Flat { 0 } else { 2 };
    let src = some(cursor, start, ("interp", takes))?;
    let mut ij = [Operand::ZERO; 2];
    ij.iter_mut().zip(src).for_each(|(own, operand)| *own = operand);
    Ok(InstData::Interp(InterpInst { param, part, ij }))
}

/// `export Pixel(0) %1, _, %2, 0x0`
fn export(cursor: &mut Cursor<'_>) -> Reading<InstData> {
    const LAST_BUFFER: u8 = 63;
    const LAST_PARAM: u8 = 31;
    let start = *cursor;
    let (target, max): (fn(u8) -> ExportTarget, u8) = match cursor.word() {
        "Pixel" => (ExportTarget::Pixel, LAST_BUFFER),
        "Position" => (ExportTarget::Position, LAST_BUFFER),
        "Parameter" => (ExportTarget::Parameter, LAST_PARAM),
        _ => return Err(start.expected("Pixel, Position or Parameter")),
    };
    cursor.expect("(")?;
    let target = target(cursor.number_u8(max)?);
    cursor.expect(")")?;
    Ok(InstData::Export(Box::new(ExportInst { target, src: cursor.components()? })))
}

/// `array0[2].x %index, %value`; the index is optional.
fn store(cursor: &mut Cursor<'_>) -> Reading<InstData> {
    let (mut access, value) = element(cursor)?;
    match value {
        Some(value) => Ok(InstData::Store(access, value)),
        None => {
            let value = access.index.take().ok_or_else(|| cursor.expected("an operand"))?;
            Ok(InstData::Store(access, value))
        }
    }
}

/// An element with up to two operands, the first as its index.
fn element(cursor: &mut Cursor<'_>) -> Reading<(ArrayAccess, Option<Operand>)> {
    let array = array(cursor)?;
    cursor.expect("[")?;
    let offset = cursor.number_u16()?;
    cursor.expect("]")?;
    let chan = cursor.chan()?;
    let index = if cursor.is_at_end() { None } else { Some(cursor.operand()?) };
    let value = if cursor.eat(",") { Some(cursor.operand()?) } else { None };
    Ok((ArrayAccess { array, offset, chan, index }, value))
}

/// `array0`
pub(super) fn array(cursor: &mut Cursor<'_>) -> Reading<ArrayId> {
    cursor.expect("array")?;
    cursor.number(u32::from(u16::MAX)).map(ArrayId::from_u32)
}

fn counter(cursor: &mut Cursor<'_>) -> Reading<InstData> {
    let start = *cursor;
    let name = cursor.word();
    let all = [Counter::Lane, Counter::Wave, Counter::Engine, Counter::Time];
    let found = all.into_iter().find(|counter| format!("{counter:?}") == name);
    found.map(InstData::Counter).ok_or_else(|| start.expected("Lane, Wave, Engine or Time"))
}

/// A comparison and its operands.
pub(super) fn condition(cursor: &mut Cursor<'_>) -> Reading<(AluOp, [Operand; 2])> {
    let start = *cursor;
    let name = cursor.word();
    let op = match Op::from_name(name) {
        Some(Op::Alu(op)) => op,
        Some(_) => return Err(start.error(ParseErrorKind::NoTest { name: name.to_owned() })),
        None => return Err(unknown(start, name)),
    };
    if !op.sets_predicate() || op.has(AluFlags::DOUBLE) || op.num_src() != 2 {
        return Err(start.error(ParseErrorKind::NoTest { name: name.to_owned() }));
    }
    let a = cursor.operand()?;
    cursor.expect(",")?;
    Ok((op, [a, cursor.operand()?]))
}

fn suffix<'t>(name: &'t str, suffix: &str) -> (&'t str, bool) {
    name.strip_suffix(suffix).map_or((name, false), |name| (name, true))
}
