//! Layouts of words: fields, fixed bits, constants.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::{file, spec_path};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    source: String,
    words: Vec<Word>,
    constants: Vec<Constant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    name: String,
    width: u8,
    doc: String,
    fields: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    lo: u8,
    hi: u8,
    /// What the field always holds; it is part of the opcode then.
    #[serde(default)]
    value: Option<u64>,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Constant {
    name: String,
    kind: String,
    value: u64,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("words"))?;
    let mut out = format!(
        "//!\n//! Layouts of words: {}.\n\nuse crate::field::{{Field, Layout}};\n\n",
        spec.table.source
    );
    for word in &spec.table.words {
        check(&spec, word)?;
        write_word(&mut out, word);
    }
    for constant in &spec.table.constants {
        let Constant { name, kind, value, doc } = constant;
        let _ = writeln!(out, "/// {doc}\npub const {name}: {kind} = {value:#x};\n");
    }
    Ok(file("words", out))
}

/// Every bit of a word has exactly one row, and every row an explanation.
fn check(spec: &SpecFile<Table>, word: &Word) -> Result<(), SpecError> {
    let mut next = 0;
    for row in &word.fields {
        if row.doc.is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        if row.lo != next || row.hi < row.lo {
            let message = format!("{} goes on at bit {next}, not at {}", word.name, row.lo);
            return Err(spec.row_error(&row.name, message));
        }
        let width = row.hi - row.lo + 1;
        if row.value.is_some_and(|value| value >= 1 << width) {
            return Err(
                spec.row_error(&row.name, format!("the value needs more than {width} bits"))
            );
        }
        next = row.hi + 1;
    }
    if next != word.width {
        return Err(spec.row_error(&word.name, format!("ends at bit {next} of {}", word.width)));
    }
    Ok(())
}

fn write_word(out: &mut String, word: &Word) {
    let _ = writeln!(
        out,
        "/// {}\npub mod {} {{\nuse super::{{Field, Layout}};\n",
        word.doc,
        word.name.to_lowercase()
    );
    for Row { name, lo, hi, doc, .. } in &word.fields {
        let _ = writeln!(
            out,
            "/// {doc}\npub const {name}: Field = Field {{ name: \"{}.{name}\", lo: {lo}, hi: {hi} }};",
            word.name
        );
    }
    let names: Vec<_> = word.fields.iter().map(|row| row.name.as_str()).collect();
    let fixed: Vec<_> = word
        .fields
        .iter()
        .filter_map(|row| Some(format!("({}, {:#x})", row.name, row.value?)))
        .collect();
    let _ = writeln!(
        out,
        "/// All fields, lowest first, and those that always hold the same.\n\
         pub static LAYOUT: Layout = Layout {{ name: \"{}\", fields: &[{}], fixed: &[{}] }};\n}}\n",
        word.name,
        names.join(", "),
        fixed.join(", ")
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(fields: &str) -> Result<(), String> {
        let text = format!(
            "(source: \"s\", constants: [], words: [(name: \"W\", width: 8, doc: \"w\", fields: [\n{fields}])])"
        );
        let spec: SpecFile<Table> = SpecFile::parse("words.ron", text).unwrap();
        check(&spec, &spec.table.words[0]).map_err(|error| error.to_string())
    }

    #[test]
    fn every_bit_has_one_row() {
        let low = "(name: \"A\", lo: 0, hi: 3, doc: \"a\"),\n";
        assert_eq!(check_text(&format!("{low}(name: \"B\", lo: 4, hi: 7, doc: \"b\")")), Ok(()));
        assert_eq!(
            check_text(&format!("{low}(name: \"B\", lo: 3, hi: 7, doc: \"b\")")).unwrap_err(),
            "words.ron:3: row `B`: W goes on at bit 4, not at 3"
        );
        assert_eq!(check_text(low).unwrap_err(), "words.ron:1: row `W`: ends at bit 4 of 8");
        assert_eq!(
            check_text("(name: \"A\", lo: 0, hi: 7, value: 256, doc: \"a\")").unwrap_err(),
            "words.ron:2: row `A`: the value needs more than 8 bits"
        );
    }
}
