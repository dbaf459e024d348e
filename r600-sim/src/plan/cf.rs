//! Control flow in executable form.

use std::ops::Range;

use crate::wave::export::{ExportStep, MemoryStep};

/// One control flow instruction.
#[derive(Clone, Debug)]
pub(crate) struct CfStep {
    pub(crate) action: CfAction,
    /// Target of a jump, as an index into the control flow list.
    pub(crate) target: usize,
    pub(crate) pop_count: u32,
    pub(crate) condition: Condition,
    pub(crate) is_end: bool,
    /// Whether lanes outside the primitive are excluded.
    pub(crate) is_valid_pixels_only: bool,
}

/// The active lanes to which a control flow instruction applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Condition {
    #[default]
    Active,
    Never,
    Constant {
        index: u8,
        wanted: bool,
    },
}

/// The action of a control flow instruction.
#[derive(Clone, Debug)]
pub(crate) enum CfAction {
    Nothing,
    Alu(AluClause),
    Fetch(Range<usize>),
    LoopStart(LoopKind),
    LoopEnd,
    LoopContinue,
    LoopBreak,
    Jump,
    Push,
    PushElse,
    Else,
    Pop,
    PopJump,
    PopPush,
    PopPushElse,
    Call,
    CallFetchShader,
    Return,
    EmitVertex { stream: u8, cut: bool },
    CutVertex { stream: u8 },
    Kill,
    End,
    Export(ExportStep),
    Memory(MemoryStep),
    WaitForWrites,
}

/// How the iterations of a loop are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopKind {
    /// Runs until every lane has broken out.
    Endless,
    /// Takes the loop constant of the given index, and counts the loop index with it.
    Indexed(u8),
    /// Takes the loop constant of the given index, and leaves the loop index unchanged.
    Counted(u8),
}

/// An ALU clause and its effect on the stack.
#[derive(Clone, Debug)]
pub(crate) struct AluClause {
    pub(crate) groups: Range<usize>,
    pub(crate) before: Before,
    pub(crate) after: After,
}

/// Action before an ALU clause runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    Nothing,
    Push,
    /// Lanes that cover no pixel do not run the clause.
    ValidPixelsOnly,
}

/// Action after an ALU clause has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Nothing,
    Pop(u32),
    Else,
    /// Lanes that the clause deactivated leave the loop.
    Break,
    /// Lanes that the clause deactivated wait for the next iteration.
    Continue,
}
