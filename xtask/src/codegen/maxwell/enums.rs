//! Enumerations that fill a field, and the generations of shader processors.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Variant, file, spec_path, write_enum};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    enums: Vec<Enum>,
    sms: Vec<Sm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    width: u8,
    doc: String,
    variants: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    text: String,
    code: u8,
    #[serde(default)]
    reserved: bool,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sm {
    name: String,
    major: u8,
    minor: u8,
    sparse: bool,
    f16: bool,
    doc: String,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("enums"))?;
    let mut out = String::from("use crate::sm::SmInfo;\n\n");
    for table in &spec.table.enums {
        check(&spec, table)?;
        write_coded(&mut out, table);
    }
    write_sms(&mut out, &spec.table.sms);
    Ok(file("enums", out))
}

/// The rows name all codes in order, so that decoding cannot fail.
fn check(spec: &SpecFile<Table>, table: &Enum) -> Result<(), SpecError> {
    for (code, row) in table.variants.iter().enumerate() {
        if usize::from(row.code) != code {
            return Err(spec.row_error(&row.name, format!("{} has code {code} here", table.name)));
        }
    }
    if table.variants.len() != 1 << table.width {
        return Err(spec.row_error(&table.name, "needs a row for every code"));
    }
    Ok(())
}

fn write_coded(out: &mut String, table: &Enum) {
    let variants: Vec<_> = table
        .variants
        .iter()
        .map(|row| Variant { name: &row.name, text: &row.text, doc: &row.doc })
        .collect();
    write_enum(out, &table.name, &table.doc, &variants);
    let reserved: Vec<_> = table.variants.iter().map(|row| row.reserved.to_string()).collect();
    let _ = writeln!(
        out,
        "impl {name} {{\n\
         /// Its code in a word.\n\
         pub const fn code(self) -> u8 {{ self as u8 }}\n\n\
         /// The value with this code; bits above the field do not count.\n\
         pub const fn from_code(code: u8) -> Self {{ Self::ALL[(code & {mask:#x}) as usize] }}\n\n\
         /// Whether the documents give it no meaning.\n\
         pub const fn is_reserved(self) -> bool {{ [{reserved}][self as usize] }}\n\
         }}\n",
        name = table.name,
        mask = table.variants.len() - 1,
        reserved = reserved.join(", "),
    );
}

fn write_sms(out: &mut String, sms: &[Sm]) {
    let variants: Vec<_> =
        sms.iter().map(|sm| Variant { name: &sm.name, text: &sm.name, doc: &sm.doc }).collect();
    write_enum(out, "Sm", "A generation of Maxwell's shader processors.", &variants);
    let _ = writeln!(out, "pub(crate) static SM_INFO: [SmInfo; {}] = [", sms.len());
    for Sm { major, minor, sparse, f16, .. } in sms {
        let _ = writeln!(
            out,
            "SmInfo {{ major: {major}, minor: {minor}, sparse: {sparse}, f16: {f16} }},"
        );
    }
    out.push_str("];\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_codes(codes: &[u8]) -> Result<(), String> {
        let rows: Vec<_> = codes
            .iter()
            .map(|code| format!("(name: \"V{code}\", text: \"v\", code: {code}, doc: \"d\")"))
            .collect();
        let text = format!(
            "(sms: [], enums: [\n(name: \"E\", width: 1, doc: \"e\", variants: [\n{}])])",
            rows.join(",\n")
        );
        let spec: SpecFile<Table> = SpecFile::parse("enums.ron", text).unwrap();
        check(&spec, &spec.table.enums[0]).map_err(|error| error.to_string())
    }

    #[test]
    fn every_code_has_one_row() {
        assert_eq!(check_codes(&[0, 1]), Ok(()));
        assert_eq!(
            check_codes(&[0]).unwrap_err(),
            "enums.ron:2: row `E`: needs a row for every code"
        );
        assert_eq!(check_codes(&[0, 2]).unwrap_err(), "enums.ron:4: row `V2`: E has code 1 here");
    }
}
