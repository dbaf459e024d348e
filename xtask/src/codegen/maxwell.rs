//! Tables of `maxwell-tex`: word layouts, enumerations, packing, rules, Direct3D.

mod direct3d;
mod enums;
mod packing;
mod rules;
mod words;

use std::fmt::Write as _;
use std::path::Path;

use super::names::camel_case;
use super::output::GeneratedFile;
use super::spec::SpecError;

/// Generates `maxwell-tex/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    Ok(vec![
        words::generate(root)?,
        enums::generate(root)?,
        packing::generate(root)?,
        rules::generate(root)?,
        direct3d::generate(root)?,
    ])
}

/// The file that comes from `maxwell-tex/spec/<name>.ron`.
fn file(name: &str, source: String) -> GeneratedFile {
    GeneratedFile {
        path: format!("maxwell-tex/src/generated/{name}.rs").into(),
        source,
        specs: vec![spec_path(name)],
    }
}

fn spec_path(name: &str) -> String {
    format!("maxwell-tex/spec/{name}.ron")
}

/// What every enumeration of a table needs.
struct Variant<'a> {
    /// Name in the table.
    name: &'a str,
    /// How it is written.
    text: &'a str,
    /// What it means.
    doc: &'a str,
}

/// An enumeration with `ALL` and `text`, whose discriminants count the rows.
fn write_enum(out: &mut String, name: &str, about: &str, variants: &[Variant<'_>]) {
    let _ = writeln!(
        out,
        "/// {about}\n#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n\
         pub enum {name} {{"
    );
    for variant in variants {
        let _ = writeln!(out, "/// {}\n{},", variant.doc, camel_case(variant.name));
    }
    let list = |show: &dyn Fn(&Variant<'_>) -> String| {
        variants.iter().map(show).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        out,
        "}}\n\nimpl {name} {{\n\
         /// Every one, in the order of the table.\n\
         pub const ALL: [Self; {count}] = [{all}];\n\n\
         const TEXT: [&'static str; {count}] = [{texts}];\n\n\
         /// How it is written.\n\
         pub const fn text(self) -> &'static str {{ Self::TEXT[self as usize] }}\n\
         }}\n",
        count = variants.len(),
        all = list(&|variant| format!("Self::{}", camel_case(variant.name))),
        texts = list(&|variant| format!("{:?}", variant.text)),
    );
}
