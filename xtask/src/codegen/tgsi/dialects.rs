//! Differences of the dialects from today's TGSI.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::super::output::GeneratedFile;
use super::super::rust::{
    array, derives, docs, number, option, same, token, variant, variant_of, variants,
};
use super::super::spec::{SpecError, SpecFile};
use super::super::word::Word;
use super::enums::Variants;
use super::release::{DIALECTS, Dialect, Release};

const SPEC: &str = "tgsi-ir/spec/dialects.ron";

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

/// Variants as in `tgsi_ir::dialect::wording::Wording`.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Semantics {
    names: Vec<String>,
    dialects: Vec<String>,
    places: Vec<(Word, Word)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Channels {
    semantic: String,
    stage: Word,
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
    stage: Word,
}

/// Generates the tables.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    check(&spec)?;
    check_places(&spec, &Variants::read(root, "Processor")?, &Variants::read(root, "File")?)?;
    let table = &spec.table;
    let parts = [
        features(&table.features),
        operands(&table.operands),
        changes(table),
        rules_of_semantics(table),
        rules_of_opcodes(table),
    ];
    let tokens = quote! {
        use crate::dialect::{
            ChannelRule, MeaningRow, SemanticRule, StageRule, TargetRule, WrittenInstead,
        };
        use crate::dialect::wording::Wording;
        use crate::{File, Opcode, Processor, Semantic, TextureTarget, WriteMask};
        #(#parts)*
    };
    Ok(GeneratedFile::rust("tgsi-ir/src/generated/dialects.rs", tokens, &[SPEC]))
}

/// Opcodes that dialects lack, and those with another meaning.
fn changes(table: &Table) -> TokenStream {
    let instead = |row: &Instead| {
        let (opcodes, dialects, write) =
            (opcodes(&row.opcodes), dialects(&row.dialects), &row.write);
        quote!(WrittenInstead { opcodes: &#opcodes, dialects: #dialects, write: #write })
    };
    let instead =
        list("INSTEAD", "WrittenInstead", "Opcodes without a number.", &table.instead, instead);
    let meaning = |row: &Meaning| {
        let (opcodes, dialects) = (opcodes(&row.opcodes), dialects(&row.dialects));
        let (document, mesa) = (same("Wording", row.document), same("Wording", row.mesa));
        let note = option(row.note.as_ref());
        quote! {
            MeaningRow {
                opcodes: &#opcodes, dialects: #dialects, document: #document, mesa: #mesa,
                note: #note,
            }
        }
    };
    let about = "Opcodes that meant something else.";
    let meanings = list("MEANINGS", "MeaningRow", about, &table.meanings, meaning);
    quote!(#instead #meanings)
}

/// The rules that documents state for semantics of their time.
fn rules_of_semantics(table: &Table) -> TokenStream {
    let semantics = |row: &Semantics| {
        let (names, dialects) = (variants("Semantic", &row.names), dialects(&row.dialects));
        let places = row.places.iter().map(|(stage, file)| {
            let (stage, file) = (same("Processor", stage), same("File", file));
            quote!((#stage, #file))
        });
        quote! {
            SemanticRule {
                names: &[#(#names),*], dialects: #dialects, places: &[#(#places),*],
            }
        }
    };
    let about = "Where semantics stand.";
    let semantics = list("SEMANTIC_RULES", "SemanticRule", about, &table.semantics, semantics);
    let channels = |row: &Channels| {
        let bits = "xyzw".chars().zip([1, 2, 4, 8]).filter(|(c, _)| row.mask.contains(*c));
        let bits = number(bits.map(|(_, bit)| bit).sum::<u8>());
        let (semantic, stage) =
            (variant_of("Semantic", &row.semantic), same("Processor", &row.stage));
        let dialects = dialects(&row.dialects);
        quote! {
            ChannelRule {
                semantic: #semantic, stage: #stage, dialects: #dialects,
                mask: WriteMask::from_bits(#bits),
            }
        }
    };
    let about = "Channels of outputs.";
    let channels = list("CHANNEL_RULES", "ChannelRule", about, &table.channels, channels);
    quote!(#semantics #channels)
}

/// The rules that documents state for opcodes of their time.
fn rules_of_opcodes(table: &Table) -> TokenStream {
    let target = |row: &Targets| {
        let (opcodes, dialects) = (opcodes(&row.opcodes), dialects(&row.dialects));
        let [only, not] =
            [&row.only, &row.not].map(|names| array(variants("TextureTarget", names)));
        let Targets { why, help, .. } = row;
        quote! {
            TargetRule {
                opcodes: &#opcodes, dialects: #dialects, only: &#only, not: &#not, why: #why,
                help: #help,
            }
        }
    };
    let about = "Kinds of textures that opcodes read.";
    let targets = list("TARGET_RULES", "TargetRule", about, &table.targets, target);
    let stage = |row: &Stages| {
        let (opcodes, dialects) = (opcodes(&row.opcodes), dialects(&row.dialects));
        let stage = same("Processor", &row.stage);
        quote!(StageRule { opcodes: &#opcodes, dialects: #dialects, stage: #stage })
    };
    let stages = list("STAGE_RULES", "StageRule", "Opcodes of one stage.", &table.stages, stage);
    quote!(#targets #stages)
}

fn opcodes(names: &[String]) -> TokenStream {
    array(variants("Opcode", names))
}

/// Membership by dialect.
fn dialects(names: &[String]) -> TokenStream {
    array(DIALECTS.map(|dialect| names.iter().any(|name| name == dialect.name)))
}

fn list<T>(
    name: &str,
    kind: &str,
    about: &str,
    rows: &[T],
    row: impl Fn(&T) -> TokenStream,
) -> TokenStream {
    let (name, kind, about, rows) = (token(name), token(kind), docs(about), rows.iter().map(row));
    quote!(#about pub(crate) static #name: &[#kind] = &[#(#rows),*];)
}

fn features(rows: &[Feature]) -> TokenStream {
    let derives = derives();
    let variants: Vec<_> = rows.iter().map(|row| variant(&row.name)).collect();
    let abouts = rows.iter().map(|row| docs(&row.about()));
    let texts = rows.iter().map(|row| &row.text);
    let dialects = rows.iter().map(|row| {
        array(DIALECTS.map(|Dialect { release, .. }| {
            row.since.is_none_or(|since| since <= release)
                && row.until.is_none_or(|until| release <= until)
        }))
    });
    quote! {
        /// A part of the language that some dialects lack.
        #derives
        pub enum Feature { #(#abouts #variants,)* }

        impl Feature {
            /// What messages call it.
            pub const fn text(self) -> &'static str {
                match self { #(Self::#variants => #texts,)* }
            }
            /// Whether each dialect has it.
            pub(crate) const fn dialects(self) -> [bool; 3] {
                match self { #(Self::#variants => #dialects,)* }
            }
        }
    }
}

impl Feature {
    /// The documentation of its variant.
    fn about(&self) -> String {
        let mut about = self.text.clone();
        if let Some(first) = about.get(..1) {
            about = first.to_uppercase() + &about[1..];
        }
        if about.starts_with('_') {
            about = format!("`{about}`");
        }
        let since = self.since.map(|release| format!(" since Mesa {release}")).unwrap_or_default();
        let until = self.until.map(|release| format!(" until Mesa {release}")).unwrap_or_default();
        format!("{about},{since}{until}.")
    }
}

/// Numbers of source operands by dialect, for opcodes whose number a document gives.
fn operands(rows: &[Operands]) -> TokenStream {
    let opcodes = rows.iter().map(|row| variant(&row.opcode));
    let counts = rows.iter().map(|row| {
        let has = |name| row.dialects.iter().any(|other| other == name);
        array(DIALECTS.map(|dialect| option(has(dialect.name).then(|| number(row.src)))))
    });
    quote! {
        /// Sources that the document of each dialect gives an opcode, where no table of its releases does.
        pub(crate) const fn documented_sources(opcode: Opcode) -> [Option<u8>; 3] {
            match opcode {
                #(Opcode::#opcodes => #counts,)*
                _ => [None; 3],
            }
        }
    }
}

/// Checks that dialects exist, and that no opcode has two entries in a dialect.
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
            if !DIALECTS.iter().any(|known| known.name == dialect) {
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

/// Checks that the stages and files that rules name exist.
fn check_places(
    spec: &SpecFile<Table>,
    stages: &Variants,
    files: &Variants,
) -> Result<(), SpecError> {
    let Table { semantics, channels, stages: opcodes, .. } = &spec.table;
    for row in semantics {
        for (stage, file) in &row.places {
            let known = stages.doc(stage).and_then(|_| files.doc(file));
            known.map_err(|message| spec.row_error(&row.names.join(" "), message))?;
        }
    }
    let channels = channels.iter().map(|row| (row.semantic.clone(), &row.stage));
    let opcodes = opcodes.iter().map(|row| (row.opcodes.join(" "), &row.stage));
    for (row, stage) in channels.chain(opcodes) {
        stages.doc(stage).map_err(|message| spec.row_error(&row, message))?;
    }
    Ok(())
}
