//! Bit fields of the microcode words.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::doc;

const SPEC: &str = "r600-isa/spec/fields.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    formats: Vec<Format>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    name: String,
    fields: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Generation {
    R600,
    R700,
    Evergreen,
    Cayman,
}

impl Generation {
    /// All four, in order.
    pub(super) const ALL: [Self; 4] = [Self::R600, Self::R700, Self::Evergreen, Self::Cayman];
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    generations: Vec<Generation>,
    lo: u8,
    hi: u8,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    let mut out = String::from("use crate::field::{Field, FieldSet};\n\n");
    for format in &spec.table.formats {
        check(&spec, format)?;
        write_format(&mut out, format);
    }
    Ok(GeneratedFile {
        path: "r600-isa/src/generated/fields.rs".into(),
        source: out,
        specs: vec![SPEC.to_owned()],
    })
}

/// No two fields of a word overlap on any generation.
fn check(spec: &SpecFile<Table>, format: &Format) -> Result<(), SpecError> {
    for generation in
        [Generation::R600, Generation::R700, Generation::Evergreen, Generation::Cayman]
    {
        let mut owner: [Option<&str>; 32] = [None; 32];
        for row in format.fields.iter().filter(|row| row.generations.contains(&generation)) {
            if row.lo > row.hi || row.hi > 31 {
                return Err(spec.row_error(&row.name, "bits must run from lo up to hi, at most 31"));
            }
            for bit in row.lo..=row.hi {
                if let Some(other) = owner[usize::from(bit)].replace(&row.name) {
                    let message =
                        format!("bit {bit} of {} is {other}'s on {generation:?}", format.name);
                    return Err(spec.row_error(&row.name, message));
                }
            }
        }
    }
    Ok(())
}

fn write_format(out: &mut String, format: &Format) {
    let _ = writeln!(out, "/// Fields of `{}`.", format.name);
    let _ = writeln!(
        out,
        "pub mod {} {{\n use super::{{Field, FieldSet}};\n",
        format.name.to_lowercase()
    );
    let mut names: Vec<&str> = Vec::new();
    for row in &format.fields {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    for name in names {
        let rows: Vec<&Row> = format.fields.iter().filter(|row| row.name == name).collect();
        let places =
            [Generation::R600, Generation::R700, Generation::Evergreen, Generation::Cayman].map(
                |generation| {
                    rows.iter().find(|row| row.generations.contains(&generation)).map_or_else(
                        || "None".to_owned(),
                        |row| format!("Some(Field {{ lo: {}, hi: {} }})", row.lo, row.hi),
                    )
                },
            );
        out.push_str(&doc(&rows[0].doc));
        let _ = writeln!(
            out,
            "pub const {name}: FieldSet = FieldSet::new(\"{}.{name}\", [{}]);",
            format.name,
            places.join(", ")
        );
    }
    out.push_str("}\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generate_from(text: &str) -> Result<(), SpecError> {
        let spec: SpecFile<Table> = SpecFile::parse("fields.ron", text.to_owned())?;
        spec.table.formats.iter().try_for_each(|format| check(&spec, format))
    }

    #[test]
    fn overlapping_fields_are_refused_with_their_row() {
        let error = generate_from(
            "(formats: [(name: \"W\", fields: [\n\
             (name: \"A\", generations: [R600], lo: 0, hi: 4, doc: \"a\"),\n\
             (name: \"B\", generations: [R600], lo: 4, hi: 5, doc: \"b\"),\n])])",
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "fields.ron:3: row `B`: bit 4 of W is A's on R600");
    }

    #[test]
    fn unknown_keys_are_refused_with_their_place() {
        let error = generate_from("(formats: [], colour: 3)").unwrap_err();
        assert!(error.to_string().starts_with("fields.ron:1:"), "{error}");
        assert!(error.to_string().contains("colour"), "{error}");
    }
}
