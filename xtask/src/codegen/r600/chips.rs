//! Chips, their figures and their hazards.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::names::camel_case;
use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::fields::Generation;
use super::{chips_page, doc};

const SPEC: &str = "r600-isa/spec/chips.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    chips: Vec<Row>,
    hazards: Vec<HazardRow>,
}

/// Something that chips get wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HazardRow {
    pub(super) name: String,
    #[serde(default)]
    chips: Vec<String>,
    /// Generations of which all chips have it.
    #[serde(default)]
    generations: Vec<Generation>,
    pub(super) confidence: Confidence,
    pub(super) doc: String,
    pub(super) source: String,
    pub(super) remedy: String,
    /// Rules of the verifier.
    pub(super) checked_by: Vec<String>,
    /// What the remedy costs, where that was measured.
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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) generation: Generation,
    pub(super) aliases: Vec<String>,
    pub(super) vertex_cache: bool,
    pub(super) stack_entry: u8,
    pub(super) simds: u8,
    pub(super) wavefront: u8,
    pci_ids: Vec<u16>,
    pub(super) doc: String,
}

/// The table as Rust, and the page about it.
pub(super) fn generate(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    let rows = &spec.table.chips;
    let mut out = String::from(
        "use crate::chip::{ChipInfo, Generation};\n\
         use crate::hazard::{Confidence, HazardInfo, HazardSet};\n\n\
         /// A chip of the family.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n\
         #[non_exhaustive]\npub enum Chip {\n",
    );
    for row in rows {
        out.push_str(&doc(&row.doc));
        let _ = writeln!(out, "{},", camel_case(&row.name));
    }
    let all: Vec<_> = rows.iter().map(|row| format!("Self::{}", camel_case(&row.name))).collect();
    let _ = writeln!(
        out,
        "}}\n\nimpl Chip {{\n/// Every chip.\npub const ALL: &[Self] = &[{}];\n}}\n",
        all.join(", ")
    );
    let _ = writeln!(out, "pub(crate) static CHIP_INFO: [ChipInfo; {}] = [", rows.len());
    for row in rows {
        write_row(&mut out, &spec.table, row);
    }
    out.push_str("];\n");
    write_hazards(&mut out, &spec.table.hazards);
    let rust = GeneratedFile {
        path: "r600-isa/src/generated/chips.rs".into(),
        source: out,
        specs: vec![SPEC.to_owned()],
    };
    let page = GeneratedFile {
        path: "docs/manual/chips.md".into(),
        source: chips_page::page(rows, &spec.table.hazards),
        specs: vec![SPEC.to_owned()],
    };
    Ok([rust, page])
}

fn write_hazards(out: &mut String, rows: &[HazardRow]) {
    out.push_str(
        "\n/// Something that chips get wrong, or are suspected to.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[non_exhaustive]\npub enum Hazard {\n",
    );
    for row in rows {
        out.push_str(&doc(&row.doc));
        let _ = writeln!(out, "{},", camel_case(&row.name));
    }
    let all: Vec<_> = rows.iter().map(|row| format!("Self::{}", camel_case(&row.name))).collect();
    let _ = writeln!(
        out,
        "}}\n\nimpl Hazard {{\n/// Every hazard.\npub const ALL: &[Self] = &[{}];\n}}\n",
        all.join(", ")
    );
    let _ = writeln!(out, "pub(crate) static HAZARD_INFO: [HazardInfo; {}] = [", rows.len());
    for row in rows {
        let _ = writeln!(
            out,
            "HazardInfo {{ name: {:?}, doc: {:?}, confidence: Confidence::{:?}, source: {:?}, \
             remedy: {:?}, checked_by: &{:?} }},",
            row.name, row.doc, row.confidence, row.source, row.remedy, row.checked_by
        );
    }
    out.push_str("];\n");
}

fn write_row(out: &mut String, table: &Table, row: &Row) {
    let own = table.hazards.iter().filter(|hazard| hazard.is_of(row));
    let own: Vec<_> =
        own.map(|hazard| format!(".with(Hazard::{})", camel_case(&hazard.name))).collect();
    let ids: Vec<_> = row.pci_ids.iter().map(|id| format!("{id:#06x}")).collect();
    let _ = writeln!(
        out,
        "ChipInfo {{ name: \"{}\", generation: Generation::{:?}, aliases: &{:?}, \
         has_vertex_cache: {}, stack_entry_size: {}, num_simds: {}, wavefront_size: {}, \
         hazards: HazardSet::NONE{}, pci_ids: &[{}] }},",
        row.name,
        row.generation,
        row.aliases,
        row.vertex_cache,
        row.stack_entry,
        row.simds,
        row.wavefront,
        own.concat(),
        ids.join(", ")
    );
}

/// No name and no PCI id twice, and figures that chips can have.
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

/// Hazards have names of their own, texts, and chips that exist.
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
