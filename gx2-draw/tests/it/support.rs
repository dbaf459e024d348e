//! One draw by two ways.

use std::sync::Arc;

use gx2_draw::{
    Bound, Compiled, Envelope, Interpreted, Memory, Mesh, Picture, Reference, Shading, Stage,
    Vertex, draw,
};
use gx2_gfd::{File, Style};
use gx2_link::Options;
use tgsi_exec::sampler::{Sampler, Texture, TextureShape, Wrap};
use tgsi_exec::{Angles, Errors, Perturbation};
use tgsi_ir::Processor;

/// Pictures with random errors, of the size that approximations may have, that tell what is settled.
const RANDOM_RUNS: u64 = 6;

/// The pictures of one draw.
pub(crate) struct Pictures {
    /// By the programs of a file that was written and read again.
    pub(crate) compiled: Picture,
    /// By the interpreter.
    pub(crate) interpreted: Picture,
    /// By the interpreter with errors that hardware may make.
    perturbed: Vec<Picture>,
}

/// Draws with a vertex and a pixel shader in both ways. `fill` sets uniforms and textures, once for each stage.
pub(crate) fn pictures(
    stages: &[gx2_link::Stage; 2],
    options: &Options,
    (mesh, vertices): (&Mesh, &[Vertex]),
    size: [u32; 2],
    fill: impl Fn(Processor, &mut Stage),
) -> Result<Pictures, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let shaders = gx2_link::link(stages, options).map_err(|error| text(&error))?;
    let bytes = File::build(&Style::ALIGNED, shaders).and_then(|file| file.write());
    let file = File::read(&bytes.map_err(|error| text(&error))?).map_err(|error| text(&error))?;
    let mut compiled = Compiled::new(&file).map_err(|error| text(&error))?;
    fill(Processor::Vertex, &mut compiled.vertex_stage);
    fill(Processor::Fragment, &mut compiled.pixel_stage);
    let reference = |number: usize, stage: &Stage| {
        Reference::new(&stages[number].shader, stage.clone()).map_err(|error| text(&error))
    };
    let vertex = reference(0, &compiled.vertex_stage)?;
    let pixel = reference(1, &compiled.pixel_stage)?;
    let mut interpreted = Interpreted::new(vertex, pixel, stages[0].names.locations());
    let drawn = |shading: &mut dyn Shading| {
        draw(shading, mesh, vertices, size).map_err(|error| text(&error))
    };
    let compiled = drawn(&mut compiled)?;
    let plain = drawn(&mut interpreted)?;
    let mut perturbed = Vec::new();
    if differing([&compiled, &plain], 0).0 > 0 {
        let random = (0..RANDOM_RUNS).map(|seed| Perturbation::new(seed, Errors::Approximations));
        let usual = Perturbation::like_hardware(Angles::Revolutions);
        for perturbation in random.chain([usual]) {
            interpreted.perturb(Some(perturbation));
            perturbed.push(drawn(&mut interpreted)?);
        }
    }
    Ok(Pictures { compiled, interpreted: plain, perturbed })
}

impl Pictures {
    /// Channels of the compiled picture that are further than `limit` 255ths from the interpreter's, or from those that
    /// it has with errors that hardware may make: outside of twice their range.
    pub(crate) fn num_wrong(&self, limit: u8) -> usize {
        Envelope::new(&self.interpreted, &self.perturbed).judge(&self.compiled, limit).outside
    }

    /// Channels that differ between the two ways by more than `limit` 255ths, and how many there are.
    pub(crate) fn differing(&self, limit: u8) -> (usize, usize) {
        differing([&self.compiled, &self.interpreted], limit)
    }
}

/// A picture of hills and valleys.
pub(crate) fn pattern(shape: TextureShape, seed: u32) -> Bound {
    let size = match shape {
        TextureShape::D1 => [16, 1, 1],
        TextureShape::D3 => [8, 8, 8],
        TextureShape::D2 | TextureShape::Cube => [16, 16, 1],
    };
    let texture = Texture::pattern(shape, size, 1, seed).expect("the size is valid");
    let sampler = Sampler { wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() };
    Bound { texture: Arc::new(texture.with_levels()), sampler }
}

/// Textures for each sampler that a stage lists, by shape.
pub(crate) fn bind_patterns(stage: &mut Stage) {
    let Stage { tables, memory: Memory { textures, .. } } = stage;
    for var in &tables.sampler_vars {
        let shape = match var.kind {
            gx2_gfd::SamplerType::SAMPLER_1D => TextureShape::D1,
            gx2_gfd::SamplerType::SAMPLER_3D => TextureShape::D3,
            gx2_gfd::SamplerType::SAMPLER_CUBE => TextureShape::Cube,
            _ => TextureShape::D2,
        };
        textures.insert(var.location, pattern(shape, var.location));
    }
}

/// How many channels differ by more than `limit` 255ths, of how many.
pub(crate) fn differing([one, other]: [&Picture; 2], limit: u8) -> (usize, usize) {
    let (one, other) = (one.bytes(), other.bytes());
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    (pairs.filter(|(a, b)| a.abs_diff(**b) > limit).count(), one.len() * 4)
}
