//! Pieces of Rust that many generators write: names, numbers, documentation, tables, enumerations.

use std::fmt::Debug;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::names::camel_case;

/// The token that `text` spells. Text that is no token becomes a string, which is invalid where a name is expected.
pub(super) fn token(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|_| Literal::string(text).into_token_stream())
}

/// The variant for a name of a table: `RecipIeee` for `RECIP_IEEE`.
pub(super) fn variant(name: &str) -> TokenStream {
    token(&camel_case(name))
}

/// The variants for names of a table, of an enumeration.
pub(super) fn variants<'a>(
    kind: &str,
    names: impl IntoIterator<Item = &'a String>,
) -> Vec<TokenStream> {
    names.into_iter().map(|name| variant_of(kind, name)).collect()
}

/// The same, with its enumeration: `AluOp::RecipIeee`.
pub(super) fn variant_of(kind: &str, name: &str) -> TokenStream {
    let [kind, name] = [token(kind), variant(name)];
    quote!(#kind::#name)
}

/// A value of the enumeration `kind`, whose variants have the same names in the specs.
pub(super) fn same(kind: &str, value: impl Debug) -> TokenStream {
    let [kind, value] = [token(kind), token(&format!("{value:?}"))];
    quote!(#kind::#value)
}

/// A number without its type.
pub(super) fn number(value: impl Into<u64>) -> Literal {
    Literal::u64_unsuffixed(value.into())
}

/// A length without its type.
pub(super) fn length(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// A number in base 16 with a minimum number of digits.
pub(super) fn hex(value: impl Into<u64>, digits: usize) -> TokenStream {
    token(&format!("{:#0width$x}", value.into(), width = digits + 2))
}

/// `Some(value)` or `None`.
pub(super) fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

/// `[a, b, c]`.
pub(super) fn array<T: ToTokens>(values: impl IntoIterator<Item = T>) -> TokenStream {
    let values = values.into_iter();
    quote!([#(#values),*])
}

/// A documentation comment, a line for each of `text`.
pub(super) fn docs(text: &str) -> TokenStream {
    let line = |line: &str| {
        let line = format!(" {line}");
        let line = line.trim_end();
        quote!(#[doc = #line])
    };
    text.lines().map(line).collect()
}

/// The derives of every enumeration of a table.
pub(super) fn derives() -> TokenStream {
    quote!(#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)])
}

/// The derives of public enumerations with the feature `serde`.
pub(super) fn serde() -> TokenStream {
    quote!(#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))])
}

/// A constant with all variants of an enumeration as an array.
pub(super) fn all(about: &str, variants: &[TokenStream]) -> TokenStream {
    let (docs, count) = (docs(about), length(variants.len()));
    quote!(#docs pub const ALL: [Self; #count] = [#(Self::#variants),*];)
}

/// Sentences by discriminant, separate from the table of properties, so that a program that never prints them does not
/// include them.
pub(super) fn sentences<'a>(name: &str, rows: impl Iterator<Item = &'a str>) -> TokenStream {
    let rows: Vec<_> = rows.collect();
    let table = table(name, quote!(&str), &rows);
    quote! {
        /// What each does, in a line.
        #table
    }
}

/// A static array of rows.
pub(super) fn table(name: &str, kind: impl ToTokens, rows: &[impl ToTokens]) -> TokenStream {
    let (name, count) = (token(name), length(rows.len()));
    quote!(pub(crate) static #name: [#kind; #count] = [#(#rows),*];)
}
