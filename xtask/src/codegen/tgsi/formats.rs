//! The texel formats.

use std::path::Path;

use quote::quote;
use serde::Deserialize;

use super::super::output::GeneratedFile;
use super::super::rust::{length, table};
use super::super::spec::{SpecError, SpecFile};

const SPEC: &str = "tgsi-ir/spec/image-formats.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    source: String,
    prefix: String,
    formats: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    number: u16,
}

/// Generates the names of the formats, by number and sorted.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    check(&spec)?;
    let names: Vec<String> =
        spec.table.formats.iter().map(|row| format!("{}{}", spec.table.prefix, row.name)).collect();
    let mut sorted: Vec<usize> = (0..names.len()).collect();
    sorted.sort_by_key(|&number| names[number].to_ascii_uppercase());
    let sorted: Vec<_> = sorted.into_iter().map(length).collect();
    let by_number = table("FORMAT_NAMES", quote!(&str), &names);
    let by_name = table("FORMATS_BY_NAME", quote!(u16), &sorted);
    let tokens = quote! {
        /// The names, by number.
        #by_number
        /// The numbers in the order of their names in upper case.
        #by_name
    };
    Ok(GeneratedFile::rust("tgsi-ir/src/generated/formats.rs", tokens, &[SPEC]))
}

/// Numbers run from 0 without gaps, and no name occurs twice.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let mut seen = std::collections::BTreeSet::new();
    for (index, row) in spec.table.formats.iter().enumerate() {
        if usize::from(row.number) != index {
            return Err(spec.row_error(&row.name, format!("expected number {index}")));
        }
        if !seen.insert(row.name.to_ascii_uppercase()) {
            return Err(spec.row_error(&row.name, "the name occurs twice"));
        }
    }
    Ok(())
}
