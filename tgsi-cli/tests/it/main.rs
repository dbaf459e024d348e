//! Everything that `tgsi-cli` promises from outside, in one program, since each costs a link: a module for each topic.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

mod agreement;
mod builds;
mod chips;
mod common;
mod compile;
mod contract;
mod destinations;
mod documents;
mod gfd;
mod golden;
mod graph;
mod interrupt;
mod io;
mod limits;
mod machine_code;
mod malformed;
mod man;
mod maxwell;
mod newcomers;
mod old;
mod pages;
mod pictures;
mod rules;
mod run;
mod schemas;
mod sources;
mod tokens;
