//! The optimiser's rewrites: rows become a matcher and shapes of shaders that meet them, semantics an evaluator, and
//! all a page of the manual.

pub(crate) mod book;
mod evaluator;
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
    let file = |path: &str, source, specs: &[&str]| GeneratedFile {
        path: path.into(),
        source,
        specs: specs.iter().map(|&spec| spec.to_owned()).collect(),
    };
    let semantics = "r600-isa/spec/alu.ron";
    let functions = evaluator::source(&book).map_err(|message| book.error("semantics", message))?;
    let shapes = shapes::source(&book).map_err(|message| book.error("rows", message))?;
    Ok(vec![
        file("r600-codegen/src/generated/semantics.rs", functions, &[semantics]),
        file("r600-codegen/src/generated/rewrites.rs", matcher::source(&book)?, &[book::SPEC]),
        file("difftest/src/generated/rows.rs", shapes, &[book::SPEC]),
        file("docs/manual/rewrites.md", page::source(&book), &[book::SPEC, semantics]),
    ])
}
