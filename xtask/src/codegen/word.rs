//! Words of tables that name rows of other tables.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, VariantAccess as _, Visitor,
};

/// A bare word of a table, as `Float` in `source: Float`: the name of a row in another table.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Word(String);

impl Word {
    /// As written.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_enum("Word", &[], Bare)
    }
}

/// Reads a variant of any name, and returns the name.
struct Bare;

impl<'de> Visitor<'de> for Bare {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bare word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Word, E> {
        Ok(Word(word.to_owned()))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Word, A::Error> {
        let (word, rest) = data.variant_seed(self)?;
        rest.unit_variant()?;
        Ok(word)
    }
}

impl<'de> DeserializeSeed<'de> for Bare {
    type Value = Word;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Word, D::Error> {
        from.deserialize_identifier(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn words_have_neither_quotes_nor_arguments() {
        let words: Vec<Word> = ron::from_str("[Float, F64]").unwrap();
        assert_eq!(words.iter().map(Word::as_str).collect::<Vec<_>>(), ["Float", "F64"]);
        for wrong in ["\"Float\"", "Float(1)", "3"] {
            assert!(ron::from_str::<Word>(wrong).is_err(), "{wrong}");
        }
    }
}
