//! Tables of `gx2-gfd`: registers of shader structures, enumerations.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::output::GeneratedFile;
use super::spec::{SpecError, SpecFile};

const REGISTERS: &str = "gx2-gfd/spec/registers.ron";
const ENUMS: &str = "gx2-gfd/spec/enums.ron";
const FORMATS: &str = "gx2-gfd/spec/formats.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registers {
    structures: Vec<Structure>,
}

/// The registers of one structure, in its order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Structure {
    name: String,
    doc: String,
    /// How many words they take together.
    words: u32,
    registers: Vec<Register>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    doc: String,
    #[serde(default = "one")]
    count: u32,
    fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    lo: u8,
    hi: u8,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enums {
    enums: Vec<Enum>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    doc: String,
    values: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    name: String,
    value: u32,
    /// Names that other tools have for it.
    #[serde(default)]
    also: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Formats {
    formats: Vec<Format>,
}

/// A format of attributes; its place in the list is its number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    name: String,
    value: u32,
    data_format: u8,
    bytes: u8,
    swap: Swap,
}

/// How bytes of a format are swapped.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Swap {
    None,
    In16,
    In32,
}

fn one() -> u32 {
    1
}

/// Generates `gx2-gfd/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let registers: SpecFile<Registers> = SpecFile::read(root, REGISTERS)?;
    let enums: SpecFile<Enums> = SpecFile::read(root, ENUMS)?;
    let formats: SpecFile<Formats> = SpecFile::read(root, FORMATS)?;
    Ok(vec![register_file(&registers)?, enum_file(&enums)?, format_file(&formats)?])
}

fn register_file(spec: &SpecFile<Registers>) -> Result<GeneratedFile, SpecError> {
    let mut source = String::from("use crate::registers::{Field, Register};\n\n");
    for structure in &spec.table.structures {
        let words: u32 = structure.registers.iter().map(|register| register.count).sum();
        if words != structure.words {
            let message = format!("its registers take {words} words, not {}", structure.words);
            return Err(spec.row_error(&structure.name, message));
        }
        structure.registers.iter().try_for_each(|register| check(spec, register))?;
        write_structure(&mut source, structure);
    }
    Ok(file("registers", source, REGISTERS))
}

/// No two fields of a register overlap.
fn check(spec: &SpecFile<Registers>, register: &Register) -> Result<(), SpecError> {
    let mut taken = 0_u32;
    for field in &register.fields {
        if field.lo > field.hi || field.hi > 31 {
            return Err(spec.row_error(&field.name, "bits must run from lo up to hi, at most 31"));
        }
        let mask = (u32::MAX >> (31 - (field.hi - field.lo))) << field.lo;
        if taken & mask != 0 {
            let message = format!("it overlaps another field of {}", register.name);
            return Err(spec.row_error(&field.name, message));
        }
        taken |= mask;
    }
    Ok(())
}

fn write_structure(out: &mut String, structure: &Structure) {
    let Structure { name, doc, words, registers } = structure;
    let _ = writeln!(out, "/// {doc}\npub mod {name} {{\nuse super::{{Field, Register}};\n");
    let _ = writeln!(out, "/// Words that they take.\npub(crate) const WORDS: usize = {words};\n");
    let mut first = 0;
    for register in registers {
        let _ = writeln!(
            out,
            "/// {}\npub const {}: Register = Register {{ name: {:?}, doc: {:?}, first: {first}, count: {}, \
             fields: &[{}] }};",
            register.doc,
            register.name,
            register.name,
            register.doc,
            register.count,
            register.fields.iter().map(field).collect::<String>()
        );
        first += register.count;
    }
    let names: Vec<_> = registers.iter().map(|register| register.name.as_str()).collect();
    let _ = writeln!(
        out,
        "\n/// All of them, in order.\npub const ALL: &[Register] = &[{}];\n}}\n",
        names.join(", ")
    );
}

fn field(field: &Field) -> String {
    let Field { name, lo, hi, doc } = field;
    format!("Field {{ name: {name:?}, lo: {lo}, hi: {hi}, doc: {doc:?} }},")
}

fn enum_file(spec: &SpecFile<Enums>) -> Result<GeneratedFile, SpecError> {
    let mut source = String::from("use crate::named::named;\n\n");
    for own in &spec.table.enums {
        let mut numbers = std::collections::BTreeSet::new();
        if let Some(twice) = own.values.iter().find(|value| !numbers.insert(value.value)) {
            return Err(spec.row_error(&twice.name, "another value has its number"));
        }
        let _ = writeln!(source, "named! {{\n/// {}\npub {};", own.doc, own.name);
        for value in &own.values {
            let also: Vec<_> = value.also.iter().map(|name| format!("{name:?}")).collect();
            let name = &value.name;
            let _ = writeln!(source, "{name} = {}, {name:?}, [{}];", value.value, also.join(", "));
        }
        source.push_str("}\n\n");
    }
    Ok(file("enums", source, ENUMS))
}

fn format_file(spec: &SpecFile<Formats>) -> Result<GeneratedFile, SpecError> {
    let mut source = String::from("use crate::attribute::{EndianSwap, FormatInfo};\n\n");
    let count = spec.table.formats.len();
    let _ = writeln!(
        source,
        "/// Formats by number.\npub(crate) static FORMATS: [FormatInfo; {count}] = ["
    );
    for (number, format) in (0..).zip(&spec.table.formats) {
        let Format { name, value, data_format, bytes, swap } = format;
        if *value != number {
            return Err(spec.row_error(name, format!("its value must be its place, {number}")));
        }
        let _ = writeln!(
            source,
            "FormatInfo {{ name: {name:?}, data_format: {data_format:#04x}, bytes: {bytes}, swap: EndianSwap::{swap:?} }},"
        );
    }
    source.push_str("];\n");
    Ok(file("formats", source, FORMATS))
}

fn file(name: &str, source: String, spec: &str) -> GeneratedFile {
    GeneratedFile {
        path: format!("gx2-gfd/src/generated/{name}.rs").into(),
        source,
        specs: vec![spec.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(words: u32, second: &str) -> String {
        let text = format!(
            "(structures: [(name: \"s\", doc: \"s\", words: {words}, registers: [\n\
             (name: \"R\", doc: \"r\", fields: [\n(name: \"A\", lo: 0, hi: 4, doc: \"a\"),\n{second}])])])"
        );
        let spec: SpecFile<Registers> = SpecFile::parse("registers.ron", text).unwrap();
        register_file(&spec).err().unwrap().to_string()
    }

    #[test]
    fn registers_that_cannot_be_right_are_refused_with_their_row() {
        let overlap = error_of(1, "(name: \"B\", lo: 4, hi: 5, doc: \"b\"),");
        assert_eq!(overlap, "registers.ron:4: row `B`: it overlaps another field of R");
        assert!(error_of(2, "").ends_with("row `s`: its registers take 1 words, not 2"));
    }
}
