//! State registers: what the hardware is told beside a program.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::output::GeneratedFile;
use super::spec::{SpecError, SpecFile};

const SPEC: &str = "r600-isa/spec/registers.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    registers: Vec<Register>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    doc: String,
    #[serde(default = "one")]
    count: u32,
    address: Address,
    fields: Vec<Field>,
}

/// The address by generation; a key left out means that the generation has none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Address {
    r600: Option<u32>,
    r700: Option<u32>,
    evergreen: Option<u32>,
    cayman: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    lo: u8,
    hi: u8,
    #[serde(default)]
    until: Option<Last>,
    #[serde(default)]
    since: Option<First>,
    doc: String,
}

/// The last generation that has a field.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Last {
    R700,
}

/// The first generation that has a field.
#[derive(Clone, Copy, Debug, Deserialize)]
enum First {
    Evergreen,
}

fn one() -> u32 {
    1
}

/// Generates `r600-isa/src/generated/registers.rs`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    let mut out = String::from(
        "use crate::field::{Field, FieldSet};\nuse crate::state_register::StateRegister;\n\n",
    );
    for register in &spec.table.registers {
        check(&spec, register)?;
        write_register(&mut out, register);
    }
    Ok(vec![GeneratedFile {
        path: "r600-isa/src/generated/registers.rs".into(),
        source: out,
        specs: vec![SPEC.to_owned()],
    }])
}

/// No two fields of a register overlap.
fn check(spec: &SpecFile<Table>, register: &Register) -> Result<(), SpecError> {
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

fn write_register(out: &mut String, register: &Register) {
    let Address { r600, r700, evergreen, cayman } = &register.address;
    let addresses = [r600, r700, evergreen, cayman].map(|address| {
        address.map_or_else(|| "None".to_owned(), |address| format!("Some({address:#x})"))
    });
    let name = &register.name;
    let _ = writeln!(out, "/// `{name}`: {}", register.doc);
    let _ = writeln!(
        out,
        "pub mod {} {{\nuse super::{{Field, FieldSet, StateRegister}};\n",
        name.to_lowercase()
    );
    let _ = writeln!(
        out,
        "/// The register.\npub const REGISTER: StateRegister = StateRegister::new(\"{name}\", [{}], {});",
        addresses.join(", "),
        register.count
    );
    register.fields.iter().for_each(|field| write_field(out, name, field));
    out.push_str("}\n\n");
}

/// A field has its place on every generation but those that its row excludes.
fn write_field(out: &mut String, register: &str, field: &Field) {
    let until = field.until.map_or("", |Last::R700| "; R600 and R700");
    let since = field.since.map_or("", |First::Evergreen| "; Evergreen and Cayman");
    let place = |exists: bool| match exists {
        true => format!("Some(Field {{ lo: {}, hi: {} }})", field.lo, field.hi),
        false => "None".to_owned(),
    };
    let [early, late] = [place(field.since.is_none()), place(field.until.is_none())];
    let _ = writeln!(out, "/// {}{until}{since}.", capitalised(&field.doc));
    let _ = writeln!(
        out,
        "pub const {0}: FieldSet = FieldSet::new(\"{register}.{0}\", [{early}, {early}, {late}, {late}]);",
        field.name
    );
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_fields_are_refused_with_their_row() {
        let text = "(registers: [(name: \"R\", doc: \"r\", address: (r600: Some(1), r700: None, \
                    evergreen: None, cayman: None), fields: [\n\
                    (name: \"A\", lo: 0, hi: 4, doc: \"a\"),\n(name: \"B\", lo: 4, hi: 5, doc: \"b\"),\n])])";
        let spec: SpecFile<Table> = SpecFile::parse("registers.ron", text.to_owned()).unwrap();
        let error = check(&spec, &spec.table.registers[0]).unwrap_err();
        assert_eq!(error.to_string(), "registers.ron:3: row `B`: it overlaps another field of R");
    }
}
