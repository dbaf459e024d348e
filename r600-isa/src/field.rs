//! Bit fields, and the encoder and decoder that use them.

use crate::Generation;

/// Consecutive bits of a word, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Lowest bit.
    pub lo: u8,
    /// Highest bit.
    pub hi: u8,
}

impl Field {
    /// The largest value that fits.
    #[inline]
    pub const fn max(self) -> u32 {
        u32::MAX >> (31 - (self.hi - self.lo))
    }
}

/// Where a field is, by generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSet {
    /// Word format and field, for messages.
    pub name: &'static str,
    places: [Option<Field>; 4],
}

impl FieldSet {
    /// A field by generation, in the order of [`Generation`].
    pub const fn new(name: &'static str, places: [Option<Field>; 4]) -> Self {
        Self { name, places }
    }

    /// Its bits on `generation`.
    #[inline]
    pub const fn on(&self, generation: Generation) -> Option<Field> {
        self.places[generation as usize]
    }

    /// `value` at its place in a word.
    ///
    /// # Errors
    /// When it does not fit, or is not 0 and the generation has no such field.
    pub fn place(&self, generation: Generation, value: u32) -> Result<u32, FieldError> {
        let field = self.name;
        match self.on(generation) {
            Some(place) if value <= place.max() => Ok(value << place.lo),
            Some(place) => Err(FieldError::TooLarge { field, value, max: place.max() }),
            None if value == 0 => Ok(0),
            None => Err(FieldError::Absent { field, generation, value }),
        }
    }
}

/// A value that does not fit its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The value has more bits than the field.
    #[error("{field}: {value} does not fit, the largest value is {max}")]
    TooLarge {
        /// Word format and field.
        field: &'static str,
        /// The value.
        value: u32,
        /// The largest that fits.
        max: u32,
    },
    /// The generation has no such field.
    #[error("{field} does not exist on {generation:?}, so {value} cannot be encoded")]
    Absent {
        /// Word format and field.
        field: &'static str,
        /// The generation.
        generation: Generation,
        /// The value.
        value: u32,
    },
    /// The value has no meaning.
    #[error("{field}: {value} is reserved")]
    Reserved {
        /// Word format and field.
        field: &'static str,
        /// The value.
        value: u32,
    },
}

/// A word being read.
#[derive(Clone, Copy, Debug)]
pub struct WordReader {
    generation: Generation,
    word: u32,
}

impl WordReader {
    /// The fields of `word`.
    pub const fn new(generation: Generation, word: u32) -> Self {
        Self { generation, word }
    }

    /// The generation whose layout is read.
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// The value of `field`; 0 where the generation has no such field.
    #[inline]
    pub const fn get(&self, field: &FieldSet) -> u32 {
        match field.on(self.generation) {
            Some(place) => (self.word >> place.lo) & place.max(),
            None => 0,
        }
    }

    /// Whether a one-bit field is set.
    #[inline]
    pub const fn flag(&self, field: &FieldSet) -> bool {
        self.get(field) != 0
    }
}

/// A word under construction.
#[derive(Clone, Copy, Debug)]
pub struct WordBuilder {
    generation: Generation,
    word: u32,
}

impl WordBuilder {
    /// A word of zeros.
    pub const fn new(generation: Generation) -> Self {
        Self { generation, word: 0 }
    }

    /// Puts `value` in `field`.
    ///
    /// # Errors
    /// When it does not fit, or is not 0 and the generation has no such field.
    pub fn put(
        &mut self,
        field: &FieldSet,
        value: impl Into<u32>,
    ) -> Result<&mut Self, FieldError> {
        self.word |= field.place(self.generation, value.into())?;
        Ok(self)
    }

    /// The finished word.
    pub const fn word(&self) -> u32 {
        self.word
    }
}
