//! The manual of TGSI: every opcode by subject, as a page.

use super::opcode_docs::{chapter, description};
use super::opcodes::row::{Row, Subject};

const INTRODUCTION: &str = "# TGSI opcodes
Every opcode of Gallium's shader language, today's and those that are gone. `d` is the result, `s` a source
(`s0`, `s1`, … where there are several), and `c` any channel that the writemask asks for. Numbers are those
in token streams, with the Mesa releases that had them. The same text is the documentation of
`tgsi_ir::Opcode`.
";

/// The page, from all opcodes in the order of the table.
pub(super) fn page(rows: &[Row]) -> String {
    let mut rows: Vec<&Row> = rows.iter().filter(|row| !row.is_gap()).collect();
    rows.sort_by_key(|row| row.subject);
    let mut source = String::from(INTRODUCTION);
    for chapter_rows in rows.chunk_by(|a, b| a.subject == b.subject) {
        source += &section(chapter_rows[0].subject, chapter_rows);
    }
    source
}

/// One chapter: its opcodes one after the other.
fn section(subject: Subject, rows: &[&Row]) -> String {
    let mut out = format!("\n## {}\n", chapter(subject));
    for row in rows {
        out += &format!("\n### {}\n{}.\n\n{}\n", row.name, row.title, description(row));
    }
    out
}
