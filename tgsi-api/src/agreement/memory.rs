//! Tolerances for words of memory, one per word: an approximation in one word says nothing about the others.

use std::collections::BTreeMap;

use tgsi_exec::Tolerance;

use super::{Difference, Interpreted};

/// The memory that contains the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    Buffer(u32),
    Image(u32),
    Counters(u32),
    Shared,
}

impl Space {
    /// Its words after a run of the interpreter.
    fn words(self, run: &Interpreted) -> &[u32] {
        let words = match self {
            Self::Buffer(number) => run.buffers.get(&number),
            Self::Image(number) => run.images.get(&number),
            Self::Counters(number) => run.hardware_counters.get(&number),
            Self::Shared => Some(&run.memory),
        };
        words.map_or(&[], Vec::as_slice)
    }

    /// One of its words; zero beyond the end.
    pub(super) fn word(self, run: &Interpreted, number: usize) -> u32 {
        self.words(run).get(number).copied().unwrap_or_default()
    }

    pub(super) fn difference(self, word: usize, interpreter: u32, chip: u32) -> Difference {
        match self {
            Self::Buffer(buffer) => Difference::Buffer { buffer, word, interpreter, chip },
            Self::Image(image) => Difference::Image { image, word, interpreter, chip },
            Self::Counters(buffer) => Difference::Counter { buffer, word, interpreter, chip },
            Self::Shared => Difference::Memory { word, interpreter, chip },
        }
    }
}

/// How far words may differ from those of the run without errors.
#[derive(Clone, Debug)]
pub(super) struct MemoryEnvelope {
    /// Tolerances of the words on which runs disagree.
    tolerance: BTreeMap<(Space, usize), Tolerance>,
    /// Whether any value is accepted everywhere.
    pub(super) is_open: bool,
}

impl MemoryEnvelope {
    pub(super) fn new(is_open: bool) -> Self {
        Self { tolerance: BTreeMap::new(), is_open }
    }

    /// Widens the envelope by a run with errors.
    pub(super) fn widen(&mut self, plain: &Interpreted, run: &Interpreted) {
        let buffers = plain.buffers.keys().map(|&number| Space::Buffer(number));
        let images = plain.images.keys().map(|&number| Space::Image(number));
        let counters = plain.hardware_counters.keys().map(|&number| Space::Counters(number));
        for space in buffers.chain(images).chain(counters).chain([Space::Shared]) {
            let len = space.words(plain).len().max(space.words(run).len());
            for number in 0..len {
                let [plain, other] = [plain, run].map(|run| space.word(run, number));
                if plain != other {
                    self.tolerance.entry((space, number)).or_default().widen(plain, other);
                }
            }
        }
    }

    pub(super) fn tolerance(&self, word: (Space, usize)) -> Tolerance {
        match self.is_open {
            true => Tolerance::Open,
            false => self.tolerance.get(&word).copied().unwrap_or_default(),
        }
    }
}
