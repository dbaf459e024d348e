//! Why a simulated program has no results.

use std::fmt;

use r600_sim::{Fault, SimError};

/// What stopped a program, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It took more steps than it may: where the shader need not end either, that says nothing.
    Steps(String),
    /// It broke a rule of the hardware.
    Rule(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Steps(why) | Self::Rule(why)) = self;
        f.write_str(why)
    }
}

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Rule(why)
    }
}

impl From<SimError> for Stop {
    fn from(error: SimError) -> Self {
        let why = error.to_string();
        if matches!(error.fault, Fault::StepLimit(_)) { Self::Steps(why) } else { Self::Rule(why) }
    }
}
