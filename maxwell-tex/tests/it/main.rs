//! Everything that `maxwell-tex` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod combinations;
mod direct3d;
mod lower;
mod model;
mod random;
mod rules;
mod serialise;
mod syntax;
mod vectors;
