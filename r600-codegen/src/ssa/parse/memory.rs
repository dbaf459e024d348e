//! Instructions outside the ALU: fetches, memory, the local data share, events. The assembler parses hardware settings.

use arrayvec::ArrayVec;
use r600_isa::asm::{Code, Diagnostic, Op, settings};
use r600_isa::{CfOp, FetchInst as IsaFetch, FetchOp, Generation, LdsAccess, LdsOp};
use r600_mir::Storage;

use super::cursor::{Cursor, Reading, some};
use super::error::{ParseError, ParseErrorKind};
use crate::ssa::{
    FetchInst, FetchKind, FetchStep, InstData, LocalEffect, LocalInst, MemoryInst, Operand, Place,
    SharedWith,
};

/// The texts that may follow settings.
const ENDS: &[&str] = &[" then ", " reads ", " to ", " at resource "];

/// Parses a sequence of fetches after the name of the first, which is at `start`.
pub(super) fn fetch(
    cursor: &mut Cursor<'_>,
    (start, op): (Cursor<'_>, FetchOp),
    generation: Generation,
) -> Reading<InstData> {
    let mut steps = ArrayVec::new();
    steps.push(step(cursor, (start, op), generation)?);
    while cursor.eat("then ") {
        let next = next_step(cursor, generation)?;
        steps.try_push(next).map_err(|_| cursor.expected("at most four fetches"))?;
    }
    finish(cursor, steps)
}

/// Parses a fetch after `covering`.
pub(super) fn covering(cursor: &mut Cursor<'_>, generation: Generation) -> Reading<InstData> {
    let start = *cursor;
    let mut step = next_step(cursor, generation)?;
    step.kind = match step.kind {
        FetchKind::Vtx(vtx) => FetchKind::Covering(vtx),
        _ => return Err(start.expected("a fetch from a buffer")),
    };
    finish(cursor, [step].into_iter().collect())
}

fn finish(cursor: &mut Cursor<'_>, steps: ArrayVec<FetchStep, 4>) -> Reading<InstData> {
    let reads = if cursor.eat("reads ") { Some(storage(cursor)?) } else { None };
    let place = place(cursor)?;
    Ok(InstData::Fetch(Box::new(FetchInst { steps, reads, place })))
}

fn next_step(cursor: &mut Cursor<'_>, generation: Generation) -> Reading<FetchStep> {
    let start = *cursor;
    match Op::from_name(cursor.word()) {
        Some(Op::Fetch(op)) => step(cursor, (start, op), generation),
        _ => Err(start.expected("a fetch")),
    }
}

/// `(%0, %1, _, _), t0, s0 LOD(1.0)`, after the name of the operation.
fn step(
    cursor: &mut Cursor<'_>,
    (start, op): (Cursor<'_>, FetchOp),
    generation: Generation,
) -> Reading<FetchStep> {
    let address = vector(cursor)?;
    let inst = set(cursor, start, |text| settings::fetch(op, text, generation))?;
    let kind = match inst {
        IsaFetch::Tex(tex) => FetchKind::Tex(tex),
        IsaFetch::Vtx(vtx) => FetchKind::Vtx(vtx),
        IsaFetch::Gds(gds) => FetchKind::Gds(gds),
        IsaFetch::Mem(_) | IsaFetch::LocalWrite(_) | IsaFetch::LocalRead(_) | IsaFetch::Raw(_) => {
            return Err(start.error(ParseErrorKind::NotInSsa { name: op.name().to_owned() }));
        }
    };
    Ok(FetchStep { kind, address })
}

/// `MEM_RING (%0, _, _, _) at (%1, _, _, _), WRITE_IND 3 to stream`, after the name.
pub(super) fn write(
    cursor: &mut Cursor<'_>,
    (start, op): (Cursor<'_>, CfOp),
    generation: Generation,
) -> Reading<InstData> {
    let src = vector(cursor)?;
    let index = if cursor.eat("at ") { vector(cursor)? } else { [None; 4] };
    let template = set(cursor, start, |text| settings::memory(op, text, generation))?;
    cursor.expect("to ")?;
    let storage = storage(cursor)?;
    let place = place(cursor)?;
    Ok(InstData::Memory(Box::new(MemoryInst { template, storage, place, src, index })))
}

/// `EMIT_VERTEX COUNT(1)`, after the name.
pub(super) fn event(
    cursor: &mut Cursor<'_>,
    (start, op): (Cursor<'_>, CfOp),
    generation: Generation,
) -> Reading<InstData> {
    let at = *cursor;
    let text = cursor.up_to(&[]);
    let flow = settings::flow(op, text, generation).map_err(|found| refused(start, at, found))?;
    Ok(InstData::Event(flow))
}

/// `LDS_ADD_RET %0, %1 OFFSET(4) reads and writes`, after the name.
pub(super) fn local(
    cursor: &mut Cursor<'_>,
    (start, op): (Cursor<'_>, LdsOp),
) -> Reading<InstData> {
    const LAST_OFFSET: u8 = 63;
    let src = some(cursor, start, (op.name(), usize::from(op.info().num_src)))?;
    let mut offset = 0;
    if cursor.eat("OFFSET(") {
        offset = cursor.number_u8(LAST_OFFSET)?;
        cursor.expect(")")?;
    }
    let effects = [
        ("reads and writes", LocalEffect::ReadsAndWrites),
        ("reads", LocalEffect::Reads),
        ("writes", LocalEffect::Writes),
    ];
    let found = effects.into_iter().find(|(text, _)| cursor.eat(text));
    let (_, effect) = found.ok_or_else(|| cursor.expected("reads or writes"))?;
    let access = LdsAccess { op, offset };
    Ok(InstData::Local(LocalInst { access, src: src.into_iter().collect(), effect }))
}

/// `(%0, _, _, 0x0)`
fn vector(cursor: &mut Cursor<'_>) -> Reading<[Option<Operand>; 4]> {
    cursor.expect("(")?;
    let components = cursor.components()?;
    cursor.expect(")")?;
    Ok(components)
}

/// Parses the settings of the instruction at `start`, which follow a comma. Without a comma there are none.
fn set<T>(
    cursor: &mut Cursor<'_>,
    start: Cursor<'_>,
    read: impl FnOnce(&str) -> Result<T, Diagnostic>,
) -> Reading<T> {
    let has_some = cursor.eat(",");
    let at = *cursor;
    let text = if has_some { cursor.up_to(ENDS) } else { "" };
    read(text).map_err(|found| refused(start, at, found))
}

/// The error for what the assembler finds in the settings at `at`. If the chip lacks the operation itself, the error is
/// at `start`.
fn refused(start: Cursor<'_>, at: Cursor<'_>, found: Diagnostic) -> ParseError {
    let (bytes, is_of_operation) = (found.span.start, found.code == Code::NotOnGeneration);
    let kind = ParseErrorKind::Settings(found);
    if is_of_operation && bytes == 0 { start.error(kind) } else { at.error_after(bytes, kind) }
}

/// `shared`, `[3]`
fn storage(cursor: &mut Cursor<'_>) -> Reading<Storage> {
    if cursor.eat("[") {
        let first = cursor.number_u16()?;
        cursor.expect("]")?;
        return Ok(Storage::Scratch(first));
    }
    let all = [Storage::Shared, Storage::Stream, Storage::Counters];
    let found = all.into_iter().find(|storage| cursor.eat(&storage.to_string()));
    found.ok_or_else(|| cursor.expected("shared, stream, counters or scratch memory such as [0]"))
}

/// `at resource 3 shared with nobody`, if present.
fn place(cursor: &mut Cursor<'_>) -> Reading<Option<Place>> {
    if !cursor.eat("at resource ") {
        return Ok(None);
    }
    let resource = cursor.number_u8(u8::MAX)?;
    cursor.expect("shared with ")?;
    let all = [SharedWith::Anyone, SharedWith::OtherNames, SharedWith::Nobody];
    let found = all.into_iter().find(|who| cursor.eat(&who.to_string()));
    let shared_with = found.ok_or_else(|| cursor.expected("anyone, other names or nobody"))?;
    Ok(Some(Place { resource, shared_with }))
}
