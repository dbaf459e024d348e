//! Rows of the table of chips.

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::rust::same;

use super::Generation;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) chips: Vec<Row>,
    pub(super) hazards: Vec<HazardRow>,
}

/// Something that chips get wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HazardRow {
    pub(super) name: String,
    #[serde(default)]
    pub(super) chips: Vec<String>,
    /// Generations whose chips all have it.
    #[serde(default)]
    pub(super) generations: Vec<Generation>,
    pub(super) confidence: Confidence,
    pub(super) doc: String,
    pub(super) source: String,
    pub(super) remedy: String,
    /// Rules of the verifier.
    pub(super) checked_by: Vec<String>,
    /// The measured cost of the remedy, if any.
    #[serde(default)]
    pub(super) cost: String,
}

/// How many code bases know of a hazard.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum Confidence {
    A,
    B,
    C,
}

impl HazardRow {
    /// Whether `chip` has it.
    pub(super) fn is_of(&self, chip: &Row) -> bool {
        self.generations.contains(&chip.generation) || self.chips.contains(&chip.name)
    }

    /// The row of the table by discriminant.
    pub(super) fn info(&self) -> TokenStream {
        let Self { doc, source, remedy, checked_by, .. } = self;
        let confidence = same("Confidence", self.confidence);
        quote! {
            HazardInfo {
                doc: #doc, confidence: #confidence, source: #source,
                remedy: #remedy, checked_by: &[#(#checked_by),*],
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) generation: Generation,
    pub(super) aliases: Vec<String>,
    pub(super) vertex_cache: bool,
    pub(super) doubles: bool,
    pub(super) stack_entry: u8,
    pub(super) simds: u8,
    pub(super) wavefront: u8,
    pub(super) pci_ids: Vec<u16>,
    pub(super) doc: String,
}
