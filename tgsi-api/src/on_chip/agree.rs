//! Inputs that interpreter and code see alike: the hardware knows some of them in few values only.

use tgsi_exec::{Inputs, Quad};
use tgsi_ir::{Declaration, File, Semantic, Shader};

use super::start::{Given, counts_from_corners, sizes};
use super::{find, named, samples};

/// Gives inputs that the hardware knows in few values only one of these, also where none is given: a face is 1 or -1, a
/// sample has one place, a lane that runs for a sample covers no other, a work group has a size, and a number is the same in
/// all channels.
pub(super) fn agree(shader: &Shader, inputs: &mut Inputs) {
    numbers(shader, inputs);
    positions(shader, inputs);
    parameters(shader, inputs);
    let given = Given { shader, inputs };
    let is_front = [0, 1, 2, 3].map(|lane| given.is_front(lane));
    if let Some(register) = find(shader, File::Input, Semantic::Face) {
        let face = is_front.map(|front| [if front { 1.0 } else { -1.0 }, 0.0, 0.0, 1.0_f32]);
        set(&mut inputs.registers, register, face.map(|vector| vector.map(f32::to_bits)));
    }
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
        if let (Some(register), Some(value)) = (find(shader, File::SystemValue, name), value) {
            set(&mut inputs.system_values, register, value);
        }
    }
}

/// Numbers of the system lie in one channel; code takes that for every channel.
fn numbers(shader: &Shader, inputs: &mut Inputs) {
    let numbers = named(shader, File::SystemValue).filter(|(_, name, _)| is_number(*name));
    for (register, ..) in numbers {
        if let Some(quad) = inputs.system_values.get_mut(register) {
            *quad = quad.map(|[x, ..]| [x; 4]);
        }
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

/// Positions that count from corners come from those that count from centres, which rounds them.
fn positions(shader: &Shader, inputs: &mut Inputs) {
    if !counts_from_corners(shader) {
        return;
    }
    let rounded = |bits: u32| ((f32::from_bits(bits) + 0.5) - 0.5).to_bits();
    let round = |quad: &mut Quad| {
        *quad = quad.map(|[x, y, z, w]| [rounded(x), rounded(y), z, w]);
    };
    let place = |file| find(shader, file, Semantic::Position);
    let input = place(File::Input).and_then(|register| inputs.registers.get_mut(register));
    input.map(round);
    let value = place(File::SystemValue);
    value.and_then(|register| inputs.system_values.get_mut(register)).map(round);
}

/// Inputs of one name are one parameter: each channel is that of the first that declares it.
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

/// Sets a register, and those before it that are not given to zero, as they are read.
fn set(registers: &mut Vec<Quad>, register: usize, value: Quad) {
    registers.resize(registers.len().max(register + 1), Quad::default());
    registers[register] = value;
}
