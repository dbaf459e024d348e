//! The text as `tgsi fmt` prints it.

use lsp_types::TextEdit;
use tgsi_text::{ParseOptions, Style, format};

use crate::document::Document;

/// The edits that format a text: none if it is already formatted, `None` if mistakes keep it from being parsed.
pub(crate) fn edits(document: &Document) -> Option<Vec<TextEdit>> {
    let options = ParseOptions::from(document.parsed.dialect);
    let formatted = format(&document.text, options, Style::Lossless).ok()?;
    let is_same = formatted == document.text;
    Some(if is_same { Vec::new() } else { vec![TextEdit::new(document.whole(), formatted)] })
}
