//! Releases of Mesa, and the generations of TGSI that differ in numbers and layout.

use std::fmt;
use std::str::FromStr;

/// A release of Mesa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
}

impl Release {
    /// `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A generation of the language, chosen by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Dialect {
    /// `2010`: the TGSI of Mesa 7.8.
    #[cfg_attr(feature = "serde", serde(rename = "2010"))]
    Y2010,
    /// `2012`: the TGSI of Mesa 9.0.
    #[cfg_attr(feature = "serde", serde(rename = "2012"))]
    Y2012,
    /// `21.2`: the TGSI of Mesa 21.2.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "21.2"))]
    Y2021,
}

impl Dialect {
    /// The dialects, oldest first.
    pub const ALL: [Self; 3] = [Self::Y2010, Self::Y2012, Self::Y2021];

    /// Position in [`Dialect::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Y2010 => "2010",
            Self::Y2012 => "2012",
            Self::Y2021 => "21.2",
        }
    }

    /// The release that it follows.
    pub const fn release(self) -> Release {
        match self {
            Self::Y2010 => Release::new(7, 8),
            Self::Y2012 => Release::new(9, 0),
            Self::Y2021 => Release::new(21, 2),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is none of the dialects'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(pub String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no TGSI dialect is called `{}`: there are 2010, 2012 and 21.2", self.0)
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    /// Takes the name, or the release that the dialect follows.
    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == text || dialect.release().to_string() == text)
            .ok_or_else(|| UnknownDialect(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_chosen_by_name_or_release() {
        assert_eq!("2010".parse(), Ok(Dialect::Y2010));
        assert_eq!("9.0".parse(), Ok(Dialect::Y2012));
        let error = "2011".parse::<Dialect>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "no TGSI dialect is called `2011`: there are 2010, 2012 and 21.2"
        );
    }
}
