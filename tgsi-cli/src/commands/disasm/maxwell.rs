//! Listing Maxwell's texture instructions.

use maxwell_tex::{Control, DecodeError, Op, Slot, decode};

use super::{Options, Syntax};
use crate::failure::{Failure, Outcome};
use crate::maxwell::{Layout, Words};
use crate::problem::Finding;

pub(super) fn run(options: &Options) -> Result<Outcome, Failure> {
    let syntax = match options.syntax {
        Syntax::Canonical => maxwell_tex::Syntax::Document,
        Syntax::Vendor => maxwell_tex::Syntax::Vendor,
        Syntax::Amd | Syntax::Mesa => {
            let message = "`--syntax amd` and `--syntax mesa` are for the R600 family";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    let words = Words::read(&options.file, options.format)?;
    let layout = options.maxwell.layout(options.format.hex);
    let mut text = String::new();
    let mut findings = Vec::new();
    for (number, control, word) in numbered(&words, layout)? {
        let (op, refusal) = match decode(word, options.maxwell.sm()) {
            Ok(instruction) => (Op::Texture(instruction), None),
            Err(DecodeError::OtherOpcode { .. }) => (Op::Other(word), None),
            Err(error) => (Op::Other(word), Some(error)),
        };
        text.push_str(&Slot { op, control }.listing(syntax).to_string());
        text.push('\n');
        findings
            .extend(refusal.map(|error| Finding::error(error.to_string(), words.place(number))));
    }
    finish(options, &text, words, findings)
}

/// Every instruction with its place among the words and its control group.
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

/// A listing with refused words goes to standard output all the same, but to no file.
fn finish(
    options: &Options,
    text: &str,
    words: Words,
    findings: Vec<Finding>,
) -> Result<Outcome, Failure> {
    if findings.is_empty() || options.destination.file().is_none() {
        options.destination.write(text.as_bytes())?;
    }
    if findings.is_empty() { Ok(Outcome::Good) } else { Err(words.problems(findings).into()) }
}
