//! Shaders in other languages: SPIR-V is translated here; before that, WGSL by naga and other sources by an installed
//! glslang.

mod assembly;
mod glslang;
mod page;
mod program;
mod specialize;
#[cfg(feature = "wgsl")]
mod wgsl;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Args;
use tgsi_ir::Processor;
use tgsi_spirv::interface::Interface;
use tgsi_spirv::{Environment, ErrorKind, Specialization, Translation, is_spirv};
use tgsi_text::Style;

pub(crate) use page::{PageTranslator, text_for_page};

use crate::input::{Input, TextInput};
use crate::problem::{Finding, Place, Problems};

/// Options for sources and modules, shared by all subcommands.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FrontEnd {
    /// The compiler for GLSL and HLSL: `glslang`, `glslangValidator` or a compatible one.
    #[arg(
        long,
        value_name = "PATH",
        global = true,
        hide_short_help = true,
        help_heading = "Sources"
    )]
    glslang: Option<PathBuf>,
    /// Defines a macro of a GLSL or HLSL source.
    #[arg(
        short = 'D',
        value_name = "NAME[=VALUE]",
        global = true,
        hide_short_help = true,
        help_heading = "Sources"
    )]
    define: Vec<String>,
    /// Adds a folder to search for files that a GLSL or HLSL source includes.
    #[arg(
        short = 'I',
        value_name = "FOLDER",
        global = true,
        hide_short_help = true,
        help_heading = "Sources"
    )]
    include: Vec<PathBuf>,
    /// Follows the rules of OpenGL: GLSL may have uniforms outside blocks, and `dvec3` and `dvec4` attributes take one
    /// location.
    #[arg(long, global = true, hide_short_help = true, help_heading = "Sources")]
    opengl: bool,
    /// Stage of a source whose file name does not tell it, or of the entry point to use: vert, tesc, tese, geom, frag
    /// or comp.
    #[arg(
        long,
        value_name = "STAGE",
        global = true,
        hide_short_help = true,
        help_heading = "Sources"
    )]
    source_stage: Option<String>,
    /// Entry point to use if a SPIR-V module or a WGSL source has several.
    #[arg(
        long,
        value_name = "NAME",
        global = true,
        hide_short_help = true,
        help_heading = "Sources"
    )]
    entry: Option<String>,
    /// Sets a specialisation constant of SPIR-V, or an override of WGSL, by number. The value must fit its type: an
    /// integer, a float, `0x…` for bits, true or false.
    #[arg(long, value_name = "NUMBER=VALUE", value_parser = specialize::parse, global = true, hide_short_help = true, help_heading = "Sources")]
    specialize: Vec<(u32, Specialization)>,
}

/// The options of the command line, for readers that do not get them as arguments.
static IN_FORCE: OnceLock<FrontEnd> = OnceLock::new();

impl FrontEnd {
    /// Puts these options into force. Only the first call has an effect.
    pub(crate) fn install(&self) {
        let _ = IN_FORCE.set(self.clone());
    }

    fn in_force() -> Self {
        IN_FORCE.get().cloned().unwrap_or_default()
    }
}

/// File extensions of sources. Some of them are also the name of a stage.
const SOURCES: [&str; 8] = ["vert", "tesc", "tese", "geom", "frag", "comp", "glsl", "hlsl"];

/// A shader that was read.
pub(crate) enum Source {
    /// TGSI, as text or words.
    AsItIs(Input),
    /// TGSI text translated from another language, with its interface.
    Translated(Input, Box<Interface>),
}

impl Input {
    /// Reads a shader. Other languages are translated to TGSI text.
    pub(crate) fn read_shader(path: &Path) -> Result<Source, Problems> {
        let options = FrontEnd::in_force();
        let input = Self::read_module(path, &options)?;
        if !is_spirv(&input.bytes) {
            return Ok(Source::AsItIs(input));
        }
        translation(&input, &options).map(|one| Source::translated(input.name, one))
    }

    /// Reads the shaders of all stages in the file, or only the requested one.
    pub(crate) fn read_stages(path: &Path) -> Result<Vec<Source>, Problems> {
        let options = FrontEnd::in_force();
        let input = Self::read_module(path, &options)?;
        if !is_spirv(&input.bytes) {
            return Ok(vec![Source::AsItIs(input)]);
        }
        if options.entry.is_some() {
            let one = translation(&input, &options)?;
            return Ok(vec![Source::translated(input.name, one)]);
        }
        let list = translations(&input, &options)?;
        let name = |one: &Translation| match list.len() {
            1 => input.name.clone(),
            _ => format!("{} `{}`", input.name, one.name),
        };
        let names: Vec<String> = list.iter().map(name).collect();
        Ok(names.into_iter().zip(list).map(|(name, one)| Source::translated(name, one)).collect())
    }

    /// The files that a source includes. TGSI and SPIR-V include none.
    pub(crate) fn included(path: &Path) -> Result<Vec<PathBuf>, Problems> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if SOURCES.contains(&ending) => {
                glslang::included(path, &FrontEnd::in_force())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Reads a file. Sources are compiled to modules.
    fn read_module(path: &Path, options: &FrontEnd) -> Result<Self, Problems> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending {
            "wgsl" => read_wgsl(path, options),
            _ if SOURCES.contains(&ending) => glslang::compile(path, options),
            _ => Self::read(path),
        }
    }
}

impl Source {
    fn translated(name: String, translation: Translation) -> Self {
        let Translation { shader, interface, .. } = translation;
        let text = tgsi_text::print(&shader, Style::Lossless);
        Self::Translated(Input { name, bytes: text.into_bytes() }, interface.into())
    }
}

#[cfg(feature = "wgsl")]
fn read_wgsl(path: &Path, options: &FrontEnd) -> Result<Input, Problems> {
    wgsl::compile(path, &options.specialize)
}

#[cfg(not(feature = "wgsl"))]
fn read_wgsl(path: &Path, _: &FrontEnd) -> Result<Input, Problems> {
    let finding = Finding::error("is WGSL", Place::Whole)
        .with_help("this program was built without the feature `wgsl`");
    Err(Problems::one(&crate::input::display_name(path), None, finding))
}

impl TextInput {
    /// Reads the text of a shader. Other languages are translated to it.
    pub(crate) fn read_shader(path: &Path) -> Result<Self, Problems> {
        match Input::read_shader(path)? {
            Source::AsItIs(input) | Source::Translated(input, _) => input.into_text(),
        }
    }
}

/// The shaders of a module.
fn translations(input: &Input, options: &FrontEnd) -> Result<Vec<Translation>, Problems> {
    check_stage(input, options)?;
    let list = tgsi_spirv::translate(&input.bytes, &module_options(options));
    list.map_err(|error| refusal(input, &error))
}

/// Rejects names that are not a stage.
fn check_stage(input: &Input, options: &FrontEnd) -> Result<(), Problems> {
    if let Some(stage) = options.source_stage.as_deref().filter(|stage| processor(stage).is_none())
    {
        let finding = Finding::error(format!("`{stage}` is not a stage"), Place::Whole)
            .with_help("the stages are vert, tesc, tese, geom, frag and comp");
        return Err(Problems::one(&input.name, None, finding));
    }
    Ok(())
}

/// The problem with a module.
fn refusal(input: &Input, error: &tgsi_spirv::Error) -> Problems {
    let finding = Finding::error(error.to_string(), Place::Whole);
    let is_other = error.kind == ErrorKind::EntryPoint;
    let help = is_other.then(|| "`--entry` names one, `--source-stage` its stage".to_owned());
    Problems::one(&input.name, None, Finding { help, ..finding })
}

/// The options for translating modules.
fn module_options(options: &FrontEnd) -> tgsi_spirv::Options {
    let environment = if options.opengl { Environment::OpenGl } else { Environment::Vulkan };
    let mut wanted = tgsi_spirv::Options::default()
        .specialization(options.specialize.iter().copied().collect())
        .environment(environment);
    wanted.entry.clone_from(&options.entry);
    wanted.stage = options.source_stage.as_deref().and_then(processor);
    wanted
}

/// The stage with this name in glslang.
fn processor(stage: &str) -> Option<Processor> {
    Some(match stage {
        "vert" => Processor::Vertex,
        "tesc" => Processor::TessCtrl,
        "tese" => Processor::TessEval,
        "geom" => Processor::Geometry,
        "frag" => Processor::Fragment,
        "comp" => Processor::Compute,
        _ => return None,
    })
}

/// The requested shader of a module.
fn translation(input: &Input, options: &FrontEnd) -> Result<Translation, Problems> {
    check_stage(input, options)?;
    // If there are several, none is translated, since that may take long.
    let names = tgsi_spirv::entry_points(&input.bytes, &module_options(options));
    let names = names.map_err(|error| refusal(input, &error))?;
    if names.len() == 1
        && let Some(one) = translations(input, options)?.pop()
    {
        return Ok(one);
    }
    let help = match names.iter().all(|name| *name == names[0]) {
        true => "name the stage of one with `--source-stage`",
        false => "name one with `--entry`",
    };
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("the module's entry points are {}", names.join(", "));
    let finding = Finding::error(message, Place::Whole).with_help(help);
    Err(Problems::one(&input.name, None, finding))
}
