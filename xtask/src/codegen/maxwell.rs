//! Tables of `maxwell-tex`: word layouts, enumerations, packing, rules, Direct3D.

mod direct3d;
mod enums;
mod packing;
mod rules;
mod words;

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use super::output::GeneratedFile;
use super::rust::{all, derives, docs, length, serde, token, variant};
use super::spec::SpecError;

/// Generates `maxwell-tex/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    Ok(vec![
        words::generate(root)?,
        enums::generate(root)?,
        packing::generate(root)?,
        rules::generate(root)?,
        direct3d::generate(root)?,
    ])
}

/// The file that comes from `maxwell-tex/spec/<name>.ron`.
fn file(name: &str, tokens: TokenStream) -> GeneratedFile {
    let path = format!("maxwell-tex/src/generated/{name}.rs");
    GeneratedFile::rust(path, tokens, &[&spec_path(name)])
}

fn spec_path(name: &str) -> String {
    format!("maxwell-tex/spec/{name}.ron")
}

/// A row of an enumeration.
struct Variant<'a> {
    /// Name in the table.
    name: &'a str,
    /// Its spelling.
    text: &'a str,
    /// Its documentation.
    doc: &'a str,
}

/// An enumeration with `ALL` and `text`. Its discriminants are the row numbers.
fn enumeration(name: &str, about: &str, rows: &[Variant<'_>]) -> TokenStream {
    let (name, about, derives, serde) = (token(name), docs(about), derives(), serde());
    let variants: Vec<_> = rows.iter().map(|row| variant(row.name)).collect();
    let abouts = rows.iter().map(|row| docs(row.doc));
    let all = all("Every one, in the order of the table.", &variants);
    let (count, texts) = (length(rows.len()), rows.iter().map(|row| row.text));
    quote! {
        #about
        #derives
        #serde
        pub enum #name { #(#abouts #variants,)* }

        impl #name {
            #all
            const TEXT: [&'static str; #count] = [#(#texts),*];
            /// How it is written.
            pub const fn text(self) -> &'static str {
                Self::TEXT[self as usize]
            }
        }
    }
}
