//! Layouts of words: fields, fixed bits, constants.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{docs, hex, number, token};
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
    /// The fixed value of the field, which is then part of the opcode.
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
    spec.table.words.iter().try_for_each(|word| check(&spec, word))?;
    let about = format!(" Layouts of words: {}.", spec.table.source);
    let words = spec.table.words.iter().map(module);
    let constants = spec.table.constants.iter().map(|constant| {
        let (name, kind) = (token(&constant.name), token(&constant.kind));
        let (about, value) = (docs(&constant.doc), hex(constant.value, 1));
        quote!(#about pub const #name: #kind = #value;)
    });
    let tokens = quote! {
        #![doc = #about]
        use crate::field::{Field, Layout};
        #(#words)*
        #(#constants)*
    };
    Ok(file("words", tokens))
}

/// Checks that each bit of a word is in exactly one row, and that each row is documented.
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

fn module(word: &Word) -> TokenStream {
    let (text, module) = (&word.name, token(&word.name.to_lowercase()));
    let about = docs(&word.doc);
    let names: Vec<_> = word.fields.iter().map(|row| token(&row.name)).collect();
    let fields = word.fields.iter().zip(&names).map(|(row, name)| {
        let (about, text) = (docs(&row.doc), format!("{text}.{}", row.name));
        let (lo, hi) = (number(row.lo), number(row.hi));
        quote!(#about pub const #name: Field = Field { name: #text, lo: #lo, hi: #hi };)
    });
    let fixed = word.fields.iter().filter_map(|row| {
        let (name, value) = (token(&row.name), hex(row.value?, 1));
        Some(quote!((#name, #value)))
    });
    quote! {
        #about
        pub mod #module {
            use super::{Field, Layout};
            #(#fields)*
            /// All fields, lowest first, and those that always hold the same.
            pub static LAYOUT: Layout =
                Layout { name: #text, fields: &[#(#names),*], fixed: &[#(#fixed),*] };
        }
    }
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
