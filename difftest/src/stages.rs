//! The stages with their surroundings, in the interpreter and in the simulator.

pub mod chain;
pub mod compute;
mod dependence;
pub mod evaluation;
pub mod fragment;
pub mod geometry;
mod orders;
mod patch;
mod primitives;
mod streams;
pub mod tessellation;
mod together;
mod turns;
pub mod vertex;
