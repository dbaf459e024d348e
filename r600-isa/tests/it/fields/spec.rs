//! The table of fields as it stands in `spec/fields.ron`, read without the crate's own code.

use std::fs;
use std::path::PathBuf;

use r600_isa::Generation;
use serde::Deserialize;

/// The whole table.
#[derive(Deserialize)]
pub(crate) struct Spec {
    formats: Vec<Format>,
}

#[derive(Deserialize)]
struct Format {
    name: String,
    fields: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    generations: Vec<Name>,
    lo: u32,
    hi: u32,
    #[serde(rename = "doc")]
    _doc: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Name {
    R600,
    R700,
    Evergreen,
    Cayman,
}

/// A field of one generation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) format: String,
    pub(crate) field: String,
    pub(crate) generation: Generation,
    /// Lowest bit.
    pub(crate) lo: u32,
    /// Bits.
    pub(crate) width: u32,
}

impl Place {
    /// The largest value.
    pub(crate) fn largest(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// Its bits of a word.
    pub(crate) fn mask(&self) -> u32 {
        self.largest() << self.lo
    }

    /// Its value in `word`.
    pub(crate) fn of(&self, word: u32) -> u32 {
        word >> self.lo & self.largest()
    }

    /// `word` with `value` in it.
    pub(crate) fn put(&self, word: u32, value: u32) -> u32 {
        word & !self.mask() | value << self.lo
    }

    /// Every value; of wide fields zero, each bit and all bits.
    pub(crate) fn values(&self) -> Vec<u32> {
        if self.width <= 10 {
            return (0..=self.largest()).collect();
        }
        let bits = (0..self.width).map(|bit| 1 << bit);
        [0].into_iter().chain(bits).chain([self.largest()]).collect()
    }
}

impl Spec {
    pub(crate) fn read() -> Self {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("spec/fields.ron");
        ron::from_str(&fs::read_to_string(path).expect("the table is there")).expect("it is RON")
    }

    /// Names of all formats.
    pub(crate) fn formats(&self) -> impl Iterator<Item = &str> {
        self.formats.iter().map(|format| format.name.as_str())
    }

    /// The fields of every generation.
    pub(crate) fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for format in &self.formats {
            for row in &format.fields {
                places.extend(row.generations.iter().map(|&generation| Place {
                    format: format.name.clone(),
                    field: row.name.clone(),
                    generation: generation.into(),
                    lo: row.lo,
                    width: row.hi - row.lo + 1,
                }));
            }
        }
        places
    }

    /// The fields that a format has on a generation.
    pub(crate) fn places_of(&self, format: &str, generation: Generation) -> Vec<Place> {
        let own = |place: &Place| place.format == format && place.generation == generation;
        self.places().into_iter().filter(own).collect()
    }

    /// One field.
    pub(crate) fn place(&self, format: &str, field: &str, generation: Generation) -> Option<Place> {
        self.places_of(format, generation).into_iter().find(|place| place.field == field)
    }
}

impl From<Name> for Generation {
    fn from(name: Name) -> Self {
        match name {
            Name::R600 => Self::R600,
            Name::R700 => Self::R700,
            Name::Evergreen => Self::Evergreen,
            Name::Cayman => Self::Cayman,
        }
    }
}
