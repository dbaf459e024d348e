//! Buffers, shared memory and counters.

use super::Machine;
use crate::error::ExecError;
use crate::lanes::{LANES, Vector, ZERO, lanes};
use crate::program::{MemoryAction, MemoryPlace, MemoryStep, Slot, Step};
use crate::resources::{AtomicOp, Resources, Space};

/// Bytes of a word, and of a constant.
const WORD: usize = 4;
const CONSTANT: u64 = 16;
/// Vectors that a constant buffer may have.
const MAX_CONSTANTS: u32 = 4096;

impl Machine<'_> {
    pub(super) fn memory(&mut self, step: &Step, memory: &MemoryStep) -> Result<(), ExecError> {
        self.load_sources(step)?;
        self.check_unit(step.at, &memory.unit, self.effective(memory))?;
        if let MemoryPlace::Image(target, format) = memory.place {
            return self.image(step, memory, (target, format));
        }
        let units = self.units(&memory.unit);
        let (values, comparands) = self.memory_values(memory);
        let mut results = ZERO;
        for lane in lanes(self.effective(memory)) {
            let space = space(memory.place, units[lane], lane);
            let address = self.address(memory.place, lane);
            if !self.is_counter_in_reach((memory.place, space), lane) {
                continue;
            }
            self.check_address(step, memory, (space, address), lane)?;
            match memory.action {
                MemoryAction::Load => self.load(step, (space, address), lane, &mut results),
                MemoryAction::Store => {
                    let vector = [0, 1, 2, 3].map(|c: usize| values[c][lane]);
                    self.store((space, address), memory.mask, vector);
                }
                MemoryAction::Atomic(op) => {
                    let operands = (values[0][lane], comparands[0][lane]);
                    let old = self.change((space, address), op, operands);
                    results.iter_mut().for_each(|channel| channel[lane] = old);
                }
                MemoryAction::Size => {
                    let size = self.resources.memory(space).map_or(0, |bytes| bytes.len());
                    results[0][lane] = u32::try_from(size).unwrap_or(u32::MAX);
                }
            }
        }
        self.fill_open(memory, &mut results);
        self.finish(step, &mut results)
    }

    /// Stops at a misaligned or out-of-bounds access, unless the launch continues after one.
    fn check_address(
        &mut self,
        step: &Step,
        memory: &MemoryStep,
        (space, address): (Space, u64),
        lane: usize,
    ) -> Result<(), ExecError> {
        let num_words = match memory.action {
            MemoryAction::Size => return Ok(()),
            MemoryAction::Load => num_loaded(step),
            MemoryAction::Store => num_words(memory.mask),
            MemoryAction::Atomic(_) => 1,
        };
        let end = address + (num_words * WORD) as u64;
        let is_inside = self.resources.memory(space).is_none_or(|bytes| end <= bytes.len() as u64);
        let is_plain = is_inside && address.is_multiple_of(WORD as u64);
        match is_plain || self.resources.goes_on_outside(space, address) {
            true => Ok(()),
            false => Err(ExecError::Address { at: step.at, lane, address }),
        }
    }

    /// The byte that an access of one lane begins at.
    fn address(&self, place: MemoryPlace, lane: usize) -> u64 {
        let base = match place {
            MemoryPlace::HardwareAtomic(first, index) => {
                // Numbers below the first counter do not exist.
                let number = self.counter_number((first, index), lane);
                u64::try_from(number).unwrap_or(u32::MAX.into()) * WORD as u64
            }
            _ => 0,
        };
        base + u64::from(self.operands[0][0][lane])
    }

    /// The number of a counter, before its address is added.
    fn counter_number(&self, (first, index): (i64, Option<(Slot, u16)>), lane: usize) -> i64 {
        first + index.map_or(0, |(slot, _)| i64::from(self.channel(slot)[lane] as i32))
    }

    /// Whether an index reaches a declared counter; others read as zero and drop writes. From there, an address may
    /// reach any other declared counter of the buffer.
    fn is_counter_in_reach(&self, (place, space): (MemoryPlace, Space), lane: usize) -> bool {
        let MemoryPlace::HardwareAtomic(first, Some((slot, array))) = place else { return true };
        let number = u64::try_from(self.counter_number((first, Some((slot, array))), lane));
        number.is_ok_and(|number| self.has_counter(space, number, array))
    }

    /// Whether a buffer has a counter, in the named array if there is one.
    fn has_counter(&self, space: Space, number: u64, array: u16) -> bool {
        let Space::HardwareAtomic(buffer) = space else { return true };
        i64::try_from(number)
            .is_ok_and(|number| self.program.counters.contains(buffer, array, number))
    }

    /// All words up to the last one needed must exist, or none is read; counters are read one by one.
    fn load(&mut self, step: &Step, place: (Space, u64), lane: usize, results: &mut Vector) {
        let words: Vec<Option<u32>> = (0..num_loaded(step))
            .map(|n| self.word((place.0, place.1 + (n * WORD) as u64)))
            .collect();
        let is_one_by_one = matches!(place.0, Space::HardwareAtomic(_));
        if !is_one_by_one && words.contains(&None) {
            return;
        }
        for (channel, word) in results.iter_mut().zip(words) {
            channel[lane] = word.unwrap_or(0);
        }
    }

    fn word(&mut self, (space, address): (Space, u64)) -> Option<u32> {
        if !self.has_counter(space, address / WORD as u64, 0) {
            return None;
        }
        match (space, self.resources.memory(space)) {
            (_, Some(bytes)) => word_at(bytes, address).map(|word| u32::from_le_bytes(*word)),
            (Space::Constants(buffer), None) => constant_word(self.resources, buffer, address),
            (_, None) => None,
        }
    }

    /// Writes each word that exists.
    fn store(&mut self, (space, address): (Space, u64), mask: u8, vector: [u32; 4]) {
        let Some(bytes) = self.resources.memory(space) else { return };
        for channel in (0..4).filter(|channel| mask >> channel & 1 == 1) {
            if let Some(word) = word_at(bytes, address + (channel * WORD) as u64) {
                *word = vector[channel].to_le_bytes();
            }
        }
    }

    /// Returns the word before the change; 0 if it does not exist.
    fn change(
        &mut self,
        (space, address): (Space, u64),
        op: AtomicOp,
        (value, comparand): (u32, u32),
    ) -> u32 {
        if !self.has_counter(space, address / WORD as u64, 0) {
            return 0;
        }
        let bytes = self.resources.memory(space);
        let Some(word) = bytes.and_then(|bytes| word_at(bytes, address)) else { return 0 };
        let old = u32::from_le_bytes(*word);
        *word = op.apply(old, value, comparand).to_le_bytes();
        old
    }
}

/// Words that a load reads: all up to the last one wanted.
fn num_loaded(step: &Step) -> usize {
    num_words(step.destination.as_ref().map_or(0, |destination| destination.mask))
}

/// Words up to the last channel of a mask.
const fn num_words(mask: u8) -> usize {
    (u8::BITS - mask.leading_zeros()) as usize
}

fn space(place: MemoryPlace, unit: u32, lane: usize) -> Space {
    match place {
        MemoryPlace::Shared => Space::Shared,
        MemoryPlace::Memory => Space::Memory(unit),
        MemoryPlace::Private => Space::Private(unit, (lane % LANES) as u8),
        MemoryPlace::HardwareAtomic(..) => Space::HardwareAtomic(unit),
        MemoryPlace::Constants => Space::Constants(unit),
        MemoryPlace::Buffer | MemoryPlace::Image(..) => Space::Buffer(unit),
    }
}

fn word_at(bytes: &mut [u8], address: u64) -> Option<&mut [u8; WORD]> {
    let start = usize::try_from(address).ok()?;
    bytes.get_mut(start..start.checked_add(WORD)?)?.first_chunk_mut()
}

/// A word of a constant buffer that is given vector by vector.
fn constant_word(resources: &dyn Resources, buffer: u32, address: u64) -> Option<u32> {
    let vector = u32::try_from(address / CONSTANT).ok().filter(|&vector| vector < MAX_CONSTANTS)?;
    let constant = resources.constant(buffer, vector)?;
    constant.get((address % CONSTANT) as usize / WORD).copied()
}
