#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Register values in a structure come from the compiler; nothing is decided twice.
//! - Anything the console has no place for (scratch memory, a driver's constants, counters) is an error that names it.

mod error;
mod fill;
mod names;
mod stages;

use gx2_gfd::{NewShader, ShaderMode};
use r600_codegen::OptLevel;
pub use r600_codegen::abi::Uniforms;
use r600_codegen::abi::spi_id;
use tgsi_ir::fit::{Misfit, misfits};
use tgsi_ir::scan::{Io, scan};
use tgsi_ir::{Processor, Semantic, Shader, WriteMask};
use tgsi_spirv::interface::Interface;

pub use error::{LinkError, Missing, StageError};
pub use names::{Attribute, Block, Names, Sampler, Uniform};

/// A shader with the names of its interface.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The shader.
    pub shader: Shader,
    /// Names of its registers.
    pub names: Names,
}

impl Stage {
    /// A shader whose registers keep the names of its text: `IN[0]`, `CONST[1]`, `SAMP[2]`.
    #[must_use]
    pub fn new(shader: Shader) -> Self {
        let names = Names::of_shader(&shader);
        Self { shader, names }
    }

    /// A shader translated from SPIR-V.
    #[must_use]
    pub fn translated(shader: Shader, interface: &Interface) -> Self {
        let names = Names::of_interface(&shader, interface);
        Self { shader, names }
    }
}

/// Link options.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Optimisation level.
    pub level: OptLevel,
    /// Whether to forbid rewrites that could change a float result.
    pub precise: bool,
    /// Location of uniforms.
    pub uniforms: Uniforms,
}

impl Options {
    /// Sets the optimisation level.
    #[must_use]
    pub fn level(mut self, level: OptLevel) -> Self {
        self.level = level;
        self
    }

    /// Allows or forbids rewrites that could change a float result.
    #[must_use]
    pub fn precise(mut self, precise: bool) -> Self {
        self.precise = precise;
        self
    }

    /// Sets the location of uniforms.
    #[must_use]
    pub fn uniforms(mut self, uniforms: Uniforms) -> Self {
        self.uniforms = uniforms;
        self
    }
}

/// The structures and programs of a draw's shaders, in the order of `stages`. Takes at most one vertex, geometry and
/// pixel shader each, in any order.
///
/// # Errors
/// A stage that does not compile or that the console cannot hold, or stages whose interfaces do not match.
pub fn link(stages: &[Stage], options: &Options) -> Result<Vec<NewShader>, LinkError> {
    let draw = Draw::of(stages)?;
    let mode = match (draw.geometry, options.uniforms) {
        (Some(_), Uniforms::Registers) => return Err(LinkError::GeometryRegisters),
        (Some(_), Uniforms::Blocks) => ShaderMode::GEOMETRY_SHADER,
        (None, Uniforms::Registers) => ShaderMode::UNIFORM_REGISTER,
        (None, Uniforms::Blocks) => ShaderMode::UNIFORM_BLOCK,
    };
    draw.check_fit(stages)?;
    let geometry = draw.geometry.map(|number| &stages[number].shader);
    let make = |(number, stage): (usize, &Stage)| {
        let build = stages::Build { stage, options, mode };
        let made = match stage.shader.processor {
            Processor::Vertex => build.vertex(geometry),
            Processor::Geometry => build.geometry(),
            _ => build.pixel(),
        };
        made.map_err(|error| LinkError::Stage { number, error })
    };
    stages.iter().enumerate().map(make).collect()
}

/// The number of a primitive, if a pixel shader reads it and the stage before does not write it. The hardware could
/// provide it, but GX2's structures have no field for that.
fn missing_primitive_id(from: &Shader, to: &Shader) -> Option<Misfit> {
    // Only the first stream is rasterised.
    let find = |list: Vec<Io>| {
        let is_it = |io: &Io| {
            io.semantic.is_some_and(|semantic| {
                let used = io.used.intersection(semantic.streams.channels_of(0));
                semantic.name == Semantic::Primid && !used.is_empty()
            })
        };
        list.into_iter().find(is_it)
    };
    let read = find(scan(to).inputs).filter(|_| to.processor == Processor::Fragment)?;
    if find(scan(from).outputs).is_some() {
        return None;
    }
    let semantic = (Semantic::Primid, read.semantic?.index);
    Some(Misfit { semantic, channels: read.used, is_partial: false })
}

/// An input that no output matches and that would read another output. It may stay unwritten, because it is then zero;
/// but the hardware finds values by ids, and several meanings share one id.
fn taken_for_another(from: &Shader, to: &Shader) -> Option<Misfit> {
    let meanings = |list: Vec<Io>| {
        let used = list.into_iter().filter(|io| !io.used.is_empty());
        used.filter_map(|io| io.semantic.map(|one| (one.name, one.index, io.used)))
            .collect::<Vec<_>>()
    };
    let written = meanings(scan(from).outputs);
    let is_taken = |&(name, index, _): &(Semantic, u16, WriteMask)| {
        let is_own = |one: &(Semantic, u16, WriteMask)| (one.0, one.1) == (name, index);
        let id = spi_id(name, index);
        let has_id = |one: &(Semantic, u16, WriteMask)| id.is_some() && spi_id(one.0, one.1) == id;
        let stays_unwritten = matches!(name, Semantic::Layer | Semantic::ViewportIndex);
        stays_unwritten && !written.iter().any(is_own) && written.iter().any(has_id)
    };
    let read = meanings(scan(to).inputs).into_iter();
    let (name, index, channels) =
        read.filter(|_| to.processor == Processor::Fragment).find(is_taken)?;
    Some(Misfit { semantic: (name, index), channels, is_partial: false })
}

/// The numbers of the stages of a draw.
#[derive(Clone, Copy, Debug, Default)]
struct Draw {
    vertex: Option<usize>,
    geometry: Option<usize>,
    pixel: Option<usize>,
}

impl Draw {
    fn of(stages: &[Stage]) -> Result<Self, LinkError> {
        let mut draw = Self::default();
        for (number, stage) in stages.iter().enumerate() {
            let processor = stage.shader.processor;
            let place = match processor {
                Processor::Vertex => &mut draw.vertex,
                Processor::Geometry => &mut draw.geometry,
                Processor::Fragment => &mut draw.pixel,
                _ => return Err(LinkError::NoSuchStage { number, processor }),
            };
            if let Some(first) = place.replace(number) {
                return Err(LinkError::Twice { first, second: number });
            }
        }
        Ok(draw)
    }

    /// Checks that each stage reads only what the one before writes.
    fn check_fit(&self, stages: &[Stage]) -> Result<(), LinkError> {
        let order: Vec<usize> =
            [self.vertex, self.geometry, self.pixel].into_iter().flatten().collect();
        for pair in order.windows(2) {
            let [producer, consumer] = [pair[0], pair[1]];
            let [from, to] = [producer, consumer].map(|number| &stages[number].shader);
            let mut found = misfits(from, to);
            found.extend(missing_primitive_id(from, to));
            found.extend(taken_for_another(from, to));
            if !found.is_empty() {
                let name = |one: &tgsi_ir::fit::Misfit| Missing {
                    misfit: *one,
                    name: stages[consumer].names.inputs.get(&one.semantic).cloned(),
                };
                let missing = found.iter().map(name).collect();
                return Err(LinkError::Misfit { producer, consumer, missing });
            }
        }
        Ok(())
    }
}
