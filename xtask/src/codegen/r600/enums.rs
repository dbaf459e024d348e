//! Names of values, by generation.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{array, docs, length, number, serde, token};
use crate::codegen::spec::{SpecError, SpecFile};

use super::Generation;

const SPEC: &str = "r600-isa/spec/enums.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    enums: Vec<Enum>,
    selectors: Vec<Selector>,
}

/// The meaning of an ALU source selector: one number, or a range up to `last`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Selector {
    name: String,
    first: u16,
    last: Option<u16>,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    /// Name of the Rust type of its values, for an enumeration that every generation has.
    #[serde(default)]
    typed: Option<String>,
    doc: String,
    values: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    name: String,
    value: u16,
    generations: Vec<Generation>,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    let mut tables = Vec::new();
    for own in &spec.table.enums {
        tables.push(name_table(&spec, own)?);
        tables.extend(own.typed.as_ref().map(|name| typed(name, own)));
    }
    let selectors = selectors(&spec.table);
    let tokens = quote!(#(#tables)* #selectors);
    Ok(GeneratedFile::rust("r600-isa/src/generated/names.rs", tokens, &[SPEC]))
}

/// One array of names for each generation; a value without a name has an empty one.
fn name_table(spec: &SpecFile<Table>, table: &Enum) -> Result<TokenStream, SpecError> {
    let len = table.values.iter().map(|value| usize::from(value.value) + 1).max().unwrap_or(0);
    let values = table.values.iter();
    let lines = values.map(|own| format!("- `{}` ({}): {}.\n", own.name, own.value, own.doc));
    let about = docs(&format!("{}\n\n{}", table.doc, lines.collect::<String>()));
    let rows = Generation::ALL.iter().map(|&of| Ok(array(names(spec, table, (of, len))?)));
    let rows = rows.collect::<Result<Vec<_>, SpecError>>()?;
    let (name, len) = (token(&table.name), length(len));
    Ok(quote!(#about pub(crate) static #name: [[&str; #len]; 4] = [#(#rows),*];))
}

/// A constant for each selector, two for a range, and one for each special operand.
fn selectors(table: &Table) -> TokenStream {
    let constants = table.selectors.iter().map(|Selector { name, first, last, doc }| match last {
        None => selector(name, *first, doc),
        Some(last) => {
            let first = selector(&format!("{name}_FIRST"), *first, &format!("First of the {doc}"));
            let last = selector(&format!("{name}_LAST"), *last, &format!("Last of the {doc}"));
            quote!(#first #last)
        }
    });
    let special = table.enums.iter().filter(|table| table.name == "ALU_SOURCE");
    let special = special.flat_map(|table| &table.values);
    let special = special.map(|value| selector(&value.name, value.value, &value.doc));
    quote! {
        /// Selectors of the sources of ALU instructions.
        pub mod selectors { #(#constants)* #(#special)* }
    }
}

fn selector(name: &str, value: u16, doc: &str) -> TokenStream {
    let about = docs(&format!("{}{}.", doc[..1].to_uppercase(), &doc[1..]));
    let (name, value) = (token(name), number(value));
    quote!(#about pub const #name: u16 = #value;)
}

/// A type of the values that have one meaning in every generation.
fn typed(name: &str, table: &Enum) -> TokenStream {
    let (name, about, serde) = (token(name), docs(&table.doc), serde());
    let is_shared = |value: &&Value| {
        value.generations.len() == Generation::ALL.len() && !value.name.starts_with("RESERVED")
    };
    let variants = table.values.iter().filter(is_shared).map(|value| {
        let about = docs(&format!("`{}`: {}.", value.name, value.doc));
        let (name, value) = (token(&variant(&value.name)), number(value.value));
        quote!(#about #name = #value)
    });
    quote! {
        #about
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #serde
        #[repr(u8)]
        #[non_exhaustive]
        pub enum #name { #(#variants,)* }
    }
}

/// `Fmt32_32Float` of `32_32_FLOAT`: digits keep the underscore between them.
fn variant(name: &str) -> String {
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    let mut text = String::from(if starts_with_digit { "Fmt" } else { "" });
    for part in name.split('_') {
        let follows_digit = text.ends_with(|c: char| c.is_ascii_digit());
        if follows_digit && part.starts_with(|c: char| c.is_ascii_digit()) {
            text.push('_');
        }
        let (first, rest) = part.split_at(part.len().min(1));
        text += first;
        text += &rest.to_lowercase();
    }
    text
}

/// The names of one generation. Fails if a value has two names.
fn names<'t>(
    spec: &SpecFile<Table>,
    table: &'t Enum,
    (generation, len): (Generation, usize),
) -> Result<Vec<&'t str>, SpecError> {
    let mut names = vec![""; len];
    for value in table.values.iter().filter(|value| value.generations.contains(&generation)) {
        if value.doc.trim().is_empty() {
            return Err(spec.row_error(&value.name, "has no doc"));
        }
        let name = &mut names[usize::from(value.value)];
        if !name.is_empty() {
            let message = format!("value {} is {name} already", value.value);
            return Err(spec.row_error(&value.name, message));
        }
        *name = &value.name;
    }
    Ok(names)
}
