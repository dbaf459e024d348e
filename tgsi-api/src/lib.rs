#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Every call takes and returns bytes, text or JSON. Errors are returned as [`Problems`] with places, never as a
//!   panic.
//! - No knowledge of shaders lives here: this crate calls the libraries, as any program can.

pub mod agreement;
mod answers;
pub mod changes;
mod compiled;
mod guard;
pub mod interpreted;
pub mod launch;
mod link;
pub mod on_chip;
mod problem;
mod program;
pub mod provided;
mod settings;
mod shader;
pub mod simulated;
pub mod textures;

pub use answers::RunJson;
pub use compiled::CompiledJson;
pub use guard::guarded;
pub use link::{LinkSettings, link};
pub use problem::{Problem, Problems, Severity};
pub use program::{Program, Simulation, assemble, disassemble};
pub use settings::CompileSettings;
pub use shader::{Shader, Tokens};
