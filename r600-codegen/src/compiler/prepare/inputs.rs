//! Adapts the inputs of a fragment shader to the key: adds inputs and changes interpolation.

use std::borrow::Cow;

use tgsi_ir::{
    Declaration, File, Interpolation, Location, Processor, Semantic, SemanticName, Shader, Streams,
};

use crate::abi::ShaderKey;

/// Declares the inputs of `shader` as `key` asks for.
pub(super) fn apply_key(shader: &mut Cow<'_, Shader>, key: &ShaderKey) {
    let is_changed = key.two_sided_color || key.flat_shade || key.sample_shading;
    if shader.processor != Processor::Fragment || !is_changed {
        return;
    }
    let shader = shader.to_mut();
    for declaration in shader.declarations.iter_mut().filter(|d| d.file == File::Input) {
        interpolate_for(declaration, key);
    }
    if key.two_sided_color {
        add_back_colors(shader);
    }
}

fn interpolate_for(declaration: &mut Declaration, key: &ShaderKey) {
    let Some(interp) = &mut declaration.interp else { return };
    if key.flat_shade && interp.mode == Interpolation::Color {
        interp.mode = Interpolation::Constant;
    }
    if key.sample_shading {
        interp.location = Location::Sample;
    }
}

/// Declares a back colour beside each colour that has none, and the face.
fn add_back_colors(shader: &mut Shader) {
    let inputs = || shader.declarations.iter().filter(|d| d.file == File::Input);
    let mut next = inputs().map(|d| d.range.last.saturating_add(1)).max().unwrap_or(0);
    let has_back =
        |index| inputs().flat_map(names).any(|s| (s.name, s.index) == (Semantic::Bcolor, index));
    let mut added = Vec::new();
    for color in inputs() {
        let alone = |s: &SemanticName| s.name == Semantic::Color && !has_back(s.index);
        for semantic in names(color).filter(alone) {
            let mut declaration = color.clone();
            declaration.range.first = next;
            declaration.range.last = next;
            declaration.semantic = Some(SemanticName { name: Semantic::Bcolor, ..semantic });
            declaration.array_id = None;
            next = next.saturating_add(1);
            added.push(declaration);
        }
    }
    let names_face = |d: &Declaration| d.semantic.is_some_and(|s| s.name == Semantic::Face);
    let has_face = shader.declarations.iter().any(names_face);
    let has_colors = shader.declarations.iter().chain(&added).any(is_back_color);
    shader.declarations.append(&mut added);
    if has_colors && !has_face {
        let face = face(shader);
        shader.declarations.push(face);
    }
}

/// The semantic of each register of a declaration: those of a range count up.
fn names(declaration: &Declaration) -> impl Iterator<Item = SemanticName> + use<> {
    let registers = 0..=declaration.range.last.saturating_sub(declaration.range.first);
    let first = declaration.semantic;
    let of = move |n| first.map(|s| SemanticName { index: s.index.saturating_add(n), ..s });
    registers.filter_map(of)
}

fn is_back_color(declaration: &Declaration) -> bool {
    declaration.semantic.is_some_and(|s| s.name == Semantic::Bcolor)
}

/// A declaration of the face as a system value after all others.
fn face(shader: &Shader) -> Declaration {
    let values = shader.declarations.iter().filter(|d| d.file == File::SystemValue);
    let next = values.map(|d| d.range.last.saturating_add(1)).max().unwrap_or(0);
    let semantic = SemanticName { name: Semantic::Face, index: 0, streams: Streams::default() };
    let mut face = Declaration::new(File::SystemValue, next, next);
    face.semantic = Some(semantic);
    face
}
