//! `tgsi check --explain`: a rule, a shader that breaks it, and the diagnostics of that shader.

use tgsi_ir::validate::Code;

use crate::failure::{Failure, Outcome};
use crate::input::TextInput;
use crate::nearest::nearest;
use crate::output::write_stdout;
use crate::problem::Problems;
use crate::report::drawn;
use crate::shader::{ShaderInput, ShaderText};

/// The rule that a user names.
pub(super) fn rule(name: &str) -> Result<Code, String> {
    Code::find(name).ok_or_else(|| {
        let near = nearest(name, Code::ALL.iter().map(|code| code.name()));
        let near = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
        format!(
            "the validator has no such rule{near} (docs/manual/tgsi-rules.md lists them; findings of \
             the parser are not rules)"
        )
    })
}

/// Prints the explanation of `code`.
pub(super) fn run(code: Code) -> Result<Outcome, Failure> {
    write_stdout(explanation(code).as_bytes())?;
    Ok(Outcome::Good)
}

fn explanation(code: Code) -> String {
    let head =
        format!("{} {} ({})\n{}\n", code.number(), code.name(), code.severity(), code.rule());
    let Some(text) = code.example() else {
        return head
            + "\nNo short text breaks this rule: token streams, long texts or programs can.\n";
    };
    let findings = problems_of(text).as_ref().map(drawn).unwrap_or_default();
    format!("{head}\nThis shader breaks it:\n\n{text}\n{findings}")
}

/// The problems of an example.
fn problems_of(text: &str) -> Option<Problems> {
    let input = TextInput { name: "shader.tgsi".to_owned(), text: text.to_owned() };
    ShaderInput::judge(ShaderText::of_today(input))
}
