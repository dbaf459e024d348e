//! The registers that hold each value.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{array, number, option, same, table, token, variant_of, variants};
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Variant, enumeration, enums, file, spec_path};

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

/// The interpretation of 32 bits.
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

/// A value, and the conditions under which an instruction reads it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Present {
    value: String,
    when: Vec<Condition>,
}

/// A modifier, and the shapes that exclude it.
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
    /// Left out for reserved codes, like the columns below.
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
    check_shapes(&spec, &enums::variants(root, "ParamA")?)?;
    let table = &spec.table;
    let parts = [
        values(&table.values),
        shapes(&table.shapes),
        lods(&table.lods_with_value),
        order("TEX_RA", &table.tex_ra),
        order("TEX_RB", &table.tex_rb),
        exclusions(&table.tex_excluded),
        forms(&table.tlds_forms),
        masks(&table.tlds_masks),
        alignments(&table.alignments),
    ];
    let tokens = quote! {
        use crate::component::Component;
        use crate::generated::enums::{Lod, ParamA};
        use crate::generated::rules::Rule;
        use crate::modes::TldsModes;
        use crate::tables::{
            Condition, Exclusion, Format, MaskInfo, Presence, ShapeInfo, TldsFormInfo,
        };
        #(#parts)*
    };
    Ok(file("packing", tokens))
}

/// Checks that values are declared, that codes are complete, and that a form's code determines the lengths of its
/// vectors.
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

/// Checks that shapes are in the order of the enumeration that indexes them.
fn check_shapes(spec: &SpecFile<Table>, params: &[String]) -> Result<(), SpecError> {
    let shapes: Vec<_> = spec.table.shapes.iter().map(|shape| &shape.param).collect();
    if shapes.iter().copied().ne(params) {
        return Err(spec.row_error("shapes", format!("{shapes:?} are not {params:?} in order")));
    }
    Ok(())
}

fn values(values: &[Value]) -> TokenStream {
    let variants: Vec<_> = values
        .iter()
        .map(|value| Variant { name: &value.name, text: &value.text, doc: &value.doc })
        .collect();
    let about = "What a register holds for a texture instruction.";
    let definition = enumeration("Value", about, &variants);
    let formats: Vec<_> = values
        .iter()
        .map(|value| {
            array([value.tex, value.tlds].map(|own| option(own.map(|own| same("Format", own)))))
        })
        .collect();
    let formats = table("FORMATS", quote!([Option<Format>; 2]), &formats);
    quote! {
        #definition
        /// How TEX and TLDS write each value.
        #formats
    }
}

fn shapes(shapes: &[Shape]) -> TokenStream {
    let row = |shape: &Shape| {
        let Shape { array: is_array, cube, coords, .. } = shape;
        let coords = array(variants("Value", coords));
        quote!(ShapeInfo { array: #is_array, cube: #cube, coords: &#coords })
    };
    let rows: Vec<_> = shapes.iter().map(row).collect();
    let table = table("SHAPES", quote!(ShapeInfo), &rows);
    quote! {
        /// By the code of [`ParamA`].
        #table
    }
}

fn lods(lods: &[String]) -> TokenStream {
    table("LODS_WITH_VALUE", quote!(Lod), &variants("Lod", lods))
}

fn order(name: &str, order: &[Present]) -> TokenStream {
    let row = |present: &Present| {
        let value = variant_of("Value", &present.value);
        let when = present.when.iter().map(|condition| same("Condition", condition));
        quote!(Presence { value: #value, when: &[#(#when),*] })
    };
    let rows: Vec<_> = order.iter().map(row).collect();
    table(name, quote!(Presence), &rows)
}

fn exclusions(exclusions: &[Exclusion]) -> TokenStream {
    let row = |row: &Exclusion| {
        let (rule, modifier) = (variant_of("Rule", &row.rule), same("Condition", &row.modifier));
        let (written, params) = (&row.written, array(variants("ParamA", &row.params)));
        quote! {
            Exclusion { rule: #rule, modifier: #modifier, written: #written, params: &#params }
        }
    };
    let rows: Vec<_> = exclusions.iter().map(row).collect();
    table("TEX_EXCLUDED", quote!(Exclusion), &rows)
}

fn forms(forms: &[Form]) -> TokenStream {
    let names: Vec<_> = forms
        .iter()
        .map(|form| Variant { name: &form.name, text: &form.name, doc: &form.doc })
        .collect();
    let about = "What TLDS can do: shape, level of detail and modifier.";
    let definition = enumeration("TldsForm", about, &names);
    let row = |form: &Form| {
        let [ra, rb] = [&form.ra, &form.rb].map(|values| array(variants("Value", values)));
        let modes = option(modes(form));
        quote!(TldsFormInfo { modes: #modes, ra: &#ra, rb: &#rb })
    };
    let rows: Vec<_> = forms.iter().map(row).collect();
    let table = table("TLDS_FORMS", quote!(TldsFormInfo), &rows);
    quote!(#definition #table)
}

fn modes(form: &Form) -> Option<TokenStream> {
    let (param, lod) = (form.param.as_ref()?, form.lod.as_ref()?);
    let (param, lod) = (variant_of("ParamA", param), variant_of("Lod", lod));
    let Form { aoffi, ms, .. } = form;
    Some(quote!(TldsModes { param: #param, lod: #lod, aoffi: #aoffi, ms: #ms }))
}

fn masks(masks: &[Mask]) -> TokenStream {
    let docs: Vec<_> = masks.iter().map(mask_doc).collect();
    let variants: Vec<_> = masks
        .iter()
        .zip(&docs)
        .map(|(mask, doc)| Variant { name: &mask.name, text: &mask.name, doc })
        .collect();
    let definition = enumeration("TldsMask", "Components that TLDS writes.", &variants);
    let row = |mask: &Mask| {
        let Mask { long, reserved, .. } = mask;
        let (code, [rd0, rd1]) =
            (number(mask.code), [&mask.rd0, &mask.rd1].map(|letters| components(letters)));
        quote! {
            MaskInfo { long: #long, code: #code, reserved: #reserved, rd0: &#rd0, rd1: &#rd1 }
        }
    };
    let rows: Vec<_> = masks.iter().map(row).collect();
    let table = table("TLDS_MASKS", quote!(MaskInfo), &rows);
    quote!(#definition #table)
}

fn mask_doc(mask: &Mask) -> String {
    let Mask { rd0, rd1, .. } = mask;
    match (mask.reserved, mask.long) {
        (true, _) => "Reserved; the name is the vendor disassembler's.".to_owned(),
        (false, false) => format!("{rd0} in Rd0."),
        (false, true) => format!("{rd0} in Rd0, {rd1} in Rd1."),
    }
}

fn components(letters: &str) -> TokenStream {
    array(letters.chars().map(|letter| {
        let letter = token(letter.encode_utf8(&mut [0; 4]));
        quote!(Component::#letter)
    }))
}

fn alignments(rows: &[Alignment]) -> TokenStream {
    debug_assert!(rows.iter().zip(1..).all(|(row, count)| row.count == count));
    let multiples: Vec<_> = rows.iter().map(|row| number(row.multiple)).collect();
    let table = table("ALIGNMENTS", quote!(u8), &multiples);
    quote! {
        /// What the first register of a vector is a multiple of, by the vector's length less one.
        #table
    }
}
