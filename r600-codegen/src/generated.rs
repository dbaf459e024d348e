//! Tables made by `cargo xtask codegen` from `spec/`, and from that of `r600-isa`.

pub(crate) mod rewrites;
pub(crate) mod semantics;
