//! From today's dialect to an older one: names and meanings. The dialect check afterwards finds constructs without a
//! counterpart.

use super::{Note, Translation, meaning};
use crate::dialect::wording::Wording;
use crate::modernise::rewriter::Rewriter;
use crate::modernise::{Inexpressible, Reason};
use crate::place::Place;
use crate::{
    Authority, Component, Dialect, Dst, File, Instruction, InstructionId, Opcode, Saturate, Shader,
    Src, Swizzle, WriteMask,
};

pub(super) fn from_today(
    shader: &Shader,
    to: Dialect,
    authority: Authority,
) -> Result<Translation, Vec<Inexpressible>> {
    let mut rewriter = Rewriter::new(shader);
    let mut notes = Vec::new();
    for (index, instruction) in shader.instructions.iter().enumerate() {
        let id = InstructionId::from_index(index);
        rewriter.begin(id);
        let wording = to.wording(instruction.opcode, authority);
        let place = Place::Instruction(id);
        notes.extend(difference(instruction).map(|message| Note {
            place,
            message,
            is_of_document: false,
        }));
        let changed = document_difference(&rewriter, instruction, wording);
        notes.extend(changed.map(|message| Note { place, message, is_of_document: true }));
        rewrite(&mut rewriter, instruction, wording);
    }
    let (shader, origins) = rewriter.finish_keeping_files()?;
    Ok(Translation { shader, notes, origins })
}

fn rewrite(rw: &mut Rewriter<'_>, one: &Instruction, wording: Wording) {
    let mut one = one.clone();
    if wording == Wording::CountInX {
        return count_of_each(rw, one);
    }
    match one.opcode {
        Opcode::Kill => one.opcode = Opcode::Kilp,
        Opcode::KillIf => one.opcode = Opcode::Kil,
        Opcode::Uif => test_bits(&mut one),
        Opcode::If => return test_float(rw, one),
        Opcode::Emit | Opcode::Endprim => drop_stream(rw, &mut one),
        _ => {}
    }
    rw.push(one);
}

/// Per-channel counts, where the document has one for all channels: emits one instruction per count.
fn count_of_each(rw: &mut Rewriter<'_>, mut one: Instruction) {
    let (Some(&dst), Some(&count)) = (one.dst.first(), one.src.get(1)) else {
        return rw.problem(Reason::OperandCount);
    };
    let counts = |from: Component| {
        let channels = dst.mask.iter().filter(|&channel| count.swizzle.get(channel) == from);
        channels.fold(WriteMask::NONE, |mask, channel| mask.union(WriteMask::only(channel)))
    };
    let parts = Component::ALL.map(|from| (from, counts(from)));
    let parts: Vec<_> = parts.into_iter().filter(|(_, mask)| !mask.is_empty()).collect();
    let of = |from| Src { swizzle: Swizzle::splat(from), ..count };
    if let [(from, _)] = parts[..] {
        one.src[1] = of(from);
        return rw.push(one);
    }
    let whole = rw.scratch();
    for (from, mask) in parts {
        let mut part = one.clone();
        part.dst[0] = Dst::new(whole).masked(mask);
        part.src[1] = of(from);
        part.saturate = Saturate::None;
        rw.push(part);
    }
    rw.last(&one, Opcode::Mov, dst, &[Src::new(whole)]);
}

/// The old `IF` tests bits. Its modifiers are those of a float; those of an integer make no difference to the test.
fn test_bits(one: &mut Instruction) {
    one.opcode = Opcode::If;
    for condition in &mut one.src {
        (condition.negate, condition.absolute) = (false, false);
    }
}

/// The float test as bits: `SNE` gives 1.0 for a NaN and +0.0 for −0.
fn test_float(rw: &mut Rewriter<'_>, mut one: Instruction) {
    let Some(&condition) = one.src.first() else { return rw.problem(Reason::OperandCount) };
    let zero = rw.f32(0.0);
    let differs = rw.scratch();
    rw.op(Opcode::Sne, Some(Dst::new(differs).masked(WriteMask::X)), &[condition.x(), zero]);
    one.src[0] = Src::new(differs).x();
    rw.push(one);
}

/// Vertices went to stream 0 implicitly.
fn drop_stream(rw: &mut Rewriter<'_>, one: &mut Instruction) {
    let stream = one.src.first().copied();
    let is_zero = stream.is_some_and(|src| {
        let channel = src.swizzle.get(crate::Component::X).index();
        let immediate =
            usize::try_from(src.reg.index).ok().and_then(|index| rw.shader.immediates.get(index));
        src.reg.file == File::Immediate && immediate.is_some_and(|one| one.word(channel) == 0)
    });
    if is_zero {
        one.src.clear();
    } else {
        rw.problem(Reason::OperandCount);
    }
}

/// The difference, by the document of the old dialect, of an instruction that cannot be expressed differently.
fn document_difference(
    rw: &Rewriter<'_>,
    one: &Instruction,
    wording: Wording,
) -> Option<&'static str> {
    match wording {
        Wording::ZeroWithoutSamples if meaning::is_without_samples(rw, one) => {
            Some("of a texture without samples the document has 0")
        }
        Wording::LineArraysWithoutLevels if meaning::is_of_lines(rw, one) => {
            Some("of an array of lines the document has no number of levels")
        }
        _ => None,
    }
}

/// The difference of an instruction in the old dialects for unusual values.
fn difference(one: &Instruction) -> Option<&'static str> {
    match one.opcode {
        Opcode::Rsq => {
            Some("of a negative number it gave the root of the absolute value, not a NaN")
        }
        Opcode::Round => Some("halves were rounded up, not to the even neighbour"),
        Opcode::Min | Opcode::Max => Some("with a NaN the second source came out"),
        Opcode::Shl | Opcode::Ishr | Opcode::Ushr => Some("counts above 31 were not reduced"),
        _ => None,
    }
}
