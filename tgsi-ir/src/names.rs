//! Case-insensitive lookup of a word in a table.

/// Marks a free slot.
const FREE: u16 = u16::MAX;

/// Words with their values, hashed into `SLOTS` slots at compile time.
///
/// The text parser looks up several words per instruction. One probe and one comparison are the common case.
pub(crate) struct NameTable<T: 'static, const SLOTS: usize> {
    entries: &'static [(&'static str, T)],
    slots: [u16; SLOTS],
}

impl<T: Copy, const SLOTS: usize> NameTable<T, SLOTS> {
    /// A table of `entries`; `SLOTS` is a power of two well above their number.
    pub(crate) const fn new(entries: &'static [(&'static str, T)]) -> Self {
        assert!(SLOTS.is_power_of_two() && entries.len() < SLOTS && entries.len() < FREE as usize);
        let mut slots = [FREE; SLOTS];
        let mut index = 0;
        while index < entries.len() {
            let mut slot = hash(entries[index].0.as_bytes()) as usize % SLOTS;
            while slots[slot] != FREE {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = index as u16;
            index += 1;
        }
        Self { entries, slots }
    }

    /// The value of `word`, in upper or lower case.
    #[inline]
    pub(crate) fn find(&self, word: &[u8]) -> Option<T> {
        let mut slot = hash(word) as usize % SLOTS;
        loop {
            let (name, value) = self.entries.get(usize::from(self.slots[slot]))?;
            // Upper case is the common case, and quicker to compare.
            if name.as_bytes() == word || name.as_bytes().eq_ignore_ascii_case(word) {
                return Some(*value);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// A hash of the first and last eight bytes and the length, the same for either case.
#[inline]
const fn hash(word: &[u8]) -> u32 {
    let len = word.len();
    let (head, tail) = match len {
        0 => (0, 0),
        1..4 => (word[0] as u64 | (word[len / 2] as u64) << 8, word[len - 1] as u64),
        4..8 => (load4(word, 0), load4(word, len - 4)),
        _ => (load8(word, 0), load8(word, len - 8)),
    };
    // Bit 5 distinguishes the cases of a letter.
    let fold = 0x2020_2020_2020_2020;
    let mixed = (head | fold) ^ (tail | fold).rotate_left(29) ^ (len as u64) << 56;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32
}

/// Four bytes of `word` from `at`.
#[inline]
const fn load4(word: &[u8], at: usize) -> u64 {
    u32::from_le_bytes([word[at], word[at + 1], word[at + 2], word[at + 3]]) as u64
}

/// Eight bytes of `word` from `at`.
#[inline]
const fn load8(word: &[u8], at: usize) -> u64 {
    load4(word, at) | load4(word, at + 4) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: NameTable<u8, 8> = NameTable::new(&[("IN", 1), ("OUT", 2), ("SAMPLE_I_MS", 3)]);

    #[test]
    fn words_are_found_in_either_case() {
        assert_eq!(TABLE.find(b"in"), Some(1));
        assert_eq!(TABLE.find(b"Out"), Some(2));
        assert_eq!(TABLE.find(b"sample_I_ms"), Some(3));
    }

    #[test]
    fn other_words_are_not() {
        for word in [&b""[..], b"I", b"INX", b"IN\0", b"SAMPLE_I_MT", b"\0IN"] {
            assert_eq!(TABLE.find(word), None, "{word:?}");
        }
    }
}
