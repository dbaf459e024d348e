//! What differs.

use crate::scene::Place;

/// What differs first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mismatch {
    /// Other lanes were killed.
    Killed {
        /// What the interpreter has, a bit for each lane.
        want: u8,
        /// What the program has.
        got: u64,
    },
    /// A result differs.
    Value(Difference),
    /// A counter holds something else at the end.
    Counter {
        /// Its place among all of them.
        number: usize,
        /// What the interpreter leaves there.
        want: u32,
        /// What the program leaves there.
        got: u32,
    },
    /// A word of a buffer or an image is another one at the end.
    Memory {
        /// Which one.
        place: Place,
        /// What the interpreter leaves there.
        want: u32,
        /// What the program leaves there.
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

/// Where a result first differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The output register.
    pub register: usize,
    /// The lane.
    pub lane: usize,
    /// The channel.
    pub channel: usize,
    /// What the interpreter says.
    pub want: u32,
    /// What the program exports.
    pub got: u32,
    /// How far off it may be.
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
