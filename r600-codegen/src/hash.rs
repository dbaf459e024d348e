//! A fast hash for the compiler's internal keys, for which attackers cannot choose collisions.

use std::hash::{BuildHasherDefault, Hasher};

/// A map by keys of the compiler's own.
pub(crate) type FastMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// A set of keys of the compiler's own.
pub(crate) type FastSet<K> = std::collections::HashSet<K, BuildHasherDefault<FastHasher>>;

/// Multiplies and rotates: good enough for small keys of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FastHasher(u64);

/// An odd number with well-spread bits: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl FastHasher {
    fn mix(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(SPREAD);
    }
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.mix(u64::from(byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }

    fn finish(&self) -> u64 {
        // The hash table uses the top bits as tags and the low bits as bucket numbers.
        self.0 ^ (self.0 >> 32)
    }
}
