//! `tgsi link`: sources of the Wii U's assembler, or JSON, as a file of shaders.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gx2_gfd::{File, NewShader, Style};

use crate::failure::{Failure, Outcome};
use crate::gfd::source::{self, Defaults, Stage};
use crate::input::{Input, TextInput};
use crate::output::Destination;
use crate::problem::Problems;

/// Makes a shader file of the Wii U
///
/// Sources are listings with settings in comments, as the usual assembler takes them; their extension tells the stage:
/// `.vsh` or `.psh`. JSON is that of `tgsi unlink --emit json`, and gives the file that it was made of.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi link color.vsh color.psh -o color.gsh
  tgsi link color.vsh color.psh --align -o color.gsh
  tgsi link color.json -o color.gsh")]
pub(crate) struct Options {
    /// Sources, or one file of JSON.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How the file is laid out.
    #[arg(long, default_value = "assembler", conflicts_with_all = ["align", "old_tool"])]
    style: StyleName,
    /// Aligns programs in the file, so that they can be used in place: `--style aligned`.
    #[arg(long)]
    align: bool,
    /// Lays the file out as the assembler did at first: `--style old-assembler`.
    #[arg(long, conflicts_with = "align")]
    old_tool: bool,
    #[command(flatten)]
    destination: Destination,
}

/// Layouts of files by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleName {
    /// As the usual assembler writes them.
    Assembler,
    /// As it wrote them at first.
    OldAssembler,
    /// As the GLSL compiler for the console writes them.
    GlslCompiler,
    /// Programs aligned in the file and filled up.
    Aligned,
    /// Programs filled up.
    Unaligned,
}

impl StyleName {
    /// The style.
    pub(crate) fn style(self) -> Style {
        match self {
            Self::Assembler => Style::ASSEMBLER,
            Self::OldAssembler => Style::OLD_ASSEMBLER,
            Self::GlslCompiler => Style::GLSL_COMPILER,
            Self::Aligned => Style::ALIGNED,
            Self::Unaligned => Style::UNALIGNED,
        }
    }

    /// What sources of the style leave unsaid.
    pub(crate) fn defaults(self) -> Defaults {
        let is_old = self == Self::OldAssembler;
        Defaults { unused_semantic: if is_old { 0 } else { 0xFF } }
    }
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    options.destination.check_spares(options.files.iter().map(PathBuf::as_path))?;
    let style = match (options.align, options.old_tool) {
        (true, _) => StyleName::Aligned,
        (_, true) => StyleName::OldAssembler,
        _ => options.style,
    };
    let file = match &options.files[..] {
        [path] if has_extension(path, "json") => from_json(path)?,
        paths => from_sources(paths, style)?,
    };
    let name = options.files[0].display().to_string();
    let bytes = file.write().map_err(|error| Problems::whole(&name, error.to_string()))?;
    options.destination.check_takes_binary()?;
    options.destination.write(&bytes)?;
    Ok(Outcome::Good)
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn from_json(path: &Path) -> Result<File, Failure> {
    let input = TextInput::read(path)?;
    serde_json::from_str(&input.text)
        .map_err(|error| Problems::whole(&input.name, error.to_string()).into())
}

fn from_sources(paths: &[PathBuf], style: StyleName) -> Result<File, Failure> {
    let shaders: Vec<NewShader> =
        paths.iter().map(|path| read_source(path, style)).collect::<Result<_, _>>()?;
    let name = paths.first().map_or_else(String::new, |path| path.display().to_string());
    File::build(&style.style(), shaders)
        .map_err(|error| Problems::whole(&name, error.to_string()).into())
}

fn read_source(path: &Path, style: StyleName) -> Result<NewShader, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let stage = Stage::of_extension(extension).ok_or_else(|| {
        let name = path.display();
        Failure::Usage(format!("`{name}`: the extension must tell the stage: .vsh or .psh"))
    })?;
    let input = Input::read(path)?.into_text()?;
    Ok(source::read(input, stage, style.defaults())?)
}
