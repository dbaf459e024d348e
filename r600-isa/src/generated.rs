//! Tables generated from `spec/`.

pub(crate) mod alu;
pub(crate) mod alu_properties;
pub(crate) mod cf;
pub(crate) mod chips;
pub(crate) mod fetch;
/// Fields of the microcode words: the bits of each on every generation.
pub mod fields;
pub(crate) mod lds;
pub(crate) mod names;
/// State registers that a driver writes for a program: addresses, and the bits of their fields.
pub mod registers;
