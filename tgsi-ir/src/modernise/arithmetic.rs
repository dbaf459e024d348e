//! Lowers arithmetic. Each lowering keeps the roundings and comparisons of the interpreter of the time. It reads all
//! sources before it writes the destination, which may be one of them.

use super::rewriter::{Rewriter, make};
use crate::{Component, Dst, Instruction, Opcode, Register, Src, WriteMask};

use Component::{W, X, Y, Z};

/// The channels of `dst` that are in `mask`, if any.
fn part(dst: Dst, mask: WriteMask) -> Option<Dst> {
    let common = WriteMask::from_bits(dst.mask.bits() & mask.bits());
    (!common.is_empty()).then(|| dst.masked(common))
}

fn only(reg: Register, mask: WriteMask) -> Option<Dst> {
    Some(Dst::new(reg).masked(mask))
}

/// `dst = low where value < low, high where value > high, value elsewhere`, a NaN included.
pub(super) fn clamp(rw: &mut Rewriter<'_>, dst: Dst, value: Src, low: Src, high: Src) {
    let mut plain = Instruction::new(Opcode::Mov);
    plain.dst.push(dst);
    clamp_last(rw, &plain, value, low, high);
}

fn clamp_last(rw: &mut Rewriter<'_>, original: &Instruction, value: Src, low: Src, high: Src) {
    let dst = original.dst[0];
    let (above, below) = (rw.scratch(), rw.scratch());
    rw.op(Opcode::Fslt, only(above, dst.mask), &[high, value]);
    rw.op(Opcode::Ucmp, only(above, dst.mask), &[Src::new(above), high, value]);
    rw.op(Opcode::Fslt, only(below, dst.mask), &[value, low]);
    rw.last(original, Opcode::Ucmp, dst, &[Src::new(below), low, Src::new(above)]);
}

/// Opcodes that treat each channel alike.
pub(super) fn lower_componentwise(rw: &mut Rewriter<'_>, one: &Instruction) {
    let dst = one.dst[0];
    let s = |index: usize| one.src[index];
    match one.opcode {
        Opcode::Sub => rw.last(one, Opcode::Add, dst, &[s(0), s(1).negated()]),
        Opcode::Abs => rw.last(one, Opcode::Mov, dst, &[s(0).abs()]),
        Opcode::Sfl => {
            let zero = rw.f32(0.0);
            rw.last(one, Opcode::Mov, dst, &[zero]);
        }
        Opcode::Str => {
            let one_everywhere = rw.f32(1.0);
            rw.last(one, Opcode::Mov, dst, &[one_everywhere]);
        }
        Opcode::Cnd => {
            let half = rw.f32(0.5);
            choose(rw, one, Opcode::Fslt, [half, s(2)]);
        }
        Opcode::Cnd0 => {
            let zero = rw.f32(0.0);
            choose(rw, one, Opcode::Fsge, [s(2), zero]);
        }
        Opcode::Clamp => clamp_last(rw, one, s(0), s(1), s(2)),
        // The only other caller's opcode: `SAD`.
        _ => {
            let difference = rw.scratch();
            rw.op(Opcode::Add, only(difference, dst.mask), &[s(0), s(1).negated()]);
            rw.last(one, Opcode::Add, dst, &[Src::new(difference).abs(), s(2)]);
        }
    }
}

/// `src0` where the comparison holds, `src1` elsewhere.
fn choose(rw: &mut Rewriter<'_>, one: &Instruction, compare: Opcode, operands: [Src; 2]) {
    let dst = one.dst[0];
    let holds = rw.scratch();
    rw.op(compare, only(holds, dst.mask), &operands);
    rw.last(one, Opcode::Ucmp, dst, &[Src::new(holds), one.src[0], one.src[1]]);
}

/// Opcodes whose result goes to every channel.
pub(super) fn lower_scalar(rw: &mut Rewriter<'_>, one: &Instruction) {
    let dst = one.dst[0];
    let scratch = rw.scratch();
    let value = Src::new(scratch);
    match one.opcode {
        Opcode::Dp2a => {
            rw.op(Opcode::Dp2, only(scratch, WriteMask::X), &[one.src[0], one.src[1]]);
            rw.last(one, Opcode::Add, dst, &[value.x(), one.src[2].x()]);
        }
        Opcode::Dph => {
            rw.op(Opcode::Dp3, only(scratch, WriteMask::X), &[one.src[0], one.src[1]]);
            rw.last(one, Opcode::Add, dst, &[value.x(), one.src[1].w()]);
        }
        _ => lower_rcc(rw, one, scratch),
    }
}

/// `RCC`: channel x clamps a positive reciprocal, channel y any other; a NaN passes both.
fn lower_rcc(rw: &mut Rewriter<'_>, one: &Instruction, scratch: Register) {
    /// Bounds of the magnitude, 2⁻⁶⁴ and 2⁶⁴ as the old interpreter spelt them.
    const LEAST: f32 = 5.42101e-20;
    const GREATEST: f32 = 1.884467e19;
    let value = Src::new(scratch);
    rw.op(Opcode::Rcp, only(scratch, WriteMask::XY), &[one.src[0].x()]);
    let low = rw.vec4([LEAST, -GREATEST, LEAST, -GREATEST]);
    let high = rw.vec4([GREATEST, -LEAST, GREATEST, -LEAST]);
    let clamped = rw.scratch();
    clamp(rw, Dst::new(clamped).masked(WriteMask::XY), value, low, high);
    let zero = rw.f32(0.0);
    rw.op(Opcode::Fslt, only(scratch, WriteMask::X), &[zero, value.x()]);
    let clamped = Src::new(clamped);
    rw.last(one, Opcode::Ucmp, one.dst[0], &[value.x(), clamped.x(), clamped.y()]);
}

/// Opcodes with a formula for each channel.
pub(super) fn lower_vector(rw: &mut Rewriter<'_>, one: &Instruction) {
    match one.opcode {
        Opcode::Xpd => lower_xpd(rw, one),
        Opcode::Rfl => lower_rfl(rw, one),
        Opcode::X2d => lower_x2d(rw, one),
        Opcode::Scs => lower_scs(rw, one),
        Opcode::Nrm => lower_nrm(rw, one, Opcode::Dp3),
        _ => lower_nrm(rw, one, Opcode::Dp4),
    }
}

/// Writes 1 to channel w if no other channel is needed. Returns whether that was all.
fn is_only_one(rw: &mut Rewriter<'_>, one: &Instruction) -> bool {
    let is_only = part(one.dst[0], WriteMask::XYZ).is_none();
    if is_only {
        let value = rw.f32(1.0);
        rw.last(one, Opcode::Mov, one.dst[0], &[value]);
    }
    is_only
}

/// `opcode` in the needed channels of xyz, then 1 in channel w, since w may be a source of the others. The first step
/// must not change the second one's destination; if it could, a single move writes all of it.
fn with_one(rw: &mut Rewriter<'_>, one: &Instruction, opcode: Opcode, src: &[Src]) {
    let dst = one.dst[0];
    let Some(xyz) = part(dst, WriteMask::XYZ) else { return };
    let Some(w) = part(dst, WriteMask::W) else { return rw.last(one, opcode, dst, src) };
    let value = rw.f32(1.0);
    if dst.reg.is_indirect() {
        let scratch = rw.scratch();
        let mut first = make(opcode, only(scratch, xyz.mask), src);
        first.precise = one.precise;
        rw.push(first);
        rw.op(Opcode::Mov, only(scratch, WriteMask::W), &[value]);
        rw.last(one, Opcode::Mov, dst, &[Src::new(scratch)]);
    } else {
        rw.last(one, opcode, xyz, src);
        rw.last(one, Opcode::Mov, w, &[value]);
    }
}

fn lower_xpd(rw: &mut Rewriter<'_>, one: &Instruction) {
    if is_only_one(rw, one) {
        return;
    }
    let (a, b) = (one.src[0], one.src[1]);
    let right = rw.scratch();
    let mask = one.dst[0].mask.bits() & WriteMask::XYZ.bits();
    let operands = [a.swizzled([Z, X, Y, Y]), b.swizzled([Y, Z, X, X])];
    rw.op(Opcode::Mul, only(right, WriteMask::from_bits(mask)), &operands);
    let left = [a.swizzled([Y, Z, X, X]), b.swizzled([Z, X, Y, Y])];
    with_one(rw, one, Opcode::Mad, &[left[0], left[1], Src::new(right).negated()]);
}

/// `2 · (s0·s1) / (s0·s0)` times `s0` minus `s1`.
fn lower_rfl(rw: &mut Rewriter<'_>, one: &Instruction) {
    if is_only_one(rw, one) {
        return;
    }
    let (a, b) = (one.src[0], one.src[1]);
    let scratch = rw.scratch();
    let value = Src::new(scratch);
    rw.op(Opcode::Dp3, only(scratch, WriteMask::X), &[a, b]);
    rw.op(Opcode::Dp3, only(scratch, WriteMask::Y), &[a, a]);
    rw.op(Opcode::Add, only(scratch, WriteMask::X), &[value.x(), value.x()]);
    rw.op(Opcode::Div, only(scratch, WriteMask::X), &[value.x(), value.y()]);
    with_one(rw, one, Opcode::Mad, &[value.x(), a, b.negated()]);
}

/// The two products are added first, then `src0`.
fn lower_x2d(rw: &mut Rewriter<'_>, one: &Instruction) {
    let scratch = rw.scratch();
    let matrix = one.src[2];
    rw.op(Opcode::Dp2, only(scratch, WriteMask::X), &[one.src[1], matrix]);
    let lower_row = matrix.swizzled([Z, W, Z, W]);
    rw.op(Opcode::Dp2, only(scratch, WriteMask::Y), &[one.src[1], lower_row]);
    let pairs = [X, Y, X, Y];
    let operands = [one.src[0].swizzled(pairs), Src::new(scratch).swizzled(pairs)];
    rw.last(one, Opcode::Add, one.dst[0], &operands);
}

fn lower_scs(rw: &mut Rewriter<'_>, one: &Instruction) {
    let scratch = rw.scratch();
    let angle = one.src[0].x();
    rw.op(Opcode::Cos, only(scratch, WriteMask::X), &[angle]);
    rw.op(Opcode::Sin, only(scratch, WriteMask::Y), &[angle]);
    let rest = rw.vec4([0.0, 0.0, 0.0, 1.0]);
    rw.op(Opcode::Mov, only(scratch, WriteMask::ZW), &[rest]);
    rw.last(one, Opcode::Mov, one.dst[0], &[Src::new(scratch)]);
}

/// Times the reciprocal of the square root, as the code did; both documents forget the root.
fn lower_nrm(rw: &mut Rewriter<'_>, one: &Instruction, dot: Opcode) {
    if dot == Opcode::Dp3 && is_only_one(rw, one) {
        return;
    }
    let scratch = rw.scratch();
    let factor = Src::new(scratch).x();
    rw.op(dot, only(scratch, WriteMask::X), &[one.src[0], one.src[0]]);
    rw.op(Opcode::Rsq, only(scratch, WriteMask::X), &[factor]);
    let sources = [one.src[0], factor];
    match dot {
        Opcode::Dp3 => with_one(rw, one, Opcode::Mul, &sources),
        _ => rw.last(one, Opcode::Mul, one.dst[0], &sources),
    }
}
