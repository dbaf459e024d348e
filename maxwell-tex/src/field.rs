//! Bit fields of words, and one description of a word for both directions.

/// Consecutive bits of a word, both ends included; bit 0 is the least significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Layout and field, for messages.
    pub name: &'static str,
    /// Lowest bit.
    pub lo: u8,
    /// Highest bit.
    pub hi: u8,
}

impl Field {
    /// The largest value that fits.
    pub const fn max(self) -> u64 {
        u64::MAX >> (63 - (self.hi - self.lo))
    }

    /// The field's part of `word`.
    pub const fn get(self, word: u64) -> u64 {
        (word >> self.lo) & self.max()
    }

    /// `value` in place; bits that do not fit are dropped.
    pub const fn place(self, value: u64) -> u64 {
        (value & self.max()) << self.lo
    }

    /// Whether both fields cover the same bits.
    pub const fn is_at(self, other: Self) -> bool {
        self.lo == other.lo && self.hi == other.hi
    }
}

/// The fields of a word.
#[derive(Debug)]
pub struct Layout {
    /// Its name in the tables.
    pub name: &'static str,
    /// Every field, lowest first; together they cover the word.
    pub fields: &'static [Field],
    /// Fields with fixed values: the opcode.
    pub fixed: &'static [(Field, u64)],
}

impl Layout {
    /// Whether `word` has this layout's opcode.
    pub fn matches(&self, word: u64) -> bool {
        self.fixed.iter().all(|&(field, value)| field.get(word) == value)
    }

    /// A word with only the opcode.
    pub fn opcode(&self) -> u64 {
        self.fixed.iter().fold(0, |word, &(field, value)| word | field.place(value))
    }
}

/// A type whose values correspond exactly to the codes of a field.
pub(crate) trait Bits: Copy {
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

impl Bits for bool {
    fn to_bits(self) -> u64 {
        self.into()
    }

    fn from_bits(bits: u64) -> Self {
        bits != 0
    }
}

impl Bits for u8 {
    fn to_bits(self) -> u64 {
        self.into()
    }

    fn from_bits(bits: u64) -> Self {
        bits as u8
    }
}

/// Implements [`Bits`] for enumerations with a variant for each code.
macro_rules! bits_of_codes {
    ($($name:ty),*) => {$(
        impl $crate::field::Bits for $name {
            fn to_bits(self) -> u64 {
                self.code().into()
            }

            fn from_bits(bits: u64) -> Self {
                Self::from_code(bits as u8)
            }
        }
    )*};
}
pub(crate) use bits_of_codes;

/// One direction of a codec. The encoder reads `value`, the decoder fills it.
pub(crate) trait FieldIo {
    fn field<T: Bits>(&mut self, field: Field, value: &mut T);
}

/// Puts fields into a word.
pub(crate) struct Encoder {
    pub(crate) word: u64,
}

/// Takes fields out of a word.
pub(crate) struct Decoder {
    pub(crate) word: u64,
}

impl FieldIo for Encoder {
    fn field<T: Bits>(&mut self, field: Field, value: &mut T) {
        let bits = value.to_bits();
        debug_assert!(bits <= field.max(), "{} holds {bits}", field.name);
        self.word |= field.place(bits);
    }
}

impl FieldIo for Decoder {
    fn field<T: Bits>(&mut self, field: Field, value: &mut T) {
        *value = T::from_bits(field.get(self.word));
    }
}
