//! Which values are in which registers.

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
    values: Vec<Value>,
    shapes: Vec<Shape>,
    lods_with_value: Vec<String>,
    tex_ra: Vec<Present>,
    tex_rb: Vec<Present>,
    tex_excluded: Vec<Exclusion>,
    tlds_forms: Vec<Form>,
    tlds_masks: Vec<Mask>,
    alignments: Vec<Alignment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    name: String,
    text: String,
    #[serde(default)]
    tex: Option<Format>,
    #[serde(default)]
    tlds: Option<Format>,
    doc: String,
}

/// How 32 bits are to be read.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Format {
    F32,
    S32,
    U32,
    U16,
    Fields,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    param: String,
    array: bool,
    cube: bool,
    coords: Vec<String>,
}

/// A value and what makes an instruction read it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Present {
    value: String,
    when: Vec<Condition>,
}

/// A modifier and the shapes that it does not go with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exclusion {
    rule: String,
    modifier: Condition,
    written: String,
    params: Vec<String>,
}

#[derive(Debug, Deserialize)]
enum Condition {
    Array,
    NoArray,
    Clamp,
    NoClamp,
    Dim1,
    Dim2,
    Dim3,
    Bindless,
    LodValue,
    Offsets,
    Compare,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    name: String,
    code: u8,
    /// Absent for reserved codes, as are the columns below.
    #[serde(default)]
    param: Option<String>,
    #[serde(default)]
    lod: Option<String>,
    #[serde(default)]
    aoffi: bool,
    #[serde(default)]
    ms: bool,
    #[serde(default)]
    ra: Vec<String>,
    #[serde(default)]
    rb: Vec<String>,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mask {
    name: String,
    long: bool,
    code: u8,
    rd0: String,
    rd1: String,
    #[serde(default)]
    reserved: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Alignment {
    count: u8,
    multiple: u8,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("packing"))?;
    check(&spec)?;
    let table = &spec.table;
    let mut out = String::from(
        "use crate::component::Component;\n\
         use crate::generated::enums::{Lod, ParamA};\n\
         use crate::generated::rules::Rule;\n\
         use crate::tables::{Condition, Exclusion, Format, MaskInfo, Presence, ShapeInfo, TldsFormInfo};\n\
         use crate::tlds::TldsModes;\n\n",
    );
    write_values(&mut out, &table.values);
    write_shapes(&mut out, &table.shapes);
    write_lods(&mut out, &table.lods_with_value);
    write_order(&mut out, "TEX_RA", &table.tex_ra);
    write_order(&mut out, "TEX_RB", &table.tex_rb);
    write_exclusions(&mut out, &table.tex_excluded);
    write_forms(&mut out, &table.tlds_forms);
    write_masks(&mut out, &table.tlds_masks);
    write_alignments(&mut out, &table.alignments);
    Ok(file("packing", out))
}

/// Values are declared, codes are complete, and a form's code says how long its vectors are.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let table = &spec.table;
    let known = |name: &String| table.values.iter().any(|value| value.name == *name);
    for (code, form) in table.tlds_forms.iter().enumerate() {
        if usize::from(form.code) != code {
            return Err(spec.row_error(&form.name, format!("has code {code} here")));
        }
        if let Some(value) = form.ra.iter().chain(&form.rb).find(|value| !known(value)) {
            return Err(spec.row_error(&form.name, format!("no value is called {value}")));
        }
        let says = |bit: u8| form.code & bit != 0;
        if form.param.is_some()
            && (says(4) != (form.ra.len() == 2) || says(8) != (form.rb.len() == 2))
        {
            return Err(spec.row_error(&form.name, "bits 2 and 3 of the code tell other sizes"));
        }
    }
    for present in table.tex_ra.iter().chain(&table.tex_rb) {
        if !known(&present.value) {
            return Err(spec.row_error(&present.value, "no such value"));
        }
    }
    Ok(())
}

fn write_values(out: &mut String, values: &[Value]) {
    let variants: Vec<_> = values
        .iter()
        .map(|value| Variant { name: &value.name, text: &value.text, doc: &value.doc })
        .collect();
    write_enum(out, "Value", "What a register holds for a texture instruction.", &variants);
    let format = |format: Option<Format>| {
        format.map_or("None".to_owned(), |f| format!("Some(Format::{f:?})"))
    };
    let _ = writeln!(
        out,
        "/// How TEX and TLDS write each value.\npub(crate) static FORMATS: [[Option<Format>; 2]; {}] = [",
        values.len()
    );
    for value in values {
        let _ = writeln!(out, "[{}, {}],", format(value.tex), format(value.tlds));
    }
    out.push_str("];\n\n");
}

fn write_shapes(out: &mut String, shapes: &[Shape]) {
    let _ = writeln!(out, "pub(crate) static SHAPES: [ShapeInfo; {}] = [", shapes.len());
    for Shape { param, array, cube, coords } in shapes {
        let coords = value_list(coords);
        let _ = writeln!(
            out,
            "/* {param} */ ShapeInfo {{ array: {array}, cube: {cube}, coords: &{coords} }},"
        );
    }
    out.push_str("];\n\n");
}

fn write_lods(out: &mut String, lods: &[String]) {
    let list: Vec<_> = lods.iter().map(|lod| format!("Lod::{}", camel_case(lod))).collect();
    let _ = writeln!(
        out,
        "pub(crate) static LODS_WITH_VALUE: [Lod; {}] = [{}];\n",
        lods.len(),
        list.join(", ")
    );
}

fn write_order(out: &mut String, name: &str, order: &[Present]) {
    let _ = writeln!(out, "pub(crate) static {name}: [Presence; {}] = [", order.len());
    for Present { value, when } in order {
        let when: Vec<_> =
            when.iter().map(|condition| format!("Condition::{condition:?}")).collect();
        let _ = writeln!(
            out,
            "Presence {{ value: Value::{}, when: &[{}] }},",
            camel_case(value),
            when.join(", ")
        );
    }
    out.push_str("];\n\n");
}

fn write_exclusions(out: &mut String, exclusions: &[Exclusion]) {
    let _ = writeln!(out, "pub(crate) static TEX_EXCLUDED: [Exclusion; {}] = [", exclusions.len());
    for Exclusion { rule, modifier, written, params } in exclusions {
        let params: Vec<_> =
            params.iter().map(|param| format!("ParamA::{}", camel_case(param))).collect();
        let _ = writeln!(
            out,
            "Exclusion {{ rule: Rule::{}, modifier: Condition::{modifier:?}, written: {written:?}, \
             params: &[{}] }},",
            camel_case(rule),
            params.join(", ")
        );
    }
    out.push_str("];\n\n");
}

fn write_forms(out: &mut String, forms: &[Form]) {
    let variants: Vec<_> = forms
        .iter()
        .map(|form| Variant { name: &form.name, text: &form.name, doc: &form.doc })
        .collect();
    write_enum(
        out,
        "TldsForm",
        "What TLDS can do: shape, level of detail and modifier.",
        &variants,
    );
    let _ = writeln!(out, "pub(crate) static TLDS_FORMS: [TldsFormInfo; {}] = [", forms.len());
    for form in forms {
        let _ = writeln!(
            out,
            "TldsFormInfo {{ modes: {}, ra: &{}, rb: &{} }},",
            modes(form),
            value_list(&form.ra),
            value_list(&form.rb)
        );
    }
    out.push_str("];\n\n");
}

fn modes(form: &Form) -> String {
    let (Some(param), Some(lod)) = (&form.param, &form.lod) else { return "None".to_owned() };
    format!(
        "Some(TldsModes {{ param: ParamA::{}, lod: Lod::{}, aoffi: {}, ms: {} }})",
        camel_case(param),
        camel_case(lod),
        form.aoffi,
        form.ms
    )
}

fn write_masks(out: &mut String, masks: &[Mask]) {
    let docs: Vec<_> = masks.iter().map(mask_doc).collect();
    let variants: Vec<_> = masks
        .iter()
        .zip(&docs)
        .map(|(mask, doc)| Variant { name: &mask.name, text: &mask.name, doc })
        .collect();
    write_enum(out, "TldsMask", "Components that TLDS writes.", &variants);
    let _ = writeln!(out, "pub(crate) static TLDS_MASKS: [MaskInfo; {}] = [", masks.len());
    for Mask { long, code, rd0, rd1, reserved, .. } in masks {
        let _ = writeln!(
            out,
            "MaskInfo {{ long: {long}, code: {code}, reserved: {reserved}, rd0: &{}, rd1: &{} }},",
            components(rd0),
            components(rd1)
        );
    }
    out.push_str("];\n\n");
}

fn mask_doc(mask: &Mask) -> String {
    let Mask { rd0, rd1, .. } = mask;
    match (mask.reserved, mask.long) {
        (true, _) => "Reserved; the name is the vendor disassembler's.".to_owned(),
        (false, false) => format!("{rd0} in Rd0."),
        (false, true) => format!("{rd0} in Rd0, {rd1} in Rd1."),
    }
}

fn components(letters: &str) -> String {
    let list: Vec<_> = letters.chars().map(|letter| format!("Component::{letter}")).collect();
    format!("[{}]", list.join(", "))
}

fn value_list(names: &[String]) -> String {
    let list: Vec<_> = names.iter().map(|name| format!("Value::{}", camel_case(name))).collect();
    format!("[{}]", list.join(", "))
}

fn write_alignments(out: &mut String, rows: &[Alignment]) {
    let multiples: Vec<_> = rows.iter().map(|row| row.multiple.to_string()).collect();
    debug_assert!(rows.iter().zip(1..).all(|(row, count)| row.count == count));
    let _ = writeln!(
        out,
        "/// What the first register of a vector is a multiple of, by the vector's length less one.\n\
         pub(crate) static ALIGNMENTS: [u8; {}] = [{}];",
        rows.len(),
        multiples.join(", ")
    );
}
