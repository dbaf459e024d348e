//! What the dialects say otherwise than today's TGSI.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::super::names::camel_case;
use super::super::output::GeneratedFile;
use super::super::spec::{SpecError, SpecFile};
use super::release::{DIALECTS, Release};

const SPEC: &str = "tgsi-ir/spec/dialects.ron";

/// Names of the dialects, in the order of `tgsi_ir::Dialect`.
const NAMES: [&str; 3] = ["2010", "2012", "21.2"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    source: String,
    features: Vec<Feature>,
    operands: Vec<Operands>,
    instead: Vec<Instead>,
    meanings: Vec<Meaning>,
    semantics: Vec<Semantics>,
    channels: Vec<Channels>,
    targets: Vec<Targets>,
    stages: Vec<Stages>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Feature {
    name: String,
    text: String,
    since: Option<Release>,
    until: Option<Release>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Operands {
    opcode: String,
    dialects: Vec<String>,
    src: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Instead {
    opcodes: Vec<String>,
    dialects: Vec<String>,
    write: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meaning {
    opcodes: Vec<String>,
    dialects: Vec<String>,
    document: Wording,
    mesa: Wording,
    note: Option<String>,
}

/// Variants as in `tgsi_ir::translate::Wording`.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Wording {
    Today,
    AbsoluteSource,
    BitTest,
    RoundHalfUp,
    FirstStream,
    SampleInW,
    CountInX,
    DividedByDot,
    FirstDividedByDot,
    WholeCounter,
    TruthAsDouble,
    DoubleExponent,
    FractionFirst,
    ExponentFirst,
    ZeroWithoutSamples,
    LineArraysWithoutLevels,
    EachComponent,
}

/// Variants as in `tgsi_ir::Processor`.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Stage {
    Vertex,
    Fragment,
    Geometry,
    Compute,
}

/// Variants as in `tgsi_ir::File`.
#[derive(Clone, Copy, Debug, Deserialize)]
enum File {
    Input,
    Output,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Semantics {
    names: Vec<String>,
    dialects: Vec<String>,
    places: Vec<(Stage, File)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Channels {
    semantic: String,
    stage: Stage,
    dialects: Vec<String>,
    mask: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Targets {
    opcodes: Vec<String>,
    dialects: Vec<String>,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    not: Vec<String>,
    why: String,
    help: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stages {
    opcodes: Vec<String>,
    dialects: Vec<String>,
    stage: Stage,
}

/// Generates the tables.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    check(&spec)?;
    let table = &spec.table;
    let mut source = String::from(
        "use crate::dialect::{ChannelRule, MeaningRow, SemanticRule, StageRule, TargetRule, WrittenInstead};\n\
         use crate::translate::Wording;\n\
         use crate::{File, Opcode, Processor, Semantic, TextureTarget, WriteMask};\n\n",
    );
    source += &features(&table.features);
    source += &operands(&table.operands);
    source +=
        &list("INSTEAD", "WrittenInstead", "Opcodes without a number.", &table.instead, |row| {
            format!(
                "WrittenInstead {{ opcodes: &[{}], dialects: {}, write: {:?} }}",
                opcodes(&row.opcodes),
                dialects(&row.dialects),
                row.write
            )
        });
    source += &list(
        "MEANINGS",
        "MeaningRow",
        "Opcodes that meant something else.",
        &table.meanings,
        |row| {
            format!(
                "MeaningRow {{ opcodes: &[{}], dialects: {}, document: Wording::{:?}, mesa: Wording::{:?}, note: {:?} }}",
                opcodes(&row.opcodes),
                dialects(&row.dialects),
                row.document,
                row.mesa,
                row.note
            )
        },
    );
    source += &rules(table);
    Ok(GeneratedFile {
        path: PathBuf::from("tgsi-ir/src/generated/dialects.rs"),
        source,
        specs: vec![SPEC.to_owned()],
    })
}

/// The rules that documents state for shaders of their time.
fn rules(table: &Table) -> String {
    let mut out =
        list("SEMANTIC_RULES", "SemanticRule", "Where semantics stand.", &table.semantics, |row| {
            let names: String =
                row.names.iter().map(|name| format!("Semantic::{},", camel_case(name))).collect();
            let place =
                |(stage, file): &(Stage, File)| format!("(Processor::{stage:?}, File::{file:?}),");
            format!(
                "SemanticRule {{ names: &[{names}], dialects: {}, places: &[{}] }}",
                dialects(&row.dialects),
                row.places.iter().map(place).collect::<String>()
            )
        });
    out += &list("CHANNEL_RULES", "ChannelRule", "Channels of outputs.", &table.channels, |row| {
        let bits: u8 = "xyzw"
            .chars()
            .zip([1, 2, 4, 8])
            .filter(|(c, _)| row.mask.contains(*c))
            .map(|(_, bit)| bit)
            .sum();
        format!(
            "ChannelRule {{ semantic: Semantic::{}, stage: Processor::{:?}, dialects: {}, mask: WriteMask::from_bits({bits}) }}",
            camel_case(&row.semantic),
            row.stage,
            dialects(&row.dialects)
        )
    });
    out += &list(
        "TARGET_RULES",
        "TargetRule",
        "Kinds of textures that opcodes read.",
        &table.targets,
        |row| {
            let targets = |names: &[String]| -> String {
                names.iter().map(|name| format!("TextureTarget::{},", camel_case(name))).collect()
            };
            format!(
                "TargetRule {{ opcodes: &[{}], dialects: {}, only: &[{}], not: &[{}], why: {:?}, help: {:?} }}",
                opcodes(&row.opcodes),
                dialects(&row.dialects),
                targets(&row.only),
                targets(&row.not),
                row.why,
                row.help
            )
        },
    );
    out += &list("STAGE_RULES", "StageRule", "Opcodes of one stage.", &table.stages, |row| {
        format!(
            "StageRule {{ opcodes: &[{}], dialects: {}, stage: Processor::{:?} }}",
            opcodes(&row.opcodes),
            dialects(&row.dialects),
            row.stage
        )
    });
    out
}

fn opcodes(names: &[String]) -> String {
    names.iter().map(|name| format!("Opcode::{},", camel_case(name))).collect()
}

/// Membership by dialect, as Rust source.
fn dialects(names: &[String]) -> String {
    let has = NAMES.map(|name| names.iter().any(|other| other == name).to_string());
    format!("[{}]", has.join(", "))
}

fn list<T>(name: &str, kind: &str, doc: &str, rows: &[T], row: impl Fn(&T) -> String) -> String {
    let rows: String = rows.iter().map(|one| row(one) + ",\n").collect();
    format!("/// {doc}\npub(crate) static {name}: &[{kind}] = &[\n{rows}];\n\n")
}

fn features(rows: &[Feature]) -> String {
    let mut out = String::from(
        "/// A part of the language that some dialects lack.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Feature {\n",
    );
    for row in rows {
        let mut doc = row.text.clone();
        if let Some(first) = doc.get(..1) {
            doc = first.to_uppercase() + &doc[1..];
        }
        let since = row.since.map(|release| format!(" since Mesa {release}")).unwrap_or_default();
        let until = row.until.map(|release| format!(" until Mesa {release}")).unwrap_or_default();
        let doc = if doc.starts_with('_') { format!("`{doc}`") } else { doc };
        let _ = writeln!(out, "/// {doc},{since}{until}.\n{},", camel_case(&row.name));
    }
    out += "}\n\nimpl Feature {\n/// What messages call it.\npub const fn text(self) -> &'static str {\nmatch self {\n";
    for row in rows {
        let _ = writeln!(out, "Self::{} => {:?},", camel_case(&row.name), row.text);
    }
    out += "}\n}\n\n/// Whether each dialect has it.\npub(crate) const fn dialects(self) -> [bool; 3] {\nmatch self {\n";
    for row in rows {
        let has = DIALECTS.map(|release| {
            (row.since.is_none_or(|since| since <= release)
                && row.until.is_none_or(|until| release <= until))
            .to_string()
        });
        let _ = writeln!(out, "Self::{} => [{}],", camel_case(&row.name), has.join(", "));
    }
    out += "}\n}\n}\n\n";
    out
}

/// Sources of opcodes by dialect, where a document has its own.
fn operands(rows: &[Operands]) -> String {
    let mut out = String::from(
        "/// Sources that the document of each dialect gives an opcode, where no table of its releases does.\n\
         pub(crate) const fn documented_sources(opcode: Opcode) -> [Option<u8>; 3] {\nmatch opcode {\n",
    );
    for row in rows {
        let counts = NAMES.map(|name| match row.dialects.iter().any(|other| other == name) {
            true => format!("Some({})", row.src),
            false => "None".to_owned(),
        });
        let _ = writeln!(out, "Opcode::{} => [{}],", camel_case(&row.opcode), counts.join(", "));
    }
    out += "_ => [None; 3],\n}\n}\n\n";
    out
}

/// Dialects exist, and nothing is said twice of an opcode in a dialect.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let table = &spec.table;
    let rows = table
        .meanings
        .iter()
        .map(|row| ("a meaning", &row.opcodes, &row.dialects))
        .chain(table.instead.iter().map(|row| ("a replacement", &row.opcodes, &row.dialects)));
    let mut seen = BTreeSet::new();
    for (what, opcodes, dialects) in rows {
        for (opcode, dialect) in
            opcodes.iter().flat_map(|opcode| dialects.iter().map(move |dialect| (opcode, dialect)))
        {
            if !NAMES.contains(&dialect.as_str()) {
                return Err(spec.row_error(opcode, format!("there is no dialect `{dialect}`")));
            }
            if !seen.insert((what, opcode, dialect)) {
                return Err(spec.row_error(opcode, format!("{what} twice in dialect {dialect}")));
            }
        }
    }
    for row in &table.targets {
        if row.only.is_empty() == row.not.is_empty() {
            return Err(spec.row_error(&row.opcodes.join(" "), "either `only` or `not`, not both"));
        }
    }
    Ok(())
}
