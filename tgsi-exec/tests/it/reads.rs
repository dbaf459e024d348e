//! Results depend on the channels that `Shader::src_mask` names, on each of them and on no other.

use std::collections::BTreeSet;
use std::sync::Arc;

use tgsi_exec::sampler::{MipFilter, Sampler, Texture, TextureShape};
use tgsi_exec::{Bindings, Inputs, Kernel, STEP_LIMIT};
use tgsi_ir::{Component, Dst, FlowRole, Opcode, OutputMode, Shader, SrcRole, WriteMask};

use crate::arbitrary::Random;
use crate::common::parse;

/// Runs with other values in which no other channel may show, and those until each has shown.
const TRIALS: usize = 8;
const MAX_TRIALS: usize = 1000;

/// Which channels show for which sources of an instruction, as lines that say what is wrong.
struct Readers {
    random: Random,
    bindings: Bindings,
    faults: BTreeSet<String>,
}

impl Readers {
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), bindings: bindings(), faults: BTreeSet::new() }
    }

    fn run(&mut self, kernel: &Kernel, registers: &[[[u32; 4]; 4]]) -> Vec<[[u32; 4]; 4]> {
        let inputs = Inputs { registers: registers.to_vec(), ..Inputs::default() };
        kernel.run(&inputs, STEP_LIMIT, &mut self.bindings).expect("it runs").outputs
    }

    /// Small numbers: integers, floats, floats that are often equal, and such that a level of detail follows from them.
    fn vector(&mut self, trial: usize) -> [u32; 4] {
        [(); 4].map(|()| {
            let number = self.random.below(9) as i32 - 4;
            match trial % 4 {
                0 => number.cast_unsigned(),
                1 => (number as f32 + self.random.below(8) as f32 / 8.0).to_bits(),
                2 => (number as f32 / 2.0).to_bits(),
                _ => (number as f32 / 8.0).to_bits(),
            }
        })
    }

    /// Compares an instruction, the first of a shader, with itself where one channel of one source differs.
    fn check(&mut self, shader: &Shader, name: &str) {
        let one = &shader.instructions[0];
        let kernel = Kernel::new(shader).unwrap_or_else(|error| panic!("{name}: {error}"));
        let masks: Vec<WriteMask> = (0..one.src.len()).map(|n| shader.src_mask(one, n)).collect();
        let mut shows = vec![WriteMask::NONE; masks.len()];
        for trial in 0..MAX_TRIALS {
            if trial > TRIALS && shows == masks {
                return;
            }
            let registers: Vec<_> = masks.iter().map(|_| [self.vector(trial); 4]).collect();
            let before = self.run(&kernel, &registers);
            for (source, shows) in shows.iter_mut().enumerate() {
                for component in Component::ALL {
                    let (mut changed, other) = (registers.clone(), self.vector(trial));
                    let channel = component.index();
                    changed[source].iter_mut().for_each(|vector| vector[channel] = other[channel]);
                    if self.run(&kernel, &changed) != before {
                        *shows = shows.union(WriteMask::only(component));
                    }
                }
            }
        }
        self.faults.insert(format!("{name}: {masks:?}, {shows:?} show"));
    }
}

fn bindings() -> Bindings {
    let mut bindings = Bindings::default();
    let sampler = Sampler { mip: MipFilter::Linear, ..Sampler::default() };
    let shapes = [TextureShape::D1, TextureShape::D2, TextureShape::D3, TextureShape::Cube];
    for (unit, shape) in (0..).zip(shapes) {
        let size = if shape == TextureShape::D1 { [5, 1, 1] } else { [4, 4, 1] };
        let size = if shape == TextureShape::D3 { [4, 4, 4] } else { size };
        let texture = Texture::pattern(shape, size, 1, unit).unwrap().with_levels();
        bindings.samplers.insert(unit, sampler);
        bindings.textures.insert(unit, Arc::new(texture));
    }
    bindings
}

#[test]
fn channels_that_show_are_those_that_are_read() {
    let mut readers = Readers::new(1);
    for opcode in Opcode::ALL.into_iter().filter(|opcode| is_plain(*opcode)) {
        let info = opcode.info();
        let inputs: Vec<String> = (0..info.num_src).map(|n| format!("IN[{n}]")).collect();
        let text = format!(
            "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\n{} OUT[0], {}\nEND\n",
            info.name,
            inputs.join(", ")
        );
        let mut shader = parse(&text);
        for bits in 1..16 {
            let mask = WriteMask::from_bits(bits);
            shader.instructions[0].dst[0] = Dst { mask, ..shader.instructions[0].dst[0] };
            readers.check(&shader, &format!("{opcode} {mask:?}"));
        }
    }
    assert_eq!(readers.faults, BTreeSet::new());
}

/// Whether the channels of an opcode depend on those of its sources, which are values of 32 bits.
fn is_plain(opcode: Opcode) -> bool {
    let info = opcode.info();
    let is_value = |role: &SrcRole| {
        matches!(role, SrcRole::Value | SrcRole::Channels(_) | SrcRole::ByChannel(_))
    };
    let is_narrow = info.dst_types.iter().chain(info.src_types).all(|ty| !ty.is_64_bit());
    info.num_dst == 1
        && info.flow == FlowRole::None
        && matches!(
            info.output_mode,
            OutputMode::Componentwise | OutputMode::ChanDependent | OutputMode::Replicate
        )
        && is_narrow
        && info.is_executed
        && info.stages.is_empty()
        && !opcode.is_derivative()
        && info.src_roles.iter().all(is_value)
}

/// Texture units by what they are of; a view says more than the opcode.
const TARGETS: [&str; 4] = ["1D", "2D", "3D", "CUBE"];

#[test]
fn coordinates_that_show_are_those_that_are_read() {
    let mut readers = Readers::new(2);
    for opcode in Opcode::ALL.into_iter().filter(|opcode| samples(*opcode)) {
        // Fetches have no faces to choose from.
        let is_fetch = matches!(opcode, Opcode::Txf | Opcode::TxfLz | Opcode::SampleI);
        let targets = TARGETS.into_iter().filter(|target| !is_fetch || *target != "CUBE");
        for (unit, target) in targets.enumerate() {
            let info = opcode.info();
            let operand = |(n, role): (usize, &SrcRole)| match role {
                SrcRole::Sampler => format!("SAMP[{unit}]"),
                SrcRole::View => format!("SVIEW[{unit}]"),
                _ => format!("IN[{n}]"),
            };
            let sources: Vec<_> = info.src_roles.iter().enumerate().map(operand).collect();
            let word = if info.is_tex { format!(", {target}") } else { String::new() };
            let text = format!(
                "VERT\nDCL IN[0..5]\nDCL OUT[0], POSITION\nDCL SAMP[0..3]\nDCL SVIEW[{unit}], {target}, FLOAT\n{} OUT[0], \
                 {}{word}\nEND\n",
                info.name,
                sources.join(", ")
            );
            readers.check(&parse(&text), &format!("{opcode} {target}"));
        }
    }
    assert_eq!(readers.faults, BTreeSet::new());
}

/// Whether an opcode reads a texel of one of those targets. Their textures have one sample, and nothing to compare.
fn samples(opcode: Opcode) -> bool {
    let info = opcode.info();
    let coordinates = [SrcRole::Coordinates, SrcRole::CoordinatesAndW];
    info.is_executed
        && info.src_roles.iter().any(|role| coordinates.contains(role))
        && !matches!(
            opcode,
            Opcode::Lodq | Opcode::Lod | Opcode::SampleIMs | Opcode::LoadMs | Opcode::Tex2
        )
}
