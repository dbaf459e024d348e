//! Stream output: outputs of the last vertex-producing stage that also go to buffers.

/// The last dword of a vertex in a buffer that an instruction can name: `ARRAY_BASE` has 13 bits.
const LAST_OFFSET: u16 = 0x1FFF;

/// Consecutive components of an output that go to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamOutput {
    /// The output register.
    pub register: u16,
    /// The first component that is written, 0 to 3.
    pub first_component: u8,
    /// Number of components that are written, 1 to 4.
    pub num_components: u8,
    /// The buffer, 0 to 3.
    pub buffer: u8,
    /// Offset within a vertex of the buffer, in dwords.
    pub offset: u16,
    /// The vertex stream, 0 to 3; only geometry shaders of Evergreen and Cayman use streams other than 0.
    pub stream: u8,
}

impl StreamOutput {
    /// Whether the hardware can write it.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let last = u32::from(self.first_component) + u32::from(self.num_components);
        let is_named = self.buffer < 4 && self.stream < 4 && self.offset <= LAST_OFFSET;
        self.num_components > 0 && last <= 4 && is_named
    }
}
