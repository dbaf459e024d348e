//! The places of each opcode's operands.

use tgsi_ir::{Component, Opcode};

/// A channel of a source.
pub(super) type Place = (usize, Component);

/// How an opcode chooses the level of detail.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Implicit,
    Zero,
    Bias(Place),
    Explicit(Place),
}

/// What an opcode does, and the places of its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    /// Whether texels are read by integer position.
    pub(super) fetches: bool,
    /// Whether coordinates are divided by w.
    pub(super) divides: bool,
    pub(super) level: Level,
    /// The source with the view, for opcodes with separate view and sampler.
    pub(super) view: Option<usize>,
    /// The source with the sampler.
    pub(super) sampler: Option<usize>,
    /// The place of the value to compare with, if the target does not determine it.
    pub(super) reference: Option<Place>,
    /// The place of the sample number, if it is not in w.
    pub(super) sample: Option<Place>,
}

const W: Place = (0, Component::W);

const TEX: Recipe = Recipe {
    fetches: false,
    divides: false,
    level: Level::Implicit,
    view: None,
    sampler: Some(1),
    reference: None,
    sample: None,
};

/// With a second source before the sampler.
const TEX2: Recipe = Recipe { sampler: Some(2), ..TEX };

const SECOND: Place = (1, Component::X);

const SAMPLE: Recipe = Recipe { view: Some(1), sampler: Some(2), ..TEX };

const FOURTH: Place = (3, Component::X);

const SAMPLE_I: Recipe =
    Recipe { fetches: true, level: Level::Explicit(W), view: Some(1), sampler: None, ..TEX };

const RECIPES: [(Opcode, Recipe); 18] = [
    (Opcode::Tex, TEX),
    (Opcode::Txb, Recipe { level: Level::Bias(W), ..TEX }),
    (Opcode::Txl, Recipe { level: Level::Explicit(W), ..TEX }),
    (Opcode::Txp, Recipe { divides: true, ..TEX }),
    (Opcode::TexLz, Recipe { level: Level::Zero, ..TEX }),
    (Opcode::Tex2, Recipe { reference: Some(SECOND), ..TEX2 }),
    (Opcode::Txb2, Recipe { level: Level::Bias(SECOND), ..TEX2 }),
    (Opcode::Txl2, Recipe { level: Level::Explicit(SECOND), ..TEX2 }),
    (Opcode::Txf, Recipe { fetches: true, level: Level::Explicit(W), ..TEX }),
    (Opcode::TxfLz, Recipe { fetches: true, level: Level::Zero, ..TEX }),
    (Opcode::Sample, SAMPLE),
    (Opcode::SampleB, Recipe { level: Level::Bias(FOURTH), ..SAMPLE }),
    (Opcode::SampleL, Recipe { level: Level::Explicit(FOURTH), ..SAMPLE }),
    (Opcode::SampleC, Recipe { reference: Some(FOURTH), ..SAMPLE }),
    (Opcode::SampleCLz, Recipe { reference: Some(FOURTH), level: Level::Zero, ..SAMPLE }),
    (Opcode::SampleI, SAMPLE_I),
    (Opcode::SampleIMs, Recipe { level: Level::Zero, sample: Some((2, Component::X)), ..SAMPLE_I }),
    (Opcode::LoadMs, Recipe { level: Level::Zero, ..SAMPLE_I }),
];

/// Texture opcodes that the hardware executes with other instructions.
const OTHERS: [(Opcode, &str); 12] = [
    (Opcode::Txd, "TXD"),
    (Opcode::SampleD, "TXD"),
    (Opcode::Tg4, "TLD4"),
    (Opcode::Gather4, "TLD4"),
    (Opcode::Lodq, "TMML"),
    (Opcode::Lod, "TMML"),
    (Opcode::Txq, "TXQ"),
    (Opcode::TxqLz, "TXQ"),
    (Opcode::Txqs, "TXQ"),
    (Opcode::Sviewinfo, "TXQ"),
    (Opcode::SamplePos, "TXQ"),
    (Opcode::SampleInfo, "TXQ"),
];

/// The recipe of a texture opcode, or the instruction that it needs instead; `None` for other opcodes.
pub(super) fn find(opcode: Opcode) -> Option<Result<&'static Recipe, &'static str>> {
    let opcode = opcode.modern_name();
    let recipe = RECIPES.iter().find(|(other, _)| *other == opcode);
    let needed = || OTHERS.iter().find(|(other, _)| *other == opcode);
    recipe.map(|(_, recipe)| Ok(recipe)).or_else(|| needed().map(|(_, name)| Err(*name)))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use tgsi_ir::SrcRole;

    use super::*;

    /// Covers alias and former names as well. Only handles are not accesses.
    #[test]
    fn every_texture_opcode_is_lowered_or_refused() {
        let is_unit = |role: &SrcRole| matches!(role, SrcRole::Sampler | SrcRole::View);
        let all = Opcode::ALL.into_iter().filter(|one| one.info().src_roles.iter().any(is_unit));
        let missing: Vec<Opcode> = all.filter(|opcode| find(*opcode).is_none()).collect();
        assert_eq!(missing, [Opcode::Samp2hnd]);
        assert!(matches!(find(Opcode::Texld), Some(Ok(_))));
        assert!(matches!(find(Opcode::TxqLz), Some(Err("TXQ"))));
    }
}
