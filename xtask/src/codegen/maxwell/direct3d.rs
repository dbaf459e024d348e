//! Direct3D's instructions, and state that TLDS overrides.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::names::camel_case;
use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Variant, file, spec_path, write_enum};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    ops: Vec<Op>,
    overrides: Vec<Override>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Op {
    name: String,
    /// TEX with this level of detail.
    #[serde(default)]
    lod: Option<String>,
    #[serde(default)]
    compare: bool,
    /// TLDS.
    #[serde(default)]
    load: bool,
    #[serde(default)]
    multisample: bool,
    /// Whether the documents list it; the others follow from those.
    listed: bool,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Override {
    state: State,
    name: String,
    value: String,
}

#[derive(Debug, Deserialize)]
enum State {
    Header,
    Sampler,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("direct3d"))?;
    let Table { ops, overrides } = &spec.table;
    if let Some(op) = ops.iter().find(|op| op.load && op.lod.is_some()) {
        return Err(spec.row_error(&op.name, "is either TEX or TLDS"));
    }
    let mut out = String::from(
        "use crate::direct3d::{Equivalent, Override, State};\nuse crate::generated::enums::Lod;\n\n",
    );
    let variants: Vec<_> =
        ops.iter().map(|op| Variant { name: &op.name, text: &op.name, doc: &op.doc }).collect();
    write_enum(&mut out, "D3dOp", "A texture instruction of Direct3D 10 and 11.", &variants);
    let _ = writeln!(out, "pub(crate) static EQUIVALENTS: [Equivalent; {}] = [", ops.len());
    for op in ops {
        let _ = writeln!(out, "/* {} */ {},", op.name, equivalent(op));
    }
    let _ = writeln!(
        out,
        "];\n\npub(crate) static LISTED: [bool; {}] = {:?};\n\n\
         pub(crate) static OVERRIDES: [Override; {}] = [",
        ops.len(),
        ops.iter().map(|op| op.listed).collect::<Vec<_>>(),
        overrides.len()
    );
    for Override { state, name, value } in overrides {
        let _ = writeln!(
            out,
            "Override {{ state: State::{state:?}, field: {name:?}, value: {value:?} }},"
        );
    }
    out.push_str("];\n");
    Ok(file("direct3d", out))
}

fn equivalent(op: &Op) -> String {
    match &op.lod {
        Some(lod) => {
            format!("Equivalent::Tex {{ lod: Lod::{}, compare: {} }}", camel_case(lod), op.compare)
        }
        None if op.load => format!("Equivalent::Tlds {{ multisample: {} }}", op.multisample),
        None => "Equivalent::None".to_owned(),
    }
}
