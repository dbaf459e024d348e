//! What `cargo xtask codegen` makes of the tables under `spec/`.

pub(crate) mod direct3d;
pub(crate) mod enums;
pub(crate) mod packing;
pub(crate) mod rules;
pub mod words;
