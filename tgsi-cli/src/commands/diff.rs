//! `tgsi diff`: shows the differences between two shaders and between their compiled code.

mod columns;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, value_parser};
use r600_codegen::{Compiled, Compiler, OptLevel};
use r600_isa::Chip;
use tgsi_text::{Style, print};

use self::columns::side_by_side;
use super::compile::{levels, problem};
use crate::failure::{Failure, Outcome};
use crate::isa::parse_chip;
use crate::output::{Destination, hex_text};
use crate::problem::Problems;
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Shows two shaders side by side: their text, and with `--chip` figures and listings of their code
///
/// Between the columns, `|` marks lines that differ; `<` and `>` mark lines that only one side has. Texts are compared
/// as printed by `tgsi fmt`. Listings are compared without group numbers, so a line that only moved is not a
/// difference. The exit code is 1 if anything shown differs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi diff old.tgsi new.tgsi
  tgsi diff old.tgsi new.tgsi --chip rv770
  tgsi diff a.spv a.tgsi --chip latte --show figures,words
  tgsi diff a.tgsi a.tgsi --chip cayman --other-level 0")]
pub(crate) struct Options {
    /// The first shader; `-` is standard input.
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The second shader.
    #[arg(value_name = "B")]
    second: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Compiles both shaders for this chip, and compares the code.
    #[arg(long, value_name = "CHIP", value_parser = parse_chip)]
    chip: Option<Chip>,
    /// Compiles the second shader for another chip.
    #[arg(long, value_name = "CHIP", value_parser = parse_chip, requires = "chip")]
    other_chip: Option<Chip>,
    /// Optimisation level: 0 simplest code, 1 simplified and packed, 2 everything worth its compile
    /// time, 3 the best schedule found in a tenth of a second.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = levels(), requires = "chip")]
    level: OptLevel,
    /// Compiles the second shader at another level.
    #[arg(long, value_name = "LEVEL", value_parser = levels(), requires = "chip")]
    other_level: Option<OptLevel>,
    /// Forbids rewrites that could change a float result.
    #[arg(long, requires = "chip")]
    precise: bool,
    /// What to compare; default: the text, and with `--chip` also figures and listing.
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    show: Vec<Part>,
    /// Width of each side in columns; longer lines shift the other side.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u16).range(1..))]
    width: u16,
    #[command(flatten)]
    destination: Destination,
}

/// The parts that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The shader as text.
    Text,
    /// The cost of the code.
    Figures,
    /// The code as a listing.
    Listing,
    /// The code as words.
    Words,
}

impl Part {
    fn needs_code(self) -> bool {
        self != Self::Text
    }
}

impl Options {
    fn parts(&self) -> Result<Vec<Part>, Failure> {
        let parts = match (&self.show[..], self.chip) {
            ([], None) => vec![Part::Text],
            ([], Some(_)) => vec![Part::Text, Part::Figures, Part::Listing],
            (parts, _) => parts.to_vec(),
        };
        if self.chip.is_none() && parts.iter().any(|part| part.needs_code()) {
            let message = "figures, listing and words need compiled code: give `--chip CHIP`";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(parts)
    }

    /// A shader with its code, if a chip is given.
    fn compile(&self, input: ShaderInput, which: Which) -> Result<Side, Problems> {
        let Some(chip) = self.chip else { return Ok(Side { input, code: None }) };
        let (chip, level) = match which {
            Which::First => (chip, self.level),
            Which::Second => {
                (self.other_chip.unwrap_or(chip), self.other_level.unwrap_or(self.level))
            }
        };
        let options = r600_codegen::Options::default().level(level).precise(self.precise);
        let compiler = Compiler::new(options)
            .map_err(|error| Problems::whole(&input.input.name, error.to_string()))?;
        match compiler.compile(&input.shader, chip) {
            Ok(code) => Ok(Side { input, code: Some(code) }),
            Err(error) => Err(problem(input, error)),
        }
    }
}

/// One of the two shaders.
#[derive(Clone, Copy)]
enum Which {
    First,
    Second,
}

/// A shader, with its code if it was compiled.
struct Side {
    input: ShaderInput,
    code: Option<Compiled>,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let parts = options.parts()?;
    let side = |path: &Path, which| -> Result<Side, Failure> {
        let mut input = ShaderInput::read_valid(path, options.reading)?;
        input.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
        match parts.iter().any(|part| part.needs_code()) {
            true => Ok(options.compile(input, which)?),
            false => Ok(Side { input, code: None }),
        }
    };
    let sides = [side(&options.first, Which::First)?, side(&options.second, Which::Second)?];
    let [first, second] = sides.each_ref().map(|side| side.input.input.name.as_str());
    let mut text = format!("{first:width$}   {second}\n", width = options.width.into());
    let mut is_same = true;
    for part in parts {
        let (shown, same) = compare(part, &sides, options.width.into());
        text += &shown;
        is_same &= same;
    }
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::when(is_same))
}

/// The comparison of a part, and whether the part is the same on both sides.
fn compare(part: Part, sides: &[Side; 2], width: usize) -> (String, bool) {
    let codes = || sides.each_ref().map(|side| side.code.as_ref());
    let of_code =
        |shown: fn(&Compiled) -> String| codes().map(|code| code.map(shown).unwrap_or_default());
    let (title, columns) = match part {
        Part::Text => {
            let texts = sides.each_ref().map(|side| print(&side.input.shader, Style::Lossless));
            ("text", side_by_side(&texts, width, str::to_owned))
        }
        Part::Figures => match codes() {
            [Some(first), Some(second)] => ("figures", figures([first, second])),
            _ => return (String::new(), true),
        },
        Part::Listing => {
            let listings = of_code(|code| code.program.to_string());
            ("listing", side_by_side(&listings, width, without_numbers))
        }
        Part::Words => {
            let words = of_code(|code| hex_text(&code.words));
            ("words", side_by_side(&words, width, str::to_owned))
        }
    };
    let (shown, is_same) = columns;
    let verdict = if is_same { "the same" } else { "different" };
    (format!("--- {title}: {verdict}\n{shown}"), is_same)
}

/// A line of a listing with a mark in place of the number of its clause or group. The comparison ignores the number,
/// but not that a clause or group begins there.
fn without_numbers(line: &str) -> String {
    let line = line.trim();
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == line.len() { line.to_owned() } else { format!("# {}", rest.trim_start()) }
}

/// The costs of both, with the change.
fn figures(sides: [&Compiled; 2]) -> (String, bool) {
    let [first, second] = sides.map(|code| {
        let stats = code.program.stats();
        [
            ("groups", stats.groups),
            ("alu_slots", stats.alu_slots),
            ("literals", stats.literals),
            ("clauses", stats.clauses),
            ("tex", stats.tex),
            ("vtx", stats.vtx),
            ("cf", stats.cf),
            ("dwords", code.words.len()),
            ("gprs", code.num_gprs.into()),
            ("stack", code.stack_size as usize),
            ("scratch", code.scratch_size.into()),
            ("lower_bound", code.lower_bound),
        ]
    });
    let mut text = String::new();
    for ((name, before), (_, after)) in first.into_iter().zip(second) {
        let change = after as i64 - before as i64;
        let shown = if change == 0 { String::new() } else { format!("{change:+8}") };
        let line = format!("{name:12}{before:8}{after:8}{shown}");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    (text, first == second)
}
