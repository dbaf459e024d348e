//! Compares compiled code with the interpreter: bit for bit, or within the errors that its opcodes may have.
//!
//! A hardware result need not match the interpreter's bits: roots, powers and sines are approximated, and rewritten
//! sums round differently. To find the tolerance, the interpreter is run with such errors injected. If these runs
//! disagree wildly, or infinities or NaN occur, nothing can be said.

mod memory;

use std::collections::BTreeMap;

use r600_isa::{Chip, Generation};
use tgsi_exec::{Angles, Errors, ExecError, Outcome, Perturbation, Tolerance};

use crate::on_chip::{Exported, Ran};
use crate::provided::used_words;
use memory::{MemoryEnvelope, Space};

/// Runs with random errors.
const NUM_RUNS: u64 = 64;

/// A difference between compiled code and the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A channel of an output.
    Output {
        /// The register.
        register: usize,
        /// The channel, from x on.
        channel: usize,
        /// The lane.
        lane: usize,
        /// Bits of the interpreter.
        interpreter: u32,
        /// Bits of the chip.
        chip: u32,
    },
    /// A channel of an output that is missing at its destination.
    Missing {
        /// The register.
        register: usize,
        /// The channel, from x on.
        channel: usize,
        /// The lane.
        lane: usize,
        /// Bits of the interpreter.
        interpreter: u32,
    },
    /// Only one of them kills the lane.
    Killed {
        /// The lane.
        lane: usize,
        /// Whether the chip kills it.
        by_chip: bool,
    },
    /// A word of a buffer.
    Buffer {
        /// The buffer.
        buffer: u32,
        /// The word.
        word: usize,
        /// Bits of the interpreter.
        interpreter: u32,
        /// Bits of the chip.
        chip: u32,
    },
    /// A word of an image.
    Image {
        /// The image.
        image: u32,
        /// The word.
        word: usize,
        /// Bits of the interpreter.
        interpreter: u32,
        /// Bits of the chip.
        chip: u32,
    },
    /// A counter of `HWATOMIC`.
    Counter {
        /// The buffer of counters.
        buffer: u32,
        /// The word.
        word: usize,
        /// Bits of the interpreter.
        interpreter: u32,
        /// Bits of the chip.
        chip: u32,
    },
    /// A word of shared memory.
    Memory {
        /// The word.
        word: usize,
        /// Bits of the interpreter.
        interpreter: u32,
        /// Bits of the chip.
        chip: u32,
    },
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Every difference beyond its tolerance.
    pub differences: Vec<Difference>,
    /// Values equal to the interpreter's bits (except for the sign of zero), and lanes killed by both.
    pub exact: usize,
    /// Values within the errors that opcodes may have.
    pub near: usize,
    /// Values about which nothing can be said.
    pub open: usize,
}

impl Agreement {
    /// Number of compared values.
    #[must_use]
    pub fn total(&self) -> usize {
        self.differences.len() + self.exact + self.near + self.open
    }
}

/// A run of the interpreter: the outcome of the lanes, and the words of buffers and of shared memory.
#[derive(Clone, Debug, Default)]
pub struct Interpreted {
    /// The outcome of the lanes.
    pub outcome: Outcome,
    /// The words of buffers.
    pub buffers: BTreeMap<u32, Vec<u32>>,
    /// The words of images.
    pub images: BTreeMap<u32, Vec<u32>>,
    /// The counters of `HWATOMIC`, by buffer; gaps are zero.
    pub hardware_counters: BTreeMap<u32, Vec<u32>>,
    /// The words of shared memory up to the last in use; zeros follow.
    pub memory: Vec<u32>,
}

/// The results of compiled code.
#[derive(Clone, Debug)]
pub struct OfChip<'a> {
    /// Outputs and killed lanes.
    pub ran: &'a Ran,
    /// The words of buffers.
    pub buffers: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of images.
    pub images: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of shared memory that were given. The words after these in `ran` are compared, too.
    pub memory: &'a [u32],
}

/// Compares both. `run` runs the interpreter with errors of a kind; `errors` lists those that the compiler may make.
///
/// # Errors
/// If the run without errors stops.
pub fn compare(
    chip: Chip,
    errors: Errors,
    got: &OfChip<'_>,
    mut run: impl FnMut(Option<Perturbation>) -> Result<Interpreted, ExecError>,
) -> Result<Agreement, ExecError> {
    let plain = run(None)?;
    let angles = match chip.generation() {
        Generation::R600 => Angles::Radians,
        _ => Angles::Revolutions,
    };
    let like_hardware = run(Some(Perturbation::like_hardware(angles))).ok();
    let mut judge = Judge::new(plain, like_hardware);
    if judge.has_inexact(got) {
        for seed in 0..NUM_RUNS {
            judge.widen(run(Some(Perturbation::new(seed, errors))).ok());
        }
    }
    Ok(judge.judged(got))
}

/// Compares against the results of runs with errors.
struct Judge {
    plain: Interpreted,
    like_hardware: Option<Interpreted>,
    /// The tolerance of each output channel.
    tolerance: Vec<[[Tolerance; 4]; 4]>,
    /// Lanes for which all runs agree whether they are killed.
    killed_is_certain: u8,
    /// The tolerance of the words of memory.
    memory: MemoryEnvelope,
}

impl Judge {
    fn new(plain: Interpreted, like_hardware: Option<Interpreted>) -> Self {
        let not_finite = plain.outcome.not_finite;
        // Any value is accepted after infinities or NaN.
        let of_lane = |lane: usize| match not_finite >> lane & 1 {
            0 => [Tolerance::None; 4],
            _ => [Tolerance::Open; 4],
        };
        let tolerance = vec![[0, 1, 2, 3].map(of_lane); plain.outcome.outputs.len()];
        // All lanes share it.
        let memory = MemoryEnvelope::new(not_finite != 0);
        Self { tolerance, killed_is_certain: !not_finite, memory, plain, like_hardware }
    }

    /// Whether any value differs from the interpreter's bits, so that tolerances matter.
    fn has_inexact(&self, got: &OfChip<'_>) -> bool {
        let judged = self.judged(got);
        !judged.differences.is_empty() || judged.near > 0
    }

    /// Widens the envelope by a run with errors; a run that does not finish makes every value acceptable.
    fn widen(&mut self, run: Option<Interpreted>) {
        let Some(run) = run else {
            self.tolerance.iter_mut().flatten().for_each(|lane| *lane = [Tolerance::Open; 4]);
            (self.killed_is_certain, self.memory.is_open) = (0, true);
            return;
        };
        let plain = &self.plain;
        self.killed_is_certain &= !(run.outcome.killed ^ plain.outcome.killed);
        self.memory.widen(plain, &run);
        let registers = self.tolerance.iter_mut().zip(&plain.outcome.outputs);
        for ((tolerance, own), other) in registers.zip(&run.outcome.outputs) {
            for lane in 0..4 {
                for channel in 0..4 {
                    tolerance[lane][channel].widen(own[lane][channel], other[lane][channel]);
                }
            }
        }
    }

    fn judged(&self, got: &OfChip<'_>) -> Agreement {
        let mut agreement = Agreement::default();
        for lane in 0..4 {
            let [by_chip, by_interpreter] =
                [got.ran.killed, self.plain.outcome.killed].map(|mask| mask >> lane & 1 == 1);
            if by_chip != by_interpreter {
                match self.killed_is_certain >> lane & 1 {
                    1 => agreement.differences.push(Difference::Killed { lane, by_chip }),
                    _ => agreement.open += 1,
                }
            } else if by_chip {
                agreement.exact += 1;
            } else {
                self.outputs(&mut agreement, lane, got.ran);
            }
        }
        self.memory(&mut agreement, got);
        agreement.differences.sort_unstable();
        agreement
    }

    /// Judges the values that each destination receives from a lane, and the missing ones.
    fn outputs(&self, agreement: &mut Agreement, lane: usize, ran: &Ran) {
        let copies = ran.copies.iter().map(|(register, exported)| (register, exported));
        for (&register, exported) in ran.outputs.iter().chain(copies) {
            self.lane(agreement, register, (lane, exported));
        }
        for (&register, lanes) in &ran.missing {
            let want = self.plain.outcome.outputs.get(register).map(|quad| quad[lane]);
            for (channel, interpreter) in want.into_iter().flatten().enumerate() {
                if lanes[lane] >> channel & 1 == 1 {
                    let at = Difference::Missing { register, channel, lane, interpreter };
                    agreement.differences.push(at);
                }
            }
        }
    }

    fn lane(
        &self,
        agreement: &mut Agreement,
        register: usize,
        (lane, exported): (usize, &Exported),
    ) {
        let outputs = &self.plain.outcome.outputs;
        let Some(want) = outputs.get(register).map(|quad| quad[lane]) else { return };
        let hardware =
            self.like_hardware.as_ref().and_then(|run| run.outcome.outputs.get(register));
        for (channel, &interpreter) in want.iter().enumerate() {
            let Some(chip) = exported[lane][channel] else { continue };
            let is_hardware = hardware.is_some_and(|quad| is_same(quad[lane][channel], chip));
            if is_same(interpreter, chip) || is_hardware {
                agreement.exact += 1;
                continue;
            }
            match self.tolerance[register][lane][channel] {
                tolerance if tolerance.allows_nan(chip, interpreter) => agreement.exact += 1,
                Tolerance::Open => agreement.open += 1,
                tolerance if tolerance.allows(chip, interpreter) => agreement.near += 1,
                _ => {
                    let at = Difference::Output { register, channel, lane, interpreter, chip };
                    agreement.differences.push(at);
                }
            }
        }
    }

    fn memory(&self, agreement: &mut Agreement, got: &OfChip<'_>) {
        for (&buffer, words) in got.buffers {
            self.words(agreement, Space::Buffer(buffer), words);
        }
        for (&image, words) in got.images {
            self.words(agreement, Space::Image(image), words);
        }
        for (&buffer, words) in &got.ran.hardware_counters {
            self.words(agreement, Space::Counters(buffer), words);
        }
        let left = got.ran.local_memory.get(got.memory.len()..).unwrap_or_default();
        let mut shared = [got.memory, left].concat();
        let used = used_words(&shared).max(got.memory.len());
        shared.resize(used.max(self.plain.memory.len()), 0);
        self.words(agreement, Space::Shared, &shared);
    }

    fn words(&self, agreement: &mut Agreement, space: Space, words: &[u32]) {
        for (number, &chip) in words.iter().enumerate() {
            let interpreter = space.word(&self.plain, number);
            let hardware = self.like_hardware.as_ref().map(|run| space.word(run, number));
            if is_same(chip, interpreter) || hardware == Some(chip) {
                agreement.exact += 1;
                continue;
            }
            match self.memory.tolerance((space, number)) {
                allowed if allowed.allows_nan(chip, interpreter) => agreement.exact += 1,
                Tolerance::Open => agreement.open += 1,
                allowed if allowed.allows(chip, interpreter) => agreement.near += 1,
                _ => agreement.differences.push(space.difference(number, interpreter, chip)),
            }
        }
    }
}

/// Equality except for the sign of zero. A word that is NaN as a float may be a negative integer.
fn is_same(a: u32, b: u32) -> bool {
    Tolerance::None.allows(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences of a chip that returns `got` from an interpreter that returns `want`, and with errors either of
    /// `erred`.
    fn differences(want: u32, got: u32, erred: [u32; 2]) -> usize {
        let channel = |bits: u32| [[bits, 0, 0, 0]; 4];
        let outputs = BTreeMap::from([(0, channel(got).map(|lane| lane.map(Some)))]);
        let ran = Ran { outputs, ..Ran::default() };
        let (buffers, images) = Default::default();
        let of_chip = OfChip { ran: &ran, buffers: &buffers, images: &images, memory: &[] };
        let mut runs = [want, want].into_iter().chain(erred.into_iter().cycle());
        let run = |_| {
            let outputs = runs.next().map(channel).into_iter().collect();
            let outcome = Outcome { outputs, ..Outcome::default() };
            Ok(Interpreted { outcome, ..Interpreted::default() })
        };
        compare(Chip::Cypress, Errors::Everything, &of_chip, run).unwrap().differences.len()
    }

    #[test]
    fn integers_are_exact_and_floats_as_near_as_runs() {
        let [minus_one, minus_two] = [-1_i32, -2].map(i32::cast_unsigned);
        assert_eq!(differences(minus_one, minus_two, [minus_one; 2]), 4);
        assert_eq!(differences(5, 6, [5; 2]), 4);
        assert_eq!(differences(5, 6, [5, 6]), 0);
        let nan = f32::NAN.to_bits();
        assert_eq!(differences(nan, minus_two, [nan, nan ^ 1 << 31]), 0);
    }

    /// What differs where a chip leaves `got` in a buffer and `beyond` in shared memory, of which no word was given; the
    /// interpreter leaves `want` in the buffer and nothing in shared memory, and with errors the first word is another.
    fn in_memory(want: [u32; 2], got: [u32; 2], beyond: &[u32]) -> Vec<Difference> {
        let ran = Ran { local_memory: beyond.to_vec(), ..Ran::default() };
        let (buffers, images) = (BTreeMap::from([(3, got.to_vec())]), BTreeMap::new());
        let of_chip = OfChip { ran: &ran, buffers: &buffers, images: &images, memory: &[] };
        let mut runs = 0;
        let run = |_| {
            runs += 1;
            let first = if runs > 2 { want[0] + runs % 4 } else { want[0] };
            let buffers = BTreeMap::from([(3, vec![first, want[1]])]);
            Ok(Interpreted { buffers, ..Interpreted::default() })
        };
        compare(Chip::Cypress, Errors::Everything, &of_chip, run).unwrap().differences
    }

    #[test]
    fn an_inexact_word_hides_no_other() {
        let third = (1.0_f32 / 3.0).to_bits();
        assert_eq!(in_memory([third, 7], [third + 1, 7], &[]), []);
        let word = Difference::Buffer { buffer: 3, word: 1, interpreter: 7, chip: 8 };
        assert_eq!(in_memory([third, 7], [third + 1, 8], &[]), [word]);
    }

    #[test]
    fn shared_memory_is_compared_where_none_was_given() {
        let word = Difference::Memory { word: 1, interpreter: 0, chip: 5 };
        assert_eq!(in_memory([1, 1], [1, 1], &[0, 5, 0]), [word]);
    }

    /// A chip that exports nothing of two channels, and in a second place another value.
    #[test]
    fn what_does_not_arrive_differs_and_every_place_counts() {
        let value = [[7, 0, 0, 0]; 4];
        let copies = vec![(0, value.map(|_| [Some(8), None, None, None]))];
        let missing = BTreeMap::from([(0, [0, 0, 0, 0b1001])]);
        let ran = Ran { copies, missing, killed: 0b0111, ..Ran::default() };
        let (buffers, images) = Default::default();
        let of_chip = OfChip { ran: &ran, buffers: &buffers, images: &images, memory: &[] };
        let outcome = Outcome { outputs: vec![value], killed: 0b0111, ..Outcome::default() };
        let run = |_| Ok(Interpreted { outcome: outcome.clone(), ..Interpreted::default() });
        let (register, lane) = (0, 3);
        let lacks =
            |channel, interpreter| Difference::Missing { register, channel, lane, interpreter };
        let other = Difference::Output { register, channel: 0, lane, interpreter: 7, chip: 8 };
        let agreement = compare(Chip::Cypress, Errors::Everything, &of_chip, run).unwrap();
        assert_eq!(agreement.differences, [other, lacks(0, 7), lacks(3, 0)]);
    }
}
