//! Compiles shaders of any kind for a file.

use std::path::Path;

use clap::{Args, ValueEnum};
use gx2_gfd::{File, NewShader, Style};
use gx2_link::{LinkError, Stage, StageError};
use r600_codegen::OptLevel;

use crate::commands::compile::{levels, problem};
use crate::problem::{Finding, Place, Problems, Severity};
use crate::reading::Reading;
use crate::shader::ShaderInput;

use super::judge;

/// Flags for compiling shaders for a file.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct CompileFlags {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Optimisation level: 0 simplest code, 1 simplified and packed, 2 everything worth its compile
    /// time, 3 the best schedule found in a tenth of a second.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = levels(), help_heading = "Shaders")]
    level: OptLevel,
    /// Forbids rewrites that could change a float result.
    #[arg(long, help_heading = "Shaders")]
    precise: bool,
    /// Place of the uniforms of compiled shaders.
    #[arg(long, value_name = "WHERE", default_value = "blocks", help_heading = "Shaders")]
    uniforms: UniformsName,
}

/// Places of uniforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UniformsName {
    /// Uniform blocks; uniforms outside blocks go to block 0.
    Blocks,
    /// Uniform registers; shaders must not have blocks.
    Registers,
}

impl CompileFlags {
    /// The first flag that differs from its default. It has no effect on files that are not compiled.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let Self { reading, level, precise, uniforms } = self;
        match () {
            () if *level != OptLevel::default() => Some("-O"),
            () if *precise => Some("--precise"),
            () if *uniforms != UniformsName::Blocks => Some("--uniforms"),
            () => reading.given(),
        }
    }

    fn options(self) -> gx2_link::Options {
        let uniforms = match self.uniforms {
            UniformsName::Blocks => gx2_link::Uniforms::Blocks,
            UniformsName::Registers => gx2_link::Uniforms::Registers,
        };
        gx2_link::Options::default().level(self.level).precise(self.precise).uniforms(uniforms)
    }

    /// Reads the shaders of a file. A module may contain several.
    pub(crate) fn read(self, path: &Path) -> Result<Vec<ShaderInput>, Problems> {
        ShaderInput::read_stages(path, self.reading)
    }

    /// Compiles shaders that form a draw.
    pub(crate) fn link(self, inputs: Vec<ShaderInput>) -> Result<Linked, Problems> {
        let stages: Vec<Stage> = inputs.iter().map(stage).collect();
        match gx2_link::link(&stages, &self.options()) {
            Ok(shaders) => Ok(Linked { shaders, inputs }),
            Err(error) => Err(problems(inputs, error)),
        }
    }
}

/// Shaders for a file, and what they were made of.
pub(crate) struct Linked {
    pub(crate) shaders: Vec<NewShader>,
    pub(crate) inputs: Vec<ShaderInput>,
}

/// A shader with the names from its module or its text.
pub(crate) fn stage(input: &ShaderInput) -> Stage {
    match &input.interface {
        Some(interface) => Stage::translated(input.shader.clone(), interface),
        None => Stage::new(input.shader.clone()),
    }
}

/// Builds the file of these shaders, and checks that a loader accepts it and that its tables fit its code.
pub(crate) fn build(name: &str, style: &Style, shaders: Vec<NewShader>) -> Result<File, Problems> {
    let file =
        File::build(style, shaders).map_err(|error| Problems::whole(name, error.to_string()))?;
    let mut findings = judge::findings(&file);
    findings.retain(|finding| finding.severity == Severity::Error);
    match findings.is_empty() {
        true => Ok(file),
        false => Err(Problems { name: name.to_owned(), text: None, findings }),
    }
}

/// The error, at the shader at fault.
fn problems(mut inputs: Vec<ShaderInput>, error: LinkError) -> Problems {
    let message = error.to_string();
    let mut take = |number: usize| inputs.swap_remove(number.min(inputs.len() - 1));
    let whole = |message: String| Finding::error(message, Place::Whole);
    match error {
        LinkError::Stage { number, error: StageError::Compile(error) } => {
            problem(take(number), error)
        }
        LinkError::Stage { number, .. } | LinkError::NoSuchStage { number, .. } => {
            take(number).problems(vec![whole(message)])
        }
        LinkError::Twice { first, second } => {
            let other = inputs[first].input.name.clone();
            let finding = whole(format!("is of the same stage as `{other}`"));
            inputs.swap_remove(second).problems(vec![finding])
        }
        LinkError::Misfit { producer, consumer, missing } => {
            let other = inputs[producer].input.name.clone();
            let finding = |one: &gx2_link::Missing| {
                whole(one.to_string()).with_help(format!("the stage before is `{other}`"))
            };
            let findings = missing.iter().map(finding).collect();
            inputs.swap_remove(consumer).problems(findings)
        }
        _ => take(0).problems(vec![whole(message)]),
    }
}
