//! Types, as the module declares them.

use spirv::{Dim, ImageFormat, StorageClass};

use crate::binary::Id;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Void,
    Bool,
    Int { bits: u8, signed: bool },
    Float { bits: u8 },
    Vector { of: Id, len: u8 },
    Matrix { column: Id, len: u8 },
    Image(ImageType),
    Sampler,
    SampledImage { image: Id },
    Array { of: Id, len: u32 },
    RuntimeArray { of: Id },
    Struct { members: Vec<Id> },
    Pointer { class: StorageClass, to: Id },
    Function,
}

/// The operands of an image type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImageType {
    /// Type of a texel's components.
    pub(crate) texel: Id,
    pub(crate) dim: Dim,
    pub(crate) is_array: bool,
    pub(crate) is_multisampled: bool,
    /// Whether it is read and written without a sampler.
    pub(crate) is_storage: bool,
    pub(crate) format: ImageFormat,
}

impl ImageType {
    /// Number of coordinates within a layer.
    pub(crate) fn num_axes(&self) -> usize {
        match self.dim {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim3D | Dim::DimCube => 3,
            _ => 2,
        }
    }
}

/// The type of the components of a scalar or a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Int { signed: bool },
    Float,
}

/// A scalar or a vector, on which arithmetic works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    /// 32 or 64; 32 for booleans.
    pub(crate) bits: u8,
    pub(crate) len: u8,
}

impl Shape {
    /// A vector of 32-bit floats.
    pub(crate) const fn float(len: u8) -> Self {
        Self { kind: Kind::Float, bits: 32, len }
    }

    /// Whether a component takes two channels.
    pub(crate) const fn is_wide(self) -> bool {
        self.bits == 64
    }
}
