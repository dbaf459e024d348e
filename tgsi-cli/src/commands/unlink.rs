//! `tgsi unlink`: shows the contents of a Wii U shader file.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gx2_gfd::{File, Shader};

use crate::commands::link::{self, StyleName};
use crate::failure::{Failure, Outcome};
use crate::gfd::source::{self, Defaults, Stage};
use crate::gfd::{self, listing};
use crate::input::{Input, TextInput};
use crate::output::{Destination, check_spares, create_folder, write_file};
use crate::problem::{Finding, Place, Problems};

/// Shows what a shader file of the Wii U holds
///
/// A listing contains the registers by name and field, the tables and the code. JSON contains everything in the file.
/// Sources are those of the usual assembler. `tgsi link` makes the same file from JSON or sources.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi unlink color.gsh
  tgsi unlink color.gsh --emit json -o color.json
  tgsi unlink color.gsh --emit sources --out-dir sources")]
pub(crate) struct Options {
    /// The file; `-` is standard input.
    file: PathBuf,
    /// Output format.
    #[arg(long, default_value = "listing")]
    emit: Emit,
    /// Folder for the sources, which are named after the file.
    #[arg(long, value_name = "DIR", required_if_eq("emit", "sources"))]
    out_dir: Option<PathBuf>,
    #[command(flatten)]
    destination: Destination,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Text for people.
    Listing,
    /// Everything in the file.
    Json,
    /// Sources, one file per shader.
    Sources,
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    options.check_destination()?;
    let input = Input::read(&options.file)?;
    let file = gfd::read(&input)?;
    match options.emit {
        Emit::Listing => options.destination.write(listing::listing(&file).as_bytes())?,
        Emit::Json => {
            let json = serde_json::to_string_pretty(&file)
                .map_err(|error| Problems::whole(&input.name, error.to_string()))?;
            options.destination.write(format!("{json}\n").as_bytes())?;
        }
        Emit::Sources => {
            let folder = options.out_dir.as_deref().unwrap_or(Path::new("."));
            write_sources(&input, &file, (folder, &options.file))?;
        }
    }
    Ok(Outcome::Good)
}

impl Options {
    /// Rejects a destination that nothing would be written to.
    fn check_destination(&self) -> Result<(), Failure> {
        let message = match self.emit {
            Emit::Sources if self.destination.output.is_some() => {
                "`-o` has no effect on sources, which go to the folder `--out-dir`"
            }
            Emit::Listing | Emit::Json if self.out_dir.is_some() => {
                "`--out-dir` is for `--emit sources`: `-o` names the file of a listing, or of JSON"
            }
            Emit::Listing | Emit::Json | Emit::Sources => return Ok(()),
        };
        Err(Failure::Usage(message.to_owned()))
    }
}

/// The text of a shader's source.
struct SourceText {
    stage: Stage,
    text: String,
}

fn write_sources(
    input: &Input,
    file: &File,
    (folder, path): (&Path, &Path),
) -> Result<(), Failure> {
    let styles = [
        StyleName::Assembler,
        StyleName::OldAssembler,
        StyleName::GlslCompiler,
        StyleName::Aligned,
        StyleName::Unaligned,
    ];
    let found = styles.into_iter().find_map(|style| {
        let sources = sources(file, style.defaults())?;
        (rebuilt(&sources, style).as_deref() == Some(&input.bytes)).then_some((sources, style))
    });
    let Some((sources, style)) = found else {
        let finding = Finding::error("no sources assemble to this file", Place::Whole)
            .with_help("`--emit json` holds all of it");
        return Err(Problems::one(&input.name, None, finding).into());
    };
    let stem = path.file_stem().map_or_else(|| "shader".into(), |stem| stem.to_string_lossy());
    create_folder(folder)?;
    let mut counts = [0_usize; 2];
    for source in sources {
        let count = &mut counts[usize::from(source.stage == Stage::Pixel)];
        let number = if *count == 0 { String::new() } else { format!("-{count}") };
        *count += 1;
        let name = format!("{stem}{number}.{}", source.stage.extension());
        let text = format!("{}{}\n{}", link::STATED_STYLE, value_name(style), source.text);
        let out = folder.join(name);
        check_spares(&out, [path])?;
        write_file(&out, text.as_bytes())?;
    }
    Ok(())
}

fn value_name(style: StyleName) -> String {
    use clap::ValueEnum as _;
    style.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The sources of a file's shaders; `None` if a shader has none.
fn sources(file: &File, defaults: Defaults) -> Option<Vec<SourceText>> {
    let source = |shader: Shader<'_>| match shader {
        Shader::Vertex { header, program } => {
            let text = source::write_vertex(&header.shader, program?, defaults);
            Some(SourceText { stage: Stage::Vertex, text })
        }
        Shader::Pixel { header, program } => {
            let text = source::write_pixel(&header.shader, program?);
            Some(SourceText { stage: Stage::Pixel, text })
        }
        Shader::Geometry { .. } | Shader::Compute { .. } => None,
    };
    file.shaders().into_iter().map(source).collect()
}

/// The file that results from sources.
fn rebuilt(sources: &[SourceText], style: StyleName) -> Option<Vec<u8>> {
    let shaders = sources.iter().map(|source| {
        let input = TextInput { name: String::new(), text: source.text.clone() };
        source::read(input, source.stage, style.defaults()).ok()
    });
    let shaders = shaders.collect::<Option<Vec<_>>>()?;
    File::build(&style.style(), shaders).ok()?.write().ok()
}
