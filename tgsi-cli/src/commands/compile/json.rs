//! The object that `--emit json` prints for each input.

use std::time::Duration;

use r600_codegen::Compiled;
use r600_isa::Chip;
use serde::Serialize;
use serde_json::Value;
use tgsi_api::CompiledJson;

use crate::problem::Problems;
use crate::shader::ShaderInput;

/// The keys in the order of the contract; readers may rely on `file` being first.
#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    #[serde(flatten)]
    compiled: CompiledJson<'a>,
    parse_us: u64,
}

#[derive(Serialize)]
struct Failed<'a> {
    file: &'a str,
    error: String,
}

/// The line of a compiled shader.
pub(super) fn compiled(
    input: &ShaderInput,
    chip: Chip,
    compiled: &Compiled,
    parse_time: Duration,
) -> String {
    line(&Object {
        file: &input.input.name,
        compiled: CompiledJson::new(
            compiled,
            input.shader.processor,
            chip,
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
    line(&Failed { file: &problems.name, error: problems.headline() })
}

fn line(object: &impl Serialize) -> String {
    // The objects have string keys only, so nothing can keep them from being JSON.
    let mut line = serde_json::to_string(object).unwrap_or_default();
    line.push('\n');
    line
}
