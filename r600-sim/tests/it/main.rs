//! Everything that `r600-sim` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod alu_ops;
mod effects;
mod excluded;
mod groups;
mod hazards;
mod listings;
mod loop_index;
mod mesa_programs;
mod refused;
mod scratch;
mod strictness;
mod support;
