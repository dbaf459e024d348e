//! Finds the declaration of a register.

use std::collections::HashMap;
use std::ops::Range;

use lsp_types::Position;
use tgsi_ir::File;
use tgsi_text::Span;

use crate::document::Document;
use crate::scan::{Kind, words};

/// A register as written.
pub(crate) struct Register {
    file: File,
    /// The first subscript of two.
    dimension: Option<u16>,
    /// `None` if the subscript is a register.
    index: Option<u16>,
    /// The array that the register is selected from.
    array: Option<u16>,
}

/// The register at a position. Each bracket of the line is matched once, and only the text between two brackets is
/// searched for the register: a long text may be a single line.
pub(crate) fn register_at(document: &Document, position: Position) -> Option<Register> {
    let offset = document.offset(position);
    let text = &document.text;
    let line = line_around(text, offset);
    let ends = ends_of_brackets(text, line.clone());
    let files = words(text).into_iter().filter(|word| word.kind == Kind::File);
    let here = files.filter(|word| line.contains(&word.range.start));
    // A register used as a subscript begins after the one that it indexes.
    here.rev().find_map(|word| {
        let subscripts = subscripts(text, word.range.end, &ends);
        let end = subscripts.last().map_or(word.range.end, |last| last.end + 1);
        if !(word.range.start..=end).contains(&offset) {
            return None;
        }
        let (dimension, index) = match &subscripts[..] {
            [index] => (None, number(&text[index.clone()])),
            [dimension, index] => (number(&text[dimension.clone()]), number(&text[index.clone()])),
            _ => return None,
        };
        let file = File::from_name(&text[word.range].to_ascii_uppercase())?;
        Some(Register { file, dimension, index, array: array(&text[end..]) })
    })
}

/// The line of a byte, without its line end.
fn line_around(text: &str, offset: usize) -> Range<usize> {
    let (before, after) = text.split_at(offset);
    let start = before.rfind(LINE_ENDS).map_or(0, |last| last + 1);
    start..offset + after.find(LINE_ENDS).unwrap_or(after.len())
}

/// The closing bracket of each opening bracket in a line; unclosed brackets are left out.
fn ends_of_brackets(text: &str, line: Range<usize>) -> HashMap<usize, usize> {
    let mut open = Vec::new();
    let mut ends = HashMap::new();
    for (at, byte) in line.clone().zip(text[line].bytes()) {
        match byte {
            b'[' => open.push(at),
            b']' => ends.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    ends
}

/// The subscripts that begin at a byte: the contents of their brackets.
fn subscripts(text: &str, mut at: usize, ends: &HashMap<usize, usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    loop {
        let rest = &text[at..];
        let start = at + rest.len() - rest.trim_start_matches(BLANKS).len();
        let Some(&end) = ends.get(&start) else { return found };
        found.push(start + 1..end);
        at = end + 1;
    }
}

/// The number of a subscript, or the first of a range; `None` if the subscript is a register.
fn number(subscript: &str) -> Option<u16> {
    subscript.split("..").next()?.trim().parse().ok()
}

/// Line ends.
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Characters allowed between a register and its subscripts.
const BLANKS: [char; 2] = [' ', '\t'];

/// The parenthesised array at the beginning of a text.
fn array(text: &str) -> Option<u16> {
    let (number, _) = text.trim_start_matches(BLANKS).strip_prefix('(')?.split_once(')')?;
    number.trim().parse().ok()
}

/// The statement that declares a register; the first if there are several.
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
            // An array contains its registers wherever the subscript begins.
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

/// The declaration of the register at a position.
pub(crate) fn find(document: &Document, position: Position) -> Option<lsp_types::Range> {
    let register = register_at(document, position)?;
    statement(document, &register).map(|span| document.range(span))
}
