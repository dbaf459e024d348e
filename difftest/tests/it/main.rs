//! Everything that `difftest` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod broken;
mod chain;
mod chains;
mod checkers;
mod compute;
mod corpus;
mod counters;
mod coverage;
mod determinism;
mod distinctions;
mod each_pass;
mod features;
mod findings;
mod flow;
mod flushing;
mod geometry;
mod hazards;
mod keys;
mod machine_passes;
mod memory;
mod modules;
mod mutants;
mod peer;
mod planted;
mod pressure;
mod random_opcodes;
mod recipes;
mod rows;
mod semantics;
mod state;
mod subsets;
mod support;
mod tessellation;
mod topics;
mod uniforms;
mod unordered;
mod variants;
mod vertex_fetch;
