//! Direct3D's texture instructions and what they are here.

use crate::generated::direct3d::{D3dOp, EQUIVALENTS, LISTED, OVERRIDES};
use crate::generated::enums::Lod;
use crate::instruction::Instruction;

/// The instruction here that does what one of Direct3D does.
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
        /// Whether a sample is chosen (`.MS`).
        multisample: bool,
    },
    /// Neither: TXD, or several instructions.
    None,
}

impl D3dOp {
    /// What it is here.
    pub fn equivalent(self) -> Equivalent {
        EQUIVALENTS[self as usize]
    }

    /// Whether the documents list it; the others follow from those.
    pub fn is_listed(self) -> bool {
        LISTED[self as usize]
    }

    /// What an instruction is in Direct3D, which averages no levels and compares at no level but those of
    /// `sample_c` and `sample_c_lz`.
    pub fn of(instruction: &Instruction) -> Option<Self> {
        let wanted = match instruction {
            Instruction::Tex(tex) => Equivalent::Tex { lod: tex.lod, compare: tex.dc },
            Instruction::Tlds(tlds) => Equivalent::Tlds { multisample: tlds.form.modes()?.ms },
        };
        Self::ALL.into_iter().find(|op| op.equivalent() == wanted)
    }
}

/// State of a texture or its sampler that TLDS takes as given, whatever was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Override {
    /// Whose state it is.
    pub state: State,
    /// The field.
    pub field: &'static str,
    /// What TLDS takes it for.
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
