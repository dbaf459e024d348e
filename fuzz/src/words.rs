//! Words of 32 bits as bytes, the low byte first.

/// The words that bytes hold; what is left over is dropped.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect()
}

/// The bytes of words.
pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
