//! A method of the builder for each opcode without special operands.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::output::GeneratedFile;
use super::super::rust::{docs, token};
use super::opcodes::row::Row;

/// Names that are keywords of Rust.
const KEYWORDS: [&str; 1] = ["mod"];

/// Generates the methods of `rows`.
pub(super) fn generate(rows: &[&Row], specs: &[&str]) -> GeneratedFile {
    let methods = rows.iter().map(|row| method(row));
    let tokens = quote! {
        use crate::build::{Emitted, ShaderBuilder};
        use crate::{Dst, Opcode, Src};
        /// One method for each opcode with one result and plain sources.
        impl ShaderBuilder { #(#methods)* }
    };
    GeneratedFile::rust("tgsi-ir/src/generated/build.rs", tokens, specs)
}

fn method(row: &Row) -> TokenStream {
    let lower = row.name.to_lowercase();
    let name = if KEYWORDS.contains(&lower.as_str()) { format!("{lower}_") } else { lower };
    let (name, opcode) = (token(&name), row.variant());
    let about = docs(&format!("`{}`: {}; see [`Opcode::{opcode}`].", row.name, row.title));
    let sources: Vec<_> = (0..row.src.len()).map(|index| token(&format!("src{index}"))).collect();
    quote! {
        #about
        pub fn #name(&mut self, dst: impl Into<Dst> #(, #sources: impl Into<Src>)*) -> Emitted<'_> {
            self.emit(Opcode::#opcode, dst, [#(#sources.into()),*])
        }
    }
}
