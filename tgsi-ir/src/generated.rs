//! Tables that `cargo xtask codegen` makes from `spec/`.

pub(crate) mod build;
pub(crate) mod dialects;
pub(crate) mod enums;
pub(crate) mod formats;
pub(crate) mod opcode;
