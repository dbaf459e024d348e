//! Reading what a shader is run with.

use std::path::Path;

use tgsi_api::launch::Launch;

use crate::input::TextInput;
use crate::problem::{Finding, Place, Problems};

/// Reads the file at `path`; without one, everything is empty.
pub(crate) fn read(path: Option<&Path>) -> Result<Launch, Problems> {
    let Some(path) = path else { return Ok(Launch::default()) };
    let input = TextInput::read(path)?;
    Launch::from_json(&input.text).map_err(|problem| {
        let place = problem.span.map_or(Place::Whole, Place::Span);
        let help = problem.help;
        input.problem(Finding { help, ..Finding::error(problem.message, place) })
    })
}
