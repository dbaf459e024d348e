//! Vertex attributes: how they lie in buffers, and who loads them.

use r600_isa::Generation;

/// The channel widths of an attribute in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelWidth {
    /// One byte each.
    Bits8,
    /// Two bytes each.
    Bits16,
    /// A word each.
    Bits32,
    /// Ten bits each for x, y and z, and two for w.
    Packed10,
}

/// How the bits of a channel are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelNumber {
    /// A float.
    Float,
    /// From 0 to 1 if unsigned, from −1 to 1 if signed.
    Normalized {
        /// Whether it is signed.
        signed: bool,
    },
    /// An integer that is converted to a float.
    Scaled {
        /// Whether it is signed.
        signed: bool,
    },
    /// An integer that is not converted.
    Integer {
        /// Whether it is signed.
        signed: bool,
    },
}

/// The memory format of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttributeFormat {
    /// Width of the channels.
    pub width: ChannelWidth,
    /// Number of channels, 1 to 4. Missing ones read as 0, 0 and 1.
    pub channels: u8,
    /// Interpretation of the channels.
    pub number: ChannelNumber,
    /// Whether x and z are swapped, as in BGR colours.
    pub is_reversed: bool,
}

/// When an attribute advances to the next element of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// At each vertex.
    Vertex,
    /// After this number of instances, at least 1.
    Instances(u32),
}

/// A vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexElement {
    /// Its number: the input register of the shader.
    pub attribute: u8,
    /// The vertex buffer.
    pub buffer: u8,
    /// Byte offset within the buffer's element.
    pub offset: u16,
    /// Its memory format.
    pub format: AttributeFormat,
    /// When it advances.
    pub step: Step,
}

/// Who loads the attributes of a vertex shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexFetch {
    /// A [fetch shader](crate::fetch_shader), which the program calls first.
    #[default]
    FetchShader,
    /// The program itself, using this layout; see [`inlined_buffer_resource`] for its buffers.
    Inlined(Vec<VertexElement>),
    /// Whatever runs before: attributes are already in their registers.
    Preloaded,
}

/// The fetch resource of vertex buffer 0 in vertex shaders of the first generations; fetch shaders use the same numbers
/// (shader interface, sections 3 and 4).
const EARLY_FIRST_BUFFER: u8 = 160;

/// The same for chips whose vertex shaders have 160 resources and cannot reach those of fetch shaders: the last 16.
const LATE_FIRST_BUFFER: u8 = 144;

/// The fetch resource of vertex buffer `buffer`, 0 to 15, in a program that loads its attributes itself.
///
/// On R600 and R700 it is that of fetch shaders: resource 320 + `buffer` of the chip. On Evergreen and Cayman fetch
/// shaders have resources of their own, which no other program reaches. There it is 144 + `buffer` of the stage.
#[must_use]
pub fn inlined_buffer_resource(buffer: u8, generation: Generation) -> u8 {
    let first = match generation {
        Generation::R600 | Generation::R700 => EARLY_FIRST_BUFFER,
        Generation::Evergreen | Generation::Cayman => LATE_FIRST_BUFFER,
    };
    first + buffer
}

/// The fetch resource of vertex buffer `buffer`, 0 to 15, in a fetch shader.
#[must_use]
pub fn fetch_shader_buffer_resource(buffer: u8, generation: Generation) -> u8 {
    match generation {
        Generation::R600 | Generation::R700 => EARLY_FIRST_BUFFER + buffer,
        Generation::Evergreen | Generation::Cayman => buffer,
    }
}
