//! Rules from the documents of old dialects, and constructs that those dialects lack.

use std::collections::HashSet;

use super::super::context::{Cx, Written, file_name};
use super::super::{Code, Diagnostic, Place};
use crate::translate::missing_words;
use crate::{
    Declaration, DeclarationId, Dialect, Dst, File, FileAttributes, Instruction, InstructionId,
    Opcode, Processor, Src,
};

pub(super) fn check(cx: &mut Cx<'_>) {
    if !cx.dialect.is_documented() {
        return;
    }
    words_are_there(cx);
    for (id, declaration) in cx.declarations() {
        interpolation_is_of_inputs(cx, id, declaration);
        resource_is_of_a_known_kind(cx, id, declaration);
    }
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        for (operand, dst) in (0u8..).zip(&instruction.dst) {
            channels_are_writable(cx, dst, Place::Dst(id, operand));
            resource_is_writable(cx, instruction, dst, Place::Dst(id, operand));
        }
        loop_operands_are_right(cx, id, instruction);
        scalars_have_one_channel(cx, id, instruction);
    }
}

/// V508.
fn words_are_there(cx: &mut Cx<'_>) {
    let missing = missing_words(cx.shader, cx.dialect);
    if missing.is_empty() {
        return;
    }
    let lacking = Dialect::ALL.map(|dialect| {
        let places = missing_words(cx.shader, dialect).into_iter().map(|missing| missing.place);
        (dialect, places.collect::<HashSet<Place>>())
    });
    for missing in missing {
        let others: Vec<&str> = lacking
            .iter()
            .filter(|(_, places)| !places.contains(&missing.place))
            .map(|(dialect, _)| dialect.name())
            .collect();
        let elsewhere = match &others[..] {
            [] => "no dialect has everything that the shader uses".to_owned(),
            [only] => format!("dialect {only} has it"),
            all => format!("dialects {} have it", all.join(" and ")),
        };
        let mut finding =
            Diagnostic::new(Code::NotInDialect, missing.place, missing.reason.to_string());
        finding.help = missing.reason.help().or(Some(elsewhere));
        cx.report(finding);
    }
}

/// V605.
fn interpolation_is_of_inputs(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let is_input = declaration.file == File::Input && cx.shader.processor == Processor::Fragment;
    if declaration.interp.is_some() && !is_input {
        let name = file_name(declaration.file);
        let message = format!("`{name}` is not interpolated here");
        let finding = Diagnostic::new(Code::InterpolatedFile, Place::Declaration(id), message);
        cx.report(
            finding.help("remove the interpolation: only inputs of fragment shaders have one"),
        );
    }
}

/// V606.
fn resource_is_of_a_known_kind(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    use crate::TextureTarget as T;
    let FileAttributes::Resource(image) = &declaration.attributes else { return };
    let is_known = matches!(
        image.target,
        T::Buffer | T::D1 | T::D2 | T::D3 | T::Cube | T::D1Array | T::D2Array
    );
    if !is_known {
        let name = image.target.name().unwrap_or("?");
        let message = format!("a resource cannot be {name}");
        let finding = Diagnostic::new(Code::ResourceKind, Place::Declaration(id), message);
        cx.report(finding.help("write BUFFER, 1D, 2D, 3D, CUBE, 1DArray or 2DArray"));
    }
}

/// V601.
fn channels_are_writable(cx: &mut Cx<'_>, dst: &Dst, place: Place) {
    if dst.reg.file != File::Output {
        return;
    }
    let Some((id, declaration)) = cx.declaration_of(&dst.reg) else { return };
    let Some(semantic) = declaration.semantic else { return };
    let stage = cx.shader.processor;
    let Some(mask) = cx.dialect.written_channels(semantic.name, stage) else { return };
    if dst.mask.bits() & !mask.bits() != 0 {
        let name = semantic.name.name().unwrap_or("?");
        let message = format!("only `{mask:?}` of {name} can be written here");
        let finding = Diagnostic::new(Code::SemanticChannels, place, message)
            .related(Place::Declaration(id), "declared here")
            .help(format!("write `{}{mask:?}`", Written(&dst.reg)));
        cx.report(finding);
    }
}

/// V602.
fn resource_is_writable(cx: &mut Cx<'_>, instruction: &Instruction, dst: &Dst, place: Place) {
    if instruction.opcode != Opcode::Store || dst.reg.file != File::Resource {
        return;
    }
    let Some((id, declaration)) = cx.declaration_of(&dst.reg) else { return };
    if let FileAttributes::Resource(image) = &declaration.attributes
        && !image.writable
    {
        let message = format!("`{}` is not declared as writable", Written(&dst.reg));
        let finding = Diagnostic::new(Code::ReadOnlyResource, place, message)
            .related(Place::Declaration(id), "declared here")
            .help("declare it with `WR`");
        cx.report(finding);
    }
}

/// V603.
fn loop_operands_are_right(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    let opcode = instruction.opcode.modern_name();
    if cx.dialect != Dialect::Y2010 || !matches!(opcode, Opcode::Bgnfor | Opcode::Endfor) {
        return;
    }
    if let Some(dst) = instruction.dst.first().filter(|dst| dst.reg.file != File::Loop) {
        let message =
            format!("`{opcode}` counts in a loop register, not in `{}`", Written(&dst.reg));
        let finding = Diagnostic::new(Code::LoopOperands, Place::Dst(id, 0), message);
        cx.report(finding.help("write `LOOP[0]`, and declare it"));
    }
    if let Some(src) = instruction.src.first().filter(|src| src.reg.file != File::Constant) {
        let message = format!(
            "`{opcode}` takes its fields from a constant, not from `{}`",
            Written(&src.reg)
        );
        let finding = Diagnostic::new(Code::LoopOperands, Place::Src(id, 0), message);
        cx.report(finding.help("write a register of `CONST`"));
    }
}

/// V604: the value to compare with has one channel.
fn scalars_have_one_channel(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    /// The source with the value.
    const REFERENCE: usize = 3;
    if !matches!(instruction.opcode, Opcode::SampleC | Opcode::SampleCLz) {
        return;
    }
    let is_scalar = |src: &Src| {
        let [first, rest @ ..] = src.swizzle.components();
        rest == [first; 3]
    };
    if let Some(src) = instruction.src.get(REFERENCE).filter(|src| !is_scalar(src)) {
        let message = format!("`{}` compares with one channel", instruction.opcode);
        let finding =
            Diagnostic::new(Code::ScalarOperand, Place::Src(id, REFERENCE as u8), message);
        cx.report(finding.help(format!("write `{}.x`", Written(&src.reg))));
    }
}
