//! A method of the builder for each opcode without special operands.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::super::output::GeneratedFile;
use super::opcodes::Row;

/// Names that are keywords of Rust.
const KEYWORDS: [&str; 1] = ["mod"];

/// Generates the methods of `rows`.
pub(super) fn generate(rows: &[&Row], specs: Vec<String>) -> GeneratedFile {
    let mut source = String::from(
        "use crate::build::{Emitted, ShaderBuilder};\nuse crate::{Dst, Opcode, Src};\n\n\
         /// One method for each opcode with one result and plain sources.\nimpl ShaderBuilder {\n",
    );
    for row in rows {
        source += &method(row);
    }
    source += "}\n";
    GeneratedFile { path: PathBuf::from("tgsi-ir/src/generated/build.rs"), source, specs }
}

fn method(row: &Row) -> String {
    let lower = row.name.to_lowercase();
    let name = if KEYWORDS.contains(&lower.as_str()) { format!("{lower}_") } else { lower };
    let mut out =
        format!("/// `{}`: {}; see [`Opcode::{}`].\n", row.name, row.title, row.variant());
    let params: String =
        (0..row.src.len()).map(|index| format!(", src{index}: impl Into<Src>")).collect();
    let args: Vec<String> = (0..row.src.len()).map(|index| format!("src{index}.into()")).collect();
    let _ = writeln!(
        out,
        "pub fn {name}(&mut self, dst: impl Into<Dst>{params}) -> Emitted<'_> {{\n\
         self.emit(Opcode::{}, dst, [{}])\n}}\n",
        row.variant(),
        args.join(", ")
    );
    out
}
