//! Saturation to −1…1 (`_SATNV`), which layouts before Mesa 11.0 have.

use super::predicates::keep_place;
use super::rewriter::{Rewriter, make};
use super::{Reason, arithmetic};
use crate::{
    Component, Dst, File, FlowRole, Instruction, Opcode, Saturate, Src, Swizzle, WriteMask,
};

/// Lowers an instruction with `lower`, and clamps its first result by comparisons, so that a NaN stays a NaN as before.
pub(super) fn lower(
    rw: &mut Rewriter<'_>,
    mut one: Instruction,
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    if one.saturate == Saturate::Reserved {
        return rw.problem(Reason::ReservedSaturate);
    }
    if one.saturate != Saturate::MinusPlusOne {
        return lower(rw, one);
    }
    one.saturate = Saturate::None;
    let Some(mut dst) = one.dst.first().copied().filter(|_| has_result(&one)) else {
        return lower(rw, one);
    };
    dst.mask = one.written_mask(0);
    let is_wide = one.opcode.info().dst_types.first().is_some_and(|ty| ty.is_64_bit());
    one.dst[0].reg = rw.scratch();
    let result = Src::new(one.dst[0].reg);
    // The second result is written after the first one, where it was to go before.
    let mut second = one.dst.get(1).copied().filter(|dst| dst.reg.file != File::Null);
    let plain = second.map(|_| rw.scratch());
    if let Some(plain) = plain {
        one.dst[1].reg = plain;
    }
    lower(rw, one);
    if let Some(second) = &mut second {
        keep_place(rw, second);
    }
    clamp(rw, dst, result, is_wide);
    if let (Some(second), Some(plain)) = (second, plain) {
        rw.op(Opcode::Mov, Some(second), &[Src::new(plain)]);
    }
}

fn clamp(rw: &mut Rewriter<'_>, dst: Dst, result: Src, is_wide: bool) {
    if dst.mask.is_empty() {
        return;
    }
    if is_wide {
        return clamp_doubles(rw, dst, result);
    }
    let (low, high) = (rw.f32(-1.0), rw.f32(1.0));
    arithmetic::clamp(rw, dst, result, low, high);
}

/// Whether the destination gets a result: that of a fence or of a store is what it acts on.
fn has_result(one: &Instruction) -> bool {
    let info = one.opcode.info();
    info.flow == FlowRole::None && !(info.is_store && info.num_src == 2)
}

fn clamp_doubles(rw: &mut Rewriter<'_>, dst: Dst, value: Src) {
    use Component::{X, Z};
    let [low, high] = [-1.0f64, 1.0].map(|bound| {
        let bits = bound.to_bits();
        let halves = [bits as u32, (bits >> 32) as u32];
        rw.words([halves[0], halves[1], halves[0], halves[1]])
    });
    let (test, below_high) = (rw.scratch(), rw.scratch());
    let answer = Src { swizzle: Swizzle::new([X, X, Z, Z]), ..Src::new(test) };
    // A comparison answers in the first channel of a pair.
    let firsts = WriteMask::X.union(WriteMask::Z).bits() & dst.mask.bits();
    let test = Dst::new(test).masked(WriteMask::from_bits(firsts));
    rw.op(Opcode::Dslt, Some(test), &[high, value]);
    rw.op(Opcode::Ucmp, Some(Dst::new(below_high).masked(dst.mask)), &[answer, high, value]);
    rw.op(Opcode::Dslt, Some(test), &[value, low]);
    rw.push(make(Opcode::Ucmp, Some(dst), &[answer, low, Src::new(below_high)]));
}
