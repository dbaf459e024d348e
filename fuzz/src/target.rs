//! Something that reads input.

use difftest::random::Random;

use crate::change::{changed_stream, changed_text, changed_words};
use crate::targets::TARGETS;

/// What an input looks like, and so how it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text.
    Text,
    /// Words of 32 bits, the low byte first.
    Words,
    /// A token stream: words, of which the first tells how many there are.
    Stream,
}

/// Something that reads input, and what must hold for any.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on command lines and as a folder.
    pub name: &'static str,
    /// What an input looks like.
    pub form: Form,
    /// Good inputs, made of the texts of shaders.
    pub seeds: fn(&[String]) -> Vec<Vec<u8>>,
    /// What does not hold for an input; `None` when all is well. It may also panic.
    pub check: fn(&[u8]) -> Option<String>,
    /// Why nothing can be tried, where something is missing that it takes.
    pub needs: fn() -> Result<(), &'static str>,
}

impl Target {
    /// What a target needs that takes nothing but its input.
    pub(crate) const NOTHING: fn() -> Result<(), &'static str> = || Ok(());

    /// Every target.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        TARGETS
    }

    /// The target with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// One of `seeds`, which are not empty, with a few changes.
    #[must_use]
    pub fn changed(&self, seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
        let seed = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())];
        match self.form {
            Form::Text => changed_text(seed, other, random),
            Form::Words => changed_words(seed, other, random),
            Form::Stream => changed_stream(seed, other, random),
        }
    }
}

/// The words that bytes hold; what is left over is dropped.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect()
}

/// The bytes of words.
pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
