//! Every target. Each has a file that says what must hold.

mod arguments;
mod assembly;
mod compare;
mod compile;
mod formatter;
mod gfd;
mod interpreter;
mod machine_code;
mod maxwell;
mod maxwell_assembly;
mod simulator;
mod spirv;
mod text;
mod tokens;
mod validator;

use crate::target::Target;

const TARGETS: &[Target] = &[
    text::TARGET,
    formatter::TARGET,
    validator::TARGET,
    interpreter::TARGET,
    compile::TARGET,
    tokens::TARGET,
    spirv::TARGET,
    machine_code::TARGET,
    simulator::TARGET,
    assembly::TARGET,
    maxwell::TARGET,
    maxwell_assembly::TARGET,
    gfd::TARGET,
    compare::TARGET,
    arguments::TARGET,
];

/// Every target.
#[must_use]
pub const fn all() -> &'static [Target] {
    TARGETS
}

/// The target with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The texts as inputs.
fn as_they_are(texts: &[String]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.clone().into_bytes()).collect()
}
