//! Whether compiled code does what the interpreter does: to the bit, or within the errors that its opcodes may have.
//!
//! A result of the hardware need not have the interpreter's bits: roots, powers and sines are approximated, and rewritten
//! sums round elsewhere. How far off it may be follows from running the interpreter with such errors made on purpose.
//! Where these runs disagree wildly, or infinities and NaN come in, nothing can be said.

use std::collections::BTreeMap;

use r600_isa::{Chip, Generation};
use tgsi_exec::{Angles, Errors, ExecError, Outcome, Perturbation, Tolerance};

use crate::on_chip::{Exported, Ran};

/// Runs with random errors.
const NUM_RUNS: u64 = 64;

/// A place where compiled code and interpreter differ.
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
    /// One of them kills the lane.
    Killed {
        /// The lane.
        lane: usize,
        /// Whether it is the chip.
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

/// What comparing came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Everything that differs by more than it may.
    pub differences: Vec<Difference>,
    /// Values with the bits of the interpreter, signs of zeros apart.
    pub exact: usize,
    /// Values within the errors that opcodes may have.
    pub near: usize,
    /// Values about which nothing can be said.
    pub open: usize,
}

impl Agreement {
    /// Values that were looked at.
    #[must_use]
    pub fn total(&self) -> usize {
        self.differences.len() + self.exact + self.near + self.open
    }
}

/// A run of the interpreter: what the lanes end with, and the words of buffers and of shared memory.
#[derive(Clone, Debug, Default)]
pub struct Interpreted {
    /// What the lanes end with.
    pub outcome: Outcome,
    /// The words of buffers.
    pub buffers: BTreeMap<u32, Vec<u32>>,
    /// The words of images.
    pub images: BTreeMap<u32, Vec<u32>>,
    /// The words of shared memory.
    pub memory: Vec<u32>,
}

/// What compiled code left.
#[derive(Clone, Debug)]
pub struct OfChip<'a> {
    /// Outputs and killed lanes.
    pub ran: &'a Ran,
    /// The words of buffers.
    pub buffers: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of images.
    pub images: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of shared memory.
    pub memory: &'a [u32],
}

/// Compares; `run` is the interpreter with errors of a kind, `errors` those that the compiler is free to make.
///
/// # Errors
/// When the run without errors stops.
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

/// Compares by what runs with errors came to.
struct Judge {
    plain: Interpreted,
    like_hardware: Option<Interpreted>,
    /// How far each channel of an output may be off.
    tolerance: Vec<[[Tolerance; 4]; 4]>,
    /// Lanes of which the runs agree whether they are killed.
    killed_is_certain: u8,
    /// Whether the runs agree on memory.
    memory_is_certain: bool,
}

impl Judge {
    fn new(plain: Interpreted, like_hardware: Option<Interpreted>) -> Self {
        let not_finite = plain.outcome.not_finite;
        // Anything goes where infinities or NaN came in.
        let of_lane = |lane: usize| match not_finite >> lane & 1 {
            0 => [Tolerance::None; 4],
            _ => [Tolerance::Open; 4],
        };
        let tolerance = vec![[0, 1, 2, 3].map(of_lane); plain.outcome.outputs.len()];
        let memory_is_certain = not_finite == 0;
        Self { tolerance, killed_is_certain: !not_finite, memory_is_certain, plain, like_hardware }
    }

    /// Whether anything has other bits than the interpreter, so that it matters how far off it may be.
    fn has_inexact(&self, got: &OfChip<'_>) -> bool {
        let judged = self.judged(got);
        !judged.differences.is_empty() || judged.near > 0
    }

    /// Takes in a run with errors; one that does not finish frees everything.
    fn widen(&mut self, run: Option<Interpreted>) {
        let Some(run) = run else {
            self.tolerance.iter_mut().flatten().for_each(|lane| *lane = [Tolerance::Open; 4]);
            (self.killed_is_certain, self.memory_is_certain) = (0, false);
            return;
        };
        let plain = &self.plain;
        self.killed_is_certain &= !(run.outcome.killed ^ plain.outcome.killed);
        self.memory_is_certain &= run.buffers == plain.buffers
            && run.images == plain.images
            && run.memory == plain.memory;
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
            } else if !by_chip {
                for (&register, exported) in &got.ran.outputs {
                    self.lane(&mut agreement, register, (lane, exported));
                }
            }
        }
        self.memory(&mut agreement, got);
        agreement.differences.sort_unstable();
        agreement
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
        let hardware = self.like_hardware.as_ref();
        for (&buffer, words) in got.buffers {
            let want = self.plain.buffers.get(&buffer).map_or(&[][..], Vec::as_slice);
            let other = hardware.and_then(|run| run.buffers.get(&buffer));
            let like = other.map(Vec::as_slice);
            for (word, interpreter, chip) in self.words(agreement, (words, want, like)) {
                let at = Difference::Buffer { buffer, word, interpreter, chip };
                agreement.differences.push(at);
            }
        }
        for (&image, words) in got.images {
            let want = self.plain.images.get(&image).map_or(&[][..], Vec::as_slice);
            let like = hardware.and_then(|run| run.images.get(&image)).map(Vec::as_slice);
            for (word, interpreter, chip) in self.words(agreement, (words, want, like)) {
                agreement.differences.push(Difference::Image { image, word, interpreter, chip });
            }
        }
        let like = hardware.map(|run| &run.memory[..]);
        for (word, interpreter, chip) in
            self.words(agreement, (got.memory, &self.plain.memory, like))
        {
            agreement.differences.push(Difference::Memory { word, interpreter, chip });
        }
    }

    /// The words that differ: number, and bits of interpreter and chip.
    fn words(
        &self,
        agreement: &mut Agreement,
        (got, want, like_hardware): (&[u32], &[u32], Option<&[u32]>),
    ) -> Vec<(usize, u32, u32)> {
        let mut differing = Vec::new();
        for (number, (&chip, &interpreter)) in got.iter().zip(want).enumerate() {
            let other = like_hardware.and_then(|words| words.get(number)).copied();
            if chip == interpreter || other == Some(chip) {
                agreement.exact += 1;
            } else if self.memory_is_certain {
                differing.push((number, interpreter, chip));
            } else {
                agreement.open += 1;
            }
        }
        differing
    }
}

/// The same but for the sign of zero. What is NaN as a float may be a negative integer.
fn is_same(a: u32, b: u32) -> bool {
    Tolerance::None.allows(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences of a chip that gives `got` from an interpreter that gives `want`, whose runs with errors give either of
    /// `erred`.
    fn differences(want: u32, got: u32, erred: [u32; 2]) -> usize {
        let channel = |bits: u32| [[bits, 0, 0, 0]; 4];
        let outputs = BTreeMap::from([(0, channel(got).map(|lane| lane.map(Some)))]);
        let ran = Ran { outputs, killed: 0, counters: Default::default() };
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
}
