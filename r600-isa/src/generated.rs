//! Tables generated from `spec/`.

pub(crate) mod alu;
pub(crate) mod cf;
pub(crate) mod chips;
pub(crate) mod fetch;
pub mod fields;
pub(crate) mod lds;
pub(crate) mod names;
pub mod registers;
