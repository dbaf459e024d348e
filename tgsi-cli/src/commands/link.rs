//! `tgsi link`: makes a Wii U shader file from shaders of any kind, sources of the usual assembler, or JSON.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gx2_gfd::{File, Style};

use crate::failure::{Failure, Outcome};
use crate::gfd::compile::{self, CompileFlags};
use crate::gfd::source::{self, Defaults, Stage};
use crate::input::{TextInput, has_extension};
use crate::output::Destination;
use crate::problem::{Finding, Place, Problems};
use crate::report::Reporter;

/// Makes a shader file of the Wii U
///
/// Shaders are GLSL, WGSL, SPIR-V or TGSI: a vertex and a pixel shader, and optionally a geometry shader between them.
/// A module may contain several of them. Registers, semantics and tables are derived from their code and interface.
/// Stages that do not fit together are refused.
///
/// Listings with settings in comments, as the usual assembler takes them, are recognised by their extension: `.vsh` or
/// `.psh`. JSON from `tgsi unlink --emit json` gives back the file that it was made from.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi link quad.vert quad.frag -o quad.gsh
  tgsi link quad.wgsl -o quad.gsh
  tgsi link quad.vert quad.frag --uniforms registers --align -o quad.gsh
  tgsi link color.vsh color.psh -o color.gsh
  tgsi link color.vsh color.psh --align -o color.gsh
  tgsi link color.json -o color.gsh")]
pub(crate) struct Options {
    /// Shaders, listings, or one JSON file.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Layout of the file. Default: as listings state in their first line (`; style: aligned`), else as the usual
    /// assembler writes it; for other shaders, with padded programs.
    #[arg(long, conflicts_with_all = ["align", "old_tool"])]
    style: Option<StyleName>,
    /// Aligns programs in the file, so that they can be used in place; same as `--style aligned`.
    #[arg(long)]
    align: bool,
    /// Lays the file out as the assembler's first versions did; same as `--style old-assembler`.
    #[arg(long, conflicts_with = "align")]
    old_tool: bool,
    #[command(flatten)]
    compile: CompileFlags,
    #[command(flatten)]
    destination: Destination,
}

/// The start of a listing's first line that states its layout.
pub(crate) const STATED_STYLE: &str = "; style: ";

/// Layouts of files by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleName {
    /// As the usual assembler writes them.
    Assembler,
    /// As its first versions wrote them.
    OldAssembler,
    /// As the GLSL compiler for the console writes them.
    GlslCompiler,
    /// Programs aligned in the file and padded.
    Aligned,
    /// Programs padded.
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

    /// The values of settings that a source of this style leaves out.
    pub(crate) fn defaults(self) -> Defaults {
        let is_old = self == Self::OldAssembler;
        Defaults { unused_semantic: if is_old { 0 } else { 0xFF } }
    }
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let file = match &options.files[..] {
        [path] if has_extension(path, "json") => {
            options.check_for_json()?;
            from_json(path)?
        }
        paths => from_shaders(paths, options.style(), (options.compile, reporter))?,
    };
    let name = options.files[0].display().to_string();
    let bytes = file.write().map_err(|error| Problems::whole(&name, error.to_string()))?;
    options.destination.check_takes_binary()?;
    options.destination.write(&bytes)?;
    Ok(Outcome::Good)
}

impl Options {
    /// The requested layout.
    fn style(&self) -> Option<StyleName> {
        match (self.align, self.old_tool) {
            (true, _) => Some(StyleName::Aligned),
            (_, true) => Some(StyleName::OldAssembler),
            _ => self.style,
        }
    }

    /// Rejects flags without effect: JSON states the place of every part, and contains compiled programs.
    fn check_for_json(&self) -> Result<(), Failure> {
        let flags = [
            ("--align", self.align),
            ("--old-tool", self.old_tool),
            ("--style", self.style.is_some()),
        ];
        let given = flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag);
        match given.or_else(|| self.compile.given()) {
            Some(flag) => Err(Failure::Usage(format!(
                "`{flag}` has no effect on JSON, which becomes the file that it was made from"
            ))),
            None => Ok(()),
        }
    }
}

fn from_json(path: &Path) -> Result<File, Failure> {
    let input = TextInput::read(path)?;
    serde_json::from_str(&input.text)
        .map_err(|error| Problems::whole(&input.name, error.to_string()).into())
}

fn from_shaders(
    paths: &[PathBuf],
    asked: Option<StyleName>,
    (flags, reporter): (CompileFlags, Reporter),
) -> Result<File, Failure> {
    let (mut sources, mut inputs) = (Vec::new(), Vec::new());
    for path in paths {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        match Stage::of_extension(extension) {
            Some(stage) => sources.push((TextInput::read(path)?, stage)),
            None => {
                for mut input in flags.read(path)? {
                    input.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
                    inputs.push(input);
                }
            }
        }
    }
    if inputs.is_empty()
        && let Some(flag) = flags.given()
    {
        let why = "has no effect on listings, which are assembled as they are";
        return Err(Failure::Usage(format!("`{flag}` {why}")));
    }
    let style = asked.map_or_else(|| stated_style(&sources), |style| Ok(Some(style)))?;
    let defaults = style.unwrap_or(StyleName::Assembler).defaults();
    let read = |(input, stage)| source::read(input, stage, defaults);
    let mut shaders = sources.into_iter().map(read).collect::<Result<Vec<_>, Problems>>()?;
    let name = paths.first().map_or_else(String::new, |path| path.display().to_string());
    if inputs.is_empty() {
        // The settings of listings are taken as they are. `tgsi check` verifies them.
        let style = style.unwrap_or(StyleName::Assembler);
        return File::build(&style.style(), shaders)
            .map_err(|error| Problems::whole(&name, error.to_string()).into());
    }
    shaders.extend(flags.link(inputs)?.shaders);
    let style = style.unwrap_or(StyleName::Unaligned);
    Ok(compile::build(&name, &style.style(), shaders)?)
}

/// The layout that the listings state.
fn stated_style(sources: &[(TextInput, Stage)]) -> Result<Option<StyleName>, Failure> {
    let mut first = None;
    for (input, _) in sources {
        let Some(style) = stated(input)? else { continue };
        if *first.get_or_insert(style) != style {
            let message = "the listings state different styles: choose one with `--style`";
            return Err(Failure::Usage(message.to_owned()));
        }
    }
    Ok(first)
}

/// The layout that the first line of a listing states.
fn stated(input: &TextInput) -> Result<Option<StyleName>, Problems> {
    let line = input.text.lines().next().unwrap_or_default();
    let Some(rest) = line.strip_prefix(STATED_STYLE) else { return Ok(None) };
    let name = rest.trim();
    if let Ok(style) = StyleName::from_str(name, true) {
        return Ok(Some(style));
    }
    let start = line.len() - rest.trim_start().len();
    let known = StyleName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let known: Vec<String> = known.map(|value| value.get_name().to_owned()).collect();
    let place = Place::Span(start..start + name.len());
    let finding = Finding::error(format!("unknown style `{name}`"), place)
        .with_help(format!("there are {}", known.join(", ")));
    Err(Problems::one(&input.name, Some(input.text.clone()), finding))
}
