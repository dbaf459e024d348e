//! `tgsi graph`: pictures of a shader during compilation.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use r600_codegen::{Compiler, OptLevel};
use r600_isa::Chip;
use r600_mir::Block;
use tgsi_graph::{
    Chart, Graph, Picture, Theme, dependence_graph, flow_graph, largest_block, machine_code,
    pass_graph,
};

use super::compile::{levels, problem};
use crate::failure::{Failure, Outcome};
use crate::isa::parse_chip;
use crate::output::Destination;
use crate::problem::Problems;
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Draws the control flow, the passes, the dependences or the schedule of a shader
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi graph shader.tgsi -o flow.svg
  tgsi graph shader.tgsi --what schedule --chip cayman -o schedule.png
  tgsi graph shader.tgsi --what deps --block 2 --theme dark -o block2.svg")]
pub(crate) struct Options {
    /// The shader; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// What to draw.
    #[arg(long, default_value = "cfg")]
    what: What,
    /// Chip to compile for.
    #[arg(long, value_parser = parse_chip, default_value = CHIP.name())]
    chip: Chip,
    /// Optimisation level: 0 simplest code, 1 simplified and packed, 2 everything worth its compile time, 3 the best
    /// schedule found in a tenth of a second.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = levels())]
    level: OptLevel,
    /// Forbids rewrites that could change a float result.
    #[arg(long)]
    precise: bool,
    /// Number of the block whose dependences to draw; default: the longest block.
    #[arg(long, value_name = "N")]
    block: Option<u32>,
    /// Background; `auto` follows the viewer, and is light in PNG.
    #[arg(long, default_value = "auto")]
    theme: Background,
    /// SVG or PNG; default: by the extension of OUT, or SVG.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

/// The default chip.
const CHIP: Chip = Chip::Rv770;

/// Pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Control flow of the TGSI.
    Cfg,
    /// The passes of the compiler, with the changes of each.
    Passes,
    /// The dependences of a block.
    Deps,
    /// The slots of each group.
    Schedule,
}

/// Backgrounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Background {
    Auto,
    Light,
    Dark,
}

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    options.check_flags()?;
    let format = options.format()?;
    if format == Format::Png {
        options.destination.check_takes_binary()?;
    }
    let name = options.file.display().to_string();
    let mut shader = ShaderInput::read_valid(&options.file, options.reading)?;
    shader.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
    let picture = options.picture(shader)?;
    let theme = options.theme.into();
    let bytes = match format {
        Format::Svg => picture.to_svg(theme).into_bytes(),
        Format::Png => {
            picture.to_png(theme).map_err(|error| Problems::whole(&name, error.to_string()))?
        }
    };
    options.destination.write(&bytes)?;
    Ok(Outcome::Good)
}

impl Options {
    /// Rejects flags without effect.
    fn check_flags(&self) -> Result<(), Failure> {
        if self.block.is_some() && self.what != What::Deps {
            return Err(Failure::Usage("`--block` is for `--what deps`".to_owned()));
        }
        let flags = [
            ("--chip", self.chip != CHIP),
            ("-O", self.level != OptLevel::default()),
            ("--precise", self.precise),
        ];
        match flags.into_iter().find(|(_, is_given)| *is_given && self.what == What::Cfg) {
            Some((flag, _)) => Err(Failure::Usage(format!(
                "`{flag}` has no effect on `--what cfg`, which draws the shader as it is written"
            ))),
            None => Ok(()),
        }
    }

    /// The requested format, or else the one of the file's extension.
    fn format(&self) -> Result<Format, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let Some(file) = self.destination.file() else { return Ok(Format::Svg) };
        let Some(extension) = file.extension() else { return Ok(Format::Svg) };
        Format::from_str(&extension.to_string_lossy(), true).map_err(|_| {
            let file = file.display();
            Failure::Usage(format!("`{file}` is neither SVG nor PNG by its name: give `--format`"))
        })
    }

    fn compiler_options(&self) -> r600_codegen::Options {
        r600_codegen::Options::default().level(self.level).precise(self.precise)
    }

    fn picture(&self, input: ShaderInput) -> Result<Picture, Failure> {
        if self.what == What::Cfg {
            return drawn(&input.input.name, &flow_graph(&input.shader));
        }
        if self.what == What::Deps {
            return self.dependences(input);
        }
        let compiler = Compiler::new(self.compiler_options())
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let compiled = match compiler.compile(&input.shader, self.chip) {
            Ok(compiled) => compiled,
            Err(error) => return Err(problem(input, error).into()),
        };
        if self.what == What::Schedule {
            return Ok(Chart::new(&compiled.program, &compiled.origins).draw());
        }
        let graph = pass_graph(&compiler.pass_drawing(), Some(&compiled.report));
        drawn(&input.input.name, &graph)
    }

    fn dependences(&self, input: ShaderInput) -> Result<Picture, Failure> {
        let function = match machine_code(&input.shader, self.chip, &self.compiler_options()) {
            Ok(function) => function,
            Err(error) => return Err(problem(input, error).into()),
        };
        let asked = self.block.map(Block::from_u32);
        let Some(block) = asked.or_else(|| largest_block(&function)) else {
            return Err(Problems::whole(&input.input.name, "there is no block to draw").into());
        };
        if function.blocks.get(block).is_none() {
            let message = format!(
                "there is no {block}: the shader has {} blocks, from block0 on",
                function.blocks.len()
            );
            return Err(Failure::Usage(message));
        }
        let name = &input.input.name;
        match dependence_graph(&function, block) {
            Ok(graph) => drawn(name, &graph),
            Err(error) => Err(Problems::whole(name, error.to_string()).into()),
        }
    }
}

/// The picture of a graph; an error if the graph is too large.
fn drawn(name: &str, graph: &Graph) -> Result<Picture, Failure> {
    graph.draw().map_err(|error| Problems::whole(name, error.to_string()).into())
}

impl From<Background> for Theme {
    fn from(background: Background) -> Self {
        match background {
            Background::Auto => Self::Auto,
            Background::Light => Self::Light,
            Background::Dark => Self::Dark,
        }
    }
}
