//! Everything that `tgsi-cli` promises from outside, in one program, since each costs a link: a module for each topic.

mod common;
mod compile;
mod contract;
mod golden;
mod graph;
mod interrupt;
mod io;
mod limits;
mod machine_code;
mod malformed;
mod maxwell;
mod pages;
mod pictures;
mod rules;
mod run;
mod tokens;
