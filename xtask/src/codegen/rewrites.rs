//! The optimiser's rewrites: rows become a matcher and shapes of shaders that meet them, semantics an evaluator, and
//! all a page of the manual.

pub(crate) mod book;
mod evaluator;
mod kills;
mod matcher;
mod page;
mod shapes;
pub(crate) mod terms;

use std::path::Path;

use self::book::Book;
use super::output::GeneratedFile;
use super::spec::SpecError;

/// Generates the matcher and the evaluator of `r600-codegen`, their page, and the shapes of `difftest`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let book = Book::read(root)?;
    let semantics = "r600-isa/spec/alu.ron";
    let functions = evaluator::tokens(&book).map_err(|message| book.error("semantics", message))?;
    let shapes = shapes::tokens(&book).map_err(|message| book.error("rows", message))?;
    let [evaluator, matcher, rows] = [
        "r600-codegen/src/generated/semantics.rs",
        "r600-codegen/src/generated/rewrites.rs",
        "difftest/src/generated/rows.rs",
    ];
    let page = "docs/manual/rewrites.md";
    Ok(vec![
        GeneratedFile::rust(evaluator, functions, &[semantics]),
        GeneratedFile::rust(matcher, matcher::tokens(&book)?, &[book::SPEC]),
        GeneratedFile::rust(rows, shapes, &[book::SPEC]),
        GeneratedFile::page(page, page::source(&book), &[book::SPEC, semantics]),
    ])
}
