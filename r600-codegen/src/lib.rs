#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - A step never looks behind it: each takes the form that the one before made, and nothing else.
//! - Refusals name the construct; nothing panics on any shader.

pub mod abi;
pub mod alloc;
mod analyses;
pub mod check;
mod compiler;
mod dump;
pub mod emit;
mod error;
pub mod fetch_shader;
mod forms;
mod generated;
mod hash;
mod internal;
mod legal;
mod level;
mod limits;
mod live_range;
pub mod lower;
mod names;
pub mod opt;
mod reductions;
mod refusal;
mod scratch;
pub mod select;
pub mod semantics;
mod spill;
pub mod ssa;
pub mod state;

pub use compiler::{Compiled, Compiler, Options, compile, run_pass};
pub use error::{CompileError, OptionsError};
pub use forms::{
    Allocated, Compilation, Finished, Interface, Scheduled, Selected, Snapshot, Source, Ssa,
};
pub use internal::{Broken, Internal};
pub use level::{OptLevel, UnknownLevel};
pub use limits::Limits;
pub use refusal::Refusal;
