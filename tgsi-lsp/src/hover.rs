//! Hover text: the manual's section on an opcode, or the declaration of a register.

use std::collections::HashMap;
use std::sync::OnceLock;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};

use crate::declaration;
use crate::document::Document;
use crate::scan::{Kind, opcode, words};

/// The manual's page of opcodes, with a third-level heading for each.
const MANUAL: &str = include_str!("../generated/opcodes.md");

/// The sections of the manual by opcode name.
fn sections() -> &'static HashMap<&'static str, &'static str> {
    static SECTIONS: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    SECTIONS.get_or_init(|| {
        let parts = MANUAL.split("\n### ").skip(1);
        let section = |part: &'static str| {
            let (name, text) = part.split_once('\n')?;
            // The next chapter's heading is not part of the section.
            Some((name.trim(), text.split("\n## ").next()?.trim()))
        };
        parts.filter_map(section).collect()
    })
}

/// The hover text at a position.
pub(crate) fn at(document: &Document, position: Position) -> Option<Hover> {
    let offset = document.offset(position);
    let word = words(&document.text).into_iter().find(|word| {
        word.kind == Kind::Opcode && (word.range.start..=word.range.end).contains(&offset)
    });
    if let Some(word) = word {
        let name = opcode(&document.text[word.range.clone()])?.info().name;
        let text = format!("### {name}\n{}", sections().get(name)?);
        let range =
            Range::new(document.position(word.range.start), document.position(word.range.end));
        return Some(markdown(text, Some(range)));
    }
    let register = declaration::register_at(document, position)?;
    let span = declaration::statement(document, &register)?;
    let statement = document.text.get(span.range())?;
    Some(markdown(format!("```tgsi\n{statement}\n```"), None))
}

fn markdown(value: String, range: Option<Range>) -> Hover {
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Hover { contents, range }
}

#[cfg(test)]
mod tests {
    use tgsi_ir::Opcode;

    use super::*;

    #[test]
    fn every_opcode_of_today_has_a_section() {
        for name in ["MOV", "TEX", "MAD", "BGNLOOP", "ATOMUADD", "INTERP_OFFSET"] {
            assert!(Opcode::from_name(name).is_some());
            assert!(sections().contains_key(name), "{name}");
        }
        assert!(sections().values().all(|text| !text.contains("\n## ")));
    }
}
