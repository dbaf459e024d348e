//! Where a register is declared.

use lsp_types::{Position, Range};
use tgsi_ir::File;
use tgsi_text::Span;

use crate::document::Document;
use crate::scan::{Kind, words};

/// A register as it is written.
pub(crate) struct Register {
    file: File,
    /// The first subscript of two.
    dimension: Option<u16>,
    /// `None` where a register picks it.
    index: Option<u16>,
    /// The array that is picked from.
    array: Option<u16>,
}

/// The register at a place, with the bytes of its name and subscripts.
pub(crate) fn register_at(document: &Document, position: Position) -> Option<Register> {
    let offset = document.offset(position);
    let text = &document.text;
    let files = words(text).into_iter().filter(|word| word.kind == Kind::File);
    let mut around = files.filter_map(|word| {
        let rest = &text[word.range.end..];
        let (subscripts, len) = subscripts(rest);
        let array = array(&rest[len..]);
        let is_here = (word.range.start..=word.range.end + len).contains(&offset);
        let file = File::from_name(&text[word.range].to_ascii_uppercase())?;
        let (dimension, index) = match subscripts[..] {
            [index] => (None, index),
            [dimension, index] => (dimension, index),
            _ => return None,
        };
        is_here.then_some(Register { file, dimension, index, array })
    });
    // A subscript that is a register begins after the one it picks.
    around.next_back()
}

/// The subscripts that a text begins with, and their bytes; those that a register picks are `None`.
fn subscripts(text: &str) -> (Vec<Option<u16>>, usize) {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(inside) = rest.trim_start_matches(BLANKS).strip_prefix('[') {
        // A subscript that is a register holds brackets of its own.
        let mut depth = 1;
        let end = inside.char_indices().find(|(_, letter)| {
            depth += match letter {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            depth == 0 || *letter == '\n'
        });
        let Some((end, ']')) = end else { break };
        found.push(inside[..end].trim().parse().ok());
        rest = &inside[end + 1..];
    }
    (found, text.len() - rest.len())
}

/// What may stand between a register and its subscripts.
const BLANKS: [char; 2] = [' ', '\t'];

/// The array in parentheses that a text begins with.
fn array(text: &str) -> Option<u16> {
    let (number, _) = text.trim_start_matches(BLANKS).strip_prefix('(')?.split_once(')')?;
    number.trim().parse().ok()
}

/// The statement that declares a register: of several, the first.
pub(crate) fn statement(document: &Document, register: &Register) -> Option<Span> {
    let map = &document.parsed.source_map;
    let place = |place| map.span(place, &document.text);
    if register.file == File::Immediate {
        let id = tgsi_ir::ImmediateId(u32::from(register.index?));
        let is_there = usize::from(register.index?) < document.parsed.shader.immediates.len();
        return is_there.then(|| place(tgsi_ir::validate::Place::Immediate(id)));
    }
    let declarations = document.parsed.shader.declarations.iter().enumerate();
    let found = declarations.filter(|(_, declared)| declared.file == register.file).find(
        |(_, declared)| {
            let range = declared.range;
            let is_dimension = declared.dimension.is_none()
                || register.dimension.is_none()
                || declared.dimension == register.dimension;
            let is_index =
                register.index.is_none_or(|index| (range.first..=range.last).contains(&index));
            // An array has its registers wherever the subscript begins.
            match register.array {
                Some(array) => declared.array_id == Some(array),
                None => is_dimension && is_index,
            }
        },
    );
    let (number, _) = found?;
    let id = tgsi_ir::DeclarationId(number as u32);
    Some(place(tgsi_ir::validate::Place::Declaration(id)))
}

/// Where the register at a place is declared.
pub(crate) fn find(document: &Document, position: Position) -> Option<Range> {
    let register = register_at(document, position)?;
    statement(document, &register).map(|span| document.range(span))
}
