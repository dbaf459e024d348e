//! Operations: ALU operations here, all others in `outside`.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, CfOp, FetchOp, LdsOp, Omod};

use crate::{
    Alu, Array, Dst, FixedSlots, Op, Reduction, Replicated, Src, SrcKind, for_each_source,
};

use super::cursor::{Cursor, Reading};
use super::error::ParseFault;
use super::operand::{Destinations, count, destinations, find_slot, source, sources};
use super::outside;

/// Reads an operation without its origin.
pub(super) fn operation(at: &mut Cursor<'_>) -> Reading<Op> {
    if let Some(first) = find_slot(at) {
        return fixed_slots(at, first);
    }
    if at.eat("EXPORT ") {
        return outside::export(at);
    }
    if at.rest().starts_with('(') {
        return outside::memory_read(at);
    }
    let dst = destinations(at)?;
    let start = *at;
    let name = at.name();
    if let Some(op) = FetchOp::ALL.into_iter().find(|op| op.name() == name) {
        return outside::fetch(at, op, dst);
    }
    let effect = if let Some(op) = CfOp::ALL.into_iter().find(|op| op.name() == name) {
        outside::control_flow(at, op)?
    } else if let Some(op) = LdsOp::ALL.into_iter().find(|op| op.name() == name) {
        outside::local(at, op)?
    } else if name == AluOp::GroupBarrier.name() {
        Op::Barrier
    } else {
        *at = start;
        return slots(at, &dst);
    };
    if dst.is_empty() { Ok(effect) } else { start.expected("an operation with a result") }
}

/// An opcode, with its output multiplier and clamp.
struct Head {
    op: AluOp,
    omod: Omod,
    clamp: bool,
}

/// Reads `MUL_IEEE*2_sat`.
fn head(at: &mut Cursor<'_>) -> Reading<Head> {
    let start = *at;
    let name = at.name();
    let scales = [("*2", Omod::Times2), ("*4", Omod::Times4), ("/2", Omod::Half)];
    let omod = scales.into_iter().find_map(|(text, omod)| at.eat(text).then_some(omod));
    let stem = name.strip_suffix("_sat").filter(|_| omod.is_none());
    let clamp = stem.is_some() || omod.is_some() && at.eat("_sat");
    let name = stem.unwrap_or(name);
    match AluOp::ALL.into_iter().find(|op| op.name() == name) {
        Some(op) => Ok(Head { op, omod: omod.unwrap_or_default(), clamp }),
        None if name.is_empty() => start.expected("an operation"),
        None => {
            let name = name.to_owned();
            Err(start.fault(ParseFault::Unknown { kind: "operation", name }))
        }
    }
}

/// Reads the operands of `op`.
fn operands(at: &mut Cursor<'_>, op: AluOp) -> Reading<ArrayVec<Src, 3>> {
    if op.num_src() == 0 {
        return Ok(ArrayVec::new());
    }
    let start = *at;
    let all = sources(at)?;
    count(&start, (op.name(), op.num_src()), all)
}

/// Reads an operation of one slot, a reduction over all four, or an operation replicated in three or four.
fn slots(at: &mut Cursor<'_>, dst: &Destinations) -> Reading<Op> {
    let start = *at;
    let Head { op, omod, clamp } = head(at)?;
    let one = |what| match dst.as_slice() {
        [Dst::VReg(dst)] => Ok(*dst),
        _ => start.expected(what),
    };
    let mut first = *at;
    if first.eat(" ") && source(&mut first).is_ok() && first.eat(" * ") {
        let dst = one("one register as the result of a reduction")?;
        let pairs = pairs(at)?;
        return Ok(Op::Reduction(Box::new(Reduction { op, dst, pairs, omod, clamp })));
    }
    let src = operands(at, op)?;
    let all_slots = at.eat(" in xyzw");
    if all_slots || at.eat(" in xyz") {
        let dst = one("one register as the result of such an operation")?;
        return Ok(Op::Replicated(Replicated { op, dst, src, omod, clamp, all_slots }));
    }
    let dst = match dst.as_slice() {
        [] => Dst::None,
        [dst] if *dst != Dst::None => *dst,
        _ => return start.expected("one register or element as the result"),
    };
    alu_end(at, Alu { op, dst, src, omod, clamp, update_exec_mask: false, index: None })
        .map(Op::Alu)
}

fn alu_end(at: &mut Cursor<'_>, alu: Alu) -> Reading<Alu> {
    let index = if at.eat(" AR=") { Some(at.entity("r", "a register `rN`")?) } else { None };
    Ok(Alu { index, update_exec_mask: at.eat(" UPDATE_EXEC_MASK"), ..alu })
}

/// Reads `r1 * r2, r3 * 0.25, …`.
fn pairs(at: &mut Cursor<'_>) -> Reading<[[Src; 2]; 4]> {
    let mut pairs = [[Src::new(SrcKind::Const(0)); 2]; 4];
    for (n, pair) in pairs.iter_mut().enumerate() {
        at.expect(if n == 0 { " " } else { ", " })?;
        let a = source(at)?;
        at.expect(" * ")?;
        *pair = [a, source(at)?];
    }
    Ok(pairs)
}

/// Reads `x: r1 = CUBE r2, r3 | y: …`.
fn fixed_slots(at: &mut Cursor<'_>, first: r600_isa::Chan) -> Reading<Op> {
    let mut slots = ArrayVec::new();
    let mut next = Some(first);
    while let Some(chan) = next {
        let start = *at;
        let dst = destinations(at)?;
        let Op::Alu(alu) = self::slots(at, &dst)? else {
            return start.expected("an operation of one slot");
        };
        if slots.try_push((chan, alu)).is_err() {
            return start.expected("at most four slots");
        }
        next = if at.eat(" | ") {
            let slot = find_slot(at);
            if slot.is_none() {
                return at.expected("a slot: `x: `, `y: `, `z: ` or `w: `");
            }
            slot
        } else {
            None
        };
    }
    Ok(Op::FixedSlots(Box::new(FixedSlots { slots, vec_210: at.eat(" VEC_210") })))
}

/// The arrays whose elements `op` names.
pub(super) fn arrays(op: &Op) -> Vec<Array> {
    let mut all = Vec::new();
    for_each_source(op, |src| {
        if let SrcKind::Element(element) = src.kind {
            all.push(element.array);
        }
    });
    let alus: &[&Alu] = match op {
        Op::Alu(alu) => &[alu],
        Op::FixedSlots(fixed) => &fixed.slots.iter().map(|(_, alu)| alu).collect::<Vec<_>>(),
        _ => &[],
    };
    all.extend(alus.iter().filter_map(|alu| match alu.dst {
        Dst::Element(element) => Some(element.array),
        Dst::None | Dst::VReg(_) => None,
    }));
    all
}
