//! The contents of a fragment shader's registers at a pixel of a picture.

use tgsi_ir::Semantic;
use tgsi_ir::scan::Io;

/// The contents of an input or a system value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Position,
    /// Front-facing, as a sign.
    Facing,
    Coordinate,
    /// Front-facing, as a boolean.
    IsFront,
    /// The only sample of a pixel, as a mask.
    Coverage,
    /// The centre of the pixel.
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

/// The contents of registers, by number. Those without a semantic hold `other`.
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
