//! Tables made by `cargo xtask codegen` from the rewrites of `r600-codegen`.

pub(crate) mod rows;
