//! Bit fields of the microcode words.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{docs, number, token};
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Generation, by_generation, doc};

const SPEC: &str = "r600-isa/spec/fields.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    formats: Vec<Format>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    name: String,
    fields: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    generations: Vec<Generation>,
    lo: u8,
    hi: u8,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    spec.table.formats.iter().try_for_each(|format| check(&spec, format))?;
    let modules = spec.table.formats.iter().map(module);
    let tokens = quote!(use crate::field::{Field, FieldSet}; #(#modules)*);
    Ok(GeneratedFile::rust("r600-isa/src/generated/fields.rs", tokens, &[SPEC]))
}

/// Checks that no two fields of a word overlap on any generation.
fn check(spec: &SpecFile<Table>, format: &Format) -> Result<(), SpecError> {
    for generation in Generation::ALL {
        let mut owner: [Option<&str>; 32] = [None; 32];
        for row in format.fields.iter().filter(|row| row.generations.contains(&generation)) {
            if row.lo > row.hi || row.hi > 31 {
                return Err(spec.row_error(&row.name, "bits must run from lo up to hi, at most 31"));
            }
            for bit in row.lo..=row.hi {
                if let Some(other) = owner[usize::from(bit)].replace(&row.name) {
                    let message =
                        format!("bit {bit} of {} is {other}'s on {generation:?}", format.name);
                    return Err(spec.row_error(&row.name, message));
                }
            }
        }
    }
    Ok(())
}

fn module(format: &Format) -> TokenStream {
    let about = docs(&format!("Fields of `{}`.", format.name));
    let module = token(&format.name.to_lowercase());
    let mut names: Vec<&str> = Vec::new();
    for row in &format.fields {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    let fields = names.into_iter().map(|name| field(format, name));
    quote! {
        #about
        pub mod #module {
            use super::{Field, FieldSet};
            #(#fields)*
        }
    }
}

/// A field of a word, with its place on each generation.
fn field(format: &Format, name: &str) -> TokenStream {
    let rows: Vec<&Row> = format.fields.iter().filter(|row| row.name == name).collect();
    let places = Generation::ALL.map(|generation| {
        let row = rows.iter().find(|row| row.generations.contains(&generation));
        row.map(|row| {
            let (lo, hi) = (number(row.lo), number(row.hi));
            quote!(Field { lo: #lo, hi: #hi })
        })
    });
    let (about, places) = (rows.first().map(|row| doc(&row.doc)), by_generation(places));
    let (constant, text) = (token(name), format!("{}.{name}", format.name));
    quote!(#about pub const #constant: FieldSet = FieldSet::new(#text, #places);)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generate_from(text: &str) -> Result<(), SpecError> {
        let spec: SpecFile<Table> = SpecFile::parse("fields.ron", text.to_owned())?;
        spec.table.formats.iter().try_for_each(|format| check(&spec, format))
    }

    #[test]
    fn overlapping_fields_are_refused_with_their_row() {
        let error = generate_from(
            "(formats: [(name: \"W\", fields: [\n\
             (name: \"A\", generations: [R600], lo: 0, hi: 4, doc: \"a\"),\n\
             (name: \"B\", generations: [R600], lo: 4, hi: 5, doc: \"b\"),\n])])",
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "fields.ron:3: row `B`: bit 4 of W is A's on R600");
    }

    #[test]
    fn unknown_keys_are_refused_with_their_place() {
        let error = generate_from("(formats: [], colour: 3)").unwrap_err();
        assert!(error.to_string().starts_with("fields.ron:1:"), "{error}");
        assert!(error.to_string().contains("colour"), "{error}");
    }
}
