//! Tables made by `cargo xtask codegen` from `spec/`.

pub(crate) mod registers;
