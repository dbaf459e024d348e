//! `tgsi check`: reports mistakes in shaders.

mod explain;
mod levels;

use std::path::Path;

use clap::Args;
use tgsi_ir::validate::Code;

use self::levels::{Levels, Tally};
use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::frontend::Source;
use crate::gfd;
use crate::input::Input;
use crate::problem::{Finding, Place, Problems, Severity};
use crate::reading::Reading;
use crate::report::{Reporter, line};
use crate::shader::{ShaderInput, ShaderText};

/// Reads shaders and reports what is wrong with them
///
/// Shader files of the Wii U are checked against what a loader and the console require.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi check shader.tgsi
  tgsi check shaders/*.tgsi --deny-warnings
  tgsi check shaders/*.tgsi --allow never-used --deny read-before-write
  tgsi check old.tgsi --dialect 2012
  tgsi check - --message-format json < shader.tgsi
  tgsi check color.gsh
  tgsi check --explain never-used")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
    /// Treats warnings as errors.
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    levels: Levels,
    /// Explains a rule, given by its number or name, with a shader that breaks it.
    #[arg(long, value_name = "RULE", exclusive = true, value_parser = explain::rule)]
    explain: Option<Code>,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    if let Some(code) = options.explain {
        return explain::run(code);
    }
    let paths = options.inputs.paths()?;
    let mut tally = Tally::default();
    let outcome = options.inputs.run_beside_bar(
        (&paths, reporter),
        Option::is_none,
        |path| judge_input(path, options),
        |_, problems| {
            let Some(problems) = problems else { return Ok(Outcome::Good) };
            tally.add(&problems);
            reporter.show_folded(&problems);
            Ok(Outcome::when(!problems.has_errors() && !options.deny_warnings))
        },
    )?;
    if let Some(summary) = tally.line().filter(|_| paths.len() > 1 && reporter.is_for_people()) {
        line(&summary);
    }
    Ok(outcome)
}

/// The problems of a text that does not fit its dialect, with a hint at dialects that it fits.
fn with_other_dialects(mut problems: Problems, reading: Reading) -> Problems {
    let Some(text) = problems.text.as_deref().filter(|_| !reading.strict) else {
        return problems;
    };
    let tried = tgsi_text::parse_with(text, reading.text(text)).dialect;
    let names: Vec<String> =
        ShaderInput::other_dialects(text, tried).iter().map(|one| format!("`{one}`")).collect();
    if !names.is_empty() {
        let message = format!("it is a good shader of dialect {}", names.join(" and "));
        let help =
            "choose the dialect with `--dialect`, or state it before the header: `# dialect: 2012`";
        problems.findings.push(Finding {
            severity: Severity::Warning,
            ..Finding::error(message, Place::Whole).with_help(help)
        });
    }
    problems
}

/// The problems of an input, which is a shader or a file of the Wii U, with the user's severities.
fn judge_input(path: &Path, Options { levels, reading, .. }: &Options) -> Option<Problems> {
    let (input, reading) = match Input::read_shader(path) {
        Ok(Source::AsItIs(input)) => (input, *reading),
        Ok(Source::Translated(input, _)) => (input, Reading::default()),
        Err(problems) => return levels.apply(problems),
    };
    if !gfd::is_file(&input.bytes) {
        let text = ShaderText::from_input(input, reading);
        let problems = text.map_or_else(Some, ShaderInput::judge)?;
        let is_misfit = levels.has_error_left(&problems);
        let problems = levels.apply(problems)?;
        return Some(if is_misfit { with_other_dialects(problems, reading) } else { problems });
    }
    let findings = match gfd::read(&input) {
        Ok(file) => gfd::judge::findings(&file),
        Err(problems) => return levels.apply(problems),
    };
    levels.apply(Problems { name: input.name, text: None, findings })
}
