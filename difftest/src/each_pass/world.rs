//! The surroundings of a function: its inputs, the answers to its requests, and its visible effects.

use r600_isa::Chan;
use r600_mir::Storage;

use super::inputs::{Freedom, Inputs, mix};
use super::names::Name;
use super::outcome::{Effect, Scope};
use super::word::Word;

/// Memory whose writes are counted, because reads depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    Shared,
    Counters,
    Stream,
    /// The local data share.
    Local,
}

impl Memory {
    /// The memory of a storage. Scratch memory is not visible from outside.
    pub(super) fn of(storage: Storage) -> Option<Self> {
        match storage {
            Storage::Scratch(_) => None,
            Storage::Shared => Some(Self::Shared),
            Storage::Counters => Some(Self::Counters),
            Storage::Stream => Some(Self::Stream),
        }
    }
}

/// The surroundings of one run.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) effects: Vec<Effect>,
    /// Number of visible writes to each memory.
    writes: [u64; 4],
    /// Number of clock reads.
    times: u64,
}

impl<'a> World<'a> {
    pub(super) fn new(inputs: &'a Inputs) -> Self {
        Self { inputs, effects: Vec::new(), writes: [0; 4], times: 0 }
    }

    /// The value of a register on entry.
    pub(super) fn live_in(&self, gpr: u8, chan: Chan) -> Word {
        Word::of(self.inputs.word(mix(&[1, gpr.into(), chan as u64])))
    }

    /// A constant of a buffer.
    pub(super) fn uniform(&self, bank: u8, index: u16, chan: Chan) -> Word {
        Word::of(self.inputs.word(mix(&[2, bank.into(), index.into(), chan as u64])))
    }

    /// Whether the lane covers a pixel, encoded as the fetch returns it.
    pub(super) fn covering(&self) -> Word {
        let covers = self.inputs.word(mix(&[3])) & 1 != 0;
        Word::of(if covers { 0 } else { u32::MAX })
    }

    /// Component `n` of the outside's answer to an operation, after `count` events that may change it.
    pub(super) fn answer(&self, number: u64, n: usize, words: &[Word], count: u64) -> Word {
        self.inputs.answer(number, n as u64, words, count)
    }

    /// Reads the clock, and returns the number of reads so far.
    pub(super) fn read_clock(&mut self) -> u64 {
        self.times += 1;
        self.times
    }

    /// Number of writes to `memory` so far.
    pub(super) fn writes(&self, memory: Memory) -> u64 {
        self.writes[memory as usize]
    }

    /// A visible effect, ordered among all except accesses to the local data share.
    pub(super) fn effect(&mut self, name: &Name, words: Vec<Word>) {
        let label = std::rc::Rc::clone(&name.text);
        self.effects.push(Effect { label, words, scope: Scope::Outside });
    }

    /// A visible write.
    pub(super) fn write(&mut self, memory: Memory, name: &Name, words: Vec<Word>) {
        self.writes[memory as usize] += 1;
        let scope = if memory == Memory::Local { Scope::Local } else { Scope::Outside };
        self.effects.push(Effect { label: std::rc::Rc::clone(&name.text), words, scope });
    }

    /// A barrier, ordered among all accesses.
    pub(super) fn barrier(&mut self, name: &Name) {
        let label = std::rc::Rc::clone(&name.text);
        self.effects.push(Effect { label, words: Vec::new(), scope: Scope::Both });
        self.settle(&[Memory::Shared, Memory::Counters, Memory::Local]);
    }

    /// From here on, reads of these memories may return the writes of others. Without freedom, reads must not move
    /// across this point.
    pub(super) fn settle(&mut self, memories: &[Memory]) {
        if self.inputs.freedom == Freedom::None {
            memories.iter().for_each(|&memory| self.writes[memory as usize] += 1);
        }
    }
}
