//! The values of components that textures lack.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::super::output::GeneratedFile;
use super::super::rust::{array, docs, length, option, token, variant};
use super::super::spec::{SpecError, SpecFile};

const SPEC: &str = "tgsi-exec/spec/texture-components.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    source: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    given: String,
    gallium: Option<String>,
    opengl: Option<String>,
    direct3d9: Option<String>,
    doc: String,
}

/// Generates the enumeration and its table.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    check(&spec)?;
    let rows = &spec.table.rows;
    let variants: Vec<_> = rows.iter().map(|row| variant(&row.name)).collect();
    let abouts = rows.iter().map(|row| docs(&row.doc));
    let names = rows.iter().map(|row| &row.name);
    let counts = rows.iter().map(|row| length(row.given.len()));
    let conventions = [
        convention("gallium", rows, |row| row.gallium.as_deref()),
        convention("opengl", rows, |row| row.opengl.as_deref()),
        convention("direct3d9", rows, |row| row.direct3d9.as_deref()),
    ];
    let tokens = quote! {
        use crate::sampler::Channel;
        /// The components that the texels of an image have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Components { #(#abouts #variants,)* }

        impl Components {
            /// Every kind.
            pub const ALL: &[Self] = &[#(Self::#variants),*];
            /// The name: `RGBA`.
            pub const fn name(self) -> &'static str {
                match self { #(Self::#variants => #names,)* }
            }
            /// How many there are.
            pub const fn num_channels(self) -> usize {
                match self { #(Self::#variants => #counts,)* }
            }
            #(#conventions)*
        }
    };
    Ok(GeneratedFile::rust("tgsi-exec/src/generated/components.rs", tokens, &[SPEC]))
}

/// A function that returns the components by a convention.
fn convention(name: &str, rows: &[Row], of: impl Fn(&Row) -> Option<&str>) -> TokenStream {
    let arms = rows.iter().map(|row| {
        let channels = |letters: &str| {
            array(letters.chars().map(|letter| channel(&row.given, letter)).collect::<Vec<_>>())
        };
        let (name, channels) = (variant(&row.name), option(of(row).map(channels)));
        quote!(Self::#name => #channels)
    });
    let name = token(name);
    quote! {
        /// What x, y, z and w hold, where the convention says so.
        pub(crate) const fn #name(self) -> Option<[Channel; 4]> {
            match self { #(#arms,)* }
        }
    }
}

fn channel(given: &str, letter: char) -> TokenStream {
    match (letter, given.find(letter)) {
        ('0', _) => quote!(Channel::Zero),
        ('1', _) => quote!(Channel::One),
        (_, place) => {
            let place = length(place.unwrap_or(usize::MAX));
            quote!(Channel::Given(#place))
        }
    }
}

/// Checks that each convention has four letters, each `0`, `1` or one that is given.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    for row in &spec.table.rows {
        for letters in [&row.gallium, &row.opengl, &row.direct3d9].into_iter().flatten() {
            let is_known = |letter: char| matches!(letter, '0' | '1') || row.given.contains(letter);
            if letters.len() != 4 || !letters.chars().all(is_known) {
                let message = format!("`{letters}` is not four of `{}`, 0 and 1", row.given);
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}
