//! Rule about reads of what was never written.

use std::collections::HashMap;

use super::super::context::Cx;
use super::super::{Code, Diagnostic, Place};
use crate::flow::{FlowTree, Node};
use crate::{
    Dst, File, Indirect, Instruction, InstructionId, Register, Src, TextureTarget, WriteMask,
};

/// A register: file, first subscript, subscript.
type Key = (File, Option<i16>, i16);

/// Never written.
const NEVER: usize = usize::MAX;

/// Where each channel is written first. What a subroutine writes counts as written from the start,
/// since it is not known from where it is called.
#[derive(Default)]
struct FirstWrites {
    channels: HashMap<Key, [usize; 4]>,
    /// Files that are written with a subscript that only the running shader knows.
    files: HashMap<File, usize>,
}

/// V210: no write that could come earlier exists. A write later in a loop around the read counts, since
/// an earlier iteration may have done it.
pub(super) fn check(cx: &mut Cx<'_>) {
    let ends = loop_ends(&cx.flow, cx.shader.instructions.len());
    let mut writes = FirstWrites::default();
    for (id, instruction) in cx.instructions() {
        let at = if ends[id.index()] == NEVER { 0 } else { id.index() };
        for dst in &instruction.dst {
            writes.note(dst, at);
        }
    }
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        check_reads(cx, &writes, (id, instruction), ends[id.index()].max(id.index()));
    }
}

fn check_reads(
    cx: &mut Cx<'_>,
    writes: &FirstWrites,
    (id, instruction): (InstructionId, &Instruction),
    before: usize,
) {
    for (operand, src) in (0u8..).zip(&instruction.src) {
        let place = Place::Src(id, operand);
        let read = instruction.src_read_mask(operand.into());
        report_unwritten(cx, writes.missing(&src.reg, read, before), src, place);
        let dimension = src.reg.dimension.and_then(|dimension| dimension.indirect);
        for indirect in src.reg.indirect.iter().chain(&dimension) {
            check_index(cx, writes, indirect, place, before);
        }
    }
    for (operand, offset) in (0u8..).zip(instruction.texture.iter().flat_map(|one| &one.offsets)) {
        let source =
            Src { swizzle: offset.swizzle, ..Src::new(Register::new(offset.file, offset.index)) };
        let read = source.read_mask(offset_mask(instruction));
        let missing = writes.missing(&source.reg, read, before);
        report_unwritten(cx, missing, &source, Place::Offset(id, operand));
    }
    for (operand, dst) in (0u8..).zip(&instruction.dst) {
        let dimension = dst.reg.dimension.and_then(|dimension| dimension.indirect);
        for indirect in dst.reg.indirect.iter().chain(&dimension) {
            check_index(cx, writes, indirect, Place::Dst(id, operand), before);
        }
    }
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

fn check_index(
    cx: &mut Cx<'_>,
    writes: &FirstWrites,
    indirect: &Indirect,
    place: Place,
    before: usize,
) {
    let reg = Register::new(indirect.file, indirect.index);
    let missing = writes.missing(&reg, WriteMask::only(indirect.component), before);
    report_unwritten(cx, missing, &Src::new(reg), place);
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

impl FirstWrites {
    fn note(&mut self, dst: &Dst, at: usize) {
        if dst.reg.is_indirect() {
            let first = self.files.entry(dst.reg.file).or_insert(NEVER);
            *first = at.min(*first);
            return;
        }
        let first = self.channels.entry(key(&dst.reg)).or_insert([NEVER; 4]);
        for channel in dst.mask.iter() {
            first[channel.index()] = at.min(first[channel.index()]);
        }
    }

    /// The channels of `read` that nothing writes before `before`.
    fn missing(&self, reg: &Register, read: WriteMask, before: usize) -> WriteMask {
        let starts_empty =
            matches!(reg.file, File::Temporary | File::Address | File::Output | File::Predicate);
        if !starts_empty || reg.is_indirect() {
            return WriteMask::NONE;
        }
        let anywhere = self.files.get(&reg.file).is_some_and(|&first| first < before);
        if anywhere {
            return WriteMask::NONE;
        }
        let first = self.channels.get(&key(reg)).copied().unwrap_or([NEVER; 4]);
        read.iter()
            .filter(|channel| first[channel.index()] >= before)
            .fold(WriteMask::NONE, |mask, channel| mask.union(WriteMask::only(channel)))
    }
}

fn key(reg: &Register) -> Key {
    (reg.file, reg.dimension.map(|dimension| dimension.index), reg.index)
}

/// For each instruction the end of the outermost loop around it, 0 outside of loops, and [`NEVER`] in
/// subroutines, before which anything may run.
fn loop_ends(flow: &FlowTree, len: usize) -> Vec<usize> {
    let mut ends = vec![0; len];
    for (_, node) in flow.nodes() {
        if let Node::Loop(node) = node {
            fill(&mut ends, node.begin, node.end, node.end.index());
        }
    }
    for sub in flow.subroutines() {
        fill(&mut ends, sub.begin, sub.end, NEVER);
    }
    ends
}

fn fill(ends: &mut [usize], begin: InstructionId, end: InstructionId, value: usize) {
    if let Some(part) = ends.get_mut(begin.index()..=end.index()) {
        for slot in part {
            *slot = value.max(*slot);
        }
    }
}
