//! Assembling for the R600 family.

use r600_isa::Generation;
use r600_isa::asm::{self, Diagnostic};

use super::{Emit, Options};
use crate::failure::{Failure, Outcome};
use crate::input::TextInput;
use crate::output::{hex_text, word_bytes};
use crate::problem::{Finding, Place, Problems};
use crate::report::Reporter;

pub(super) fn run(
    options: &Options,
    generation: Generation,
    _reporter: Reporter,
) -> Result<Outcome, Failure> {
    let input = TextInput::read(&options.file)?;
    let words = match asm::assemble(&input.text, generation) {
        Ok(words) => words,
        Err(diagnostics) => {
            let findings = diagnostics.iter().map(finding).collect();
            let problems = Problems { name: input.name, text: Some(input.text), findings };
            return Err(problems.into());
        }
    };
    match options.emit {
        Emit::Words => options.destination.write(hex_text(&words).as_bytes())?,
        Emit::Bin => {
            options.destination.check_takes_binary()?;
            options.destination.write(&word_bytes(&words))?;
        }
    }
    Ok(Outcome::Good)
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    Finding {
        code: Some(diagnostic.code.name().to_owned()),
        help: diagnostic.help.clone(),
        ..Finding::error(diagnostic.message.clone(), Place::Span(diagnostic.span.clone()))
    }
}
