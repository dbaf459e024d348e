//! Texture instructions of the flat form.

use tgsi_ir::TextureTarget;

use super::{Source, Unit};
use crate::resources::TextureQuery;

/// A texture instruction. The sources of its step are those that hold values.
#[derive(Clone, Debug)]
pub(crate) struct TextureStep {
    pub(crate) query: TextureQuery,
    pub(crate) target: TextureTarget,
    pub(crate) view: Unit,
    pub(crate) sampler: Unit,
    pub(crate) projects: bool,
    pub(crate) lod: Option<Coordinate>,
    pub(crate) reference: Option<Coordinate>,
    /// Numbers of the sources that hold the derivatives.
    pub(crate) derivatives: Option<[usize; 2]>,
    pub(crate) offsets: Vec<Source>,
    /// For each channel of the result, the channel of the answer.
    pub(crate) swizzle: [u8; 4],
}

/// A channel of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coordinate {
    pub(crate) source: usize,
    pub(crate) channel: usize,
}
