//! Assembler for Maxwell's texture instructions.

use maxwell_tex::asm::{self, AsmError, AsmErrorKind, Assembly};
use maxwell_tex::{Bundle, Control, Diagnostic, MaskError, Op, Rule, Slot, bundles};

use super::{Emit, Options};
use crate::failure::{Failure, Outcome};
use crate::input::TextInput;
use crate::maxwell::{Layout, long_hex_text, long_word_bytes};
use crate::problem::{Finding, Place, Problems, Severity};
use crate::report::Reporter;

pub(super) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let input = TextInput::read(&options.file)?;
    let assembly = asm::parse(&input.text);
    let layout = options.maxwell.layout(options.emit == Emit::Words);
    let mut findings = judge(options, &assembly);
    findings.extend(lost_control(&assembly, layout));
    let slots = assembly.slots();
    let problems = Problems { name: input.name, text: Some(input.text), findings };
    if problems.has_errors() {
        return Err(problems.into());
    }
    if !problems.findings.is_empty() {
        reporter.show(&problems);
    }
    let words = encode(&slots, layout)
        .map_err(|error| Problems::whole(&problems.name, error.to_string()))?;
    match options.emit {
        Emit::Words => options.destination.write(long_hex_text(&words, layout).as_bytes())?,
        Emit::Bin => {
            options.destination.check_takes_binary()?;
            options.destination.write(&long_word_bytes(&words))?;
        }
    }
    Ok(Outcome::Good)
}

/// The words of `slots`.
pub(crate) fn encode(slots: &[Slot], layout: Layout) -> Result<Vec<u64>, MaskError> {
    match layout {
        Layout::Bare => slots.iter().map(|slot| slot.op.to_word()).collect(),
        Layout::Bundles => {
            let bundles = bundles(slots);
            let words: Result<Vec<_>, _> = bundles.iter().map(Bundle::to_words).collect();
            words.map(|words| words.concat())
        }
    }
}

/// The mistakes of the text, and the rules that it breaks.
fn judge(options: &Options, assembly: &Assembly) -> Vec<Finding> {
    let broken = assembly.check(options.maxwell.sm());
    let mut findings: Vec<_> = assembly.errors.iter().map(mistake).collect();
    findings.extend(broken.iter().map(|(span, finding)| {
        let place = Place::Span(span.clone());
        Finding { severity: severity(finding, options.strict), ..breach(finding, place) }
    }));
    findings
}

fn mistake(error: &AsmError) -> Finding {
    let place = Place::Span(error.span.clone());
    if let AsmErrorKind::Rule(finding) = &error.kind {
        return breach(finding, place);
    }
    let help = error.help().map(str::to_owned);
    Finding { help, ..Finding::error(error.to_string(), place) }
}

/// A broken rule as a finding.
pub(crate) fn breach(finding: &Diagnostic, place: Place) -> Finding {
    Finding {
        code: Some(finding.rule.text().to_owned()),
        help: Some(finding.rule.remedy().to_owned()),
        ..Finding::error(finding.to_string(), place)
    }
}

/// A broken rule is a warning if an encoding exists, since hardware may run it. It is an error if the generation has no
/// encoding.
fn severity(finding: &Diagnostic, strict: bool) -> Severity {
    let is_error = finding.rule.severity() == maxwell_tex::Severity::Error;
    let has_no_word = finding.rule == Rule::Spa52;
    if is_error && (strict || has_no_word) { Severity::Error } else { Severity::Warning }
}

/// A warning if bare words drop phases or scheduling.
fn lost_control(assembly: &Assembly, layout: Layout) -> Option<Finding> {
    let has_control = |slot: &Slot| slot.control != Control::NONE;
    let first = assembly.statements.iter().find(|statement| has_control(&statement.slot))?;
    if layout == Layout::Bundles {
        return None;
    }
    let what = match first.slot.op {
        Op::Texture(_) => "phase and scheduling are",
        Op::Other(_) => "scheduling is",
    };
    let message =
        format!("{what} left out: they are in control words, which bare words do without");
    let finding = Finding::error(message, Place::Span(first.span.clone()))
        .with_help("`--layout bundles` writes control words");
    Some(Finding { severity: Severity::Warning, ..finding })
}
