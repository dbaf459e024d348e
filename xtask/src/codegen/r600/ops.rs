//! Control-flow and fetch operations.

use std::collections::HashMap;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{
    all, derives, docs, hex, number, option, sentences, serde, table, token, variant,
};
use crate::codegen::spec::{SpecError, SpecFile};

use super::manual::{Entry, Page};
use super::{ByGeneration, Generation, by_generation, doc, encoding_doc, fact};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The documents that the rows come from.
    source: String,
    ops: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    kind: String,
    opcode: ByGeneration<u16>,
    /// Refinement of a fetch opcode by another field.
    #[serde(default)]
    inst_mod: Option<u8>,
    #[serde(default)]
    mem_op: Option<u8>,
    #[serde(default)]
    gds_op: Option<u8>,
    /// Whether a fetch reads the other lanes of its quad.
    #[serde(default)]
    derivatives: bool,
    doc: String,
}

const CONTROL_FLOW: Page<'static> = Page {
    name: "r600-control-flow",
    title: "Control-flow instructions of the R600 family",
    introduction: "The outermost level of a program: what starts clauses, branches, loops and exports.",
    note: "kind",
    spec: "r600-isa/spec/cf.ron",
};

const FETCH: Page<'static> = Page {
    name: "r600-fetch",
    title: "Fetch instructions of the R600 family",
    introduction: "What fetch clauses hold: texture and vertex fetches, memory reads, the global data share. Rows of \
                   one opcode are distinguished by a second field.",
    note: "kind",
    spec: "r600-isa/spec/fetch.ron",
};

impl Row {
    fn entry(&self) -> Entry<'_> {
        Entry { name: &self.name, opcode: self.opcode.values(), note: self.note(), doc: &self.doc }
    }

    /// The opcode on each generation.
    fn opcodes(&self) -> TokenStream {
        by_generation(self.opcode.values().map(|code| code.map(|code| hex(code, 1))))
    }

    /// The kind, with the second opcode field if there is one.
    fn note(&self) -> String {
        let fields =
            [("INST_MOD", self.inst_mod), ("MEM_OP", self.mem_op), ("GDS_OP", self.gds_op)];
        let known = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
        known.fold(self.kind.clone(), |note, (name, value)| format!("{note}, {name} {value}"))
    }
}

/// Names of all control-flow and fetch instructions.
pub(super) fn names(root: &Path) -> Result<Vec<String>, SpecError> {
    let mut names = Vec::new();
    for path in [CONTROL_FLOW.spec, FETCH.spec] {
        let spec: SpecFile<Table> = SpecFile::read(root, path)?;
        names.extend(spec.table.ops.iter().map(|row| row.name.clone()));
    }
    Ok(names)
}

pub(super) fn control_flow(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, CONTROL_FLOW.spec)?;
    check(&spec, |row| (row.kind.starts_with("Alu"), 0, 0))?;
    let definition = definition(&spec, "CfOp", "A control-flow instruction.");
    let row = |row: &Row| {
        let name = &row.name;
        let (kind, opcode) = (token(&row.kind), row.opcodes());
        quote!(CfInfo { name: #name, kind: CfKind::#kind, opcode: #opcode })
    };
    let rows: Vec<_> = spec.table.ops.iter().map(row).collect();
    let table = table("CF_INFO", quote!(CfInfo), &rows);
    let sentences = sentences("CF_DOC", spec.table.ops.iter().map(|row| &*row.doc));
    let tokens = quote!(use crate::cf_info::{CfInfo, CfKind}; #definition #table #sentences);
    let file = GeneratedFile::rust("r600-isa/src/generated/cf.rs", tokens, &[CONTROL_FLOW.spec]);
    Ok([file, CONTROL_FLOW.file(spec.table.ops.iter().map(Row::entry))])
}

pub(super) fn fetch(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, FETCH.spec)?;
    check(&spec, |row| {
        (
            false,
            row.inst_mod.unwrap_or(0) | row.mem_op.map_or(0, |m| 16 + m),
            row.gds_op.unwrap_or(0),
        )
    })?;
    let definition = definition(&spec, "FetchOp", "A fetch instruction.");
    let row = |row: &Row| {
        let Row { name, derivatives, .. } = row;
        let (kind, opcode) = (token(&row.kind), row.opcodes());
        let [inst_mod, mem_op, gds_op] =
            [row.inst_mod, row.mem_op, row.gds_op].map(|field| option(field.map(number)));
        quote! {
            FetchInfo {
                name: #name, kind: FetchKind::#kind, opcode: #opcode,
                inst_mod: #inst_mod, mem_op: #mem_op, gds_op: #gds_op,
                takes_derivatives: #derivatives,
            }
        }
    };
    let rows: Vec<_> = spec.table.ops.iter().map(row).collect();
    let table = table("FETCH_INFO", quote!(FetchInfo), &rows);
    let sentences = sentences("FETCH_DOC", spec.table.ops.iter().map(|row| &*row.doc));
    let tokens =
        quote!(use crate::fetch_info::{FetchInfo, FetchKind}; #definition #table #sentences);
    let file = GeneratedFile::rust("r600-isa/src/generated/fetch.rs", tokens, &[FETCH.spec]);
    Ok([file, FETCH.file(spec.table.ops.iter().map(Row::entry))])
}

/// Generation, opcode, and the fields that distinguish rows of one opcode.
type Encoding = (Generation, u16, (bool, u8, u8));

/// Checks that no encoding occurs twice on one generation. `refine` gives the fields that distinguish rows of one
/// opcode.
fn check(spec: &SpecFile<Table>, refine: impl Fn(&Row) -> (bool, u8, u8)) -> Result<(), SpecError> {
    let mut seen: HashMap<Encoding, &str> = HashMap::new();
    for row in &spec.table.ops {
        if row.doc.trim().is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        for (generation, opcode) in Generation::ALL.into_iter().zip(row.opcode.values()) {
            let Some(opcode) = opcode else { continue };
            if let Some(other) = seen.insert((generation, opcode, refine(row)), &row.name) {
                let message =
                    format!("opcode {opcode:#x} on {generation:?} is that of {other} already");
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}

/// The enumeration of all rows.
fn definition(spec: &SpecFile<Table>, name: &str, about: &str) -> TokenStream {
    let (name, about, source) = (token(name), docs(about), fact("Source", &spec.table.source));
    let (derives, serde) = (derives(), serde());
    let rows = &spec.table.ops;
    let variants: Vec<_> = rows.iter().map(|row| variant(&row.name)).collect();
    let abouts = rows.iter().map(|row| {
        let about = doc(&format!("`{}`: {}", row.name, row.doc));
        let (encoding, kind) = (encoding_doc(row.opcode.values()), fact("Kind", &row.note()));
        quote!(#about #encoding #kind)
    });
    let all = all("Every one, in the order of the table.", &variants);
    quote! {
        #about
        #source
        #derives
        #serde
        #[repr(u16)]
        #[non_exhaustive]
        pub enum #name { #(#abouts #variants,)* }

        impl #name { #all }
    }
}
