//! Inputs and results of a program in the simulator, as JSON.

use std::collections::BTreeMap;

use r600_isa::{Chip, Generation};
use r600_sim::{
    Buffer, BufferFormat, Entry, Exported, MAX_LANES, Outcome, Parameter, Resources, Stage,
    TextureQuery, TextureRequest,
};
use tgsi_exec::sampler::{Sampler, lookup};

use crate::answers::{CostsJson, RunJson, hex};
use crate::launch::{Bound, Launch, Quad, texel_words};
use crate::on_chip::texture;
use crate::textures;

/// Places the inputs where the hardware would.
pub fn entry(generation: Generation, stage: Stage, launch: &Launch) -> Entry<'static> {
    let mut entry = Entry::new(1);
    let has_parameters = matches!(generation, Generation::Evergreen | Generation::Cayman);
    for (register, quad) in (0..).zip(&launch.inputs) {
        match stage {
            Stage::Vertex => set_gpr(&mut entry, register + 1, quad),
            Stage::Pixel if has_parameters => entry.push_parameter(parameter(quad)),
            _ => set_gpr(&mut entry, register, quad),
        }
    }
    for (&register, quad) in &launch.gprs {
        set_gpr(&mut entry, register, quad);
    }
    entry
}

fn set_gpr(entry: &mut Entry<'_>, register: u32, quad: &Quad) {
    for (lane, vector) in quad.iter().enumerate() {
        for (channel, word) in (0..).zip(vector) {
            entry.set_gpr(register, channel, lane, word.0);
        }
    }
}

/// A parameter with the given value in each lane, wherever the lane is in the primitive.
fn parameter(quad: &Quad) -> Parameter {
    let mut values = [[0; MAX_LANES]; 4];
    for (lane, vector) in quad.iter().enumerate() {
        for (channel, word) in vector.iter().enumerate() {
            values[channel][lane] = word.0;
        }
    }
    Parameter::flat(values)
}

/// The words behind each fetch resource: the buffers of the file, and constant buffers for the rest, since constants
/// with dynamic subscripts are fetched.
fn fetched(launch: &Launch) -> BTreeMap<u32, Vec<u32>> {
    let mut all = launch.constant_words();
    all.retain(|_, words| !words.is_empty());
    for (&number, words) in &launch.buffers {
        all.insert(number, words.iter().map(|word| word.0).collect());
    }
    all
}

/// Constants, buffers and textures from the file, other textures by rule.
pub struct Memory {
    launch: Launch,
    bound: Bound,
    generation: Generation,
    /// The words behind each fetch resource.
    buffers: BTreeMap<u32, Vec<u32>>,
}

impl Memory {
    /// The resources given in `launch`.
    pub fn new(launch: Launch, bound: Bound, generation: Generation) -> Self {
        let buffers = texel_words(&bound.bindings).into_iter().chain(fetched(&launch)).collect();
        Self { buffers, launch, bound, generation }
    }
}

/// The stride in bytes of a buffer whose stride is not given, and its format: four floats.
const DEFAULT_STRIDE: u32 = 16;
const FOUR_FLOATS: BufferFormat = BufferFormat { data: 0x23, number: 2, is_signed: true };

impl Resources for Memory {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        self.launch.constant(bank, index)
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let words = self.buffers.get(&resource)?;
        let stride = self.launch.strides.get(&resource).copied().unwrap_or(DEFAULT_STRIDE);
        Some(Buffer::new(words, stride, FOUR_FLOATS))
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        let bindings = &self.bound.bindings;
        if let Some(texture) = bindings.textures.get(&request.resource)
            && request.query != TextureQuery::Fragments
        {
            let target = texture::target_of(texture, request);
            let access = texture::access(request.resource, target, None, request);
            let sampler = bindings.samplers.get(&access.sampler).copied().unwrap_or_default();
            // TGSI accesses have no further bias.
            let lod_bias = sampler.lod_bias + request.lod_bias;
            let answer = lookup(texture, &Sampler { lod_bias, ..sampler }, &access);
            return Some(texture::answer(target, self.generation, request, answer));
        }
        Some(match request.query {
            TextureQuery::Sample { .. } | TextureQuery::Gather { .. } => textures::sample(),
            TextureQuery::Load => textures::texel(),
            TextureQuery::Fragments => texture::OWN_FRAGMENTS,
            TextureQuery::Size => [textures::SIZE; 4],
            TextureQuery::Samples => [[0, 0, 0, 1]; 4],
            TextureQuery::LevelOfDetail => textures::levels_of_detail(),
        })
    }
}

/// The answer: exports by target, killed lanes, counts.
#[must_use]
pub fn to_json(outcome: &Outcome, chip: Chip) -> RunJson {
    let lane = |vector: &[Option<u32>; 4]| vector.iter().map(|word| word.map(hex)).collect();
    let lanes = |exported: &Exported| exported.lanes.iter().take(4).map(lane).collect();
    let exports = outcome.exports.iter();
    RunJson {
        outputs: exports
            .map(|(target, own)| (format!("{}[{}]", target.kind.name(), target.base), lanes(own)))
            .collect(),
        kill_mask: format!("{:#x}", outcome.killed.bits()),
        counters: Some(CostsJson::new(&outcome.counters, chip)),
        ..RunJson::default()
    }
}
