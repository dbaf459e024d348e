//! Tables that `cargo xtask codegen` makes from `spec/`.

pub(crate) mod components;
