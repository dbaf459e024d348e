//! Control-flow and fetch operations.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::names::camel_case;
use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::manual::{Entry, Page};
use super::{ByGeneration, GENERATIONS, doc, encoding_doc, fact, option_array};

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
    /// Whether a fetch looks at the other lanes of its quad.
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
                   one opcode are told apart by a second field.",
    note: "kind",
    spec: "r600-isa/spec/fetch.ron",
};

impl Row {
    fn entry(&self) -> Entry<'_> {
        Entry { name: &self.name, opcode: self.opcode.values(), note: self.note(), doc: &self.doc }
    }

    /// The kind, with the second opcode field where there is one.
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
    for path in ["r600-isa/spec/cf.ron", "r600-isa/spec/fetch.ron"] {
        let spec: SpecFile<Table> = SpecFile::read(root, path)?;
        names.extend(spec.table.ops.iter().map(|row| row.name.clone()));
    }
    Ok(names)
}

pub(super) fn control_flow(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, "r600-isa/spec/cf.ron")?;
    let mut out = String::from("use crate::cf_info::{CfInfo, CfKind};\n\n");
    write_ops(&mut out, &spec, "CfOp", "A control-flow instruction.");
    check(&spec, |row| (row.kind.starts_with("Alu"), 0, 0))?;
    let _ = writeln!(out, "pub(crate) static CF_INFO: [CfInfo; {}] = [", spec.table.ops.len());
    for row in &spec.table.ops {
        let opcode = option_array(row.opcode.values(), |v| format!("{v:#x}"));
        let _ = writeln!(
            out,
            "CfInfo {{ name: \"{}\", doc: {:?}, kind: CfKind::{}, opcode: {opcode} }},",
            row.name, row.doc, row.kind
        );
    }
    out.push_str("];\n");
    Ok([file("cf", out), CONTROL_FLOW.file(spec.table.ops.iter().map(Row::entry))])
}

pub(super) fn fetch(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, "r600-isa/spec/fetch.ron")?;
    let mut out = String::from("use crate::fetch_info::{FetchInfo, FetchKind};\n\n");
    write_ops(&mut out, &spec, "FetchOp", "A fetch instruction.");
    check(&spec, |row| {
        (
            false,
            row.inst_mod.unwrap_or(0) | row.mem_op.map_or(0, |m| 16 + m),
            row.gds_op.unwrap_or(0),
        )
    })?;
    let _ =
        writeln!(out, "pub(crate) static FETCH_INFO: [FetchInfo; {}] = [", spec.table.ops.len());
    for row in &spec.table.ops {
        let opcode = option_array(row.opcode.values(), |v| format!("{v:#x}"));
        let option = |v: Option<u8>| v.map_or_else(|| "None".to_owned(), |v| format!("Some({v})"));
        let _ = writeln!(
            out,
            "FetchInfo {{ name: \"{}\", doc: {:?}, kind: FetchKind::{}, opcode: {opcode}, inst_mod: {}, \
             mem_op: {}, gds_op: {}, takes_derivatives: {} }},",
            row.name,
            row.doc,
            row.kind,
            option(row.inst_mod),
            option(row.mem_op),
            option(row.gds_op),
            row.derivatives
        );
    }
    out.push_str("];\n");
    Ok([file("fetch", out), FETCH.file(spec.table.ops.iter().map(Row::entry))])
}

fn file(name: &str, source: String) -> GeneratedFile {
    GeneratedFile {
        path: format!("r600-isa/src/generated/{name}.rs").into(),
        source,
        specs: vec![format!("r600-isa/spec/{name}.ron")],
    }
}

/// Generation, opcode, and what tells rows of one opcode apart.
type Encoding = (usize, u16, (bool, u8, u8));

/// No encoding twice on one generation; `refine` gives what tells rows of one opcode apart.
fn check(spec: &SpecFile<Table>, refine: impl Fn(&Row) -> (bool, u8, u8)) -> Result<(), SpecError> {
    let mut seen: HashMap<Encoding, &str> = HashMap::new();
    for row in &spec.table.ops {
        if row.doc.trim().is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        for (generation, opcode) in row.opcode.values().into_iter().enumerate() {
            let Some(opcode) = opcode else { continue };
            if let Some(other) = seen.insert((generation, opcode, refine(row)), &row.name) {
                let name = GENERATIONS[generation];
                let message = format!("opcode {opcode:#x} on {name} is that of {other} already");
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}

fn write_ops(out: &mut String, spec: &SpecFile<Table>, name: &str, about: &str) {
    let _ = writeln!(
        out,
        "/// {about}\n{}#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n\
         #[repr(u16)]\n#[non_exhaustive]\npub enum {name} {{",
        fact("Source", &spec.table.source)
    );
    for row in &spec.table.ops {
        out.push_str(&doc(&format!("`{}`: {}", row.name, row.doc)));
        out.push_str(&encoding_doc(row.opcode.values()));
        out.push_str(&fact("Kind", &row.note()));
        let _ = writeln!(out, "{},", camel_case(&row.name));
    }
    let _ = writeln!(
        out,
        "}}\n\nimpl {name} {{\n/// Every one, in the order of the table.\npub const ALL: [Self; {}] = [{}];\n}}\n",
        spec.table.ops.len(),
        spec.table
            .ops
            .iter()
            .map(|r| format!("Self::{}", camel_case(&r.name)))
            .collect::<Vec<_>>()
            .join(", ")
    );
}
