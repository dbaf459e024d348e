//! Expresses the old meaning of opcodes whose meaning has changed.

use crate::dialect::wording::Wording;
use crate::modernise::rewriter::{Rewriter, make};
use crate::modernise::{Reason, predicates};
use crate::{
    Component, Dst, File, FileAttributes, Instruction, Opcode, Register, Saturate, Src, SrcRole,
    TextureTarget, WriteMask,
};

use Component::{W, X, Y, Z};

/// Emits the old meaning of `one`.
pub(super) fn put(rw: &mut Rewriter<'_>, one: &Instruction, wording: Wording) {
    if !has_operands(one, wording) {
        return rw.problem(Reason::OperandCount);
    }
    match &one.predicate {
        Some(predicate) if has_steps(wording) => {
            let register = Register::new(File::Predicate, predicate.index);
            let masks: Vec<WriteMask> =
                (0..one.dst.len()).map(|index| one.written_mask_as(wording, index)).collect();
            predicates::lower_by(rw, one.clone(), (register, &masks), |rw, one| {
                put_always(rw, one, wording);
            });
        }
        _ => put_always(rw, one.clone(), wording),
    }
}

/// Whether an instruction may become several: its predicate goes for all of them.
fn has_steps(wording: Wording) -> bool {
    match wording {
        Wording::RoundHalfUp
        | Wording::DividedByDot
        | Wording::FirstDividedByDot
        | Wording::TruthAsDouble
        | Wording::DoubleExponent
        | Wording::FractionFirst
        | Wording::ExponentFirst
        | Wording::LineArraysWithoutLevels
        | Wording::EachComponent => true,
        // The beginning of a loop has no predicate.
        Wording::WholeCounter
        | Wording::Today
        | Wording::AbsoluteSource
        | Wording::BitTest
        | Wording::FirstStream
        | Wording::SampleInW
        | Wording::CountInX
        | Wording::ZeroWithoutSamples => false,
    }
}

/// As [`put`], without a predicate or with one that needs no special handling.
fn put_always(rw: &mut Rewriter<'_>, mut one: Instruction, wording: Wording) {
    match wording {
        Wording::Today => rw.push(one),
        Wording::AbsoluteSource => {
            one.src[0] = one.src[0].abs();
            rw.push(one);
        }
        Wording::BitTest => test_bits(rw, one),
        Wording::RoundHalfUp => round_half_up(rw, &one),
        Wording::FirstStream => {
            if one.src.is_empty() {
                one.src.push(rw.u32(0));
            }
            rw.push(one);
        }
        Wording::SampleInW => {
            if one.src.len() == 2 {
                one.src.push(one.src[0].w());
            }
            rw.push(one);
        }
        Wording::CountInX => {
            one.src[1] = one.src[1].x();
            rw.push(one);
        }
        Wording::DividedByDot | Wording::FirstDividedByDot => divided(rw, &one, wording),
        Wording::WholeCounter => whole_counter(rw, one),
        Wording::TruthAsDouble => truth_as_double(rw, &one),
        Wording::DoubleExponent => double_exponent(rw, one),
        Wording::FractionFirst => split(rw, &one, (1, 0)),
        Wording::ExponentFirst => split(rw, &one, (0, 1)),
        Wording::ZeroWithoutSamples => zero_without_samples(rw, one),
        Wording::LineArraysWithoutLevels => line_arrays_without_levels(rw, one),
        Wording::EachComponent => each_component(rw, one),
    }
}

/// Whether the operands are there that the rewriting looks at.
fn has_operands(one: &Instruction, wording: Wording) -> bool {
    let (dst, src) = match wording {
        Wording::Today | Wording::FirstStream => (0, 0),
        Wording::BitTest => (0, 1),
        Wording::SampleInW | Wording::CountInX => (1, 2),
        Wording::TruthAsDouble | Wording::DoubleExponent | Wording::LineArraysWithoutLevels => {
            (1, 2)
        }
        Wording::FractionFirst | Wording::ExponentFirst => (2, 1),
        Wording::EachComponent => (1, 3),
        Wording::AbsoluteSource
        | Wording::RoundHalfUp
        | Wording::DividedByDot
        | Wording::FirstDividedByDot
        | Wording::WholeCounter
        | Wording::ZeroWithoutSamples => (1, 1),
    };
    one.dst.len() >= dst && one.src.len() >= src
}

/// The bits of a float: −0 counts as true, whether it was negated or not.
fn test_bits(rw: &mut Rewriter<'_>, mut one: Instruction) {
    one.opcode = Opcode::Uif;
    let condition = one.src[0];
    if condition.negate || condition.absolute {
        let bits = rw.scratch();
        rw.op(Opcode::Mov, Some(Dst::new(bits).masked(WriteMask::X)), &[condition]);
        one.src[0] = Src::new(bits).x();
    }
    rw.push(one);
}

/// `floor(s + 0.5)`.
fn round_half_up(rw: &mut Rewriter<'_>, one: &Instruction) {
    let half = rw.f32(0.5);
    let sum = rw.scratch();
    let dst = Dst::new(sum).masked(one.dst[0].mask);
    rw.op(Opcode::Add, Some(dst), &[one.src[0], half]);
    let mut floor = one.clone();
    floor.opcode = Opcode::Flr;
    floor.src[0] = Src::new(sum);
    rw.push(floor);
}

/// The channels of `dst` that are in `mask`, if any.
fn part(dst: Dst, mask: WriteMask) -> Option<Dst> {
    let common = WriteMask::from_bits(dst.mask.bits() & mask.bits());
    (!common.is_empty()).then(|| dst.masked(common))
}

/// The vector, or its first channel, divided by its dot product with itself; `NRM` has 1 in w. The quotients must not
/// change the destination of the 1; if they could, a single move writes all of it.
fn divided(rw: &mut Rewriter<'_>, one: &Instruction, wording: Wording) {
    let (dot, scaled) = match one.opcode.modern_name() {
        Opcode::Nrm => (Opcode::Dp3, WriteMask::XYZ),
        _ => (Opcode::Dp4, WriteMask::XYZW),
    };
    let (dst, src) = (one.dst[0], one.src[0]);
    let rest = part(dst, WriteMask::from_bits(!scaled.bits() & 15));
    let is_moved = rest.is_some() && dst.reg.is_indirect();
    let whole = is_moved.then(|| rw.scratch());
    let place = |dst: Dst| whole.map_or(dst, |whole| Dst::new(whole).masked(dst.mask));
    if let Some(dst) = part(dst, scaled) {
        let divisor = rw.scratch();
        rw.op(dot, Some(Dst::new(divisor).masked(WriteMask::X)), &[src, src]);
        let dividend = if wording == Wording::FirstDividedByDot { src.x() } else { src };
        rw.last(one, Opcode::Div, place(dst), &[dividend, Src::new(divisor).x()]);
    }
    if let Some(dst) = rest {
        let value = rw.f32(1.0);
        rw.last(one, Opcode::Mov, place(dst), &[value]);
    }
    if let Some(whole) = whole {
        rw.op(Opcode::Mov, Some(dst), &[Src::new(whole)]);
    }
}

/// A counted loop that takes its three fields rounded down.
fn whole_counter(rw: &mut Rewriter<'_>, mut one: Instruction) {
    let fields = rw.scratch();
    rw.op(Opcode::Flr, Some(Dst::new(fields).masked(WriteMask::XYZ)), &[one.src[0]]);
    one.src[0] = Src::new(fields);
    rw.push(one);
}

/// The high word of the double 1.0, whose low word is 0.
const ONE_HIGH: u32 = 0x3ff0_0000;

/// Today's mask, in the first channel of each pair, chooses between the doubles 1.0 and 0.0, which no saturation
/// changes.
fn truth_as_double(rw: &mut Rewriter<'_>, one: &Instruction) {
    let holds = rw.scratch();
    let mask = WriteMask::X.union(WriteMask::Z);
    rw.op(one.opcode, Some(Dst::new(holds).masked(mask)), &one.src);
    let (yes, no) = (rw.words([0, ONE_HIGH, 0, ONE_HIGH]), rw.u32(0));
    let holds = Src::new(holds).swizzled([X, X, Z, Z]);
    rw.op(Opcode::Ucmp, Some(one.dst[0]), &[holds, yes, no]);
}

/// The exponents as the integers that today's opcode takes from x and z.
fn double_exponent(rw: &mut Rewriter<'_>, mut one: Instruction) {
    let counts = rw.scratch();
    let mask = WriteMask::X.union(WriteMask::Z);
    rw.op(Opcode::D2i, Some(Dst::new(counts).masked(mask)), &[one.src[1]]);
    one.src[1] = Src::new(counts);
    rw.push(one);
}

/// Fraction and exponent of both pairs, each a double, in the destinations with these numbers. Only the first result
/// saturates, as doubles; it must not change the place of the second.
fn split(rw: &mut Rewriter<'_>, one: &Instruction, (exponent, fraction): (usize, usize)) {
    let (fractions, exponents, wide) = (rw.scratch(), rw.scratch(), rw.scratch());
    let src = one.src[0];
    let saturate = |result| if result == 0 { one.saturate } else { Saturate::None };
    let halves = [
        (WriteMask::XY, WriteMask::X, src.swizzled([X, Y, X, Y])),
        (WriteMask::ZW, WriteMask::Y, src.swizzled([Z, W, Z, W])),
    ];
    for (pair, channel, src) in halves {
        let mut half = Instruction::new(Opcode::Dfracexp);
        half.dst.extend([Dst::new(fractions).masked(pair), Dst::new(exponents).masked(channel)]);
        half.src.push(src);
        half.saturate = saturate(fraction);
        rw.push(half);
    }
    let mut widen = make(Opcode::I2d, Some(Dst::new(wide)), &[Src::new(exponents)]);
    widen.saturate = saturate(exponent);
    rw.push(widen);
    let (first, mut second) = (one.dst[0], one.dst[1]);
    predicates::keep_place(rw, &mut second);
    let of = |result| Src::new(if result == exponent { wide } else { fractions });
    rw.op(Opcode::Mov, Some(first), &[of(0)]);
    rw.op(Opcode::Mov, Some(second), &[of(1)]);
}

/// The declared target of the view or resource that a source names. If an index starts at an undeclared one, that of
/// the first that it can reach.
fn view_target(rw: &Rewriter<'_>, one: &Instruction) -> Option<TextureTarget> {
    let roles = one.opcode.info().src_roles;
    let (view, _) = one.src.iter().zip(roles).find(|(_, role)| **role == SrcRole::View)?;
    match rw.shader.kind_of(&view.reg)?.attributes {
        FileAttributes::SamplerView(view) => Some(view.target),
        FileAttributes::Resource(image) => Some(image.target),
        _ => None,
    }
}

/// Whether the texture is known to have one sample per texel.
pub(super) fn is_without_samples(rw: &Rewriter<'_>, one: &Instruction) -> bool {
    !matches!(
        view_target(rw, one),
        None | Some(TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa | TextureTarget::Unknown)
    )
}

/// Whether the texture is known to have layers of lines.
pub(super) fn is_of_lines(rw: &Rewriter<'_>, one: &Instruction) -> bool {
    view_target(rw, one) == Some(TextureTarget::D1Array)
}

/// A texture that is known to have one sample per texel gives 0.
fn zero_without_samples(rw: &mut Rewriter<'_>, one: Instruction) {
    if !is_without_samples(rw, &one) {
        return rw.push(one);
    }
    let zero = rw.u32(0);
    rw.last(&one, Opcode::Mov, one.dst[0], &[zero]);
}

/// Layers of lines have no number of levels: z and w are 0.
fn line_arrays_without_levels(rw: &mut Rewriter<'_>, mut one: Instruction) {
    let dst = one.dst[0];
    if !is_of_lines(rw, &one) {
        return rw.push(one);
    }
    // Before the query, which may read the same register for its level.
    let query = rw.scratch();
    one.dst[0] = Dst::new(query).masked(WriteMask::XY);
    rw.push(one.clone());
    let zero = rw.u32(0);
    rw.op(Opcode::Mov, Some(Dst::new(query).masked(WriteMask::ZW)), &[zero]);
    rw.last(&one, Opcode::Mov, dst, &[Src::new(query)]);
}

/// An atomic operation on consecutive words of a buffer, one for each needed channel. Of a texel, such operations can
/// change only the first channel.
fn each_component(rw: &mut Rewriter<'_>, one: Instruction) {
    let dst = one.dst[0];
    if dst.mask == WriteMask::X || !rw.legacy.is_bytes(&one.src[0].reg) {
        return rw.push(one);
    }
    let (old, address) = (rw.scratch(), rw.scratch());
    for channel in dst.mask.iter() {
        let mut word = one.clone();
        word.dst[0] = Dst::new(old).masked(WriteMask::only(channel));
        word.saturate = Saturate::None;
        let first = one.src[1].x();
        word.src[1] = match channel {
            X => first,
            _ => {
                let distance = rw.u32(4 * channel as u32);
                rw.op(
                    Opcode::Uadd,
                    Some(Dst::new(address).masked(WriteMask::X)),
                    &[first, distance],
                );
                Src::new(address).x()
            }
        };
        for value in &mut word.src[2..] {
            *value = value.splat(channel);
        }
        rw.push(word);
    }
    rw.last(&one, Opcode::Mov, dst, &[Src::new(old)]);
}
