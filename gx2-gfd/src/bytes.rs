//! Words in bytes.

/// The order of bytes in the words of headers. Programs are little-endian in either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Endian {
    /// As the console has them.
    #[default]
    Big,
    /// As tools on other machines write them.
    Little,
}

impl Endian {
    /// The word at byte `at`.
    pub(crate) fn word(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Self::Big => u32::from_be_bytes(bytes),
            Self::Little => u32::from_le_bytes(bytes),
        })
    }

    /// The bytes of a word.
    pub(crate) fn bytes(self, word: u32) -> [u8; 4] {
        match self {
            Self::Big => word.to_be_bytes(),
            Self::Little => word.to_le_bytes(),
        }
    }

    /// Writes words from byte `at` on; those past the end are dropped.
    pub(crate) fn put(self, bytes: &mut [u8], at: usize, words: &[u32]) {
        for (number, word) in words.iter().enumerate() {
            overlay(bytes, at + 4 * number, &self.bytes(*word));
        }
    }
}

/// Writes `part` from byte `at` on; bytes past the end are dropped.
pub(crate) fn overlay(bytes: &mut [u8], at: usize, part: &[u8]) {
    let places = bytes.iter_mut().skip(at);
    places.zip(part).for_each(|(byte, own)| *byte = *own);
}

/// The words of a program, which are little-endian in every file; an incomplete last word is dropped.
#[must_use]
pub fn program_words(program: &[u8]) -> Vec<u32> {
    program
        .chunks_exact(4)
        .filter_map(|word| word.try_into().ok())
        .map(u32::from_le_bytes)
        .collect()
}

/// The bytes of a program.
#[must_use]
pub fn program_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes as a string of hexadecimal digits.
#[cfg(feature = "serde")]
pub(crate) mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use std::fmt::Write as _;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        to.serialize_str(&text)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.as_bytes().chunks(2).map(|pair| {
            // The standard library's parser would also accept a sign.
            let is_byte = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
            let pair = std::str::from_utf8(pair).ok().filter(|_| is_byte)?;
            u8::from_str_radix(pair, 16).ok()
        });
        let bytes: Option<Vec<u8>> = digits.collect();
        bytes.ok_or_else(|| D::Error::custom("expected pairs of hexadecimal digits"))
    }
}
