//! ALU operations.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rewrites::terms::Term;
use crate::codegen::rust::{
    all, derives, hex, number, option, same, sentences, serde, table, variant,
};
use crate::codegen::spec::{SpecError, SpecFile};
use crate::codegen::word::Word;

use super::manual::{Entry, Page};
use super::properties::Properties;
use super::{ByGeneration, Generation, by_generation, doc, encoding_doc, fact};

const SPEC: &str = "r600-isa/spec/alu.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The documents that the rows come from.
    source: String,
    ops: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
enum Form {
    Op2,
    Op3,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    form: Form,
    srcs: u8,
    source: Word,
    opcode: ByGeneration<u16>,
    slots: ByGeneration<Word>,
    result: Word,
    flags: Vec<String>,
    #[serde(default)]
    compare: Option<String>,
    source_modifiers: bool,
    clamp: bool,
    /// Its result for `a`, `b` and `c`, as a term.
    #[serde(default)]
    semantics: Option<String>,
    /// Whether the hardware's result may be a few units off.
    #[serde(default)]
    approximate: bool,
    doc: String,
    /// Slots as shown to readers; derived from `slots`.
    #[serde(skip)]
    slots_text: String,
}

/// An operation with semantics.
pub(crate) struct Operation {
    /// Its result.
    pub(crate) semantics: Term,
    /// Number of sources.
    pub(crate) num_src: usize,
    /// Whether the first two sources commute.
    pub(crate) commutes: bool,
    /// Whether its sources are floats.
    pub(crate) reads_floats: bool,
    /// Whether its result is a float, all of whose NaNs are equivalent.
    pub(crate) gives_float: bool,
    /// Whether its result can be clamped, and multiplied.
    pub(crate) takes_output: [bool; 2],
    /// Whether the hardware's result may be a few units off.
    pub(crate) is_approximate: bool,
    /// Whether it kills the lanes for which its result is 1.0.
    pub(crate) kills: bool,
}

/// Every operation that has semantics.
pub(crate) fn operations(root: &Path) -> Result<BTreeMap<String, Operation>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    let mut operations = BTreeMap::new();
    for row in &spec.table.ops {
        let Some(text) = &row.semantics else { continue };
        let semantics =
            Term::parse_function(text).map_err(|message| spec.row_error(&row.name, message))?;
        let takes_clamp = row.clamp || row.name == "MOV";
        let operation = Operation {
            semantics,
            num_src: usize::from(row.srcs),
            commutes: row.flags.iter().any(|flag| flag == "comm01"),
            reads_floats: row.source == *"Float",
            gives_float: row.result == *"Float",
            takes_output: [takes_clamp, takes_clamp && row.form == Form::Op2],
            is_approximate: row.approximate,
            kills: row.flags.iter().any(|flag| flag == "kill"),
        };
        operations.insert(row.name.clone(), operation);
    }
    Ok(operations)
}

/// Names of all operations.
pub(super) fn names(root: &Path) -> Result<Vec<String>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    Ok(spec.table.ops.iter().map(|row| row.name.clone()).collect())
}

pub(super) fn generate(root: &Path) -> Result<[GeneratedFile; 3], SpecError> {
    let properties = Properties::read(root)?;
    let mut spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    for at in 0..spec.table.ops.len() {
        let row = &spec.table.ops[at];
        let text = row.slots_text(&properties);
        let text = text.map_err(|message| spec.row_error(&row.name, message))?;
        spec.table.ops[at].slots_text = text;
    }
    let (definition, infos) = (definition(&spec.table), infos(&spec, &properties)?);
    let tokens = quote! {
        use crate::alu_info::{AluFlags, AluInfo};
        use crate::{ResultType, Slots, SourceType};
        #definition
        #infos
    };
    let table = GeneratedFile::rust("r600-isa/src/generated/alu.rs", tokens, &[SPEC]);
    Ok([table, properties.file()?, PAGE.file(spec.table.ops.iter().map(Row::entry))])
}

const PAGE: Page<'static> = Page {
    name: "r600-alu",
    title: "ALU operations of the R600 family",
    introduction: "What the arithmetic units of each generation compute. `a`, `b` and `c` are the sources, `d` is the \
                   result, doubles in capitals. Operations of three sources have an opcode field of their own. The \
                   trans slot is the transcendental unit, which Cayman lacks: what it did takes three or four vector \
                   slots there.",
    note: "operands and slots",
    spec: SPEC,
};

impl Row {
    fn entry(&self) -> Entry<'_> {
        let form = if self.form == Form::Op3 { "three sources; " } else { "" };
        Entry {
            name: &self.name,
            opcode: self.opcode.values(),
            note: format!("{form}{}; {}", self.types(), self.slots_text),
            doc: &self.doc,
        }
    }

    /// The row of the table by discriminant.
    fn info(&self, properties: &Properties) -> Result<TokenStream, String> {
        let Self { name, source_modifiers, clamp, .. } = self;
        let (srcs, is_op3) = (number(self.srcs), self.form == Form::Op3);
        let opcode = by_generation(self.opcode.values().map(|code| code.map(|code| hex(code, 1))));
        let slots = self.slots.values().map(|slots| slots.map(|slots| same("Slots", slots)));
        let slots = by_generation(slots);
        let source = properties.value("SourceType", &self.source)?;
        let result = properties.value("ResultType", &self.result)?;
        let flags = flags(&self.flags, properties)?;
        let compare = self.compare.as_deref().map(|text| compare(text, properties));
        let compare = option(compare.transpose()?);
        Ok(quote! {
            AluInfo {
                name: #name, num_src: #srcs, source: #source, is_op3: #is_op3,
                opcode: #opcode, slots: #slots, result: #result, flags: #flags, compare: #compare,
                source_modifiers: #source_modifiers, clamp: #clamp,
            }
        })
    }

    /// The documentation of its variant.
    fn docs(&self) -> TokenStream {
        let form = if self.form == Form::Op3 { ", in the form of three sources" } else { "" };
        let operands = format!("{}{form}{}", self.types(), self.modifiers());
        let paragraphs = [
            doc(&format!("`{}`: {}", self.name, self.doc)),
            encoding_doc(self.opcode.values()),
            fact("Slots", &self.slots_text),
            fact("Operands", &operands),
        ];
        quote!(#(#paragraphs)*)
    }

    /// Its operands and its result.
    fn types(&self) -> String {
        let sources = match self.srcs {
            0 => "nothing".to_owned(),
            count => format!("{count} {:?}", self.source),
        };
        format!("{sources} to {:?}", self.result)
    }

    /// Slots as words; those of later generations separately if they differ.
    fn slots_text(&self, properties: &Properties) -> Result<String, String> {
        let mut runs: Vec<(Generation, Word)> = Vec::new();
        for (generation, slots) in Generation::ALL.into_iter().zip(self.slots.values()) {
            let Some(slots) = slots else { continue };
            if runs.last().is_none_or(|(_, last)| *last != slots) {
                runs.push((generation, slots));
            }
        }
        let mut words: Vec<String> = Vec::new();
        for (at, (generation, slots)) in runs.iter().enumerate() {
            let from = if at == 0 { String::new() } else { format!("{generation:?} on: ") };
            words.push(format!("{from}{}", properties.text("Slots", slots)?));
        }
        Ok(words.join("; from "))
    }

    /// The modifiers of operands and result.
    fn modifiers(&self) -> &'static str {
        let signs = ["Float", "F64"].contains(&self.source.as_str());
        match (signs, self.clamp) {
            (true, true) => ". Operands can be negated, the result clamped",
            (true, false) => ". Operands can be negated",
            (false, true) => ". The result can be clamped",
            (false, false) => "",
        }
    }
}

/// Checks that no opcode occurs twice for a generation and form, that opcodes fit their field, and that each row is
/// documented.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let mut seen: HashMap<(Generation, Form, u16), &str> = HashMap::new();
    for row in &spec.table.ops {
        if row.doc.trim().is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        for (generation, opcode) in Generation::ALL.into_iter().zip(row.opcode.values()) {
            let Some(opcode) = opcode else { continue };
            if let Some(other) = seen.insert((generation, row.form, opcode), &row.name) {
                let message =
                    format!("opcode {opcode:#x} on {generation:?} is that of {other} already");
                return Err(spec.row_error(&row.name, message));
            }
            if row.form == Form::Op3 && !(4..32).contains(&opcode) {
                return Err(spec.row_error(&row.name, "three-source opcodes are 4 to 31"));
            }
        }
    }
    Ok(())
}

fn definition(table: &Table) -> TokenStream {
    let (derives, serde, source) = (derives(), serde(), fact("Source", &table.source));
    let variants: Vec<_> = table.ops.iter().map(|row| variant(&row.name)).collect();
    let abouts = table.ops.iter().map(Row::docs);
    let all = all("Every operation, in the order of the table.", &variants);
    quote! {
        /// An operation of the arithmetic units.
        ///
        /// Of each: what it makes of its sources `a`, `b` and `c` (doubles in capitals), its opcodes, its slots, and the types of operands and result.
        #source
        #derives
        #serde
        #[repr(u16)]
        #[non_exhaustive]
        pub enum AluOp { #(#abouts #variants,)* }

        impl AluOp { #all }
    }
}

fn infos(spec: &SpecFile<Table>, properties: &Properties) -> Result<TokenStream, SpecError> {
    let rows = spec.table.ops.iter();
    let rows =
        rows.map(|row| row.info(properties).map_err(|message| spec.row_error(&row.name, message)));
    let table = table("ALU_INFO", quote!(AluInfo), &rows.collect::<Result<Vec<_>, _>>()?);
    let sentences = sentences("ALU_DOC", spec.table.ops.iter().map(|row| &*row.doc));
    Ok(quote! {
        /// Properties of each operation, by its discriminant.
        #table
        #sentences
    })
}

/// The flags of a row as one set.
fn flags(names: &[String], properties: &Properties) -> Result<TokenStream, String> {
    let flags = names.iter().map(|name| properties.flag(name));
    Ok(match flags.collect::<Result<Vec<_>, _>>()?.as_slice() {
        [] => quote!(AluFlags::NONE),
        [first, rest @ ..] => quote!(#first #(.with(#rest))*),
    })
}

/// `GT/f32` as Rust.
fn compare(text: &str, properties: &Properties) -> Result<TokenStream, String> {
    let parts = text.split_once('/');
    let (condition, kind) = parts.ok_or_else(|| format!("{text} is not COND/TYPE"))?;
    let condition = properties.written("Condition", condition)?;
    let kind = properties.written("CompareType", kind)?;
    Ok(quote!((#condition, #kind)))
}
