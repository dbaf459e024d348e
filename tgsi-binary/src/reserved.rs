//! What a stream holds that a shader does not.

/// Words in the header of a stream that this crate writes.
pub(crate) const HEADER_WORDS: usize = 2;

/// Bits of a stream that no field of its dialect holds, further words of its header, and counts that are not
/// what the items need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reserved {
    /// Words of the header after the second.
    header: Vec<u32>,
    /// Words by their number in the stream, with the bits that differ from what the shader gives.
    bits: Vec<(u32, u32)>,
    /// Words of the body.
    body_len: usize,
}

impl Reserved {
    /// The same for a stream with `header` words after the first two.
    pub(crate) fn new(header: &[u32], body_len: usize) -> Self {
        Self { header: header.to_vec(), bits: Vec::new(), body_len }
    }

    /// Notes that the word at `at` differs in `bits` from what the shader gives.
    #[cold]
    pub(crate) fn note(&mut self, at: usize, bits: u32) {
        self.bits.push((at as u32, bits));
    }

    /// Whether the stream holds nothing but the shader.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty() && self.bits.is_empty()
    }

    /// Number of words with such bits.
    pub fn num_words(&self) -> usize {
        self.header.len() + self.bits.len()
    }

    /// Puts everything back into what the shader gives. When the shader has grown or shrunk since, nobody
    /// knows where the bits of its body belong, and they are left out.
    pub(crate) fn restore(&self, mut words: Vec<u32>) -> Vec<u32> {
        let is_in_place = words.len() == HEADER_WORDS + self.body_len;
        words.splice(HEADER_WORDS..HEADER_WORDS, self.header.iter().copied());
        let limit = if is_in_place { words.len() } else { HEADER_WORDS };
        for &(at, bits) in &self.bits {
            if let Some(word) = words[..limit].get_mut(at as usize) {
                *word ^= bits;
            }
        }
        words
    }
}
