//! Optimisation levels.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How hard the compiler works for short code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum OptLevel {
    /// The simplest correct code: one operation per group.
    O0,
    /// Simplified code, with several operations per group.
    O1,
    /// Every optimisation that is worth its compile time.
    #[default]
    O2,
    /// As [`O2`](Self::O2), with a longer schedule search: up to a tenth of a second per shader.
    O3,
}

/// An unknown level name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("levels are 0 to 3")]
pub struct UnknownLevel;

impl OptLevel {
    /// All levels, from the least optimisation to the most.
    pub const ALL: [Self; 4] = [Self::O0, Self::O1, Self::O2, Self::O3];
}

/// `O2`, as on compiler command lines.
impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The number, with or without its letter.
impl FromStr for OptLevel {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        match name.strip_prefix('O').unwrap_or(name) {
            "0" => Ok(Self::O0),
            "1" => Ok(Self::O1),
            "2" => Ok(Self::O2),
            "3" => Ok(Self::O3),
            _ => Err(UnknownLevel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OptLevel, UnknownLevel};

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in OptLevel::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("1".parse(), Ok(OptLevel::O1));
        assert_eq!("4".parse::<OptLevel>(), Err(UnknownLevel));
        assert_eq!(UnknownLevel.to_string(), "levels are 0 to 3");
    }
}
