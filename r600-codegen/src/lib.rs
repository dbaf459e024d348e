#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Each step reads only the form that the previous step made.
//! - Refusals name the construct; nothing panics on any shader.

#![cfg_attr(
    not(feature = "internals"),
    allow(
        unreachable_pub,
        unused_imports,
        dead_code,
        reason = "phases are public for their tests alone"
    )
)]

pub mod abi;
mod alloc;
mod analyses;
mod check;
mod compiler;
mod dump;
mod emit;
mod error;
pub mod fetch_shader;
mod forms;
mod generated;
mod hash;
mod internal;
#[cfg(feature = "internals")]
pub mod internals;
mod legal;
mod level;
mod limits;
mod live_range;
mod lower;
mod names;
mod opt;
mod quotient;
mod reductions;
mod refusal;
mod scratch;
mod select;
mod semantics;
mod setters;
mod spill;
mod ssa;
mod state;
mod unread_inputs;

pub use alloc::AllocError;
pub use compiler::{Compiled, Compiler, Options, compile};
pub use emit::Origins;
pub use error::{CompileError, OptionsError};
pub use forms::{Compilation, Snapshot};
pub use internal::{Broken, Internal};
pub use level::{OptLevel, UnknownLevel};
pub use limits::Limits;
pub use lower::LowerError;
pub use opt::RewriteCounts;
pub use refusal::Refusal;
pub use state::RegisterValue;
