//! `tgsi info`: prints the resources that shaders use.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use tgsi_ir::scan::{FileUse, Io, ShaderInfo, scan_in};
use tgsi_ir::{File, WriteMask};

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::json::line_of;
use crate::output::Destination;
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Prints what shaders use: interface, registers, textures, control flow, opcodes
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi info shader.tgsi
  tgsi info shaders/*.tgsi --json > scan.jsonl")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
    /// Prints one JSON object per file, on one line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let paths = options.inputs.paths()?;
    options.destination.check_spares(paths.iter().map(PathBuf::as_path))?;
    let mut sink = options.destination.open()?;
    let outcome = options.inputs.run(
        &paths,
        reporter,
        |path| {
            let shader = ShaderInput::read_as(path, options.reading)?;
            let info = scan_in(&shader.shader, shader.dialect);
            let name = &shader.input.name;
            Ok(if options.json { to_json(name, &info) } else { to_text(name, &info) })
        },
        |_, text| match text {
            Ok(text) => sink.write(text.as_bytes()).map(|()| Outcome::Good),
            Err(problems) => {
                reporter.show(&problems);
                Ok(Outcome::Bad)
            }
        },
    )?;
    if outcome == Outcome::Good || options.destination.file().is_none() {
        sink.commit()?;
    }
    Ok(outcome)
}

/// The flags of the scan, by name.
fn flags(info: &ShaderInfo) -> [(&'static str, bool); 8] {
    [
        ("kill", info.uses_kill),
        ("derivatives", info.uses_derivatives),
        ("implicit_derivatives", info.uses_implicit_derivatives),
        ("64_bit", info.uses_64_bit),
        ("writes_memory", info.writes_memory),
        ("barrier", info.uses_barrier),
        ("indirect_samplers", info.uses_indirect_samplers),
        ("structured", info.is_structured),
    ]
}

fn to_text(name: &str, info: &ShaderInfo) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{name}: {}, {}, {}, {}, blocks {} deep",
        info.processor.name().unwrap_or("unknown stage"),
        counted(info.num_instructions, "instruction"),
        counted(info.num_immediates, "immediate"),
        counted(info.num_loops, "loop"),
        info.block_depth
    );
    for (file, registers) in
        [("IN", &info.inputs), ("OUT", &info.outputs), ("SV", &info.system_values)]
    {
        for register in registers {
            let _ = writeln!(text, "  {file}[{}]{}", register.index, io_text(register));
        }
    }
    for (file, file_use) in &info.files {
        let access = match (file_use.is_read, file_use.is_written) {
            (true, true) => "read and written",
            (true, false) => "read",
            (false, true) => "written",
            (false, false) => "not used",
        };
        let indirect = if file_use.is_indirect { ", with computed subscripts" } else { "" };
        let file = file.name().unwrap_or("?");
        let _ = writeln!(text, "  {file}: {} declared, {access}{indirect}", file_use.num_declared);
    }
    for (unit, texture) in &info.textures {
        let targets: Vec<_> = texture.targets.iter().filter_map(|target| target.name()).collect();
        let reads = counted(texture.num_reads, "read");
        let _ = writeln!(text, "  texture {unit}: {}, {reads}", targets.join(", "));
    }
    let set = flags(info).into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name);
    let _ = writeln!(text, "  flags: {}", set.collect::<Vec<_>>().join(" "));
    let counts = info.opcode_counts.iter().map(|(opcode, n)| format!("{} {n}", opcode.info().name));
    let _ = writeln!(text, "  opcodes: {}", counts.collect::<Vec<_>>().join(", "));
    text
}

/// A number with its noun.
fn counted(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn io_text(register: &Io) -> String {
    let mut text = format!(" {}", channels(register.used));
    if let Some(semantic) = &register.semantic {
        let name = semantic.name.name().unwrap_or("?");
        text.push_str(&format!(" of {} {name}[{}]", channels(register.declared), semantic.index));
    }
    if let Some(interp) = &register.interp {
        text.push_str(&format!(" {}", interp.mode.name().unwrap_or("?")));
    }
    text
}

/// The channels, such as `xyz`; `-` for none.
fn channels(mask: WriteMask) -> String {
    let letters = ['x', 'y', 'z', 'w'].iter().enumerate();
    let set: String =
        letters.filter(|(n, _)| mask.bits() >> n & 1 == 1).map(|(_, letter)| letter).collect();
    if set.is_empty() { "-".to_owned() } else { set }
}

fn to_json(name: &str, info: &ShaderInfo) -> String {
    let file_use = |(file, file_use): (&File, &FileUse)| {
        let file = file.name().map_or_else(|| format!("{file:?}"), str::to_owned);
        let object = FileJson {
            declared: file_use.num_declared,
            highest_used: file_use.highest_used,
            indirect: file_use.is_indirect,
            read: file_use.is_read,
            written: file_use.is_written,
        };
        (file, object)
    };
    let textures = info.textures.iter().map(|(&unit, texture)| TextureJson {
        reads: texture.num_reads,
        targets: texture.targets.iter().filter_map(|target| target.name()).collect(),
        unit,
    });
    let opcodes = info.opcode_counts.iter();
    line_of(&InfoJson {
        block_depth: info.block_depth,
        file: name,
        files: info.files.iter().map(file_use).collect(),
        flags: flags(info).into_iter().collect(),
        immediates: info.num_immediates,
        inputs: info.inputs.iter().map(io_json).collect(),
        instructions: info.num_instructions,
        loop_depth: info.loop_depth,
        loops: info.num_loops,
        opcodes: opcodes.map(|(op, &count)| (op.info().name, count)).collect(),
        outputs: info.outputs.iter().map(io_json).collect(),
        stage: info.processor.name(),
        subroutines: info.num_subroutines,
        system_values: info.system_values.iter().map(io_json).collect(),
        textures: textures.collect(),
    })
}

/// A line of `tgsi info --json`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct InfoJson<'a> {
    /// How deep blocks nest.
    block_depth: u32,
    /// The input, as it was given.
    file: &'a str,
    /// The register files that are declared or used, by name.
    files: BTreeMap<String, FileJson>,
    /// Whether the shader does a thing, by its name: `kill`, `derivatives`, `structured` and others.
    flags: BTreeMap<&'static str, bool>,
    /// Immediates.
    immediates: u32,
    /// Its inputs.
    inputs: Vec<RegisterJson>,
    /// Instructions.
    instructions: u32,
    /// How deep loops nest.
    loop_depth: u32,
    /// Loops.
    loops: u32,
    /// How often each opcode is there.
    opcodes: BTreeMap<&'static str, u32>,
    /// Its outputs.
    outputs: Vec<RegisterJson>,
    /// The stage, as the first word of a shader says it.
    stage: Option<&'static str>,
    /// Subroutines.
    subroutines: u32,
    /// Its system values.
    system_values: Vec<RegisterJson>,
    /// The texture units that it reads.
    textures: Vec<TextureJson>,
}

/// How a register file is used.
#[derive(Serialize, JsonSchema)]
struct FileJson {
    /// Registers that are declared.
    declared: u64,
    /// The highest number that is used, where one is.
    highest_used: Option<i16>,
    /// Whether a register subscripts it.
    indirect: bool,
    /// Whether it is read.
    read: bool,
    /// Whether it is written.
    written: bool,
}

/// A texture unit.
#[derive(Serialize, JsonSchema)]
struct TextureJson {
    /// Instructions that read it.
    reads: u32,
    /// The kinds of textures that they name.
    targets: Vec<&'static str>,
    /// Its number.
    unit: i16,
}

/// An input, output or system value.
#[derive(Serialize, JsonSchema)]
struct RegisterJson {
    /// Channels that are declared: `xyz`, or `-` for none.
    declared: String,
    /// The number of the semantic.
    index: Option<u16>,
    /// How it is interpolated.
    interpolation: Option<&'static str>,
    /// The number of the register.
    register: u16,
    /// The semantic.
    semantic: Option<&'static str>,
    /// Channels that are used.
    used: String,
}

fn io_json(register: &Io) -> RegisterJson {
    RegisterJson {
        declared: channels(register.declared),
        index: register.semantic.as_ref().map(|semantic| semantic.index),
        interpolation: register.interp.as_ref().and_then(|interp| interp.mode.name()),
        register: register.index,
        semantic: register.semantic.as_ref().and_then(|semantic| semantic.name.name()),
        used: channels(register.used),
    }
}
