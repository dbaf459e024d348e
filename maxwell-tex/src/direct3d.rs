//! Direct3D's texture instructions and their equivalents.

use crate::generated::direct3d::{D3dOp, EQUIVALENTS, LISTED, OVERRIDES};
use crate::generated::enums::Lod;
use crate::instruction::Instruction;

/// The instruction equivalent to one of Direct3D.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Equivalent {
    /// TEX.
    Tex {
        /// How the level of detail is chosen.
        lod: Lod,
        /// Whether depth is compared (`.DC`).
        compare: bool,
    },
    /// TLDS.
    Tlds {
        /// Whether a sample is selected (`.MS`).
        multisample: bool,
    },
    /// Neither: TXD, or several instructions.
    None,
}

impl D3dOp {
    /// The equivalent instruction.
    pub fn equivalent(self) -> Equivalent {
        EQUIVALENTS[self as usize]
    }

    /// Whether the documents list it; the others are derived from those.
    pub fn is_listed(self) -> bool {
        LISTED[self as usize]
    }

    /// The Direct3D equivalent of an instruction. Direct3D averages no levels, and compares only at the levels of
    /// `sample_c` and `sample_c_lz`.
    pub fn of(instruction: &Instruction) -> Option<Self> {
        let wanted = match instruction {
            Instruction::Tex(tex) => Equivalent::Tex { lod: tex.lod, compare: tex.dc },
            Instruction::Tlds(tlds) => Equivalent::Tlds { multisample: tlds.form.modes()?.ms },
        };
        Self::ALL.into_iter().find(|op| op.equivalent() == wanted)
    }
}

/// Texture or sampler state that TLDS overrides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Override {
    /// The table that holds the state.
    pub state: State,
    /// The field.
    pub field: &'static str,
    /// The value that TLDS uses.
    pub value: &'static str,
}

/// The two tables of texture state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The texture header.
    Header,
    /// The sampler.
    Sampler,
}

/// Everything that TLDS overrides.
pub fn tlds_overrides() -> &'static [Override] {
    &OVERRIDES
}
