//! Chips and their figures.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::names::camel_case;
use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::doc;
use super::fields::Generation;

const SPEC: &str = "r600-isa/spec/chips.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    chips: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    generation: Generation,
    aliases: Vec<String>,
    vertex_cache: bool,
    stack_entry: u8,
    simds: u8,
    wavefront: u8,
    #[serde(default)]
    errata: Vec<String>,
    pci_ids: Vec<u16>,
    doc: String,
}

/// Errata of the table with the names of their constants.
const ERRATA: &[(&str, &str)] = &[
    ("mova_gpr", "MOVA_GPR"),
    ("relative_write", "RELATIVE_WRITE"),
    ("push_at_border", "PUSH_AT_BORDER"),
    ("push_in_loops", "PUSH_IN_LOOPS"),
];

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    let rows = &spec.table.chips;
    let mut out = String::from(
        "use crate::chip::{ChipInfo, Errata, Generation};\n\n\
         /// A chip of the family.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Chip {\n",
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
        write_row(&mut out, &spec, row)?;
    }
    out.push_str("];\n");
    Ok(GeneratedFile {
        path: "r600-isa/src/generated/chips.rs".into(),
        source: out,
        specs: vec![SPEC.to_owned()],
    })
}

fn write_row(out: &mut String, spec: &SpecFile<Table>, row: &Row) -> Result<(), SpecError> {
    let mut errata = "Errata::NONE".to_owned();
    for erratum in &row.errata {
        let known = ERRATA.iter().find(|(name, _)| name == erratum);
        let known =
            known.ok_or_else(|| spec.row_error(&row.name, format!("unknown erratum {erratum}")))?;
        errata = format!("{errata}.with(Errata::{})", known.1);
    }
    let ids: Vec<_> = row.pci_ids.iter().map(|id| format!("{id:#06x}")).collect();
    let _ = writeln!(
        out,
        "ChipInfo {{ name: \"{}\", generation: Generation::{:?}, aliases: &{:?}, \
         has_vertex_cache: {}, stack_entry_size: {}, num_simds: {}, wavefront_size: {}, \
         errata: {errata}, pci_ids: &[{}] }},",
        row.name,
        row.generation,
        row.aliases,
        row.vertex_cache,
        row.stack_entry,
        row.simds,
        row.wavefront,
        ids.join(", ")
    );
    Ok(())
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
    Ok(())
}
