//! Uniforms and textures that a command gets by name.

use std::path::Path;
use std::sync::Arc;

use gx2_draw::{Bound, Compiled, DrawError, Stage};
use tgsi_exec::sampler::{Filter, MipFilter, Sampler, Texture, TextureShape};

use crate::commands::run::picture;
use crate::problem::Problems;

/// Filtering for pictures.
fn smooth() -> Sampler {
    Sampler {
        min: Filter::Linear,
        mag: Filter::Linear,
        mip: MipFilter::Linear,
        ..Sampler::default()
    }
}

/// Why a texture is not bound: the problem is its file or its name.
pub(crate) enum NotGiven {
    File(Problems),
    Name(DrawError),
}

impl NotGiven {
    /// The problem. It concerns the input `name` unless the texture's file is at fault.
    pub(crate) fn named(self, name: &str) -> Problems {
        match self {
            Self::File(problems) => problems,
            Self::Name(error) => Problems::whole(name, error.to_string()),
        }
    }
}

/// Binds PNG files to samplers by name, and patterns to the other samplers.
pub(crate) fn textures<'a>(
    draw: &mut Compiled,
    given: impl Iterator<Item = (&'a str, &'a Path)>,
) -> Result<(), NotGiven> {
    for stage in [&mut draw.vertex_stage, &mut draw.pixel_stage] {
        bind_patterns(stage);
    }
    for (name, path) in given {
        let texture = Arc::new(picture::read_texture(path).map_err(NotGiven::File)?);
        let bound = Bound { texture, sampler: smooth() };
        let mut found = false;
        for stage in [&mut draw.vertex_stage, &mut draw.pixel_stage] {
            found |= stage.set_texture(name, &bound);
        }
        if !found {
            return Err(NotGiven::Name(no_name(draw, ("sampler", name), Stage::sampler_names)));
        }
    }
    Ok(())
}

/// Sets uniforms by name, in every stage that has one with that name and length.
pub(crate) fn uniforms<'a>(
    draw: &mut Compiled,
    given: impl Iterator<Item = (&'a str, &'a [f64])>,
) -> Result<(), DrawError> {
    for (name, numbers) in given {
        let stages = [&mut draw.vertex_stage, &mut draw.pixel_stage];
        let set = stages.map(|stage| stage.set_numbers(name, numbers));
        if set.iter().any(|set| matches!(set, Ok(true))) {
            continue;
        }
        for refused in set {
            refused?;
        }
        return Err(no_name(draw, ("uniform", name), Stage::uniform_names));
    }
    Ok(())
}

fn no_name(
    draw: &Compiled,
    (what, name): (&'static str, &str),
    names: impl Fn(&'_ Stage) -> Vec<String>,
) -> DrawError {
    let mut known: Vec<String> =
        [&draw.vertex_stage, &draw.pixel_stage].into_iter().flat_map(names).collect();
    known.sort();
    known.dedup();
    let known = match known.is_empty() {
        true => "none".to_owned(),
        false => known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    DrawError::Name { what, name: name.to_owned(), known }
}

/// Size of patterns.
const SIZE: u32 = 64;
const DEPTH: u32 = 16;

fn bind_patterns(stage: &mut Stage) {
    for var in &stage.tables.sampler_vars {
        let (shape, size) = match var.kind {
            gx2_gfd::SamplerType::SAMPLER_1D => (TextureShape::D1, [SIZE, 1, 1]),
            gx2_gfd::SamplerType::SAMPLER_3D => (TextureShape::D3, [DEPTH; 3]),
            gx2_gfd::SamplerType::SAMPLER_CUBE => (TextureShape::Cube, [SIZE, SIZE, 1]),
            _ => (TextureShape::D2, [SIZE, SIZE, 1]),
        };
        if let Ok(texture) = Texture::pattern(shape, size, 1, var.location) {
            let bound = Bound { texture: Arc::new(texture.with_levels()), sampler: smooth() };
            stage.memory.textures.insert(var.location, bound);
        }
    }
}
