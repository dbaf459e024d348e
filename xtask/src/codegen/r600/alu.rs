//! ALU operations.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rewrites::terms::Term;
use crate::codegen::rust::{all, derives, hex, number, option, same, serde, table, token, variant};
use crate::codegen::spec::{SpecError, SpecFile};

use super::manual::{Entry, Page};
use super::{ByGeneration, GENERATIONS, by_generation, doc, encoding_doc, fact};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Slots {
    Any,
    Vector,
    Trans,
    X,
    Reduction,
    Replicated3,
    Replicated4,
    Half,
    Pair,
    Quad,
}

impl Slots {
    /// For readers of the documentation.
    fn words(self) -> &'static str {
        match self {
            Self::Any => "any slot",
            Self::Vector => "the vector slot of its channel",
            Self::Trans => "the trans slot",
            Self::X => "slot x",
            Self::Reduction => "x, y, z and w together",
            Self::Replicated3 => "x, y and z alike, and w where the result goes there",
            Self::Replicated4 => "x, y, z and w alike",
            Self::Half => "x and y together, or z and w",
            Self::Pair => "x and y for one double, or z and w",
            Self::Quad => "x, y, z and w for one double",
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum SourceType {
    Any,
    Float,
    Int,
    Uint,
    F64,
    None,
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum ResultType {
    Any,
    Float,
    Int,
    Uint,
    F64,
    Ar,
    Queue,
    None,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    form: Form,
    srcs: u8,
    source: SourceType,
    opcode: ByGeneration<u16>,
    slots: ByGeneration<Slots>,
    result: ResultType,
    flags: Vec<String>,
    #[serde(default)]
    compare: Option<String>,
    source_modifiers: bool,
    clamp: bool,
    /// What it computes of `a`, `b` and `c`, as a term.
    #[serde(default)]
    semantics: Option<String>,
    /// Whether the hardware's result may be a few units off.
    #[serde(default)]
    approximate: bool,
    doc: String,
}

/// Flags of the table with the names of their constants.
const FLAGS: &[(&str, &str)] = &[
    ("kill", "KILL"),
    ("pred", "PREDICATE"),
    ("pred_push", "PREDICATE_PUSH"),
    ("set", "SET"),
    ("cmov", "CONDITIONAL_MOVE"),
    ("mova", "MOVE_TO_ADDRESS"),
    ("ieee", "IEEE"),
    ("dx10", "DX10"),
    ("f64", "DOUBLE"),
    ("int24", "INT24"),
    ("cvt", "CONVERSION"),
    ("comm01", "COMMUTATIVE"),
    ("assoc", "ASSOCIATIVE"),
    ("repl", "REPLICATED"),
    ("interp", "INTERPOLATION"),
    ("lds", "LDS"),
    ("chain_next", "CHAIN_NEXT"),
    ("chain_zw", "CHAIN_ZW"),
    ("reduction", "REDUCTION"),
    ("alone", "ALONE"),
    ("bank_forced_210", "FORCES_VEC_210"),
    ("no_ar_same_group", "NOT_WITH_ADDRESS_USE"),
];

/// An operation whose results are known.
pub(crate) struct Operation {
    /// What it gives.
    pub(crate) semantics: Term,
    /// Sources that it reads.
    pub(crate) num_src: usize,
    /// Whether the first two may be exchanged.
    pub(crate) commutes: bool,
    /// Whether its sources are floats.
    pub(crate) reads_floats: bool,
    /// Whether its result is a float, of which no kind of NaN is told from another.
    pub(crate) gives_float: bool,
    /// Whether its result can be clamped, and multiplied.
    pub(crate) takes_output: [bool; 2],
    /// Whether the hardware's result may be a few units off.
    pub(crate) is_approximate: bool,
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
            reads_floats: matches!(row.source, SourceType::Float),
            gives_float: matches!(row.result, ResultType::Float),
            takes_output: [takes_clamp, takes_clamp && row.form == Form::Op2],
            is_approximate: row.approximate,
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

pub(super) fn generate(root: &Path) -> Result<[GeneratedFile; 2], SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    check(&spec)?;
    let (definition, infos) = (definition(&spec.table), infos(&spec)?);
    let tokens = quote! {
        use crate::alu_info::{AluFlags, AluInfo, ResultType, Slots, SourceType};
        #definition
        #infos
    };
    let table = GeneratedFile::rust("r600-isa/src/generated/alu.rs", tokens, &[SPEC]);
    Ok([table, PAGE.file(spec.table.ops.iter().map(Row::entry))])
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
            note: format!("{form}{}; {}", self.types(), self.slots_text()),
            doc: &self.doc,
        }
    }

    /// The row of the table by discriminant.
    fn info(&self) -> Result<TokenStream, String> {
        let Self { name, doc, source_modifiers, clamp, .. } = self;
        let (srcs, is_op3) = (number(self.srcs), self.form == Form::Op3);
        let opcode = by_generation(self.opcode.values().map(|code| code.map(|code| hex(code, 1))));
        let slots = self.slots.values().map(|slots| slots.map(|slots| same("Slots", slots)));
        let slots = by_generation(slots);
        let (source, result) = (same("SourceType", self.source), same("ResultType", self.result));
        let flags = flags(&self.flags)?;
        let compare = option(self.compare.as_deref().map(compare).transpose()?);
        Ok(quote! {
            AluInfo {
                name: #name, doc: #doc, num_src: #srcs, source: #source, is_op3: #is_op3,
                opcode: #opcode, slots: #slots, result: #result, flags: #flags, compare: #compare,
                source_modifiers: #source_modifiers, clamp: #clamp,
            }
        })
    }

    /// What the documentation of its variant says.
    fn docs(&self) -> TokenStream {
        let form = if self.form == Form::Op3 { ", in the form of three sources" } else { "" };
        let operands = format!("{}{form}{}", self.types(), self.modifiers());
        let paragraphs = [
            doc(&format!("`{}`: {}", self.name, self.doc)),
            encoding_doc(self.opcode.values()),
            fact("Slots", &self.slots_text()),
            fact("Operands", &operands),
        ];
        quote!(#(#paragraphs)*)
    }

    /// What it reads and gives.
    fn types(&self) -> String {
        let sources = match self.srcs {
            0 => "nothing".to_owned(),
            count => format!("{count} {:?}", self.source),
        };
        format!("{sources} to {:?}", self.result)
    }

    /// Slots as words; those of later generations apart where they differ.
    fn slots_text(&self) -> String {
        let mut runs: Vec<(&str, Slots)> = Vec::new();
        for (name, slots) in GENERATIONS.iter().zip(self.slots.values()) {
            let Some(slots) = slots else { continue };
            if runs.last().is_none_or(|(_, last)| *last != slots) {
                runs.push((name, slots));
            }
        }
        let mut words: Vec<String> = Vec::new();
        for (at, (name, slots)) in runs.iter().enumerate() {
            let from = if at == 0 { String::new() } else { format!("{name} on: ") };
            words.push(format!("{from}{}", slots.words()));
        }
        words.join("; from ")
    }

    /// What operands and result can be changed by.
    fn modifiers(&self) -> &'static str {
        let signs = matches!(self.source, SourceType::Float | SourceType::F64);
        match (signs, self.clamp) {
            (true, true) => ". Operands can be negated, the result clamped",
            (true, false) => ". Operands can be negated",
            (false, true) => ". The result can be clamped",
            (false, false) => "",
        }
    }
}

/// No opcode twice on a generation and form, every row documented, opcodes within the field.
fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let mut seen: HashMap<(usize, Form, u16), &str> = HashMap::new();
    for row in &spec.table.ops {
        if row.doc.trim().is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        for (generation, opcode) in row.opcode.values().into_iter().enumerate() {
            let Some(opcode) = opcode else { continue };
            let name = GENERATIONS[generation];
            if let Some(other) = seen.insert((generation, row.form, opcode), &row.name) {
                let message = format!("opcode {opcode:#x} on {name} is that of {other} already");
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

fn infos(spec: &SpecFile<Table>) -> Result<TokenStream, SpecError> {
    let rows = spec.table.ops.iter();
    let rows = rows.map(|row| row.info().map_err(|message| spec.row_error(&row.name, message)));
    let table = table("ALU_INFO", quote!(AluInfo), &rows.collect::<Result<Vec<_>, _>>()?);
    Ok(quote! {
        /// Properties of each operation, by its discriminant.
        #table
    })
}

/// The flags of a row as one set.
fn flags(names: &[String]) -> Result<TokenStream, String> {
    let known = |name: &String| {
        let flag = FLAGS.iter().find(|(known, _)| known == name);
        flag.map(|(_, flag)| token(flag)).ok_or_else(|| format!("unknown flag {name}"))
    };
    let flags = names.iter().map(known).collect::<Result<Vec<_>, _>>()?;
    Ok(match flags.as_slice() {
        [] => quote!(AluFlags::NONE),
        [first, rest @ ..] => quote!(AluFlags::#first #(.with(AluFlags::#rest))*),
    })
}

/// `GT/f32` as Rust.
fn compare(text: &str) -> Result<TokenStream, String> {
    let wrong = || format!("comparison {text} is not COND/TYPE");
    let (condition, kind) = text.split_once('/').ok_or_else(wrong)?;
    let is_condition = ["EQ", "NE", "GT", "GE", "LT", "LE"].contains(&condition);
    if !is_condition || !["f32", "i32", "u32", "f64"].contains(&kind) {
        return Err(wrong());
    }
    let (condition, kind) = (variant(condition), variant(kind));
    Ok(quote!((crate::alu_info::Condition::#condition, crate::alu_info::CompareType::#kind)))
}
