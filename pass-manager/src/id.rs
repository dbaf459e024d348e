//! Names of passes and analyses.

use std::fmt;

/// The stable name of a pass, as the command line and reports spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassId(&'static str);

/// The stable name of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnalysisId(&'static str);

impl PassId {
    /// The pass called `name`: lower case, words joined by `-`.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl AnalysisId {
    /// The analysis called `name`: lower case, words joined by `-`.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for PassId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for AnalysisId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
