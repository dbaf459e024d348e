//! Compares compiled code with the interpreter: the same shader, inputs, constants and textures on both
//! sides, random from a seed.

pub mod compare;
pub mod placement;
pub mod random;
pub mod scene;
