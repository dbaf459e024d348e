//! Properties of ALU operations: the words of the table's columns.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{docs, number, same, token};
use crate::codegen::spec::{SpecError, SpecFile};
use crate::codegen::word::Word;

const SPEC: &str = "r600-isa/spec/alu-properties.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    enums: Vec<Enum>,
    flags: Vec<Flag>,
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
    #[serde(default)]
    text: String,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Flag {
    name: String,
    constant: String,
    doc: String,
}

/// The properties that operations can have.
pub(super) struct Properties(SpecFile<Table>);

impl Properties {
    pub(super) fn read(root: &Path) -> Result<Self, SpecError> {
        Ok(Self(SpecFile::read(root, SPEC)?))
    }

    /// The value of the enumeration `kind` that a column names.
    pub(super) fn value(&self, kind: &str, word: &Word) -> Result<TokenStream, String> {
        self.find(kind, |value| *word == *value.name.as_str(), word.as_str())?;
        Ok(same(kind, word))
    }

    /// The spelling, in listings, of the value of the enumeration `kind` that a column names.
    pub(super) fn text(&self, kind: &str, word: &Word) -> Result<&str, String> {
        let value = self.find(kind, |value| *word == *value.name.as_str(), word.as_str())?;
        Ok(&value.text)
    }

    /// The value of the enumeration `kind` with this spelling.
    pub(super) fn written(&self, kind: &str, text: &str) -> Result<TokenStream, String> {
        let value = self.find(kind, |value| value.text == text, text)?;
        let (kind, name) = (token(kind), token(&value.name));
        Ok(quote!(crate::#kind::#name))
    }

    fn find(
        &self,
        kind: &str,
        is_wanted: impl Fn(&Value) -> bool,
        word: &str,
    ) -> Result<&Value, String> {
        let own = self.0.table.enums.iter().filter(|own| own.name == kind);
        let found = own.flat_map(|own| &own.values).find(|value| is_wanted(value));
        found.ok_or_else(|| format!("{kind} has no `{word}`"))
    }

    /// The constant of a flag.
    pub(super) fn flag(&self, name: &str) -> Result<TokenStream, String> {
        let flag = self.0.table.flags.iter().find(|flag| flag.name == name);
        let constant = flag.map(|flag| token(&flag.constant));
        let constant = constant.ok_or_else(|| format!("unknown flag {name}"))?;
        Ok(quote!(AluFlags::#constant))
    }

    /// The module with enumerations and flags.
    pub(super) fn file(&self) -> Result<GeneratedFile, SpecError> {
        let Table { enums, flags } = &self.0.table;
        let values = enums.iter().flat_map(|own| &own.values).map(|own| (&own.name, &own.doc));
        let all = values.chain(flags.iter().map(|flag| (&flag.name, &flag.doc)));
        if let Some((name, _)) = all.into_iter().find(|(_, doc)| doc.trim().is_empty()) {
            return Err(self.0.row_error(name, "has no doc"));
        }
        let enums = enums.iter().map(enumeration);
        let flags = (0_u8..).zip(flags).map(|(bit, flag)| {
            let (about, name, bit) = (docs(&flag.doc), token(&flag.constant), number(bit));
            quote!(#about pub const #name: Self = Self::bit(#bit);)
        });
        let tokens = quote! {
            use crate::AluFlags;
            #(#enums)*
            impl AluFlags { #(#flags)* }
        };
        Ok(GeneratedFile::rust("r600-isa/src/generated/alu_properties.rs", tokens, &[SPEC]))
    }
}

fn enumeration(own: &Enum) -> TokenStream {
    let (name, about) = (token(&own.name), docs(&own.doc));
    let variants = own.values.iter().map(|value| token(&value.name));
    let abouts = own.values.iter().map(|value| docs(&value.doc));
    quote! {
        #about
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name { #(#abouts #variants,)* }
    }
}
