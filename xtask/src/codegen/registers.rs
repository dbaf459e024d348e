//! State registers: hardware state that accompanies a program.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::output::GeneratedFile;
use super::r600::{ByGeneration, Generation};
use super::rust::{docs, hex, number, option, token};
use super::spec::{SpecError, SpecFile};

const SPEC: &str = "r600-isa/spec/registers.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    registers: Vec<Register>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    doc: String,
    #[serde(default = "one")]
    count: u32,
    address: ByGeneration<u32>,
    fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    lo: u8,
    hi: u8,
    /// The last generation that has it, and the first.
    #[serde(default)]
    until: Option<Generation>,
    #[serde(default)]
    since: Option<Generation>,
    doc: String,
}

fn one() -> u32 {
    1
}

/// Generates `r600-isa/src/generated/registers.rs`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    spec.table.registers.iter().try_for_each(|register| check(&spec, register))?;
    let modules = spec.table.registers.iter().map(module);
    let tokens = quote! {
        use crate::field::{Field, FieldSet};
        use crate::state_register::StateRegister;
        #(#modules)*
    };
    Ok(vec![GeneratedFile::rust("r600-isa/src/generated/registers.rs", tokens, &[SPEC])])
}

/// Checks that no two fields of a register overlap.
fn check(spec: &SpecFile<Table>, register: &Register) -> Result<(), SpecError> {
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

fn module(register: &Register) -> TokenStream {
    let Register { name, doc, count, address, fields } = register;
    let addresses = address.values().map(|address| option(address.map(|at| hex(at, 1))));
    let about = docs(&format!("`{name}`: {doc}"));
    let module = token(&name.to_lowercase());
    let count = number(*count);
    let fields = fields.iter().map(|own| field(name, own));
    quote! {
        #about
        pub mod #module {
            use super::{Field, FieldSet, StateRegister};
            /// The register.
            pub const REGISTER: StateRegister =
                StateRegister::new(#name, [#(#addresses),*], #count);
            #(#fields)*
        }
    }
}

/// A field. It has a position on every generation that its row does not exclude.
fn field(register: &str, field: &Field) -> TokenStream {
    let exists = |generation: Generation| {
        field.since.is_none_or(|first| first <= generation)
            && field.until.is_none_or(|last| generation <= last)
    };
    let own: Vec<_> =
        Generation::ALL.into_iter().filter(|&generation| exists(generation)).collect();
    let only = match own.as_slice() {
        [] => "; on no generation".to_owned(),
        [one] => format!("; {one:?}"),
        [first, last] => format!("; {first:?} and {last:?}"),
        [first, .., last] if own.len() < Generation::ALL.len() => {
            format!("; {first:?} to {last:?}")
        }
        _ => String::new(),
    };
    let about = docs(&format!("{}{only}.", capitalised(&field.doc)));
    let (lo, hi) = (number(field.lo), number(field.hi));
    let places =
        Generation::ALL.map(|own| option(exists(own).then(|| quote!(Field { lo: #lo, hi: #hi }))));
    let name = token(&field.name);
    let text = format!("{register}.{}", field.name);
    quote! {
        #about
        pub const #name: FieldSet = FieldSet::new(#text, [#(#places),*]);
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_fields_are_refused_with_their_row() {
        let text = "(registers: [(name: \"R\", doc: \"r\", address: (r600: Some(1), r700: None, \
                    evergreen: None, cayman: None), fields: [\n\
                    (name: \"A\", lo: 0, hi: 4, doc: \"a\"),\n(name: \"B\", lo: 4, hi: 5, doc: \"b\"),\n])])";
        let spec: SpecFile<Table> = SpecFile::parse("registers.ron", text.to_owned()).unwrap();
        let error = check(&spec, &spec.table.registers[0]).unwrap_err();
        assert_eq!(error.to_string(), "registers.ron:3: row `B`: it overlaps another field of R");
    }
}
