//! Attributes of vertices: how they lie in buffers, and who loads them.

use r600_isa::Generation;

/// How wide the channels of an attribute are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelWidth {
    /// A byte each.
    Bits8,
    /// Two bytes each.
    Bits16,
    /// A word each.
    Bits32,
    /// Ten bits each of x, y and z, and two of w.
    Packed10,
}

/// What the bits of a channel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelNumber {
    /// A float.
    Float,
    /// From 0 to 1 where unsigned, from −1 to 1 where signed.
    Normalized {
        /// Whether it is signed.
        signed: bool,
    },
    /// An integer that becomes a float.
    Scaled {
        /// Whether it is signed.
        signed: bool,
    },
    /// An integer that stays one.
    Integer {
        /// Whether it is signed.
        signed: bool,
    },
}

/// How an attribute lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttributeFormat {
    /// Width of a channel.
    pub width: ChannelWidth,
    /// Channels, 1 to 4; the others are 0, 0 and 1.
    pub channels: u8,
    /// What each holds.
    pub number: ChannelNumber,
    /// Whether x and z change places, as in colours from blue to red.
    pub is_reversed: bool,
}

/// When an attribute goes on to the next element of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// With each vertex.
    Vertex,
    /// After so many instances, at least 1.
    Instances(u32),
}

/// An attribute of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexElement {
    /// Its number: the input register of the shader.
    pub attribute: u8,
    /// The vertex buffer.
    pub buffer: u8,
    /// Bytes from the start of the buffer's element.
    pub offset: u16,
    /// How it lies there.
    pub format: AttributeFormat,
    /// When it goes on.
    pub step: Step,
}

/// Who loads the attributes of a vertex shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexFetch {
    /// A [fetch shader](crate::fetch_shader), which the program calls first.
    #[default]
    FetchShader,
    /// The program itself, by this layout; see [`inlined_buffer_resource`] for its buffers.
    Inlined(Vec<VertexElement>),
    /// Whatever runs before: attributes are in their registers.
    Preloaded,
}

/// The fetch resource of vertex buffer 0 as the first generations number it in vertex shaders; fetch shaders
/// are numbered alike (shader interface, sections 3 and 4).
const EARLY_FIRST_BUFFER: u8 = 160;

/// The same where the shader's own resources end at 160 and those of fetch shaders are out of reach: the last 16.
const LATE_FIRST_BUFFER: u8 = 144;

/// The fetch resource that vertex buffer `buffer`, 0 to 15, has in a program that loads its attributes itself.
///
/// On R600 and R700 it is that of fetch shaders: resource 320 + `buffer` of the chip. On Evergreen and Cayman fetch
/// shaders have resources of their own, which no other program reaches; there it is 144 + `buffer` of the stage.
#[must_use]
pub fn inlined_buffer_resource(buffer: u8, generation: Generation) -> u8 {
    let first = match generation {
        Generation::R600 | Generation::R700 => EARLY_FIRST_BUFFER,
        Generation::Evergreen | Generation::Cayman => LATE_FIRST_BUFFER,
    };
    first + buffer
}

/// The fetch resource that vertex buffer `buffer`, 0 to 15, has in a fetch shader.
#[must_use]
pub fn fetch_shader_buffer_resource(buffer: u8, generation: Generation) -> u8 {
    match generation {
        Generation::R600 | Generation::R700 => EARLY_FIRST_BUFFER + buffer,
        Generation::Evergreen | Generation::Cayman => buffer,
    }
}
