//! Stream contents that a shader does not hold.

/// Words in the header of a stream that this crate writes.
pub(crate) const HEADER_WORDS: usize = 2;

/// Bits of a stream outside the fields of its dialect, extra header words, and counts that do not match the items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reserved {
    /// Words of the header after the second.
    header: Vec<u32>,
    /// Word numbers in the stream, with the bits that differ from the encoded shader.
    bits: Vec<(u32, u32)>,
    /// Words of the body.
    body_len: usize,
}

impl Reserved {
    /// The same for a stream with `header` words after the first two.
    pub(crate) fn new(header: &[u32], body_len: usize) -> Self {
        Self { header: header.to_vec(), bits: Vec::new(), body_len }
    }

    /// Records that the word at `at` differs in `bits` from the encoded shader.
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

    /// Restores everything in the encoded shader. If the shader has grown or shrunk since, the position of the body's
    /// bits is unknown, and they are dropped.
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
