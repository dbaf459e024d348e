//! A row of the opcodes' table.

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use crate::codegen::rust::{array, number, same, variant};
use crate::codegen::tgsi::release::{NumberSpan, Release};
use crate::codegen::word::Word;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    pub(super) source: String,
    pub(super) ops: Vec<Row>,
    #[serde(default)]
    pub(super) gaps: Vec<Gap>,
}

/// An opcode.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::codegen::tgsi) struct Row {
    pub(in crate::codegen::tgsi) name: String,
    pub(in crate::codegen::tgsi) title: String,
    pub(in crate::codegen::tgsi) subject: Subject,
    #[serde(default)]
    pub(in crate::codegen::tgsi) formula: Vec<String>,
    #[serde(default)]
    pub(in crate::codegen::tgsi) notes: Vec<String>,
    #[serde(default)]
    pub(in crate::codegen::tgsi) dst: Vec<Type>,
    #[serde(default)]
    pub(in crate::codegen::tgsi) src: Vec<Type>,
    pub(in crate::codegen::tgsi) fewer_src: Option<(u8, Release)>,
    #[serde(default)]
    pub(super) roles: Vec<Role>,
    #[serde(default)]
    pub(super) stages: Vec<Word>,
    /// The names of `stages` in prose.
    #[serde(skip)]
    pub(in crate::codegen::tgsi) stage_names: Vec<String>,
    #[serde(default)]
    pub(super) words: Vec<Extra>,
    #[serde(default)]
    pub(super) branch: bool,
    #[serde(default)]
    pub(super) store: bool,
    #[serde(default)]
    pub(super) label: Label,
    #[serde(default)]
    pub(super) flow: Flow,
    #[serde(default)]
    pub(super) dedent: bool,
    #[serde(default)]
    pub(super) indent: bool,
    pub(in crate::codegen::tgsi) output: Output,
    pub(in crate::codegen::tgsi) numbers: Vec<NumberSpan>,
    #[serde(default = "yes")]
    pub(in crate::codegen::tgsi) executed: bool,
    pub(in crate::codegen::tgsi) same_as: Option<String>,
    #[serde(default)]
    pub(in crate::codegen::tgsi) unverified: bool,
}

/// A number without an instruction.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gap {
    pub(super) name: String,
    pub(super) number: u16,
    #[serde(default)]
    pub(super) words: Vec<Extra>,
}

fn yes() -> bool {
    true
}

/// The type of an operand; variants as in `tgsi_ir::OpcodeType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(in crate::codegen::tgsi) enum Type {
    Untyped,
    Unsigned,
    Signed,
    Float,
    Double,
    Unsigned64,
    Signed64,
}

/// Optional words of the token group.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Extra {
    Target,
    View,
    Memory,
}

/// The chapter of the manual that an opcode belongs to, in the order of the chapters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(in crate::codegen::tgsi) enum Subject {
    Moves,
    FloatArithmetic,
    FloatComparison,
    Conversion,
    Integer,
    Double,
    Integer64,
    Texture,
    SamplerView,
    Memory,
    Neighbours,
    ControlFlow,
    Gone,
    SecondName,
}

/// What a source is for; variants as in `tgsi_ir::SrcRole`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Role {
    Value,
    Channels(String),
    ByChannel(String, String, String, String),
    Test,
    PairCounts,
    Unused,
    Coordinates,
    CoordinatesAndW,
    Derivatives,
    Sampler,
    View,
    Resource,
    Address,
    Input,
    Output,
}

impl Role {
    /// The value as Rust.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Self::Channels(letters) => {
                let mask = mask(letters);
                quote!(SrcRole::Channels(#mask))
            }
            Self::ByChannel(x, y, z, w) => {
                let masks = array([x, y, z, w].map(|letters| mask(letters)));
                quote!(SrcRole::ByChannel(#masks))
            }
            other => same("SrcRole", other),
        }
    }
}

/// Channels by their letters.
fn mask(letters: &str) -> TokenStream {
    let bits = "xyzw".char_indices().filter(|&(_, letter)| letters.contains(letter));
    let bits = number(bits.map(|(bit, _)| 1 << bit).sum::<u8>());
    quote!(WriteMask::from_bits(#bits))
}

/// Variants as in `tgsi_ir::LabelUse`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) enum Label {
    #[default]
    None,
    Printed,
    Read,
}

/// Variants as in `tgsi_ir::OutputMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(in crate::codegen::tgsi) enum Output {
    None,
    Componentwise,
    Replicate,
    ChanDependent,
    Other,
}

/// Variants as in `tgsi_ir::FlowRole`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) enum Flow {
    #[default]
    None,
    If,
    Else,
    EndIf,
    LoopBegin,
    LoopEnd,
    Break,
    Continue,
    SwitchBegin,
    Case,
    Default,
    SwitchEnd,
    SubBegin,
    SubEnd,
    Call,
    Return,
    Branch,
    End,
    Kill,
    KillIf,
    Demote,
    Emit,
    Barrier,
}

impl Row {
    pub(in crate::codegen::tgsi) fn variant(&self) -> TokenStream {
        variant(&self.name)
    }

    /// Whether a texture target is the last operand.
    pub(in crate::codegen::tgsi) fn has_target(&self) -> bool {
        self.words.contains(&Extra::Target)
    }

    /// Whether this is a number without an instruction.
    pub(in crate::codegen::tgsi) fn is_gap(&self) -> bool {
        self.name.starts_with("UNK")
    }

    /// Whether its instructions have one result, some values, and nothing else.
    pub(super) fn is_plain(&self) -> bool {
        self.dst.len() == 1 && self.words.is_empty() && !self.store && !self.src.is_empty()
    }

    pub(super) fn gap(gap: &Gap) -> Self {
        Self {
            name: gap.name.clone(),
            subject: Subject::Gone,
            title: format!("No instruction: number {} is free", gap.number),
            formula: Vec::new(),
            notes: vec![
                "Text accepts the name, without operands, as it does every mnemonic.".to_owned(),
            ],
            dst: Vec::new(),
            src: Vec::new(),
            fewer_src: None,
            roles: Vec::new(),
            stages: Vec::new(),
            stage_names: Vec::new(),
            words: gap.words.clone(),
            branch: false,
            store: false,
            label: Label::None,
            flow: Flow::None,
            dedent: false,
            indent: false,
            output: Output::None,
            numbers: vec![NumberSpan(gap.number, Release::TODAY, Release::TODAY)],
            executed: false,
            same_as: None,
            unverified: false,
        }
    }
}
