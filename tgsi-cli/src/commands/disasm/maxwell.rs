//! Disassembler for Maxwell's texture instructions.

use maxwell_tex::{Control, DecodeError, Instruction, Op, Slot, check_slot, decode};
use r600_isa::Generation;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use self::meaning::MeaningJson;
use super::{Options, Syntax, refuse_beside};
use crate::commands::asm::maxwell::breach;
use crate::failure::{Failure, Outcome};
use crate::input::display_name;
use crate::isa::could_run;
use crate::maxwell::{Layout, Words};
use crate::problem::{Finding, Place, Problems, Severity};
use crate::report::Reporter;

mod meaning;

pub(super) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let syntax = match options.syntax {
        Syntax::Canonical => maxwell_tex::Syntax::Document,
        Syntax::Vendor => maxwell_tex::Syntax::Vendor,
        Syntax::Amd | Syntax::Mesa => {
            let message = "`--syntax amd` and `--syntax mesa` are for the R600 family";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    if options.r600.stats {
        let message = "`--stats` is for the R600 family: these words are not whole programs";
        return Err(Failure::Usage(message.to_owned()));
    }
    if options.r600.json {
        refuse_beside("--json", &options.r600.additions())?;
    }
    let words = Words::read(&options.file, (options.format, options.order))?;
    let layout = options.maxwell.layout(options.format.hex);
    let mut lines = Vec::new();
    let mut findings = Vec::new();
    for (index, (number, control, word)) in numbered(&words, layout)?.into_iter().enumerate() {
        let (op, refusal) = match decode(word, options.maxwell.sm()) {
            Ok(instruction) => (Op::Texture(instruction), None),
            Err(DecodeError::OtherOpcode { .. }) => (Op::Other(word), None),
            Err(error) => (Op::Other(word), Some(error)),
        };
        let slot = Slot { op, control };
        findings
            .extend(refusal.map(|error| Finding::error(error.to_string(), words.place(number))));
        if options.r600.verify {
            let broken = check_slot(index, &slot, options.maxwell.sm());
            findings.extend(broken.iter().map(|rule| Finding {
                severity: match rule.rule.severity() {
                    maxwell_tex::Severity::Error => Severity::Error,
                    maxwell_tex::Severity::Warning => Severity::Warning,
                },
                ..breach(rule, words.place(number))
            }));
        }
        lines.push(Line { text: slot.listing(syntax).to_string(), word, op: slot.op });
    }
    if let Some(finding) = doubt(&words) {
        reporter.show(&Problems::one(&display_name(&options.file), None, finding));
    }
    finish(options, &shown(options, &lines), (words, findings), reporter)
}

/// A warning if the words are a valid program for other chips, since some of them may look like texture instructions.
fn doubt(words: &Words) -> Option<Finding> {
    let halves = words.bare().flat_map(|word| [word as u32, (word >> 32) as u32]);
    let halves: Vec<u32> = halves.collect();
    let other = Generation::ALL.into_iter().find(|&other| could_run(&halves, other))?.name();
    let finding = Finding::error(format!("it looks like a program for {other}"), Place::Whole)
        .with_help(format!("`--chip {other}` reads it"));
    Some(Finding { severity: Severity::Warning, ..finding })
}

/// A listed instruction.
struct Line {
    text: String,
    word: u64,
    op: Op,
}

impl Line {
    fn instruction(&self) -> Option<&Instruction> {
        match &self.op {
            Op::Texture(instruction) => Some(instruction),
            Op::Other(_) => None,
        }
    }
}

/// The output for all lines.
fn shown(options: &Options, lines: &[Line]) -> String {
    if options.r600.json {
        let listing =
            ListingJson { instructions: lines.iter().map(InstructionJson::new).collect() };
        return format!("{}\n", json!(listing));
    }
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.text);
        if options.r600.words {
            text.push_str(&format!("  // {:016x}", line.word));
        }
        text.push('\n');
        if let Some(instruction) = line.instruction().filter(|_| options.r600.semantics) {
            for comment in meaning::lines(instruction) {
                text.push_str(&format!("    // {comment}\n"));
            }
        }
    }
    text
}

/// A listing of Maxwell's code.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ListingJson<'a> {
    /// The instructions, in order.
    instructions: Vec<InstructionJson<'a>>,
}

/// An instruction of Maxwell's.
#[derive(Serialize, JsonSchema)]
struct InstructionJson<'a> {
    /// What the instruction does, of TEX and TLDS.
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<MeaningJson>,
    /// The line of the listing.
    text: &'a str,
    /// The word, as 16 hexadecimal digits.
    word: String,
}

impl<'a> InstructionJson<'a> {
    fn new(line: &'a Line) -> Self {
        Self {
            meaning: line.instruction().map(MeaningJson::new),
            text: &line.text,
            word: format!("{:016x}", line.word),
        }
    }
}

/// Every word that is an instruction, with its index and its control information.
fn numbered(words: &Words, layout: Layout) -> Result<Vec<(usize, Control, u64)>, Failure> {
    if layout == Layout::Bare {
        let words = words.bare().enumerate();
        return Ok(words.map(|(number, word)| (number, Control::NONE, word)).collect());
    }
    let bundles = words.bundles()?;
    let slots = bundles.iter().flat_map(|bundle| &bundle.slots);
    let instructions = words.bare().enumerate().filter(|(number, _)| number % 4 != 0);
    Ok(instructions.zip(slots).map(|((number, word), slot)| (number, slot.control, word)).collect())
}

/// Writes a listing. If words were refused, it goes to standard output only, not to a file.
fn finish(
    options: &Options,
    text: &str,
    (words, findings): (Words, Vec<Finding>),
    reporter: Reporter,
) -> Result<Outcome, Failure> {
    let is_bad = findings.iter().any(|finding| finding.severity == Severity::Error);
    if !is_bad || options.destination.file().is_none() {
        options.destination.write(text.as_bytes())?;
    }
    if findings.is_empty() {
        return Ok(Outcome::Good);
    }
    let problems = words.problems(findings);
    if is_bad {
        return Err(problems.into());
    }
    reporter.show(&problems);
    Ok(Outcome::Good)
}
