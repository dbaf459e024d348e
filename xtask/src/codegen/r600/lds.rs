//! Operations of the local data share, which one ALU opcode carries.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::names::camel_case;
use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::{doc, fact};

const SPEC: &str = "r600-isa/spec/lds.ron";

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
    opcode: u8,
    srcs: u8,
    /// Values that queues A and B get.
    #[serde(default)]
    returns: (u8, u8),
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    let rows = &spec.table.ops;
    let mut out = String::from(
        "use crate::lds::LdsInfo;\n\n\
         /// An operation of the local data share of Evergreen and Cayman.\n",
    );
    out.push_str(&fact("Source", &spec.table.source));
    out.push_str(
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n\
         #[repr(u8)]\n#[non_exhaustive]\npub enum LdsOp {\n",
    );
    for row in rows {
        out.push_str(&doc(&format!("`{}`: {}", row.name, row.doc)));
        let _ = writeln!(out, "///\n/// Encoding: `{:#04x}`, {} sources.", row.opcode, row.srcs);
        let _ = writeln!(out, "{},", camel_case(&row.name));
    }
    let _ = writeln!(out, "}}\n\nimpl LdsOp {{\n/// Every operation, in the order of the table.");
    let all: Vec<_> = rows.iter().map(|row| format!("Self::{}", camel_case(&row.name))).collect();
    let _ = writeln!(out, "pub const ALL: [Self; {}] = [{}];\n}}\n", rows.len(), all.join(", "));
    let _ = writeln!(out, "pub(crate) static LDS_INFO: [LdsInfo; {}] = [", rows.len());
    for row in rows {
        let _ = writeln!(
            out,
            "LdsInfo {{ name: \"{}\", doc: {:?}, opcode: {:#x}, num_src: {}, returns: [{}, {}] }},",
            row.name, row.doc, row.opcode, row.srcs, row.returns.0, row.returns.1
        );
    }
    out.push_str("];\n");
    Ok(GeneratedFile {
        path: "r600-isa/src/generated/lds.rs".into(),
        source: out,
        specs: vec![SPEC.to_owned()],
    })
}

fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let mut seen: HashMap<u8, &str> = HashMap::new();
    for row in &spec.table.ops {
        if row.doc.trim().is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        if row.opcode > 63 || !(1..=3).contains(&row.srcs) {
            return Err(spec.row_error(&row.name, "opcodes have 6 bits, sources are 1 to 3"));
        }
        if let Some(other) = seen.insert(row.opcode, &row.name) {
            let message = format!("opcode {:#x} is that of {other} already", row.opcode);
            return Err(spec.row_error(&row.name, message));
        }
    }
    Ok(())
}
