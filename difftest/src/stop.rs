//! Why a simulated program has no results.

use std::fmt;

use r600_sim::{Fault, SimError};

/// The reason why a program stopped, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It exceeded the step limit. This is no failure if the shader need not end either.
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
