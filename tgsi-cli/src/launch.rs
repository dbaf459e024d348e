//! Reads the inputs that a shader runs with.

use std::path::Path;

use tgsi_api::launch::{Bound, Launch};
use tgsi_exec::Inputs;
use tgsi_ir::Shader;

use crate::commands::run::picture;
use crate::input::{TextInput, display_name};
use crate::problem::{Finding, Place, Problems};

/// Reads the file at `path`. Without a path, everything is empty.
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

/// The initial contents of the interpreter's registers. `path` is the file of the launch.
pub(crate) fn inputs(
    (launch, path): (&Launch, Option<&Path>),
    shader: &Shader,
) -> Result<Inputs, Problems> {
    launch.inputs(shader).map_err(|message| Problems::whole(&name(path), message))
}

fn name(path: Option<&Path>) -> String {
    path.map_or_else(|| "<inputs>".to_owned(), display_name)
}

/// Loads the textures, images and samplers of a launch, including PNG files. `path` is the file of the launch.
pub(crate) fn bind(launch: &Launch, path: Option<&Path>) -> Result<Bound, Problems> {
    // Problems of a file that cannot be read are reported under its own name.
    let mut of_file = None;
    let bound = launch.bind(|file| {
        picture::read_level(file).map_err(|problems| {
            let message = problems.headline();
            of_file = Some(problems);
            message
        })
    });
    bound.map_err(|message| match (of_file, path) {
        (Some(problems), _) => problems,
        (None, path) => Problems::whole(&name(path), message),
    })
}
