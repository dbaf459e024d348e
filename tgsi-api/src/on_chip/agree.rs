//! Makes interpreter and code see the same inputs: for some inputs the hardware supports only a few values.

use tgsi_exec::{Inputs, Quad};
use tgsi_ir::{Declaration, File, Processor, Semantic, Shader};

use super::start::{Given, counts_from_corners, sizes};
use super::{find, named, samples, set};

/// Restricts inputs to values that the hardware can deliver, even if none is given. A face is 1 or -1. The w of a
/// position is the reciprocal of a reciprocal. A sample has one position. A lane that runs for a sample covers no
/// other. A work group has a size, and its position has three coordinates. A number is the same in all channels.
/// Registers of one name have one value.
pub(super) fn agree(shader: &Shader, inputs: &mut Inputs) {
    parameters(shader, inputs);
    system_values(shader, inputs);
    positions(shader, inputs);
    let given = Given { shader, inputs };
    let is_front = [0, 1, 2, 3].map(|lane| given.is_front(lane));
    let number = |front| [if front { 1.0 } else { -1.0 }, 0.0, 0.0, 1.0_f32].map(f32::to_bits);
    put(shader, inputs, (File::Input, Semantic::Face), is_front.map(number));
    let face = is_front.map(|front| [if front { u32::MAX } else { 0 }; 4]);
    let places = samples::places(shader, inputs);
    let coverage = samples::coverage(shader, inputs);
    let [block, grid] = sizes(shader, inputs);
    for (name, value) in [
        (Semantic::Face, Some(face)),
        (Semantic::Samplepos, places.map(|all| all.map(|[x, y]| [x, y, x, y]))),
        (Semantic::Samplemask, coverage.map(|all| all.map(|mask| [mask; 4]))),
        (Semantic::BlockSize, Some([block; 4])),
        (Semantic::GridSize, Some([grid; 4])),
    ] {
        if let Some(value) = value {
            put(shader, inputs, (File::SystemValue, name), value);
        }
    }
}

/// Sets every register with a semantic to its value.
fn put(shader: &Shader, inputs: &mut Inputs, (file, name): (File, Semantic), value: Quad) {
    let registers = match file {
        File::Input => &mut inputs.registers,
        _ => &mut inputs.system_values,
    };
    for (register, ..) in named(shader, file).filter(|(_, own, _)| *own == name) {
        set(registers, register, value);
    }
}

/// System values of one name have the value of the first. Numbers are in one channel, which code reads for all of them;
/// positions are in three.
fn system_values(shader: &Shader, inputs: &mut Inputs) {
    for (register, name, _) in named(shader, File::SystemValue) {
        let first = find(shader, File::SystemValue, name).unwrap_or(register);
        let Some(&quad) = inputs.system_values.get(first) else { continue };
        let own = quad.map(|[x, y, z, w]| match name {
            name if is_number(name) => [x; 4],
            Semantic::ThreadId | Semantic::BlockId => [x, y, z, 0],
            _ => [x, y, z, w],
        });
        set(&mut inputs.system_values, register, own);
    }
}

fn is_number(name: Semantic) -> bool {
    matches!(
        name,
        Semantic::Vertexid
            | Semantic::VertexidNobase
            | Semantic::Basevertex
            | Semantic::Instanceid
            | Semantic::Baseinstance
            | Semantic::Drawid
            | Semantic::Primid
            | Semantic::Invocationid
            | Semantic::Verticesin
            | Semantic::Sampleid
            | Semantic::HelperInvocation
    )
}

/// Input and system value are the same position. Code computes w from the reciprocal, and corner positions from centre
/// positions, which rounds them.
fn positions(shader: &Shader, inputs: &mut Inputs) {
    if shader.processor != Processor::Fragment {
        return;
    }
    let center = if counts_from_corners(shader) { 0.5 } else { 0.0 };
    let position = Given { shader, inputs }.position();
    let position = position.map(|vector| {
        let [x, y, z, w] = vector.map(f32::from_bits);
        [x - center, y - center, z, 1.0 / w].map(f32::to_bits)
    });
    for file in [File::Input, File::SystemValue] {
        put(shader, inputs, (file, Semantic::Position), position);
    }
}

/// Inputs of one name are one parameter: each channel comes from the first input that declares it.
fn parameters(shader: &Shader, inputs: &mut Inputs) {
    let all: Vec<(usize, Semantic, u16)> = named(shader, File::Input).collect();
    for (number, &(register, name, index)) in all.iter().enumerate() {
        let alike = |&&(_, own, at): &&(usize, Semantic, u16)| (own, at) == (name, index);
        if all[..number].iter().any(|one| alike(&one)) || all.iter().filter(alike).count() == 1 {
            continue;
        }
        let group: Vec<usize> = all.iter().filter(alike).map(|one| one.0).collect();
        let mut merged = inputs.registers.get(register).copied().unwrap_or_default();
        for channel in 0..4 {
            let declares = |&&register: &&usize| declares(shader, register, channel);
            let from = group.iter().find(declares).copied().unwrap_or(register);
            let own = inputs.registers.get(from).copied().unwrap_or_default();
            for (vector, own) in merged.iter_mut().zip(own) {
                vector[channel] = own[channel];
            }
        }
        group.into_iter().for_each(|register| set(&mut inputs.registers, register, merged));
    }
}

fn declares(shader: &Shader, register: usize, channel: usize) -> bool {
    let has_it = |one: &&Declaration| {
        one.file == File::Input
            && (usize::from(one.range.first)..=usize::from(one.range.last)).contains(&register)
    };
    let declared = shader.declarations.iter().find(has_it);
    declared.is_some_and(|one| one.usage_mask.bits() >> channel & 1 == 1)
}
