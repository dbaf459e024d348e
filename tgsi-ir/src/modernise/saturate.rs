//! Saturation to −1…1 (`_SATNV`), which layouts before Mesa 11.0 have.

use super::predicates::{has_effect, keep_place};
use super::rewriter::{Rewriter, make};
use super::{Reason, arithmetic};
use crate::{Component, Dst, Instruction, Opcode, Saturate, Src, Swizzle, WriteMask};

/// Lowers an instruction with `lower`, and clamps the first of its results by comparisons, so that a NaN stays one as it
/// did.
pub(super) fn lower(
    rw: &mut Rewriter<'_>,
    mut one: Instruction,
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    if one.saturate == Saturate::Reserved {
        return rw.problem(Reason::ReservedSaturate);
    }
    let Some(mut dst) = one.dst.first().copied().filter(|_| is_clamped(&one)) else {
        return lower(rw, one);
    };
    let is_wide = one.opcode.info().dst_types.first().is_some_and(|ty| ty.is_64_bit());
    one.saturate = Saturate::None;
    one.dst[0].reg = rw.scratch();
    dst.mask = one.written_mask(0);
    let result = Src::new(one.dst[0].reg);
    // The other result is there before this one is clamped.
    if one.dst.len() > 1 {
        keep_place(rw, &mut dst);
    }
    lower(rw, one);
    if is_wide {
        return clamp_doubles(rw, dst, result);
    }
    let (low, high) = (rw.f32(-1.0), rw.f32(1.0));
    arithmetic::clamp(rw, dst, result, low, high);
}

fn is_clamped(one: &Instruction) -> bool {
    one.saturate == Saturate::MinusPlusOne && !has_effect(one)
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
