//! One file for each subcommand: its options, its help, and what it does.

pub(crate) mod asm;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod diff;
pub(crate) mod disasm;
pub(crate) mod encode;
pub(crate) mod explore;
pub(crate) mod fetch;
pub(crate) mod fmt;
pub(crate) mod graph;
pub(crate) mod info;
pub(crate) mod link;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod modernise;
pub(crate) mod render;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod sim;
pub(crate) mod unlink;
