//! Stages that do not run on a quad by themselves: what surrounds them, in the interpreter and in the
//! simulator.

pub mod chain;
pub mod compute;
pub mod geometry;
pub mod tessellation;
