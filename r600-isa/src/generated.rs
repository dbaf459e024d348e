//! Tables generated from `spec/`.

pub(crate) mod alu;
pub(crate) mod cf;
pub(crate) mod fetch;
pub mod fields;
