//! Assembler for the R600 family.

use clap::Args;
use r600_isa::Generation;
use r600_isa::asm::{self, Assembly, Diagnostic};
use r600_isa::verify::Setting;

use super::{Emit, Options};
use crate::commands::disasm::r600::finding as broken_rule;
use crate::failure::{Failure, Outcome};
use crate::input::TextInput;
use crate::output::{hex_text, word_bytes};
use crate::problem::{Finding, Place, Problems};
use crate::report::Reporter;

/// How programs of the R600 family are assembled.
#[derive(Args)]
#[command(next_help_heading = "R600 family")]
pub(crate) struct Flags {
    /// Checks the program against the rules of the hardware and of the chip, or of all chips of the generation, and
    /// reports the lines that break one; after an error, nothing is written.
    #[arg(long)]
    verify: bool,
    /// Writes a listing instead, with address and words before each line.
    #[arg(long, conflicts_with = "emit")]
    listing: bool,
}

impl Flags {
    /// The name of a flag that was given. It has no effect on programs of another family.
    pub(super) fn given(&self) -> Option<&'static str> {
        match (self.verify, self.listing) {
            (true, _) => Some("--verify"),
            (_, true) => Some("--listing"),
            _ => None,
        }
    }
}

/// Whether the first line has an address and words, as in dumps of Mesa's optimiser and `--syntax mesa`.
fn is_dump_of_mesa(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_hex = |word: &str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut words = first.split_whitespace().map(|word| (word.len(), is_hex(word)));
    [4, 8, 8].iter().all(|&len| words.next() == Some((len, true)))
}

pub(super) fn run(
    options: &Options,
    generation: Generation,
    reporter: Reporter,
) -> Result<Outcome, Failure> {
    let input = TextInput::read(&options.file)?;
    if is_dump_of_mesa(&input.text) {
        let finding =
            Finding::error("is a dump in Mesa's form, which leaves fields out", Place::Whole)
                .with_help("list its words with `tgsi disasm`, without `--syntax mesa`");
        return Err(Problems::one(&input.name, None, finding).into());
    }
    let assembly = asm::parse(&input.text, generation);
    let words = match assembly.words() {
        Ok(words) => words,
        Err(mistakes) => return Err(problems(input, &mistakes).into()),
    };
    if options.r600.verify {
        let findings = judge(&assembly, options.target.setting());
        let text = Some(input.text.clone());
        let problems = Problems { name: input.name.clone(), text, findings };
        if problems.has_errors() {
            return Err(problems.into());
        }
        if !problems.findings.is_empty() {
            reporter.show(&problems);
        }
    }
    if options.r600.listing {
        let lines = assembly
            .annotated(&input.text)
            .map_err(|error| Failure::from(Problems::whole(&input.name, error.to_string())))?;
        options.destination.write(lines.as_bytes())?;
        return Ok(Outcome::Good);
    }
    match options.emit {
        Emit::Words => options.destination.write(hex_text(&words).as_bytes())?,
        Emit::Bin => {
            options.destination.check_takes_binary()?;
            options.destination.write(&word_bytes(&words))?;
        }
    }
    Ok(Outcome::Good)
}

/// The rules that the program breaks, with the lines at fault.
fn judge(assembly: &Assembly, setting: Setting) -> Vec<Finding> {
    let broken = assembly.program.verify_as(setting);
    let findings = broken.iter().map(|broken| Finding {
        place: Place::Span(assembly.source_map.span(broken.place)),
        message: broken.message.clone(),
        ..broken_rule(broken)
    });
    findings.collect()
}

/// The mistakes of a listing, with their places.
pub(crate) fn problems(input: TextInput, mistakes: &[Diagnostic]) -> Problems {
    let findings = mistakes.iter().map(finding).collect();
    Problems { name: input.name, text: Some(input.text), findings }
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    Finding {
        code: Some(diagnostic.code.name().to_owned()),
        help: diagnostic.help.clone(),
        ..Finding::error(diagnostic.message.clone(), Place::Span(diagnostic.span.clone()))
    }
}
