//! The texture instructions of shaders for Maxwell, with the contents of their registers.

use std::path::Path;

use maxwell_tex::lower::{LowerError, Lowered, Lowering, Step, lower};
use maxwell_tex::pack::PackError;
use maxwell_tex::{Op, Slot};
use serde_json::{Value, json};

use super::options::{Emit, Options};
use crate::commands::asm::maxwell::{breach, encode};
use crate::failure::{Failure, Outcome};
use crate::input::display_name;
use crate::maxwell::{long_hex_text, long_word_bytes};
use crate::output::{Sink, create_folder, write_file};
use crate::problem::{Finding, Place, Problems};
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// The result for one input: its output, warnings about its meaning, and its problems.
struct Done {
    bytes: Vec<u8>,
    warnings: Option<Problems>,
    problems: Option<Problems>,
}

/// Lowers every input. An instruction that is refused makes its input bad, but is listed with the others.
pub(super) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let paths = options.inputs.paths()?;
    options.check(&paths)?;
    let mut sink = match &options.results.out_dir {
        Some(folder) => {
            create_folder(folder)?;
            None
        }
        None => Some(options.results.destination.open()?),
    };
    let outcome = options.inputs.run(
        &paths,
        reporter,
        |path| lower_file(options, path),
        |path, done| {
            let shown = [&done.warnings, &done.problems];
            shown.into_iter().flatten().for_each(|problems| reporter.show(problems));
            let outcome = Outcome::when(done.problems.is_none());
            match (&mut sink, &options.results.out_dir) {
                (Some(sink), _) => sink.write(&done.bytes)?,
                (None, Some(folder)) if outcome == Outcome::Good => {
                    let file = folder.join(path.file_name().unwrap_or(path.as_os_str()));
                    write_file(&file.with_extension(options.emit.extension()), &done.bytes)?;
                }
                (None, _) => {}
            }
            Ok(outcome)
        },
    )?;
    finish(options, sink, outcome)?;
    if outcome == Outcome::Good {
        options.write_depfile(&paths)?;
    }
    Ok(outcome)
}

/// Completes the output file. After a bad input, only a JSON file appears, since it records the failure.
fn finish(options: &Options, sink: Option<Sink>, outcome: Outcome) -> Result<(), Failure> {
    let is_whole = outcome == Outcome::Good || options.emit == Emit::Json;
    let is_stdout = options.results.destination.file().is_none();
    if let Some(sink) = sink
        && (is_whole || is_stdout)
    {
        sink.commit()?;
    }
    Ok(())
}

fn lower_file(options: &Options, path: &Path) -> Done {
    let shader = ShaderInput::read_valid(path, options.reading);
    match shader {
        Ok(input) => lower_shader(options, input),
        Err(problems) => {
            let name = display_name(path);
            let line = json!({"file": name, "error": problems.headline()});
            let bytes = if options.emit == Emit::Json { json_line(&line) } else { Vec::new() };
            Done { bytes, warnings: None, problems: Some(problems) }
        }
    }
}

fn lower_shader(options: &Options, mut input: ShaderInput) -> Done {
    let warnings = input.take_warnings();
    let lowered = lower(&input.shader, &options.lowering());
    let bytes = match options.emit {
        Emit::Asm => listing(&input, &lowered).into_bytes(),
        Emit::Json => json_line(&object(options, &input, &lowered)),
        Emit::Words | Emit::Bin => words(options, &lowered),
    };
    let findings: Vec<_> = lowered.iter().filter_map(|one| refusal(&input, one)).collect();
    let problems = if findings.is_empty() { None } else { Some(input.problems(findings)) };
    Done { bytes, warnings, problems }
}

/// The reason why an instruction is refused, at its place. A broken rule comes with its name and a remedy.
fn refusal(input: &ShaderInput, lowered: &Lowered) -> Option<Finding> {
    use maxwell_tex::lower::Reason;
    let error = lowered.outcome.as_ref().err()?;
    let place = input.instruction_place(lowered.at);
    let message = error.reason.to_string();
    Some(match &error.reason {
        Reason::Pack(PackError::Rules(rules)) if rules.len() == 1 => breach(&rules[0], place),
        Reason::Pack(error) => Finding::error(message, place).with_help(error.help()),
        _ => Finding::error(message, place),
    })
}

/// A listing for `tgsi asm`. Everything but instructions is in comments.
fn listing(input: &ShaderInput, lowered: &[Lowered]) -> String {
    let comment = |text: String| format!("// {}\n", text.replace('\n', "\n// "));
    let mut text = comment(input.input.name.clone());
    for one in lowered {
        text.push('\n');
        text.push_str(&comment(format!("{}: {}", one.at.index(), source(input, one))));
        match &one.outcome {
            Ok(lowering) => text.push_str(&lowering.to_string()),
            Err(LowerError { reason, .. }) => text.push_str(&format!("//   refused: {reason}\n")),
        }
    }
    text
}

/// The instruction as written in the shader.
fn source<'a>(input: &'a ShaderInput, lowered: &Lowered) -> &'a str {
    match input.instruction_place(lowered.at) {
        Place::Span(span) => input.input.text.get(span).unwrap_or_default().trim(),
        Place::Whole => "",
    }
}

fn words(options: &Options, lowered: &[Lowered]) -> Vec<u8> {
    let lowerings = lowered.iter().filter_map(|one| one.outcome.as_ref().ok());
    let slots: Vec<_> = lowerings.map(slot).collect();
    let is_text = options.emit == Emit::Words;
    let layout = options.maxwell.layout(is_text);
    // Packing has checked that every instruction has an encoding.
    let words = encode(&slots, layout).unwrap_or_default();
    if is_text { long_hex_text(&words, layout).into_bytes() } else { long_word_bytes(&words) }
}

fn slot(lowering: &Lowering) -> Slot {
    Slot::plain(Op::Texture(*lowering.instruction()))
}

fn json_line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

fn object(options: &Options, input: &ShaderInput, lowered: &[Lowered]) -> Value {
    let instructions: Vec<_> = lowered.iter().map(|one| instruction(input, one)).collect();
    json!({
        "file": input.input.name,
        "target": "maxwell-tex",
        "sm": options.maxwell.sm().version(),
        "stage": input.shader.processor.name(),
        "instructions": instructions,
    })
}

fn instruction(input: &ShaderInput, lowered: &Lowered) -> Value {
    let (at, tgsi) = (lowered.at.index(), source(input, lowered));
    match &lowered.outcome {
        Err(error) => json!({"at": at, "tgsi": tgsi, "error": error.reason.to_string()}),
        Ok(lowering) => json!({
            "at": at,
            "tgsi": tgsi,
            "text": lowering.instruction().to_string(),
            "word": lowering.instruction().to_word().ok().map(|word| format!("{word:016x}")),
            "sources": lowering.steps().iter().map(step).collect::<Vec<_>>(),
            "results": lowering.results.iter().map(result).collect::<Vec<_>>(),
            "notes": lowering.notes.iter().map(|note| note.text()).collect::<Vec<_>>(),
        }),
    }
}

fn step(step: &Step<'_>) -> Value {
    json!({
        "register": step.to.to_string(),
        "value": step.value.text(),
        "from": step.compute.to_string(),
    })
}

fn result((channel, from): &(tgsi_ir::Component, maxwell_tex::Reg)) -> Value {
    json!({"channel": channel.letter().to_string(), "register": from.to_string()})
}
