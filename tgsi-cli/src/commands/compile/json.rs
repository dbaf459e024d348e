//! The object that `--emit json` prints for each input.

use std::time::Duration;

use r600_codegen::Compiled;
use r600_isa::Chip;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tgsi_api::CompiledJson;

use crate::json::line_of;
use crate::problem::Problems;
use crate::shader::ShaderInput;

/// The line of a compiled shader. Readers may rely on `file` being first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Object<'a> {
    /// The input, as it was given.
    file: &'a str,
    #[serde(flatten)]
    compiled: CompiledJson<'a>,
    /// Microseconds that reading took.
    parse_us: u64,
}

/// The line of a shader that could not be compiled.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failed<'a> {
    /// The input, as it was given.
    file: &'a str,
    /// The first thing that is wrong.
    error: String,
}

/// A line of `--emit json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema is what is wanted")]
pub(crate) enum Line<'a> {
    Compiled(Box<Object<'a>>),
    Failed(Failed<'a>),
}

/// The line of a compiled shader.
pub(super) fn compiled(
    input: &ShaderInput,
    chip: Chip,
    compiled: &Compiled,
    parse_time: Duration,
) -> String {
    line_of(&Object {
        file: &input.input.name,
        compiled: CompiledJson::new(
            compiled,
            chip,
            (input.shader.processor, &input.origins),
            input.interface.as_deref(),
        ),
        parse_us: parse_time.as_micros() as u64,
    })
}

/// How the line of the input `name` begins.
pub(super) fn opening(name: &str) -> String {
    format!("{{\"file\":{}", Value::from(name))
}

/// The line of an input that could not be compiled.
pub(super) fn failed(problems: &Problems) -> String {
    line_of(&Failed { file: &problems.name, error: problems.headline() })
}
