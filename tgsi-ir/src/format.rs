//! Texel formats.

use std::fmt;

use crate::generated::formats::{FORMAT_NAMES, FORMATS_BY_NAME};

/// A texel format, by Gallium's number; numbers without a meaning are kept.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Format(pub u16);

impl Format {
    /// `PIPE_FORMAT_NONE`: no format given.
    pub const NONE: Self = Self(0);

    /// The number.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The spelling in text; `None` if the number has no meaning.
    pub fn name(self) -> Option<&'static str> {
        FORMAT_NAMES.get(usize::from(self.0)).copied()
    }

    /// The format of a full name such as `PIPE_FORMAT_R32_UINT`, in upper or lower case.
    pub fn from_name(word: &str) -> Option<Self> {
        let folded =
            |text: &str| text.bytes().map(|byte| byte.to_ascii_uppercase()).collect::<Vec<_>>();
        let key = folded(word);
        FORMATS_BY_NAME
            .binary_search_by(|&number| folded(FORMAT_NAMES[usize::from(number)]).cmp(&key))
            .ok()
            .map(|index| Self(FORMATS_BY_NAME[index]))
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "Format({})", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        for (number, name) in FORMAT_NAMES.iter().enumerate() {
            assert_eq!(Format::from_name(name).map(|f| usize::from(f.0)), Some(number), "{name}");
            assert_eq!(Format::from_name(&name.to_lowercase()), Format::from_name(name), "{name}");
        }
        assert_eq!(Format::from_name("R32_UINT"), None);
        assert_eq!(Format(400).name(), None);
    }
}
