//! Everything that `tgsi-exec` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod arbitrary;
mod common;
mod flow;
mod legacy;
mod not_finite;
mod opcodes;
mod random;
mod reads;
mod sampler;
mod stages;
mod steps;
mod traps;
mod vectors;
