//! Declarations.

use crate::{
    File, Format, Interpolation, Location, MemoryType, ReturnType, Semantic, TextureTarget,
    WriteMask,
};

/// The registers that a declaration covers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RegisterRange {
    /// First register.
    pub first: u16,
    /// Last register.
    pub last: u16,
}

impl RegisterRange {
    /// Number of registers; 0 if `last` is below `first`.
    pub const fn len(self) -> usize {
        (self.last as usize + 1).saturating_sub(self.first as usize)
    }

    /// Whether no register is covered.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether register `index` is covered.
    pub const fn contains(self, index: i32) -> bool {
        index >= self.first as i32 && index <= self.last as i32
    }

    /// The smallest range that contains both ranges.
    pub fn hull(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }
}

/// Vertex stream of each channel of a geometry shader output, 0 to 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Streams(pub [u8; 4]);

impl Streams {
    /// The channels that belong to a stream.
    pub fn channels_of(self, stream: u8) -> WriteMask {
        let own = (0..4).filter(|&channel| self.0[usize::from(channel)] == stream);
        WriteMask::from_bits(own.fold(0, |bits, channel: u8| bits | 1 << channel))
    }
}

/// The semantic of an input, output or system value: `GENERIC[7]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SemanticName {
    /// The meaning.
    pub name: Semantic,
    /// Semantic index.
    pub index: u16,
    /// Vertex streams, for outputs of geometry shaders.
    pub streams: Streams,
}

/// How a fragment shader's input is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interp {
    /// The interpolation mode.
    pub mode: Interpolation,
    /// Where in the pixel.
    pub location: Location,
    /// Channels that wrap around at the ends of 0…1 (bit `c` for channel `c`), a Direct3D 9 feature.
    pub cylindrical_wrap: WriteMask,
}

/// Attributes of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ImageAttributes {
    /// Kind of image.
    pub target: TextureTarget,
    /// Texel format.
    pub format: Format,
    /// Whether texels are accessed as raw words (`RAW`).
    pub raw: bool,
    /// Whether the shader may write (`WR`).
    pub writable: bool,
}

/// Attributes of a sampler view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SamplerViewAttributes {
    /// Kind of texture.
    pub target: TextureTarget,
    /// Type of each channel read.
    pub return_types: [ReturnType; 4],
}

/// File-specific attributes of a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FileAttributes {
    /// Nothing.
    #[default]
    None,
    /// For an `IMAGE`.
    Image(ImageAttributes),
    /// For an `SVIEW`.
    SamplerView(SamplerViewAttributes),
    /// For a `BUFFER` that is used for atomics only.
    Atomic,
    /// For a `MEMORY`.
    Memory(MemoryType),
    /// For a `RES`, the resource file of Mesa 7.11 to 11.1: target, raw and writable flags.
    Resource(ImageAttributes),
    /// For an `IMMX`, the immediate arrays of Mesa 7.9 to 9.1: the values of its registers, from register 0 to the last
    /// one.
    Values(Vec<[u32; 4]>),
}

/// A declaration of registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Declaration {
    /// Register file.
    pub file: File,
    /// Channels in use.
    pub usage_mask: WriteMask,
    /// Registers declared.
    pub range: RegisterRange,
    /// First subscript of a two-dimensional file (`2` in `CONST[2][0..15]`). Per-vertex inputs and
    /// outputs have none: their vertex subscript is not declared.
    pub dimension: Option<u16>,
    /// Meaning.
    pub semantic: Option<SemanticName>,
    /// Interpolation.
    pub interp: Option<Interp>,
    /// Whether the value must not depend on other computations of the program.
    pub invariant: bool,
    /// Whether the registers are private to one subroutine.
    pub local: bool,
    /// Number of the array that the range forms, at most 1023. `Some(0)` means that the array word holds 0.
    pub array_id: Option<u16>,
    /// File-specific attributes.
    pub attributes: FileAttributes,
}

impl Declaration {
    /// `DCL FILE[first..last]` with defaults for everything else.
    pub const fn new(file: File, first: u16, last: u16) -> Self {
        Self {
            file,
            usage_mask: WriteMask::XYZW,
            range: RegisterRange { first, last },
            dimension: None,
            semantic: None,
            interp: None,
            invariant: false,
            local: false,
            array_id: None,
            attributes: FileAttributes::None,
        }
    }
}
