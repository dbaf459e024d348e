//! Rules about modifiers and channels that follow from the types of operands.

use super::super::context::{Cx, Written};
use super::super::{Code, Diagnostic, Place};
use crate::dialect::wording::Wording;
use crate::{Component, Instruction, InstructionId, OpcodeType, Saturate, Src, SrcRole, WriteMask};

pub(super) fn check(cx: &mut Cx<'_>) {
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        let wording = cx.wording(instruction);
        saturation_is_of_floats(cx, id, instruction);
        for (operand, dst) in (0u8..).zip(&instruction.dst) {
            if instruction.dst_type_as(wording, operand.into()).is_64_bit() {
                pairs_are_whole(cx, dst.mask, Place::Dst(id, operand));
            }
        }
        for (operand, src) in (0u8..).zip(&instruction.src) {
            let place = Place::Src(id, operand);
            let ty = type_of_numbers(instruction, wording, operand.into());
            if ty.is_64_bit() {
                let mask = cx.shader.src_mask_as(instruction, operand.into(), wording);
                wide_sources_are_plain(cx, src, place);
                pairs_stay_together(cx, src, mask, place);
            } else {
                absolute_is_of_floats(cx, instruction, src, ty, place);
            }
        }
    }
}

/// V207.
fn saturation_is_of_floats(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    let is_integer = instruction.dst_type_as(cx.wording(instruction), 0).is_integer();
    if instruction.saturate != Saturate::None && is_integer {
        let name = instruction.opcode;
        let message = format!("`{name}` gives integers, whose bits `_SAT` clamps as floats");
        let finding = Diagnostic::new(Code::SaturateInteger, Place::Instruction(id), message);
        cx.report(finding.help("leave `_SAT` out, or clamp with `IMAX` and `IMIN`"));
    }
}

/// V208.
fn pairs_are_whole(cx: &mut Cx<'_>, mask: WriteMask, place: Place) {
    let halves = |pair: WriteMask| {
        let common = mask.bits() & pair.bits();
        common != 0 && common != pair.bits()
    };
    if halves(WriteMask::XY) || halves(WriteMask::ZW) {
        let message = format!("`{mask:?}` takes half of a 64-bit result");
        let finding = Diagnostic::new(Code::SplitPair, place, message);
        cx.report(finding.help("write `.xy`, `.zw` or all four channels"));
    }
}

/// The type of a source's numbers. Counts of 64-bit shifts are integers of 32 bits, whatever the opcode's table says of
/// their type.
fn type_of_numbers(instruction: &Instruction, wording: Wording, n: usize) -> OpcodeType {
    let is_count = instruction.opcode.info().src_roles.get(n) == Some(&SrcRole::PairCounts);
    match instruction.src_type_as(wording, n) {
        OpcodeType::Unsigned64 | OpcodeType::Signed64 if is_count => OpcodeType::Unsigned,
        ty => ty,
    }
}

/// V206.
fn wide_sources_are_plain(cx: &mut Cx<'_>, src: &Src, place: Place) {
    if src.has_modifier() {
        let message =
            format!("a modifier has no meaning on the 64-bit source `{}`", Written(&src.reg));
        let finding = Diagnostic::new(Code::WideModifier, place, message);
        cx.report(finding.help("use `DNEG`, `DABS`, `I64NEG` or `I64ABS`"));
    }
}

/// V209.
fn pairs_stay_together(cx: &mut Cx<'_>, src: &Src, mask: WriteMask, place: Place) {
    let is_split = |low: Component, high: Component| {
        let used = mask.contains(low) && mask.contains(high);
        let (low, high) = (src.swizzle.get(low), src.swizzle.get(high));
        used && !matches!((low, high), (Component::X, Component::Y) | (Component::Z, Component::W))
    };
    if is_split(Component::X, Component::Y) || is_split(Component::Z, Component::W) {
        let message = format!("`{:?}` mixes halves of 64-bit values", src.swizzle);
        let finding = Diagnostic::new(Code::SplitSwizzle, place, message);
        cx.report(finding.help("take whole pairs: `.xyxy`, `.xyzw`, `.zwxy` or `.zwzw`"));
    }
}

/// V205.
fn absolute_is_of_floats(
    cx: &mut Cx<'_>,
    instruction: &Instruction,
    src: &Src,
    ty: OpcodeType,
    place: Place,
) {
    if src.absolute && ty.is_integer() {
        let message =
            format!("`{}` takes an integer here, which has no absolute value", instruction.opcode);
        let finding = Diagnostic::new(Code::AbsoluteInteger, place, message);
        cx.report(finding.help("use `IABS`"));
    }
}
