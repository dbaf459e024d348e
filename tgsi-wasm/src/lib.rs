#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Only `memory` and `clock` have `unsafe` code; everything else is bytes to bytes.
//! - No call panics on input; what can't be understood is answered with an error in JSON.

#[cfg(target_family = "wasm")]
mod clock;
#[cfg(target_family = "wasm")]
mod memory;
mod reply;

pub use reply::{answer, setup};
