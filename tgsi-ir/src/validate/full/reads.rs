//! Rule about reads of unwritten registers.

use super::super::context::Cx;
use super::super::{Code, Diagnostic, Place};
use super::written::{Walk, Written, results, subroutine_ranges};
use crate::{
    File, FlowRole, Indirect, Instruction, InstructionId, Register, Src, SrcRole, TextureTarget,
    WriteMask,
};

/// V210: no path from the start to a read passes a write. Conditions and iteration counts are ignored.
pub(super) fn check(cx: &mut Cx<'_>) {
    let subroutines = subroutine_ranges(&cx.flow);
    let mut walk = Walk::new(cx.dialect, &cx.shader.instructions, &subroutines);
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        walk.enter(cx.shader, &cx.flow, id);
        check_reads(cx, walk.written(), (id, instruction));
        walk.leave(instruction);
    }
}

fn check_reads(
    cx: &mut Cx<'_>,
    written: &Written,
    (id, instruction): (InstructionId, &Instruction),
) {
    for (operand, src) in (0u8..).zip(&instruction.src) {
        let place = Place::Src(id, operand);
        let role = instruction.opcode.info().src_roles.get(usize::from(operand));
        // What is under the fragment was there before.
        if role != Some(&SrcRole::Output) {
            let read = cx.read_mask(instruction, operand.into());
            report_unwritten(cx, written.missing(&src.reg, read), src, place);
        }
        check_indices(cx, written, &src.reg, place);
    }
    for (operand, offset) in (0u8..).zip(instruction.texture.iter().flat_map(|one| &one.offsets)) {
        let source =
            Src { swizzle: offset.swizzle, ..Src::new(Register::new(offset.file, offset.index)) };
        let read = source.read_mask(offset_mask(instruction));
        let missing = written.missing(&source.reg, read);
        report_unwritten(cx, missing, &source, Place::Offset(id, operand));
    }
    for (operand, dst) in (0u8..).zip(&instruction.dst) {
        check_indices(cx, written, &dst.reg, Place::Dst(id, operand));
    }
    check_predicate(cx, written, (id, instruction));
}

/// The channels of the predicate that are asked: one for each channel written, or x.
fn check_predicate(
    cx: &mut Cx<'_>,
    written: &Written,
    (id, instruction): (InstructionId, &Instruction),
) {
    let Some(predicate) = &instruction.predicate else { return };
    let reg = Register::new(File::Predicate, predicate.index);
    let source = Src { swizzle: predicate.swizzle, ..Src::new(reg) };
    let info = instruction.opcode.info();
    let asked = match instruction.dst.len() {
        count @ 1.. if !info.is_store && info.flow == FlowRole::None => (0..count)
            .fold(WriteMask::NONE, |mask, n| mask.union(results(cx.dialect, instruction, n))),
        _ => WriteMask::X,
    };
    let missing = written.missing(&reg, source.read_mask(asked));
    report_unwritten(cx, missing, &source, Place::Instruction(id));
}

/// The channels that texel offsets are asked for: one for each way to go within a texture.
fn offset_mask(instruction: &Instruction) -> WriteMask {
    use TextureTarget as T;
    match instruction.texture.as_ref().map(|texture| texture.target) {
        Some(T::D2 | T::D2Array | T::Rect | T::Shadow2d | T::Shadow2dArray | T::Shadowrect) => {
            WriteMask::XY
        }
        Some(T::D3) => WriteMask::XYZ,
        // One at least, also where the target is in the view alone.
        _ => WriteMask::X,
    }
}

fn check_indices(cx: &mut Cx<'_>, written: &Written, reg: &Register, place: Place) {
    let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
    for Indirect { file, index, component, .. } in reg.indirect.iter().chain(&dimension) {
        let reg = Register::new(*file, *index);
        let missing = written.missing(&reg, WriteMask::only(*component));
        report_unwritten(cx, missing, &Src::new(reg), place);
    }
}

fn report_unwritten(cx: &mut Cx<'_>, missing: WriteMask, src: &Src, place: Place) {
    if missing.is_empty() {
        return;
    }
    let reg = super::super::context::Written(&src.reg);
    let message = format!("`{reg}{missing:?}` is read before anything is written to it");
    let mut finding = Diagnostic::new(Code::ReadBeforeWrite, place, message).help("write it first");
    if let Some((id, _)) = cx.declaration_of(&src.reg) {
        finding = finding.related(Place::Declaration(id), "declared here");
    }
    cx.report(finding);
}
