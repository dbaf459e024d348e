//! Operations of the local data share. They share one ALU opcode.

use std::collections::HashMap;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{all, derives, hex, number, sentences, serde, table, variant};
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
    /// Numbers of values returned to queues A and B.
    #[serde(default)]
    returns: (u8, u8),
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    let rows = &spec.table.ops;
    let (derives, serde, source) = (derives(), serde(), fact("Source", &spec.table.source));
    let variants: Vec<_> = rows.iter().map(|row| variant(&row.name)).collect();
    let abouts = rows.iter().map(|row| {
        let about = doc(&format!("`{}`: {}", row.name, row.doc));
        let encoding = format!("`{:#04x}`, {} sources", row.opcode, row.srcs);
        let encoding = fact("Encoding", &encoding);
        quote!(#about #encoding)
    });
    let all = all("Every operation, in the order of the table.", &variants);
    let infos: Vec<_> = rows.iter().map(Row::info).collect();
    let table = table("LDS_INFO", quote!(LdsInfo), &infos);
    let sentences = sentences("LDS_DOC", rows.iter().map(|row| &*row.doc));
    let tokens = quote! {
        use crate::lds::LdsInfo;
        /// An operation of the local data share of Evergreen and Cayman.
        #source
        #derives
        #serde
        #[repr(u8)]
        #[non_exhaustive]
        pub enum LdsOp { #(#abouts #variants,)* }

        impl LdsOp { #all }
        #table
        #sentences
    };
    Ok(GeneratedFile::rust("r600-isa/src/generated/lds.rs", tokens, &[SPEC]))
}

impl Row {
    /// The row of the table by discriminant.
    fn info(&self) -> TokenStream {
        let name = &self.name;
        let (opcode, srcs) = (hex(self.opcode, 1), number(self.srcs));
        let (a, b) = (number(self.returns.0), number(self.returns.1));
        quote! {
            LdsInfo { name: #name, opcode: #opcode, num_src: #srcs, returns: [#a, #b] }
        }
    }
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
