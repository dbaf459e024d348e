#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Everything a program needs from its surroundings comes from the structure in the file; nothing here knows a
//!   compiler.
//! - Programs run as encoded words. What the hardware would not do is an error, never a guess.
//! - The rasteriser is meant for tests: exact coverage at pixel centres, perspective, depth; no multisampling, no
//!   blending.

mod compiled;
mod envelope;
mod error;
mod fetch;
mod interpreted;
mod memory;
pub mod mesh;
mod program;
mod raster;
mod shading;
mod texture;
mod uses;

pub use compiled::Compiled;
pub use envelope::{Envelope, Verdict};
pub use error::DrawError;
pub use fetch::{FetchError, FetchProgram, fetch_shader};
pub use interpreted::{Interpreted, Reference};
pub use memory::{Bound, Memory, Stage, Value};
pub use mesh::Mesh;
pub use program::{Program, state_of_pixel, state_of_vertex};
pub use raster::{Picture, draw};
pub use shading::{
    Batch, Distances, Lane, Parameters, QuadStart, ShadedQuad, ShadedVertex, Shading, Vertex,
};
pub use uses::Uses;
