//! Names of values, by generation.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::fields::Generation;

const SPEC: &str = "r600-isa/spec/enums.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    enums: Vec<Enum>,
    selectors: Vec<Selector>,
}

/// What a source of an ALU instruction selects: one number, or those up to `last`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Selector {
    name: String,
    first: u16,
    last: Option<u16>,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    /// Name of the Rust type of its values, for those that every generation has.
    #[serde(default)]
    typed: Option<String>,
    doc: String,
    values: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    name: String,
    value: u16,
    generations: Vec<Generation>,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    let mut out = String::new();
    for table in &spec.table.enums {
        write_enum(&mut out, &spec, table)?;
        if let Some(name) = &table.typed {
            write_type(&mut out, name, table);
        }
    }
    write_selectors(&mut out, &spec.table);
    Ok(GeneratedFile {
        path: "r600-isa/src/generated/names.rs".into(),
        source: out,
        specs: vec![SPEC.to_owned()],
    })
}

/// One array of names for each generation; a value without a name has an empty one.
fn write_enum(out: &mut String, spec: &SpecFile<Table>, table: &Enum) -> Result<(), SpecError> {
    let len = table.values.iter().map(|value| usize::from(value.value) + 1).max().unwrap_or(0);
    let _ = writeln!(out, "/// {}", table.doc);
    let _ = writeln!(out, "///");
    for value in &table.values {
        let _ = writeln!(out, "/// - `{}` ({}): {}.", value.name, value.value, value.doc);
    }
    let _ = writeln!(out, "pub(crate) static {}: [[&str; {len}]; 4] = [", table.name);
    for generation in Generation::ALL {
        let _ = writeln!(out, "{:?},", names(spec, table, (generation, len))?);
    }
    out.push_str("];\n\n");
    Ok(())
}

/// A constant for each selector, two for a range, and one for each special operand.
fn write_selectors(out: &mut String, table: &Table) {
    out.push_str("/// Selectors of the sources of ALU instructions.\npub mod selectors {\n");
    for Selector { name, first, last, doc } in &table.selectors {
        match last {
            None => write_selector(out, name, *first, doc),
            Some(last) => {
                write_selector(
                    out,
                    &format!("{name}_FIRST"),
                    *first,
                    &format!("First of the {doc}"),
                );
                write_selector(out, &format!("{name}_LAST"), *last, &format!("Last of the {doc}"));
            }
        }
    }
    let special = table.enums.iter().filter(|table| table.name == "ALU_SOURCE");
    for value in special.flat_map(|table| &table.values) {
        write_selector(out, &value.name, value.value, &value.doc);
    }
    out.push_str("}\n\n");
}

fn write_selector(out: &mut String, name: &str, number: u16, doc: &str) {
    let _ = writeln!(
        out,
        "/// {}{}.\npub const {name}: u16 = {number};",
        doc[..1].to_uppercase(),
        &doc[1..]
    );
}

/// A type of the values that have one meaning in every generation.
fn write_type(out: &mut String, name: &str, table: &Enum) {
    let _ = writeln!(out, "/// {}", table.doc);
    out.push_str(
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n\
         #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n\
         #[repr(u8)]\n#[non_exhaustive]\n",
    );
    let _ = writeln!(out, "pub enum {name} {{");
    let is_shared = |value: &&Value| {
        value.generations.len() == Generation::ALL.len() && !value.name.starts_with("RESERVED")
    };
    for value in table.values.iter().filter(is_shared) {
        let _ = writeln!(out, "/// `{}`: {}.", value.name, value.doc);
        let _ = writeln!(out, "{} = {},", variant(&value.name), value.value);
    }
    out.push_str("}\n\n");
}

/// `Fmt32_32Float` of `32_32_FLOAT`: digits keep the underscore between them.
fn variant(name: &str) -> String {
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    let mut text = String::from(if starts_with_digit { "Fmt" } else { "" });
    for part in name.split('_') {
        let follows_digit = text.ends_with(|c: char| c.is_ascii_digit());
        if follows_digit && part.starts_with(|c: char| c.is_ascii_digit()) {
            text.push('_');
        }
        let (first, rest) = part.split_at(part.len().min(1));
        text += first;
        text += &rest.to_lowercase();
    }
    text
}

/// The names of one generation; two for one value are refused.
fn names<'t>(
    spec: &SpecFile<Table>,
    table: &'t Enum,
    (generation, len): (Generation, usize),
) -> Result<Vec<&'t str>, SpecError> {
    let mut names = vec![""; len];
    for value in table.values.iter().filter(|value| value.generations.contains(&generation)) {
        if value.doc.trim().is_empty() {
            return Err(spec.row_error(&value.name, "has no doc"));
        }
        let name = &mut names[usize::from(value.value)];
        if !name.is_empty() {
            let message = format!("value {} is {name} already", value.value);
            return Err(spec.row_error(&value.name, message));
        }
        *name = &value.name;
    }
    Ok(names)
}
