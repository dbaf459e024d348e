//! The first mismatch of a comparison.

use crate::scene::Place;

/// The first mismatch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mismatch {
    /// Other lanes were killed.
    Killed {
        /// The interpreter's mask, a bit for each lane.
        want: u8,
        /// The program's mask.
        got: u64,
    },
    /// A result differs.
    Value(Difference),
    /// The final value of a counter differs.
    Counter {
        /// Its index among all counters.
        number: usize,
        /// The interpreter's value.
        want: u32,
        /// The program's value.
        got: u32,
    },
    /// The final value of a word of a buffer or an image differs.
    Memory {
        /// The word.
        place: Place,
        /// The interpreter's value.
        want: u32,
        /// The program's value.
        got: u32,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Killed { want, got } => {
                write!(f, "kills the lanes {got:#x}, the interpreter kills {want:#x}")
            }
            Self::Value(difference) => difference.fmt(f),
            Self::Counter { number, want, got } => {
                write!(f, "counter {number} ends with {got}, the interpreter has {want}")
            }
            Self::Memory { place, want, got } => {
                write!(f, "{place} ends with {got:#010x}, the interpreter has {want:#010x}")
            }
        }
    }
}

/// The first difference in a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The output register.
    pub register: usize,
    /// The lane.
    pub lane: usize,
    /// The channel.
    pub channel: usize,
    /// The interpreter's value.
    pub want: u32,
    /// The program's value.
    pub got: u32,
    /// The tolerance.
    pub tolerance: f32,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { register, lane, channel, want, got, tolerance } = self;
        let channel = ['x', 'y', 'z', 'w'].get(*channel).copied().unwrap_or('?');
        write!(
            f,
            "OUT[{register}].{channel} of lane {lane} is {} ({got:#010x}), the interpreter has {} \
             ({want:#010x}), {tolerance:e} is allowed",
            f32::from_bits(*got),
            f32::from_bits(*want),
        )
    }
}
