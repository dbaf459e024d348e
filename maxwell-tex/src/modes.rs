//! The variants that modifiers select; keys of the packing tables.

use crate::generated::enums::{Lod, ParamA};

/// The modes that determine the values that a TEX reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TexModes {
    /// The shape.
    pub param: ParamA,
    /// How the level of detail is chosen.
    pub lod: Lod,
    /// `.LC`
    pub lc: bool,
    /// `.AOFFI`
    pub aoffi: bool,
    /// `.DC`
    pub dc: bool,
    /// `.B`
    pub bindless: bool,
}

/// The modifiers that a [`TldsForm`](crate::TldsForm) stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TldsModes {
    /// The shape.
    pub param: ParamA,
    /// How the level of detail is chosen.
    pub lod: Lod,
    /// `.AOFFI`
    pub aoffi: bool,
    /// `.MS`
    ///
    /// The document also names ARRAY_2D, but its table has no such row and the word has no code for it.
    pub ms: bool,
}
