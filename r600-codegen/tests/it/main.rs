//! Everything that `r600-codegen` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod acceptance;
mod corpus;
mod emission;
mod helpers;
mod json;
mod large;
mod memory;
mod mir_text;
mod nesting;
mod order;
mod origins;
mod passes;
mod refusals;
mod registers;
mod rewrites;
mod size;
mod ssa_text;
mod waits;
