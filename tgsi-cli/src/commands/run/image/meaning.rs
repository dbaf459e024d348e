//! What a register of a fragment shader holds at a pixel of a picture.

use tgsi_ir::Semantic;
use tgsi_ir::scan::Io;

/// What an input or a system value of the shader holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Position,
    /// A front, as a sign.
    Facing,
    Coordinate,
    /// A front, as a boolean.
    IsFront,
    /// The sample that a pixel has, as a mask.
    Coverage,
    /// The middle of the pixel.
    SamplePlace,
    /// Whether the pixel lies outside the picture, as a boolean.
    IsHelper,
    Nothing,
}

impl Meaning {
    pub(super) fn of_input(name: Semantic) -> Self {
        match name {
            Semantic::Position => Self::Position,
            Semantic::Face => Self::Facing,
            _ => Self::Coordinate,
        }
    }

    pub(super) fn of_system_value(name: Semantic) -> Self {
        match name {
            Semantic::Position => Self::Position,
            Semantic::Face => Self::IsFront,
            Semantic::Samplemask => Self::Coverage,
            Semantic::Samplepos => Self::SamplePlace,
            Semantic::HelperInvocation => Self::IsHelper,
            _ => Self::Nothing,
        }
    }
}

/// What registers hold, by number; those without a semantic hold `other`.
pub(super) fn meanings(
    registers: &[Io],
    of: fn(Semantic) -> Meaning,
    other: Meaning,
) -> Vec<Meaning> {
    let mut list = Vec::new();
    for io in registers {
        list.resize(list.len().max(usize::from(io.index) + 1), other);
        list[usize::from(io.index)] = io.semantic.map_or(other, |semantic| of(semantic.name));
    }
    list
}
