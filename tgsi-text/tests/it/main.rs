//! Everything that `tgsi-text` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod broken;
mod corpus;
mod fuzzed;
mod generated;
mod limits;
mod marks;
mod sanity;
mod strict;
