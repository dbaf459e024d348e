//! Tables of `gx2-gfd`: registers of shader structures, enumerations.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::output::GeneratedFile;
use super::rust::{array, docs, hex, number, same, table, token};
use super::spec::{SpecError, SpecFile};

const REGISTERS: &str = "gx2-gfd/spec/registers.ron";
const ENUMS: &str = "gx2-gfd/spec/enums.ron";
const FORMATS: &str = "gx2-gfd/spec/formats.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registers {
    structures: Vec<Structure>,
}

/// The registers of one structure, in its order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Structure {
    name: String,
    doc: String,
    /// Total number of words.
    words: u32,
    registers: Vec<Register>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    doc: String,
    #[serde(default = "one")]
    count: u32,
    fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    lo: u8,
    hi: u8,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enums {
    enums: Vec<Enum>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    doc: String,
    values: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    name: String,
    value: u32,
    /// Its names in other tools.
    #[serde(default)]
    also: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Formats {
    formats: Vec<Format>,
}

/// An attribute format. Its position in the list is its number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    name: String,
    value: u32,
    data_format: u8,
    bytes: u8,
    swap: Swap,
}

/// How bytes of a format are swapped.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Swap {
    None,
    In16,
    In32,
}

fn one() -> u32 {
    1
}

/// Generates `gx2-gfd/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let registers: SpecFile<Registers> = SpecFile::read(root, REGISTERS)?;
    let enums: SpecFile<Enums> = SpecFile::read(root, ENUMS)?;
    let formats: SpecFile<Formats> = SpecFile::read(root, FORMATS)?;
    Ok(vec![register_file(&registers)?, enum_file(&enums)?, format_file(&formats)?])
}

fn register_file(spec: &SpecFile<Registers>) -> Result<GeneratedFile, SpecError> {
    for structure in &spec.table.structures {
        let words: u32 = structure.registers.iter().map(|register| register.count).sum();
        if words != structure.words {
            let message = format!("its registers take {words} words, not {}", structure.words);
            return Err(spec.row_error(&structure.name, message));
        }
        structure.registers.iter().try_for_each(|register| check(spec, register))?;
    }
    let modules = spec.table.structures.iter().map(module);
    let tokens = quote!(use crate::registers::{Field, Register}; #(#modules)*);
    Ok(file("registers", tokens, REGISTERS))
}

/// Checks that no two fields of a register overlap.
fn check(spec: &SpecFile<Registers>, register: &Register) -> Result<(), SpecError> {
    let mut taken = 0_u32;
    for field in &register.fields {
        if field.lo > field.hi || field.hi > 31 {
            return Err(spec.row_error(&field.name, "bits must run from lo up to hi, at most 31"));
        }
        let mask = (u32::MAX >> (31 - (field.hi - field.lo))) << field.lo;
        if taken & mask != 0 {
            let message = format!("it overlaps another field of {}", register.name);
            return Err(spec.row_error(&field.name, message));
        }
        taken |= mask;
    }
    Ok(())
}

fn module(structure: &Structure) -> TokenStream {
    let Structure { name, doc, words, registers } = structure;
    let (module, about, words) = (token(name), docs(doc), number(*words));
    let names = registers.iter().map(|register| token(&register.name));
    let mut first = 0;
    let registers = registers.iter().map(|own| {
        let tokens = register(own, first);
        first += own.count;
        tokens
    });
    quote! {
        #about
        pub mod #module {
            use super::{Field, Register};
            /// Words that they take.
            pub(crate) const WORDS: usize = #words;
            #(#registers)*
            /// All of them, in order.
            pub const ALL: &[Register] = &[#(#names),*];
        }
    }
}

fn register(register: &Register, first: u32) -> TokenStream {
    let Register { name, doc, count, fields } = register;
    let (about, constant) = (docs(doc), token(name));
    let (first, count, fields) = (number(first), number(*count), array(fields.iter().map(field)));
    quote! {
        #about
        pub const #constant: Register =
            Register { name: #name, doc: #doc, first: #first, count: #count, fields: &#fields };
    }
}

fn field(field: &Field) -> TokenStream {
    let Field { name, lo, hi, doc } = field;
    let (lo, hi) = (number(*lo), number(*hi));
    quote!(Field { name: #name, lo: #lo, hi: #hi, doc: #doc })
}

fn enum_file(spec: &SpecFile<Enums>) -> Result<GeneratedFile, SpecError> {
    for own in &spec.table.enums {
        let mut numbers = std::collections::BTreeSet::new();
        if let Some(twice) = own.values.iter().find(|value| !numbers.insert(value.value)) {
            return Err(spec.row_error(&twice.name, "another value has its number"));
        }
    }
    let types = spec.table.enums.iter().map(open_enumeration);
    Ok(file("enums", quote!(use crate::named::named; #(#types)*), ENUMS))
}

/// An open enumeration: a number, some values of which have names. A macro adds the methods that all of them share.
fn open_enumeration(own: &Enum) -> TokenStream {
    let (name, about) = (token(&own.name), docs(&own.doc));
    let constants: Vec<_> = own.values.iter().map(|value| token(&value.name)).collect();
    let abouts = own.values.iter().map(|value| docs(&format!("`{}`.", value.name)));
    let numbers = own.values.iter().map(|value| number(value.value));
    let names = own.values.iter().map(|value| array([&value.name].into_iter().chain(&value.also)));
    quote! {
        #about
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #name(
            /// The number.
            pub u32,
        );

        impl #name {
            #(#abouts pub const #constants: Self = Self(#numbers);)*
            /// Every value that has a name, in order.
            pub const ALL: &[Self] = &[#(Self::#constants),*];
            /// The names of each, its own first.
            const NAMES: &[(Self, &[&str])] = &[#((Self::#constants, &#names)),*];
        }

        named!(#name);
    }
}

fn format_file(spec: &SpecFile<Formats>) -> Result<GeneratedFile, SpecError> {
    for (number, format) in (0..).zip(&spec.table.formats) {
        if format.value != number {
            let message = format!("its value must be its place, {number}");
            return Err(spec.row_error(&format.name, message));
        }
    }
    let row = |format: &Format| {
        let Format { name, data_format, bytes, swap, .. } = format;
        let (data_format, bytes, swap) =
            (hex(*data_format, 2), number(*bytes), same("EndianSwap", swap));
        quote! {
            FormatInfo { name: #name, data_format: #data_format, bytes: #bytes, swap: #swap }
        }
    };
    let rows: Vec<_> = spec.table.formats.iter().map(row).collect();
    let table = table("FORMATS", quote!(FormatInfo), &rows);
    let tokens = quote! {
        use crate::attribute::{EndianSwap, FormatInfo};
        /// Formats by number.
        #table
    };
    Ok(file("formats", tokens, FORMATS))
}

fn file(name: &str, tokens: TokenStream, spec: &str) -> GeneratedFile {
    GeneratedFile::rust(format!("gx2-gfd/src/generated/{name}.rs"), tokens, &[spec])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(words: u32, second: &str) -> String {
        let text = format!(
            "(structures: [(name: \"s\", doc: \"s\", words: {words}, registers: [\n\
             (name: \"R\", doc: \"r\", fields: [\n(name: \"A\", lo: 0, hi: 4, doc: \"a\"),\n{second}])])])"
        );
        let spec: SpecFile<Registers> = SpecFile::parse("registers.ron", text).unwrap();
        register_file(&spec).err().unwrap().to_string()
    }

    #[test]
    fn registers_that_cannot_be_right_are_refused_with_their_row() {
        let overlap = error_of(1, "(name: \"B\", lo: 4, hi: 5, doc: \"b\"),");
        assert_eq!(overlap, "registers.ron:4: row `B`: it overlaps another field of R");
        assert!(error_of(2, "").ends_with("row `s`: its registers take 1 words, not 2"));
    }
}
