//! Direct3D's instructions, and state that TLDS overrides.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{same, table, variant_of};
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Variant, enumeration, file, spec_path};

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
    /// Whether the documents list it. The others are derived from those.
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
    let variants: Vec<_> =
        ops.iter().map(|op| Variant { name: &op.name, text: &op.name, doc: &op.doc }).collect();
    let d3d_op = enumeration("D3dOp", "A texture instruction of Direct3D 10 and 11.", &variants);
    let equivalents: Vec<_> = ops.iter().map(equivalent).collect();
    let equivalents = table("EQUIVALENTS", quote!(Equivalent), &equivalents);
    let listed: Vec<_> = ops.iter().map(|op| op.listed).collect();
    let listed = table("LISTED", quote!(bool), &listed);
    let overrides: Vec<_> = overrides.iter().map(override_row).collect();
    let overrides = table("OVERRIDES", quote!(Override), &overrides);
    let tokens = quote! {
        use crate::direct3d::{Equivalent, Override, State};
        use crate::generated::enums::Lod;
        #d3d_op
        #equivalents
        #listed
        #overrides
    };
    Ok(file("direct3d", tokens))
}

fn override_row(row: &Override) -> TokenStream {
    let Override { state, name, value } = row;
    let state = same("State", state);
    quote!(Override { state: #state, field: #name, value: #value })
}

fn equivalent(op: &Op) -> TokenStream {
    let Op { compare, multisample, .. } = op;
    match &op.lod {
        Some(lod) => {
            let lod = variant_of("Lod", lod);
            quote!(Equivalent::Tex { lod: #lod, compare: #compare })
        }
        None if op.load => quote!(Equivalent::Tlds { multisample: #multisample }),
        None => quote!(Equivalent::None),
    }
}
