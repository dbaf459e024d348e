//! Rules about declarations and immediates among themselves.

use std::collections::BTreeMap;

use super::super::context::{Cx, file_name};
use super::super::registers::{Intervals, Subscript};
use super::super::{Code, Diagnostic, Place};
use crate::{
    Component, Declaration, DeclarationId, File, FileAttributes, ImmediateId, Interpolation,
    ItemKind, Location, Processor, Semantic,
};

/// Fills the table of declared registers, and checks the declarations on the way.
pub(super) fn check(cx: &mut Cx<'_>) {
    for index in 0..cx.shader.immediates.len().min(usize::from(u16::MAX)) {
        let place = Place::Immediate(ImmediateId::from_index(index));
        let number = index as u16;
        cx.declared.declare(File::Immediate, Subscript::None, (number, number), place);
    }
    for (id, declaration) in cx.declarations() {
        file_exists(cx, id, declaration);
        numbers_mean_something(cx, id, declaration);
        range_runs_upwards(cx, id, declaration);
        registers_are_new(cx, id, declaration);
        semantic_is_there(cx, id, declaration);
    }
    arrays_are_unique(cx);
    semantics_are_unique(cx);
    items_come_before_instructions(cx);
}

/// V005.
fn file_exists(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    if matches!(declaration.file, File::Null | File::Unknown(_)) {
        let (message, help) = match declaration.file {
            File::Unknown(number) => {
                (format!("there is no register file {number}"), "files are numbered from 1")
            }
            _ => ("`NULL` cannot be declared".to_owned(), "write to it without a declaration"),
        };
        cx.report(Diagnostic::new(Code::InvalidFile, Place::Declaration(id), message).help(help));
    }
}

/// V507 for declarations.
fn numbers_mean_something(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let mut unknown = Vec::new();
    if let Some(semantic) = declaration.semantic
        && let Semantic::Unknown(number) = semantic.name
    {
        unknown.push(("semantic", u32::from(number)));
    }
    if let Some(semantic) = declaration.semantic {
        let range = declaration.range;
        let last = u32::from(semantic.index) + u32::from(range.last.saturating_sub(range.first));
        if last > u32::from(u16::MAX) {
            unknown.push(("semantic with the index", last));
        }
    }
    if let Some(interp) = declaration.interp {
        if let Interpolation::Unknown(number) = interp.mode {
            unknown.push(("interpolation mode", number.into()));
        }
        if let Location::Unknown(number) = interp.location {
            unknown.push(("location", number.into()));
        }
    }
    let target = match &declaration.attributes {
        FileAttributes::Image(image) | FileAttributes::Resource(image) => Some(image.target),
        FileAttributes::SamplerView(view) => Some(view.target),
        FileAttributes::None
        | FileAttributes::Atomic
        | FileAttributes::Memory(_)
        | FileAttributes::Values(_) => None,
    };
    if let Some(crate::TextureTarget::Other(number)) = target {
        unknown.push(("kind of texture", number.into()));
    }
    for (what, number) in unknown {
        let message = format!("there is no {what} {number}");
        cx.report(Diagnostic::new(Code::UnknownNumber, Place::Declaration(id), message));
    }
}

/// V101.
fn range_runs_upwards(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let range = declaration.range;
    if range.is_empty() {
        let message = format!("the range {}..{} is empty", range.first, range.last);
        let finding = Diagnostic::new(Code::ReversedRange, Place::Declaration(id), message)
            .help(format!("write {}..{}", range.last, range.first));
        cx.report(finding);
    }
}

/// V012.
fn registers_are_new(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let file = declaration.file;
    let subscript = cx.subscript_of(declaration);
    let range = (declaration.range.first, declaration.range.last);
    let place = Place::Declaration(id);
    let mut clashes = cx.declared.declare(file, subscript, range, place);
    if matches!(file, File::Input | File::Output) {
        clashes = declared_by_channel(cx, (file, subscript), declaration, place);
    }
    for (first, last, origin) in clashes {
        let name = file_name(file);
        let message = match first == last {
            true => format!("`{name}[{first}]` is declared already"),
            false => format!("`{name}[{first}..{last}]` is declared already"),
        };
        let finding = Diagnostic::new(Code::DeclaredTwice, place, message)
            .related(origin, "declared here")
            .help("leave it out of one of the declarations");
        cx.report(finding);
        cx.declared_twice.insert(id);
    }
}

/// Declares the channels of inputs or outputs; gives the registers of which some channel is declared already.
fn declared_by_channel(
    cx: &mut Cx<'_>,
    (file, subscript): (File, Subscript),
    declaration: &Declaration,
    place: Place,
) -> Vec<(u16, u16, Place)> {
    let range = (declaration.range.first, declaration.range.last);
    let mut clashes = Vec::new();
    for channel in declaration.usage_mask.iter() {
        let channel = &mut cx.declared_channels[channel.index()];
        let others = channel.declare(file, subscript, range, place);
        if clashes.is_empty() {
            clashes = others;
        }
    }
    clashes
}

/// V105.
fn semantic_is_there(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let needs = match declaration.file {
        File::Input => !matches!(cx.shader.processor, Processor::Vertex | Processor::Compute),
        File::Output | File::SystemValue => true,
        _ => false,
    };
    if needs && declaration.semantic.is_none() {
        let name = file_name(declaration.file);
        let message = format!("`{name}[{}]` has no semantic", declaration.range.first);
        let finding = Diagnostic::new(Code::MissingSemantic, Place::Declaration(id), message)
            .help("give it a semantic, for example `GENERIC[0]`");
        cx.report(finding);
    }
}

/// V103.
fn arrays_are_unique(cx: &mut Cx<'_>) {
    for (id, declaration) in cx.declarations() {
        let Some(array) = declaration.array_id.filter(|&array| array != 0) else { continue };
        let first = *cx.arrays.entry((declaration.file, array)).or_insert(id);
        if first == id {
            continue;
        }
        let name = file_name(declaration.file);
        let message = format!("array {array} of `{name}` is declared already");
        let finding = Diagnostic::new(Code::ArrayTwice, Place::Declaration(id), message)
            .related(Place::Declaration(first), "declared here")
            .help("give this one another number");
        cx.report(finding);
    }
}

/// V106. Ranges take consecutive indices of the semantic; declarations may share one by channels.
fn semantics_are_unique(cx: &mut Cx<'_>) {
    let mut seen: BTreeMap<(File, Semantic, Component, u8), Intervals> = BTreeMap::new();
    for (id, declaration) in cx.declarations() {
        if cx.is_full() {
            return;
        }
        let Some(semantic) = declaration.semantic else { continue };
        if declaration.range.is_empty() {
            continue;
        }
        let first = semantic.index;
        let last = first.saturating_add(declaration.range.last - declaration.range.first);
        let mut clash = None;
        for channel in declaration.usage_mask.iter() {
            // Each stream of vertices has outputs of its own.
            let stream = match declaration.file {
                File::Output => semantic.streams.0[channel.index()],
                _ => 0,
            };
            let key = (declaration.file, semantic.name, channel, stream);
            let taken = seen.entry(key).or_default();
            let others = taken.insert(first, last, Place::Declaration(id));
            clash = clash.or(others.first().map(|&(_, _, other)| other));
        }
        if let Some(other) = clash {
            let name = semantic.name.name().unwrap_or("?");
            let message = format!("`{name}[{first}]` is the semantic of two declarations");
            // The compiler exports an output as a whole.
            let help = match declaration.file {
                File::Output => "give one of them another index, or write both in one register",
                _ => "give one of them another index, or other channels",
            };
            let finding = Diagnostic::new(Code::SemanticTwice, Place::Declaration(id), message)
                .related(other, "the other one")
                .help(help);
            cx.report(finding);
        }
    }
}

/// V010, V011.
fn items_come_before_instructions(cx: &mut Cx<'_>) {
    let mut late = false;
    let mut next = [0usize; 4];
    for run in cx.shader.runs() {
        let start = next[run.kind as usize];
        next[run.kind as usize] += run.len as usize;
        late |= run.kind == ItemKind::Instruction;
        if !late {
            continue;
        }
        for index in start..start + run.len as usize {
            if cx.is_full() {
                return;
            }
            let (code, place, what) = match run.kind {
                ItemKind::Declaration => {
                    let id = DeclarationId::from_index(index);
                    (Code::LateDeclaration, Place::Declaration(id), "declaration")
                }
                ItemKind::Immediate => {
                    let id = ImmediateId::from_index(index);
                    (Code::LateImmediate, Place::Immediate(id), "immediate")
                }
                ItemKind::Property | ItemKind::Instruction => break,
            };
            let finding = Diagnostic::new(code, place, format!("{what} after an instruction"))
                .help("move it before the first instruction");
            cx.report(finding);
        }
    }
}
