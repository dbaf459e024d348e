//! Bit fields of the TGSI token stream, for `tgsi-binary`.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::names::camel_case;
use super::output::GeneratedFile;
use super::rust::{docs, hex, length, number, token, variant};
use super::spec::{SpecError, SpecFile};
use super::tgsi::DIALECTS;

const SPEC: &str = "tgsi-binary/spec/layout.ron";

/// Dialects, in the order of `tgsi_ir::Dialect::ALL`.
const NUM_DIALECTS: usize = DIALECTS.len();

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    source: String,
    words: Vec<Word>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    name: String,
    #[serde(default)]
    head: bool,
    doc: String,
    fields: Vec<Row>,
}

impl Word {
    /// Bits that belong to a field in a dialect.
    fn used(&self, dialect: usize) -> u32 {
        self.fields.iter().filter_map(|row| row.bits()[dialect]).map(mask).fold(0, |a, b| a | b)
    }
}

/// First and last bit.
type Bits = (u8, u8);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    all: Option<Bits>,
    y2010: Option<Bits>,
    y2012: Option<Bits>,
    y2021: Option<Bits>,
    doc: String,
}

impl Row {
    /// The bits in each dialect.
    fn bits(&self) -> [Option<Bits>; NUM_DIALECTS] {
        [self.y2010, self.y2012, self.y2021].map(|own| own.or(self.all))
    }
}

fn mask((lo, hi): Bits) -> u32 {
    (u32::MAX >> (31 - (hi - lo))) << lo
}

/// Generates `tgsi-binary/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    for word in &spec.table.words {
        (0..NUM_DIALECTS).try_for_each(|dialect| check(&spec, word, dialect))?;
    }
    let words = &spec.table.words;
    let structs = words.iter().map(word_struct);
    let (kind, layout) = (word_kind(words), layout_struct(words, &spec.table.source));
    let layouts = layouts(words);
    let tokens = quote!(use crate::field::Field; #(#structs)* #kind #layout #layouts);
    Ok(vec![GeneratedFile::rust("tgsi-binary/src/generated/layout.rs", tokens, &[SPEC])])
}

/// Checks that the fields of a word do not overlap, and that each is documented.
fn check(spec: &SpecFile<Table>, word: &Word, dialect: usize) -> Result<(), SpecError> {
    let mut taken = 0u32;
    for row in &word.fields {
        if row.doc.is_empty() || word.doc.is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        let Some((lo, hi)) = row.bits()[dialect] else { continue };
        if lo > hi || hi > 31 {
            return Err(spec.row_error(&row.name, "bits must run from lo up to hi, at most 31"));
        }
        let mask = mask((lo, hi));
        if taken & mask != 0 {
            return Err(
                spec.row_error(&row.name, format!("overlaps another field of {}", word.name))
            );
        }
        taken |= mask;
    }
    Ok(())
}

fn struct_name(word: &Word) -> TokenStream {
    token(&format!("{}Word", camel_case(&word.name)))
}

/// The struct of a word's fields, with the functions that visit all of them.
fn word_struct(word: &Word) -> TokenStream {
    let (name, about) = (struct_name(word), docs(&word.doc));
    let count = length(word.fields.len());
    let fields: Vec<_> = word.fields.iter().map(|row| token(&row.name)).collect();
    let abouts = word.fields.iter().map(|row| docs(&row.doc));
    quote! {
        #about
        pub(crate) struct #name {
            #(#abouts pub(crate) #fields: Field,)*
            /// Bits that some field holds.
            pub(crate) used: u32,
        }

        impl #name {
            /// All fields, in order.
            pub(crate) const fn fields(&self) -> [Field; #count] {
                [#(self.#fields),*]
            }
            /// The same fields counted from the other end of the word.
            const fn mirrored(&self) -> Self {
                Self { #(#fields: self.#fields.mirrored(),)* used: self.used.reverse_bits() }
            }
        }
    }
}

/// What a word is, for listings.
fn word_kind(words: &[Word]) -> TokenStream {
    let abouts = words.iter().map(|word| docs(&word.doc));
    let variants: Vec<_> = words.iter().map(|word| variant(&word.name)).collect();
    let names = words.iter().map(|word| &word.name);
    let heads = words.iter().filter(|word| word.head).map(|word| variant(&word.name));
    quote! {
        /// What a word is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum WordKind { #(#abouts #variants,)* }

        impl WordKind {
            /// Its name in listings.
            pub(crate) const fn name(self) -> &'static str {
                match self { #(Self::#variants => #names,)* }
            }
            /// Whether it is the first of an item.
            pub(crate) const fn is_head(self) -> bool {
                matches!(self, #(Self::#heads)|*)
            }
        }
    }
}

fn layout_struct(words: &[Word], origin: &str) -> TokenStream {
    let about = docs(&format!("The words of one dialect ({origin})."));
    let abouts = words.iter().map(|word| docs(&word.doc));
    let names: Vec<_> = words.iter().map(|word| token(&word.name)).collect();
    let types = words.iter().map(struct_name);
    let kinds = words.iter().map(|word| variant(&word.name));
    quote! {
        #about
        pub(crate) struct Layout { #(#abouts pub(crate) #names: #types,)* }

        impl Layout {
            /// The layout of a machine whose compilers fill words from the highest bit.
            pub(crate) const fn mirrored(&self) -> Self {
                Self { #(#names: self.#names.mirrored(),)* }
            }
            /// The fields of a kind of word.
            pub(crate) fn fields(&self, kind: WordKind) -> Vec<Field> {
                match kind { #(WordKind::#kinds => self.#names.fields().to_vec(),)* }
            }
        }
    }
}

fn layouts(words: &[Word]) -> TokenStream {
    let count = length(NUM_DIALECTS);
    let layouts = (0..NUM_DIALECTS).map(|dialect| {
        let words = words.iter().map(|word| word_value(word, dialect));
        quote!(Layout { #(#words),* })
    });
    quote! {
        /// By the index of the dialect.
        pub(crate) const LAYOUTS: [Layout; #count] = [#(#layouts),*];
    }
}

/// A word of the layout of a dialect.
fn word_value(word: &Word, dialect: usize) -> TokenStream {
    let fields = word.fields.iter().map(|row| {
        let (name, text) = (token(&row.name), format!("{}.{}", word.name, row.name));
        match row.bits()[dialect] {
            Some((lo, hi)) => {
                let (lo, hi) = (number(lo), number(hi));
                quote!(#name: Field::new(#text, #lo, #hi))
            }
            None => quote!(#name: Field::absent(#text)),
        }
    });
    let (name, kind, used) = (token(&word.name), struct_name(word), hex(word.used(dialect), 8));
    quote!(#name: #kind { #(#fields,)* used: #used })
}
