//! The vertex cache of chips that do not invalidate its lines when memory is written.

use std::collections::HashMap;

/// Dwords of a line.
const LINE: u64 = 16;
/// Bytes of the largest element.
const ELEMENT: u64 = 16;
/// Bytes of a dword.
const WORD: u64 = 4;

/// A buffer by its resource, and by the lane that reads it if each lane has its own words.
pub(super) type Key = (u32, Option<usize>);

/// Lines of buffers as they were when first read.
#[derive(Clone, Debug, Default)]
pub(super) struct VertexCache {
    lines: HashMap<(Key, u64), Vec<u32>>,
}

impl VertexCache {
    /// The dwords around the element at byte `address` of a buffer, and the byte address of the first of them. `words`
    /// is the buffer's content in memory. The dwords end at the end of the buffer.
    pub(super) fn read(&mut self, buffer: Key, words: &[u32], address: u64) -> (Vec<u32>, u64) {
        let first = address / (LINE * WORD);
        let last = (address + ELEMENT - 1) / (LINE * WORD);
        let mut found = Vec::new();
        for number in first..=last {
            let line = self.lines.entry((buffer, number)).or_insert_with(|| {
                let from = usize::try_from(number * LINE).unwrap_or(usize::MAX).min(words.len());
                words[from..words.len().min(from + LINE as usize)].to_vec()
            });
            found.extend_from_slice(line);
        }
        (found, first * LINE * WORD)
    }
}

#[cfg(test)]
mod tests {
    use super::VertexCache;

    #[test]
    fn lines_stay_as_they_were_read_and_end_with_the_buffer() {
        let mut cache = VertexCache::default();
        let words: Vec<u32> = (0..20).collect();
        assert_eq!(cache.read((1, None), &words, 0), (words[..16].to_vec(), 0));
        // Both lines; the second one is partial.
        assert_eq!(cache.read((1, None), &words, 60), (words.clone(), 0));
        assert_eq!(cache.read((1, None), &[7; 20], 64), (words[16..].to_vec(), 64));
        assert_eq!(cache.read((2, None), &[7; 20], 64), (vec![7; 4], 64));
        assert_eq!(cache.read((2, None), &[7; 20], 1 << 40), (Vec::new(), 1 << 40));
        // Data of one lane is not shared with others.
        assert_eq!(cache.read((1, Some(3)), &[7; 20], 64), (vec![7; 4], 64));
    }
}
