//! Chips, their figures and their hazards.

use std::collections::HashMap;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{array, derives, hex, number, same, serde, table, variant};
use crate::codegen::spec::{SpecError, SpecFile};

use super::chips_row::{HazardRow, Row, Table};
use super::{chips_page, doc};

const SPEC: &str = "r600-isa/spec/chips.ron";

/// The table as Rust, and the page about it.
pub(super) fn generate(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    let (chips, hazards) = (chips(&spec.table), hazards(&spec.table.hazards));
    let tokens = quote! {
        use crate::chip::{ChipInfo, Generation};
        use crate::hazard::{Confidence, HazardInfo, HazardSet};
        #chips
        #hazards
    };
    let page = chips_page::page(&spec.table.chips, &spec.table.hazards);
    Ok([
        GeneratedFile::rust("r600-isa/src/generated/chips.rs", tokens, &[SPEC]),
        GeneratedFile::page("docs/manual/chips.md", page, &[SPEC]),
    ])
}

fn chips(spec: &Table) -> TokenStream {
    let rows = &spec.chips;
    let (derives, serde) = (derives(), serde());
    let variants: Vec<_> = rows.iter().map(|row| variant(&row.name)).collect();
    let abouts = rows.iter().map(|row| doc(&row.doc));
    let infos: Vec<_> = rows.iter().map(|row| chip(spec, row)).collect();
    let infos = table("CHIP_INFO", quote!(ChipInfo), &infos);
    quote! {
        /// A chip of the family.
        #derives
        #serde
        #[non_exhaustive]
        pub enum Chip { #(#abouts #variants,)* }

        impl Chip {
            /// Every chip.
            pub const ALL: &[Self] = &[#(Self::#variants),*];
        }
        #infos
    }
}

fn chip(table: &Table, row: &Row) -> TokenStream {
    let Row { name, aliases, vertex_cache, doubles, .. } = row;
    let generation = same("Generation", row.generation);
    let [stack_entry, simds, wavefront] = [row.stack_entry, row.simds, row.wavefront].map(number);
    let own = table.hazards.iter().filter(|hazard| hazard.is_of(row));
    let own = own.map(|hazard| variant(&hazard.name));
    let ids = array(row.pci_ids.iter().map(|id| hex(*id, 4)));
    quote! {
        ChipInfo {
            name: #name, generation: #generation, aliases: &[#(#aliases),*],
            has_vertex_cache: #vertex_cache, has_doubles: #doubles, stack_entry_size: #stack_entry, num_simds: #simds,
            wavefront_size: #wavefront, hazards: HazardSet::NONE #(.with(Hazard::#own))*,
            pci_ids: &#ids,
        }
    }
}

fn hazards(rows: &[HazardRow]) -> TokenStream {
    let derives = derives();
    let variants: Vec<_> = rows.iter().map(|row| variant(&row.name)).collect();
    let abouts = rows.iter().map(|row| doc(&row.doc));
    let infos: Vec<_> = rows.iter().map(HazardRow::info).collect();
    let infos = table("HAZARD_INFO", quote!(HazardInfo), &infos);
    let names: Vec<_> = rows.iter().map(|row| &row.name).collect();
    let names = table("HAZARD_NAME", quote!(&str), &names);
    quote! {
        /// Something that chips get wrong, or are suspected to.
        #derives
        #[non_exhaustive]
        pub enum Hazard { #(#abouts #variants,)* }

        impl Hazard {
            /// Every hazard.
            pub const ALL: &[Self] = &[#(Self::#variants),*];
        }
        /// The name of each.
        #names
        #infos
    }
}

/// Checks that names and PCI ids are unique, and that the figures are possible.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut ids: HashMap<u16, &str> = HashMap::new();
    for row in &spec.table.chips {
        for name in row.aliases.iter().chain([&row.name]) {
            if let Some(other) = names.insert(name, &row.name) {
                return Err(spec.row_error(&row.name, format!("{name} is {other} already")));
            }
        }
        for id in &row.pci_ids {
            if let Some(other) = ids.insert(*id, &row.name) {
                return Err(spec.row_error(&row.name, format!("{id:#06x} is {other} already")));
            }
        }
        if ![4, 8].contains(&row.stack_entry) || ![16, 32, 64].contains(&row.wavefront) {
            return Err(spec.row_error(&row.name, "stack entries are 4 or 8, waves 16, 32 or 64"));
        }
        if row.doc.trim().is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
    }
    check_hazards(spec)
}

/// Checks that hazards have unique names, have texts, and name chips that exist.
fn check_hazards(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let Table { chips, hazards } = &spec.table;
    for (at, hazard) in hazards.iter().enumerate() {
        let texts = [&hazard.doc, &hazard.source, &hazard.remedy];
        if texts.iter().any(|text| text.trim().is_empty()) {
            return Err(spec.row_error(&hazard.name, "has no doc, no source or no remedy"));
        }
        if hazards[..at].iter().any(|other| other.name == hazard.name) {
            return Err(spec.row_error(&hazard.name, "is there already"));
        }
        let is_known = |name: &&String| chips.iter().any(|chip| chip.name == **name);
        if let Some(unknown) = hazard.chips.iter().find(|name| !is_known(name)) {
            return Err(spec.row_error(&hazard.name, format!("unknown chip {unknown}")));
        }
        if !chips.iter().any(|chip| hazard.is_of(chip)) {
            return Err(spec.row_error(&hazard.name, "is of no chip"));
        }
    }
    Ok(())
}
