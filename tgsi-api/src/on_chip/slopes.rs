//! Inputs that a shader interpolates at positions of its own choice.

use std::collections::{BTreeMap, BTreeSet};

use r600_sim::Parameter;
use tgsi_exec::{Inputs, Quad};
use tgsi_ir::{Declaration, File, Interpolation, Opcode, Semantic, Shader};

use super::named;

/// The positions of a quad's pixels, relative to the first.
pub(super) const PLACES: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];

/// For each lane, the input's value at the first pixel and its change to the right and downwards.
type Slope = [[[f32; 4]; 3]; 4];

/// The inputs that a shader interpolates at positions of its own choice. Around each lane they change as across the
/// quad. The hardware computes their values from these slopes, so the last bits of the given values may be lost.
#[derive(Clone, Debug, Default)]
pub struct Slopes(BTreeMap<usize, Slope>);

impl Slopes {
    /// The slopes of `shader`, whose `inputs` are given at the pixels.
    #[must_use]
    pub fn of(shader: &Shader, inputs: &Inputs) -> Self {
        let moved = moved_names(shader);
        let is_moved = |&(_, name, index): &(usize, Semantic, u16)| moved.contains(&(name, index));
        let registers = named(shader, File::Input).filter(is_moved).map(|(register, ..)| register);
        let given = |register| inputs.registers.get(register).copied().unwrap_or_default();
        Self(registers.map(|register| (register, slope(&given(register)))).collect())
    }

    /// Replaces inputs with the values that the hardware computes.
    pub fn settle(&self, inputs: &mut Inputs) {
        for (&register, slope) in &self.0 {
            super::set(&mut inputs.registers, register, at(slope, PLACES));
        }
    }

    /// An input at offsets from the pixel centres; `None` if it has no slope.
    #[must_use]
    pub fn interpolate(&self, input: u32, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        let slope = self.0.get(&(input as usize))?;
        let place = |lane: usize| [0, 1].map(|axis| PLACES[lane][axis] + offsets[lane][axis]);
        Some(at(slope, [0, 1, 2, 3].map(place)))
    }

    /// The parameter from the stage before, for an input with a slope.
    pub(super) fn parameter(&self, register: usize) -> Option<Parameter> {
        let slope = self.0.get(&register)?;
        let [p0, p10, p20] =
            [0, 1, 2].map(|part| super::lanes(&slope.map(|parts| parts[part].map(f32::to_bits))));
        Some(Parameter { p0, p10, p20 })
    }
}

/// The names of inputs that an instruction interpolates again.
fn moved_names(shader: &Shader) -> BTreeSet<(Semantic, u16)> {
    let moves = |opcode| {
        matches!(opcode, Opcode::InterpCentroid | Opcode::InterpSample | Opcode::InterpOffset)
    };
    let moved = shader.instructions.iter().filter(|inst| moves(inst.opcode));
    let sources = moved.filter_map(|inst| inst.src.first()).map(|src| src.reg.index);
    let sources: BTreeSet<usize> =
        sources.filter_map(|index| usize::try_from(index).ok()).collect();
    let inputs = named(shader, File::Input);
    inputs
        .filter(|(register, ..)| sources.contains(register) && changes(shader, *register))
        .map(|(_, name, index)| (name, index))
        .collect()
}

/// Whether an input is a parameter that may vary over the primitive.
fn changes(shader: &Shader, register: usize) -> bool {
    let covers = |one: &&Declaration| {
        let range = usize::from(one.range.first)..=usize::from(one.range.last);
        one.file == File::Input && range.contains(&register)
    };
    let declared = shader.declarations.iter().find(covers);
    let is_other = declared
        .and_then(|one| one.semantic)
        .is_some_and(|semantic| matches!(semantic.name, Semantic::Position | Semantic::Face));
    let mode = declared.and_then(|one| one.interp).map(|interp| interp.mode);
    !is_other && mode.is_some_and(|mode| mode != Interpolation::Constant)
}

fn slope(quad: &Quad) -> Slope {
    let values = quad.map(|vector| vector.map(f32::from_bits));
    let difference = |to: usize, from: usize| {
        [0, 1, 2, 3].map(|channel: usize| values[to][channel] - values[from][channel])
    };
    [0, 1, 2, 3].map(|lane: usize| {
        let (right, down) = (difference(lane | 1, lane & 2), difference(lane | 2, lane & 1));
        let [i, j] = PLACES[lane];
        let first = [0, 1, 2, 3]
            .map(|channel: usize| values[lane][channel] - i * right[channel] - j * down[channel]);
        [first, right, down]
    })
}

/// The values at positions in the quad, computed as the hardware does.
fn at(slope: &Slope, places: [[f32; 2]; 4]) -> Quad {
    [0, 1, 2, 3].map(|lane: usize| {
        [0, 1, 2, 3].map(|channel: usize| {
            Parameter::at(slope[lane].map(|part| part[channel]), places[lane])
        })
    })
}
