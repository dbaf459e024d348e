#![doc = include_str!("../README.md")]
//!
//! # Safety
//! Every call of Vulkan is `unsafe`. What holds for all of them: handles come from the device that they are used with, and
//! live until the draw or the [`Gpu`] ends, after the queue is idle; structures point at what outlives the call.
//! What modules do is the implementation's affair: they come from glslang, and `spirv-val` accepts them.

mod descriptors;
mod gpu;
mod pipeline;
mod scratch;

use ash::vk;
use thiserror::Error;

pub use gpu::Gpu;

/// What is drawn: six vertices without attributes, two triangles.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// The vertex shader's module, whose entry point is `main`.
    pub vertex: &'a [u32],
    /// The fragment shader's.
    pub fragment: &'a [u32],
    /// Width and height.
    pub size: [u32; 2],
    /// Uniform blocks.
    pub blocks: Vec<Resource<Vec<u32>>>,
    /// Push constants, in words.
    pub push_constants: Vec<u32>,
    /// Textures of two dimensions with one level.
    pub textures: Vec<Resource<Picture>>,
}

/// Something that a descriptor names.
#[derive(Clone, Debug)]
pub struct Resource<T> {
    /// Descriptor set.
    pub set: u32,
    /// Binding in it.
    pub binding: u32,
    /// What it is.
    pub contents: T,
}

/// Four floats a pixel, row by row.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Width and height.
    pub size: [u32; 2],
    /// Pixels.
    pub pixels: Vec<[f32; 4]>,
}

/// Why nothing is drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VulkanError {
    /// There is no loader.
    #[error("no Vulkan is installed: {0}")]
    Missing(#[from] ash::LoadingError),
    /// There is no device that draws.
    #[error("no Vulkan device draws")]
    NoDevice,
    /// The implementation says no.
    #[error("{0}")]
    Call(#[from] vk::Result),
}
