//! Everything that `r600-isa` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod fields;
mod json;
mod listings;
mod subroutines;
mod vectors;
mod worked_examples;
