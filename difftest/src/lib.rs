//! Compares compiled code with the interpreter. Both run the same shader on the same inputs, constants and textures,
//! all random from a seed.
//!
//! A [`harness::Harness`] runs a shader through every chip, optimisation level and kind of scene. [`generate`] makes
//! valid shaders of any size from a seed.

pub mod attack;
pub mod broken;
pub mod campaign;
pub mod case;
pub mod chains;
pub mod compare;
pub mod corpus;
pub mod each_pass;
pub mod fired;
pub mod flow;
pub mod generate;
mod generated;
pub mod harness;
pub mod link;
pub mod listing;
pub mod modules;
pub mod mutate;
pub mod placement;
pub mod program;
pub mod random;
pub mod rows;
pub mod scene;
pub mod shrink;
pub mod stages;
pub mod stop;
pub mod subsets;
pub mod target;
pub mod topics;
pub mod uncompared;
pub mod variants;
