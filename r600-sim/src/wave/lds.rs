//! Local memory: the addressed operations, their atomics and the two output queues.
//!
//! The global data share has the same operations, so it uses this code, too.

use std::collections::VecDeque;

use crate::error::Fault;
use crate::plan::alu::Queue;
use crate::plan::data_share::{Effect, LdsOp, SecondPlace};

/// The most dwords that an output queue holds for a lane. It is more than any code uses; the hardware's limit is
/// unknown.
const QUEUE_LIMIT: usize = 64;

/// Byte-addressed memory of dwords.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedMemory {
    pub(crate) words: Vec<u32>,
}

impl SharedMemory {
    /// Memory of `size` words that begins with the words of `start`.
    pub(crate) fn new(size: usize, start: &[u32]) -> Self {
        // The system provides zeroed memory cheaply, and most programs touch none of it.
        let mut words = vec![0; size];
        words.iter_mut().zip(start).for_each(|(word, &first)| *word = first);
        Self { words }
    }

    /// Performs `op` for one lane and returns its results.
    pub(crate) fn access(&mut self, op: &LdsOp, operands: [u32; 3]) -> Result<Returned, Fault> {
        let [address, first, second] = operands;
        match op.effect {
            Effect::Update(update) => {
                let word = self.word(address)?;
                let old = *word;
                *word = update(old, first, second);
                Ok(Returned::one(old))
            }
            Effect::Store { bytes } => self.store(address, bytes, first).map(|()| Returned::NONE),
            Effect::Read { bytes, is_signed } => {
                self.read(address, bytes, is_signed).map(Returned::one)
            }
            Effect::WritePair(place) => {
                let other = second_address(op, place, address, first);
                let old = [self.replace(address, first)?, self.replace(other, second)?];
                Ok(Returned([Some(old[0]), Some(old[1])]))
            }
            Effect::ReadPair(place) => {
                let other = second_address(op, place, address, first);
                Ok(Returned([Some(*self.word(address)?), Some(*self.word(other)?)]))
            }
            Effect::ReadWrite => {
                let old = *self.word(address)?;
                self.replace(first, second)?;
                Ok(Returned::one(old))
            }
        }
    }

    fn replace(&mut self, address: u32, value: u32) -> Result<u32, Fault> {
        self.word(address).map(|word| std::mem::replace(word, value))
    }

    fn store(&mut self, address: u32, bytes: u32, value: u32) -> Result<(), Fault> {
        let word = self.word(address)?;
        let (mask, shift) = part(address, bytes);
        *word = (*word & !(mask << shift)) | ((value & mask) << shift);
        Ok(())
    }

    fn read(&mut self, address: u32, bytes: u32, is_signed: bool) -> Result<u32, Fault> {
        let (mask, shift) = part(address, bytes);
        let value = (*self.word(address)? >> shift) & mask;
        let unused = 32 - 8 * bytes;
        Ok(if is_signed { ((value << unused) as i32 >> unused) as u32 } else { value })
    }

    fn word(&mut self, address: u32) -> Result<&mut u32, Fault> {
        let size = self.words.len() as u64 * 4;
        self.words.get_mut(address as usize / 4).ok_or(Fault::AddressOutOfRange {
            memory: "shared memory",
            address: u64::from(address),
            size,
        })
    }
}

/// Results of an operation: those for queue A and for queue B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Returned(pub(crate) [Option<u32>; 2]);

impl Returned {
    const NONE: Self = Self([None; 2]);

    fn one(value: u32) -> Self {
        Self([Some(value), None])
    }
}

/// The mask of a part of a dword, and its bit position in the dword.
fn part(address: u32, bytes: u32) -> (u32, u32) {
    let mask = u32::MAX >> (32 - 8 * bytes);
    (mask, 8 * (address & (4 - bytes)))
}

fn second_address(op: &LdsOp, place: SecondPlace, address: u32, operand: u32) -> u32 {
    match place {
        SecondPlace::Relative => address.wrapping_add(4 * op.offset),
        SecondPlace::Strided => address.wrapping_add(4 * 64 * op.offset),
        SecondPlace::Addressed => operand,
    }
}

/// The output queues of one lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queues {
    a: VecDeque<u32>,
    b: VecDeque<u32>,
}

impl Queues {
    /// Appends the results of an operation.
    pub(crate) fn push(&mut self, returned: Returned) -> Result<(), Fault> {
        let queues = [(&mut self.a, 'A'), (&mut self.b, 'B')];
        for ((queue, name), value) in queues.into_iter().zip(returned.0) {
            queue.extend(value);
            if queue.len() > QUEUE_LIMIT {
                return Err(Fault::QueueFull(name));
            }
        }
        Ok(())
    }

    /// Checks that a clause has popped all results of its accesses: they are lost for the next one.
    pub(crate) fn check_empty(&self) -> Result<(), Fault> {
        match (self.a.is_empty(), self.b.is_empty()) {
            (false, _) => Err(Fault::QueueLeft('A')),
            (true, false) => Err(Fault::QueueLeft('B')),
            (true, true) => Ok(()),
        }
    }

    /// The oldest value of a queue.
    pub(crate) fn front(&self, queue: Queue) -> Result<u32, Fault> {
        let (values, name) = match queue {
            Queue::A => (&self.a, 'A'),
            Queue::B => (&self.b, 'B'),
        };
        values.front().copied().ok_or(Fault::QueueEmpty(name))
    }

    /// Removes the oldest value of a queue.
    pub(crate) fn pop(&mut self, queue: Queue) {
        match queue {
            Queue::A => self.a.pop_front(),
            Queue::B => self.b.pop_front(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, LdsOp, Returned, SecondPlace, SharedMemory};
    use crate::error::Fault;

    fn memory() -> SharedMemory {
        SharedMemory { words: vec![0x8081_8283, 5] }
    }

    fn op(effect: Effect) -> LdsOp {
        LdsOp { effect, returns: true, offset: 1 }
    }

    #[test]
    fn parts_of_a_dword_are_read_with_their_sign() {
        let signed = op(Effect::Read { bytes: 1, is_signed: true });
        assert_eq!(memory().access(&signed, [1, 0, 0]), Ok(Returned([Some(0xffff_ff82), None])));
        let unsigned = op(Effect::Read { bytes: 2, is_signed: false });
        assert_eq!(memory().access(&unsigned, [2, 0, 0]), Ok(Returned([Some(0x8081), None])));
    }

    #[test]
    fn parts_of_a_dword_are_stored_without_touching_the_rest() {
        let mut memory = memory();
        memory.access(&op(Effect::Store { bytes: 1 }), [3, 0x1ff, 0]).unwrap();
        assert_eq!(memory.words, [0xff81_8283, 5]);
    }

    #[test]
    fn an_update_returns_the_old_value() {
        let mut memory = memory();
        let add = op(Effect::Update(|old, data, _| old.wrapping_add(data)));
        assert_eq!(memory.access(&add, [4, 7, 0]), Ok(Returned([Some(5), None])));
        assert_eq!(memory.words[1], 12);
    }

    #[test]
    fn a_pair_is_written_at_the_relative_place() {
        let mut memory = memory();
        memory.access(&op(Effect::WritePair(SecondPlace::Relative)), [0, 1, 2]).unwrap();
        assert_eq!(memory.words, [1, 2]);
    }

    #[test]
    fn an_address_outside_is_refused() {
        let read = op(Effect::Read { bytes: 4, is_signed: false });
        assert_eq!(
            memory().access(&read, [8, 0, 0]),
            Err(Fault::AddressOutOfRange { memory: "shared memory", address: 8, size: 8 })
        );
    }
}
