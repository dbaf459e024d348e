//! What textures give for components that they lack.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::super::names::camel_case;
use super::super::output::GeneratedFile;
use super::super::spec::{SpecError, SpecFile};

const SPEC: &str = "tgsi-exec/spec/texture-components.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    source: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    given: String,
    gallium: Option<String>,
    opengl: Option<String>,
    direct3d9: Option<String>,
    doc: String,
}

/// Generates the enumeration and its table.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    check(&spec)?;
    let rows = &spec.table.rows;
    let mut source = String::from(
        "use crate::sampler::Channel;\n\n\
         /// The components that the texels of an image have.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum Components {\n",
    );
    for row in rows {
        let _ = writeln!(source, "/// {}\n{},", row.doc, camel_case(&row.name));
    }
    source += "}\n\nimpl Components {\n/// Every kind.\npub const ALL: &[Self] = &[";
    source.extend(rows.iter().map(|row| format!("Self::{},", camel_case(&row.name))));
    source +=
        "];\n\n/// The name: `RGBA`.\npub const fn name(self) -> &'static str {\nmatch self {\n";
    for row in rows {
        let _ = writeln!(source, "Self::{} => {:?},", camel_case(&row.name), row.name);
    }
    source += "}\n}\n\n/// How many there are.\npub const fn num_channels(self) -> usize {\nmatch self {\n";
    for row in rows {
        let _ = writeln!(source, "Self::{} => {},", camel_case(&row.name), row.given.len());
    }
    source += "}\n}\n";
    for (name, of) in [
        ("gallium", (|row| &row.gallium) as fn(&Row) -> &Option<String>),
        ("opengl", |row| &row.opengl),
        ("direct3d9", |row| &row.direct3d9),
    ] {
        let _ = writeln!(
            source,
            "\n/// What x, y, z and w hold, where the convention says so.\n\
             pub(crate) const fn {name}(self) -> Option<[Channel; 4]> {{\nmatch self {{"
        );
        for row in rows {
            let channels = of(row).as_deref().map_or_else(
                || "None".to_owned(),
                |letters| {
                    let channels: Vec<String> =
                        letters.chars().map(|letter| channel(&row.given, letter)).collect();
                    format!("Some([{}])", channels.join(", "))
                },
            );
            let _ = writeln!(source, "Self::{} => {channels},", camel_case(&row.name));
        }
        source += "}\n}\n";
    }
    source += "}\n";
    Ok(GeneratedFile {
        path: PathBuf::from("tgsi-exec/src/generated/components.rs"),
        source,
        specs: vec![SPEC.to_owned()],
    })
}

fn channel(given: &str, letter: char) -> String {
    match (letter, given.find(letter)) {
        ('0', _) => "Channel::Zero".to_owned(),
        ('1', _) => "Channel::One".to_owned(),
        (_, place) => format!("Channel::Given({})", place.unwrap_or(usize::MAX)),
    }
}

/// Four letters each, of those that are given.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    for row in &spec.table.rows {
        for letters in [&row.gallium, &row.opengl, &row.direct3d9].into_iter().flatten() {
            let is_known = |letter: char| matches!(letter, '0' | '1') || row.given.contains(letter);
            if letters.len() != 4 || !letters.chars().all(is_known) {
                let message = format!("`{letters}` is not four of `{}`, 0 and 1", row.given);
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}
