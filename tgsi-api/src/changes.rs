//! Human-readable changes that a run makes to memory.

use crate::provided::{Loaded, Provided};

/// Maximum number of lines shown per buffer, image or memory.
const SHOWN: usize = 64;
/// Words per line.
const PER_LINE: usize = 4;

/// A snapshot of the words of a run's buffers, images and shared memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryWords {
    /// The words of each, with its name.
    all: Vec<(String, Vec<u32>)>,
}

impl MemoryWords {
    /// The memory of an interpreter run.
    #[must_use]
    pub fn of_interpreter(provided: &Provided) -> Self {
        let (buffers, images) = (provided.buffer_words(), provided.bound.image_words());
        Self::new(buffers, images, provided.given_memory_words())
    }

    /// The memory of a run on a chip.
    #[must_use]
    pub fn of_chip(loaded: &Loaded) -> Self {
        Self::new(loaded.buffers.clone(), loaded.image_words(), loaded.memory.clone())
    }

    fn new(
        buffers: impl IntoIterator<Item = (u32, Vec<u32>)>,
        images: impl IntoIterator<Item = (u32, Vec<u32>)>,
        shared: Vec<u32>,
    ) -> Self {
        let buffers = buffers.into_iter().map(|(n, words)| (format!("BUFFER[{n}]"), words));
        let images = images.into_iter().map(|(n, words)| (format!("IMAGE[{n}]"), words));
        let shared = (!shared.is_empty()).then(|| ("shared memory".to_owned(), shared));
        Self { all: buffers.chain(images).chain(shared).collect() }
    }

    /// Lines for the words that differ from `before`: their floats, followed by their bits.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> String {
        let lines = self.all.iter().flat_map(|(name, words)| {
            let same = before.all.iter().find(|(own, _)| own == name);
            changes(name, words, same.map_or(&[][..], |(_, before)| &before[..]))
        });
        lines.map(|line| line + "\n").collect()
    }
}

/// A line for at most four consecutive changed words.
fn changes(name: &str, words: &[u32], before: &[u32]) -> Vec<String> {
    let is_changed = |&at: &usize| before.get(at) != words.get(at);
    let changed: Vec<usize> = (0..words.len()).filter(is_changed).collect();
    if changed.is_empty() {
        return vec![format!("{name}: unchanged")];
    }
    let belong_together = |a: &usize, b: &usize| a + 1 == *b && !b.is_multiple_of(PER_LINE);
    let runs: Vec<&[usize]> = changed.chunk_by(belong_together).collect();
    let shown = &runs[..runs.len().min(SHOWN)];
    let mut lines: Vec<String> = shown.iter().map(|run| changed_words(name, words, run)).collect();
    let num_shown: usize = shown.iter().map(|run| run.len()).sum();
    if num_shown < changed.len() {
        let more = changed.len() - num_shown;
        lines.push(format!("{name}: {more} more words changed; `--json` prints all"));
    }
    lines
}

/// Consecutive changed words.
fn changed_words(name: &str, words: &[u32], run: &[usize]) -> String {
    let place = match run {
        [first, .., last] => format!("words {first} to {last}"),
        [only] => format!("word {only}"),
        [] => String::new(),
    };
    let values: Vec<u32> = run.iter().filter_map(|&at| words.get(at)).copied().collect();
    let floats: Vec<_> = values.iter().map(|&word| format!("{:?}", f32::from_bits(word))).collect();
    let bits: Vec<_> = values.iter().map(|word| format!("{word:08x}")).collect();
    format!("{name} {place}: {}  ({})", floats.join(" "), bits.join(" "))
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn changed_words_share_lines_of_four() {
        let one = 1.0_f32.to_bits();
        let lines = changes("BUFFER[2]", &[0, one, one, 5, one, 0, one], &[0, 0, 0, 5, 0, 0, 0]);
        assert_eq!(
            lines,
            [
                "BUFFER[2] words 1 to 2: 1.0 1.0  (3f800000 3f800000)",
                "BUFFER[2] word 4: 1.0  (3f800000)",
                "BUFFER[2] word 6: 1.0  (3f800000)",
            ]
        );
        assert_eq!(changes("IMAGE[0]", &[7], &[7]), ["IMAGE[0]: unchanged"]);
        let many = changes("IMAGE[0]", &[one; 400], &[0; 400]);
        assert_eq!(many.len(), 65);
        assert_eq!(
            many[63],
            "IMAGE[0] words 252 to 255: 1.0 1.0 1.0 1.0  (3f800000 3f800000 3f800000 3f800000)"
        );
        assert_eq!(many[64], "IMAGE[0]: 144 more words changed; `--json` prints all");
    }
}
