//! Values that stages pass to each other, matched by semantic ids, as in drivers and hardware.
//!
//! The ids are those of the open driver (shader interface, section 6.1). They are repeated here so that a compiler with
//! another numbering is noticed.

use r600_codegen::Compiled;
use r600_isa::Chip;
use r600_sim::pipeline::{LaneScalars, LaneVectors, StateRegisters};
use tgsi_ir::{File, Semantic, Shader};

use crate::compare::Exported;

/// The state that a driver writes for a compiled shader.
#[must_use]
pub fn registers(compiled: &Compiled, chip: Chip) -> StateRegisters {
    let mut state = StateRegisters::new(chip);
    compiled.state.iter().for_each(|value| state.set(value.address, value.value));
    state
}

/// The id that links an output to the input of the next stage.
#[must_use]
pub fn parameter_id((semantic, index): (Semantic, u16)) -> u8 {
    const FIRST_GENERIC: u32 = 10;
    const FIRST_TEXCOORD: u32 = 1;
    let index = u32::from(index);
    let id = match semantic {
        Semantic::Generic => index + FIRST_GENERIC,
        Semantic::Texcoord => index + FIRST_TEXCOORD,
        other => (0x80 | u32::from(other.number().unwrap_or(0)) << 3 | index & 7) + 1,
    };
    (id & 0xFF) as u8
}

/// Registers of a file with their meanings, in the order of their declarations.
pub(crate) fn declared(shader: &Shader, file: File) -> Vec<(usize, Option<(Semantic, u16)>)> {
    let mut registers = Vec::new();
    for declaration in shader.declarations.iter().filter(|d| d.file == file) {
        for register in declaration.range.first..=declaration.range.last.min(255) {
            let offset = register - declaration.range.first;
            let meaning = declaration.semantic.map(|s| (s.name, s.index.saturating_add(offset)));
            registers.push((usize::from(register), meaning));
        }
    }
    registers
}

/// The first four lanes of vectors, in the form of results.
pub(crate) fn exported(vectors: &LaneVectors) -> Exported {
    std::array::from_fn(|lane| vectors.get(lane).copied().unwrap_or_default())
}

/// The first four lanes of a scalar, in one channel.
pub(crate) fn in_channel(scalars: &LaneScalars, channel: usize) -> Exported {
    std::array::from_fn(|lane| {
        let mut vector = [None; 4];
        vector[channel] = scalars.get(lane).copied().flatten();
        vector
    })
}
