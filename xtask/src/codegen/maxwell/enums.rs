//! Enumerations that fill a field, and the generations of shader processors.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{hex, number, table, token};
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Variant, enumeration, file, spec_path};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    enums: Vec<Enum>,
    sms: Vec<Sm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    width: u8,
    doc: String,
    variants: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    text: String,
    code: u8,
    #[serde(default)]
    reserved: bool,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sm {
    name: String,
    major: u8,
    minor: u8,
    sparse: bool,
    f16: bool,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("enums"))?;
    spec.table.enums.iter().try_for_each(|table| check(&spec, table))?;
    let enums = spec.table.enums.iter().map(coded);
    let sms = sms(&spec.table.sms);
    Ok(file("enums", quote!(use crate::sm::SmInfo; #(#enums)* #sms)))
}

/// Names of the variants of an enumeration, in order; empty if there is no such enumeration.
pub(super) fn variants(root: &Path, name: &str) -> Result<Vec<String>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("enums"))?;
    let rows = spec.table.enums.into_iter().filter(|table| table.name == name);
    Ok(rows.flat_map(|table| table.variants).map(|row| row.name).collect())
}

/// Checks that the rows name all codes in order, so that decoding cannot fail.
fn check(spec: &SpecFile<Table>, table: &Enum) -> Result<(), SpecError> {
    for (code, row) in table.variants.iter().enumerate() {
        if usize::from(row.code) != code {
            return Err(spec.row_error(&row.name, format!("{} has code {code} here", table.name)));
        }
    }
    if table.variants.len() != 1 << table.width {
        return Err(spec.row_error(&table.name, "needs a row for every code"));
    }
    Ok(())
}

fn coded(table: &Enum) -> TokenStream {
    let variants: Vec<_> = table
        .variants
        .iter()
        .map(|row| Variant { name: &row.name, text: &row.text, doc: &row.doc })
        .collect();
    let definition = enumeration(&table.name, &table.doc, &variants);
    let reserved = table.variants.iter().map(|row| row.reserved);
    let (name, mask) = (token(&table.name), hex((1_u64 << table.width) - 1, 1));
    quote! {
        #definition

        impl #name {
            /// Its code in a word.
            pub const fn code(self) -> u8 {
                self as u8
            }
            /// The value with this code; bits above the field do not count.
            pub const fn from_code(code: u8) -> Self {
                Self::ALL[(code & #mask) as usize]
            }
            /// Whether the documents give it no meaning.
            pub const fn is_reserved(self) -> bool {
                [#(#reserved),*][self as usize]
            }
        }
    }
}

fn sms(sms: &[Sm]) -> TokenStream {
    let variants: Vec<_> =
        sms.iter().map(|sm| Variant { name: &sm.name, text: &sm.name, doc: &sm.doc }).collect();
    let about = "A generation of Maxwell's shader processors.";
    let definition = enumeration("Sm", about, &variants);
    let row = |sm: &Sm| {
        let Sm { sparse, f16, .. } = sm;
        let (major, minor) = (number(sm.major), number(sm.minor));
        quote!(SmInfo { major: #major, minor: #minor, sparse: #sparse, f16: #f16 })
    };
    let rows: Vec<_> = sms.iter().map(row).collect();
    let table = table("SM_INFO", quote!(SmInfo), &rows);
    quote!(#definition #table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_codes(codes: &[u8]) -> Result<(), String> {
        let rows: Vec<_> = codes
            .iter()
            .map(|code| format!("(name: \"V{code}\", text: \"v\", code: {code}, doc: \"d\")"))
            .collect();
        let text = format!(
            "(sms: [], enums: [\n(name: \"E\", width: 1, doc: \"e\", variants: [\n{}])])",
            rows.join(",\n")
        );
        let spec: SpecFile<Table> = SpecFile::parse("enums.ron", text).unwrap();
        check(&spec, &spec.table.enums[0]).map_err(|error| error.to_string())
    }

    #[test]
    fn every_code_has_one_row() {
        assert_eq!(check_codes(&[0, 1]), Ok(()));
        assert_eq!(
            check_codes(&[0]).unwrap_err(),
            "enums.ron:2: row `E`: needs a row for every code"
        );
        assert_eq!(check_codes(&[0, 2]).unwrap_err(), "enums.ron:4: row `V2`: E has code 1 here");
    }
}
