//! The formats of token streams.

use tgsi_ir::Dialect;
use thiserror::Error;

use crate::generated::layout::{LAYOUTS, Layout};

/// The machine that a stream was made on. Words are C structures with bit fields, so the machine determines the order
/// of bytes and of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Host {
    /// Low byte first, and the first field of a word in its lowest bits: x86, ARM, and all streams in files.
    #[default]
    Little,
    /// High byte first, and the first field of a word in its highest bits: PowerPC and others.
    Big,
}

impl Host {
    /// The words that `bytes` hold.
    ///
    /// # Errors
    /// When the last word is incomplete.
    pub fn words(self, bytes: &[u8]) -> Result<Vec<u32>, PartialWord> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(PartialWord { word: chunks.len(), bytes: rest.len() });
        }
        let word = match self {
            Self::Little => u32::from_le_bytes,
            Self::Big => u32::from_be_bytes,
        };
        Ok(chunks.iter().map(|&bytes| word(bytes)).collect())
    }

    /// The bytes that hold `words`.
    pub fn bytes(self, words: &[u32]) -> Vec<u8> {
        let bytes = match self {
            Self::Little => u32::to_le_bytes,
            Self::Big => u32::to_be_bytes,
        };
        words.iter().flat_map(|&word| bytes(word)).collect()
    }
}

/// Bytes that end within a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("word {word}: only {bytes} of its 4 bytes are there")]
pub struct PartialWord {
    /// Number of the word, from 0.
    pub word: usize,
    /// Bytes present.
    pub bytes: usize,
}

/// The format of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokenFormat {
    /// The generation of the language: numbers and layout.
    pub dialect: Dialect,
    /// The machine that it was made on.
    pub host: Host,
}

impl From<Dialect> for TokenFormat {
    /// The little-endian format of the dialect.
    fn from(dialect: Dialect) -> Self {
        Self { dialect, host: Host::Little }
    }
}

/// A format known at compile time, so that reading costs no lookups.
pub(crate) trait Shape {
    const DIALECT: Dialect;
    const LAYOUT: &'static Layout;
}

/// Little-endian words of the dialect with index `D`.
pub(crate) struct Low<const D: usize>;

impl<const D: usize> Shape for Low<D> {
    const DIALECT: Dialect = Dialect::ALL[D];
    const LAYOUT: &'static Layout = &LAYOUTS[D];
}

/// Big-endian words of the dialect with index `D`.
pub(crate) struct High<const D: usize>;

impl<const D: usize> Shape for High<D> {
    const DIALECT: Dialect = Dialect::ALL[D];
    const LAYOUT: &'static Layout = &LAYOUTS[D].mirrored();
}

/// Calls a generic function with the shape of a format.
macro_rules! with_shape {
    ($format:expr, $function:ident :: <_> ($($argument:expr),*)) => {{
        use $crate::format::{High, Host, Low};
        use tgsi_ir::Dialect;
        match ($format.dialect, $format.host) {
            (Dialect::Y2010, Host::Little) => $function::<Low<{ Dialect::Y2010.index() }>>($($argument),*),
            (Dialect::Y2012, Host::Little) => $function::<Low<{ Dialect::Y2012.index() }>>($($argument),*),
            (Dialect::Y2021, Host::Little) => $function::<Low<{ Dialect::Y2021.index() }>>($($argument),*),
            (Dialect::Y2010, Host::Big) => $function::<High<{ Dialect::Y2010.index() }>>($($argument),*),
            (Dialect::Y2012, Host::Big) => $function::<High<{ Dialect::Y2012.index() }>>($($argument),*),
            (Dialect::Y2021, Host::Big) => $function::<High<{ Dialect::Y2021.index() }>>($($argument),*),
        }
    }};
}
pub(crate) use with_shape;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_in_either_order() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(Host::Little.words(&bytes), Ok(vec![0x0403_0201, 0x0807_0605]));
        assert_eq!(Host::Big.words(&bytes), Ok(vec![0x0102_0304, 0x0506_0708]));
        for host in [Host::Little, Host::Big] {
            assert_eq!(host.bytes(&host.words(&bytes).expect("whole words")), bytes);
        }
        let error = Host::Big.words(&bytes[..6]).expect_err("half a word");
        assert_eq!(error.to_string(), "word 1: only 2 of its 4 bytes are there");
    }
}
