//! Bit fields of the TGSI token stream, for `tgsi-binary`.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::output::GeneratedFile;
use super::spec::{SpecError, SpecFile};

const SPEC: &str = "tgsi-binary/spec/layout.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    words: Vec<Word>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    name: String,
    fields: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    lo: u8,
    hi: u8,
}

/// Generates `tgsi-binary/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    let mut source = String::from("use crate::field::Field;\n\n");
    for word in &spec.table.words {
        check(&spec, word)?;
        let _ = writeln!(source, "pub(crate) mod {} {{\nuse super::Field;\n", word.name);
        for row in &word.fields {
            let _ = writeln!(
                source,
                "pub(crate) const {}: Field = Field {{ name: \"{}.{}\", lo: {}, hi: {} }};",
                row.name, word.name, row.name, row.lo, row.hi
            );
        }
        source.push_str("}\n\n");
    }
    let path = "tgsi-binary/src/generated/layout.rs".into();
    Ok(vec![GeneratedFile { path, source, specs: vec![SPEC.to_owned()] }])
}

/// No two fields of a word overlap.
fn check(spec: &SpecFile<Table>, word: &Word) -> Result<(), SpecError> {
    let mut taken = 0u32;
    for row in &word.fields {
        if row.lo > row.hi || row.hi > 31 {
            return Err(spec.row_error(&row.name, "bits must run from lo up to hi, at most 31"));
        }
        let mask = (u32::MAX >> (31 - (row.hi - row.lo))) << row.lo;
        if taken & mask != 0 {
            return Err(
                spec.row_error(&row.name, format!("overlaps another field of {}", word.name))
            );
        }
        taken |= mask;
    }
    Ok(())
}
