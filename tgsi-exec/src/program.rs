//! The flat form of a shader: operands resolved, opcodes turned into functions, jumps into positions.

mod build;

use tgsi_ir::{InstructionId, TextureTarget};

use crate::error::ExecError;
use crate::functions::Function;
use crate::perturb::Error;
use crate::resources::TextureQuery;

pub(crate) use build::build;

/// A shader, ready to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    /// Number of registers of each file, in the order of [`RegisterFile`].
    pub(crate) sizes: [usize; NUM_FILES],
}

/// The files that hold registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterFile {
    Temporary,
    Input,
    Output,
    Address,
    SystemValue,
}

/// How many files hold registers.
pub(crate) const NUM_FILES: usize = 5;

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) at: InstructionId,
    pub(crate) action: Action,
    pub(crate) destination: Option<Destination>,
    pub(crate) sources: Vec<Source>,
    pub(crate) clamp: Option<(f32, f32)>,
    /// Whether the result is a float.
    pub(crate) writes_float: bool,
    /// What error hardware may make in the result.
    pub(crate) error: Error,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Nothing,
    Compute(Function),
    Derivative {
        vertical: bool,
    },
    Texture(TextureStep),
    Kill,
    KillIf,
    /// Goes to the step where nothing is left to run.
    If {
        is_float: bool,
        otherwise: usize,
    },
    Else {
        end: usize,
    },
    EndIf,
    LoopBegin {
        end: usize,
    },
    LoopEnd {
        begin: usize,
    },
    Break,
    Continue,
    Call {
        target: usize,
    },
    Return,
    SubEnd,
    End,
}

/// A texture instruction.
#[derive(Clone, Debug)]
pub(crate) struct TextureStep {
    pub(crate) query: TextureQuery,
    pub(crate) target: TextureTarget,
    pub(crate) unit: u32,
    pub(crate) projects: bool,
    pub(crate) lod: Option<LodOperand>,
    pub(crate) offset: Option<Source>,
}

/// Which source channel holds the level or bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LodOperand {
    pub(crate) source: usize,
    pub(crate) channel: usize,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) place: Place,
    pub(crate) mask: u8,
}

/// A register, perhaps with an offset that differs by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) file: RegisterFile,
    pub(crate) index: i64,
    pub(crate) indirect: Option<IndexSource>,
}

/// What indirect addressing adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexSource {
    pub(crate) file: RegisterFile,
    pub(crate) index: usize,
    pub(crate) channel: usize,
    /// First and last register of the array that is addressed, where it has a name.
    pub(crate) array: Option<(i64, i64)>,
}

impl IndexSource {
    /// Whether `register` may be reached.
    pub(crate) fn reaches(&self, register: i64) -> bool {
        self.array.is_none_or(|(first, last)| (first..=last).contains(&register))
    }
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) origin: Origin,
    pub(crate) swizzle: [usize; 4],
    pub(crate) absolute: bool,
    pub(crate) negate: bool,
    /// Whether modifiers act on a float rather than on an integer.
    pub(crate) is_float: bool,
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    Register(Place),
    Constant {
        buffer: i64,
        buffer_index: Option<IndexSource>,
        vector: i64,
        vector_index: Option<IndexSource>,
    },
    Value([u32; 4]),
}

/// What the builder answers.
pub(crate) type Result<T> = std::result::Result<T, ExecError>;
