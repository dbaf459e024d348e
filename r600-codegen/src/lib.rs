//! Compiles TGSI to R600-family machine code.
pub mod abi;
pub mod alloc;
pub mod legal;
pub mod live_range;
pub mod lower;
pub mod opt;
pub mod select;
pub mod ssa;
