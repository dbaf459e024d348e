//! Reading what a shader is run with.

use std::path::Path;

use tgsi_api::launch::Launch;

use crate::input::TextInput;
use crate::problem::{Finding, Place, Problems};

/// Reads the file at `path`; without one, everything is empty.
pub(crate) fn read(path: Option<&Path>) -> Result<Launch, Problems> {
    let Some(path) = path else { return Ok(Launch::default()) };
    let input = TextInput::read(path)?;
    Launch::from_json(&input.text).map_err(|problems| {
        let findings = problems.0.into_iter().map(|problem| {
            let place = problem.span.map_or(Place::Whole, Place::Span);
            Finding { help: problem.help, ..Finding::error(problem.message, place) }
        });
        Problems { findings: findings.collect(), name: input.name, text: Some(input.text) }
    })
}
