//! What `cargo xtask codegen` makes of `spec/`.

pub(crate) mod enums;
pub(crate) mod formats;
pub(crate) mod registers;
