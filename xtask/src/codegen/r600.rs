//! Tables of `r600-isa`: operations and microcode fields.

mod alu;
mod chips;
mod chips_page;
mod chips_row;
mod enums;
mod fields;
mod lds;
mod manual;
mod ops;
mod properties;

pub(super) use alu::{Operation, operations};

use std::path::Path;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use serde::Deserialize;

use super::output::GeneratedFile;
use super::rust::{array, docs, option};
use super::spec::SpecError;

/// A generation of the family: chips with one instruction encoding. The tables have a key for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub(super) enum Generation {
    R600,
    R700,
    Evergreen,
    Cayman,
}

impl Generation {
    /// All four, in order.
    pub(super) const ALL: [Self; 4] = [Self::R600, Self::R700, Self::Evergreen, Self::Cayman];
}

/// A value by generation. A generation without a key has none.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByGeneration<T> {
    #[serde(default = "absent")]
    r600: Option<T>,
    #[serde(default = "absent")]
    r700: Option<T>,
    #[serde(default = "absent")]
    evergreen: Option<T>,
    #[serde(default = "absent")]
    cayman: Option<T>,
}

/// The value of a missing key. As a function, it needs no `Default` bound on `T`.
fn absent<T>() -> Option<T> {
    None
}

impl<T: Clone> ByGeneration<T> {
    /// The four values, in the order of the generations.
    pub(super) fn values(&self) -> [Option<T>; 4] {
        [&self.r600, &self.r700, &self.evergreen, &self.cayman].map(Clone::clone)
    }
}

/// Names of all operations and instructions, as listings print them.
pub(super) fn names(root: &Path) -> Result<Vec<String>, SpecError> {
    Ok([alu::names(root)?, ops::names(root)?].concat())
}

/// Generates `r600-isa/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let [alu, alu_properties, alu_page] = alu::generate(root)?;
    let [control_flow, control_flow_page] = ops::control_flow(root)?;
    let [fetch, fetch_page] = ops::fetch(root)?;
    let fields = fields::generate(root)?;
    let [chips, chips_page] = chips::generate(root)?;
    let enums = enums::generate(root)?;
    let lds = lds::generate(root)?;
    Ok(vec![
        alu,
        alu_properties,
        alu_page,
        chips,
        chips_page,
        enums,
        lds,
        fields,
        control_flow,
        control_flow_page,
        fetch,
        fetch_page,
    ])
}

/// `Some(1)` and `None` of each generation, as one array.
fn by_generation<T: ToTokens>(values: [Option<T>; 4]) -> TokenStream {
    array(values.map(option))
}

/// Text as the doc comment of an item. Brackets are escaped so that they are not links.
fn doc(text: &str) -> TokenStream {
    docs(&text.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<"))
}

/// Encodings as a line of documentation.
fn encoding_doc(values: [Option<u16>; 4]) -> TokenStream {
    let parts: Vec<String> = Generation::ALL
        .into_iter()
        .zip(values)
        .filter_map(|(own, value)| Some(format!("{own:?} `{:#04x}`", value?)))
        .collect();
    fact("Encoding", &parts.join(", "))
}

/// Another paragraph of documentation.
fn fact(name: &str, text: &str) -> TokenStream {
    let line = doc(&format!("{name}: {}.", text.trim_end_matches('.')));
    quote!(#[doc = ""] #line)
}
