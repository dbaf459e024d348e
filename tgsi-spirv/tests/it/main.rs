//! Tests of the crate from outside.

mod aliased;
mod broken;
mod cases;
mod corpus;
mod costs;
mod counted;
mod endless;
mod entries;
mod golden;
mod inputs;
mod invalid;
mod large;
mod lengths;
mod optimised;
mod run;

/// The module of a shader of `tests/shaders`.
fn module(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/shaders/{name}.spv", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the module is next to its source")
}
