//! Something that reads input.

use difftest::random::Random;

use crate::change::{changed_stream, changed_text, changed_words};

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
