//! What must hold for any input, for everything that reads some.
//!
//! A [`Target`] is a function that says what does not hold for an input, with inputs to start from. Tests, campaigns
//! ([`campaign`]) and libFuzzer share it.

pub mod campaign;
mod change;
mod seeds;
mod target;
pub mod targets;
mod words;

pub use seeds::{files, shader_texts};
pub use target::{Form, Target};
