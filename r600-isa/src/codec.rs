//! One description of each word, run in all directions.
//!
//! An instruction describes its fields once, as a function over [`FieldIo`]. The encoder and the decoder run it on
//! words. The printer and the reader of listings run it on the properties after an instruction (see
//! [`FieldIo::property`]). So the four cannot disagree.

use crate::{FieldError, FieldSet, Generation};

/// A field of one of an instruction's words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At(pub(crate) usize, pub(crate) &'static FieldSet);

/// Value of a field.
pub(crate) trait FieldValue: Copy {
    /// Its bits.
    fn bits(self) -> u32;

    /// The value of these bits; `None` for reserved ones.
    fn from_bits(bits: u32) -> Option<Self>;
}

/// Format of a property's value in listings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// `NAME`, if set.
    Flag,
    /// `NAME(number)`.
    Number,
    /// `NAME(word)`, with the words by value; an empty word has no name, only a number.
    Words(&'static [&'static str]),
    /// `NAME(number)`, signed, in units of 1 by this.
    Fixed(u8),
}

/// A value that can be shown as a property.
pub(crate) trait TextValue: FieldValue {
    /// Its format.
    const FORM: Form;
}

/// One direction of the description.
pub(crate) trait FieldIo {
    /// The generation that determines the layout.
    fn generation(&self) -> Generation;

    /// The bits of a field: the encoder reads them from `value`, the decoder stores them there.
    fn bits(&mut self, at: At, value: &mut u32) -> Result<(), FieldError>;

    /// The same for a field that listings show by name, unless it has its default.
    fn shown_bits(&mut self, _shown: &Shown, at: At, value: &mut u32) -> Result<(), FieldError> {
        self.bits(at, value)
    }

    /// A field that has these bits in every instruction of the kind.
    fn fixed(&mut self, at: At, bits: u32) -> Result<(), FieldError> {
        let mut found = bits;
        self.bits(at, &mut found)?;
        if found == bits { Ok(()) } else { Err(reserved(at, found)) }
    }

    /// A field that listings show in the instruction itself.
    fn field<V: FieldValue>(&mut self, at: At, value: &mut V) -> Result<(), FieldError> {
        let mut bits = value.bits();
        self.bits(at, &mut bits)?;
        *value = V::from_bits(bits).ok_or_else(|| reserved(at, bits))?;
        Ok(())
    }

    /// A field that listings show as a property, unless it is 0.
    fn property<V: TextValue>(
        &mut self,
        name: &'static str,
        at: At,
        value: &mut V,
    ) -> Result<(), FieldError> {
        self.shown(Shown { name, form: V::FORM, default: 0 }, at, value)
    }

    /// A field with a custom form in listings.
    fn shown<V: FieldValue>(
        &mut self,
        shown: Shown,
        at: At,
        value: &mut V,
    ) -> Result<(), FieldError> {
        let mut bits = value.bits();
        self.shown_bits(&shown, at, &mut bits)?;
        *value = V::from_bits(bits).ok_or_else(|| reserved(at, bits))?;
        Ok(())
    }

    /// A signed field, shown as a property in units of 1 by `scale`.
    fn signed(
        &mut self,
        name: &'static str,
        at: At,
        scale: u8,
        value: &mut i8,
    ) -> Result<(), FieldError> {
        let max = at.1.on(self.generation()).map_or(0, crate::Field::max);
        let mut bits = i32::from(*value).cast_unsigned() & max;
        if sign_extend(bits, max) != i32::from(*value) {
            let value = i32::from(*value).cast_unsigned();
            return Err(FieldError::TooLarge { field: at.1.name, value, max: max / 2 });
        }
        self.shown_bits(&Shown { name, form: Form::Fixed(scale), default: 0 }, at, &mut bits)?;
        *value = sign_extend(bits, max) as i8;
        Ok(())
    }
}

/// Form of a field in listings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The name.
    pub(crate) name: &'static str,
    /// The format of its value.
    pub(crate) form: Form,
    /// The bits that are not shown.
    pub(crate) default: u32,
}

/// The signed value of `bits`, in a field whose largest unsigned value is `max`.
pub(crate) fn sign_extend(bits: u32, max: u32) -> i32 {
    let bits = bits.cast_signed();
    let max = max.cast_signed();
    if bits > max / 2 { bits - max - 1 } else { bits }
}

fn reserved(at: At, value: u32) -> FieldError {
    FieldError::Reserved { field: at.1.name, value }
}

/// Writes fields into words.
pub(crate) struct Encoder {
    generation: Generation,
    pub(crate) words: [u32; 4],
}

impl Encoder {
    pub(crate) const fn new(generation: Generation) -> Self {
        Self { generation, words: [0; 4] }
    }
}

impl FieldIo for Encoder {
    fn generation(&self) -> Generation {
        self.generation
    }

    fn bits(&mut self, At(word, field): At, value: &mut u32) -> Result<(), FieldError> {
        self.words[word] |= field.place(self.generation, *value)?;
        Ok(())
    }
}

/// Reads fields of words and records which bits were read.
pub(crate) struct Decoder {
    generation: Generation,
    words: [u32; 4],
    read: [u32; 4],
}

impl Decoder {
    pub(crate) const fn new(generation: Generation, words: [u32; 4]) -> Self {
        Self { generation, words, read: [0; 4] }
    }

    /// Whether every set bit was read, that is, nothing is lost.
    pub(crate) fn is_exact(&self) -> bool {
        self.words.iter().zip(&self.read).all(|(word, read)| word & !read == 0)
    }
}

impl FieldIo for Decoder {
    fn generation(&self) -> Generation {
        self.generation
    }

    fn bits(&mut self, At(word, field): At, value: &mut u32) -> Result<(), FieldError> {
        *value = 0;
        if let Some(place) = field.on(self.generation) {
            *value = self.words[word] >> place.lo & place.max();
            self.read[word] |= place.max() << place.lo;
        }
        Ok(())
    }
}

impl FieldValue for bool {
    fn bits(self) -> u32 {
        u32::from(self)
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Some(bits != 0)
    }
}

impl TextValue for bool {
    const FORM: Form = Form::Flag;
}

impl FieldValue for u8 {
    fn bits(self) -> u32 {
        u32::from(self)
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Self::try_from(bits).ok()
    }
}

impl TextValue for u8 {
    const FORM: Form = Form::Number;
}

impl FieldValue for u16 {
    fn bits(self) -> u32 {
        u32::from(self)
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Self::try_from(bits).ok()
    }
}

impl TextValue for u16 {
    const FORM: Form = Form::Number;
}

impl FieldValue for u32 {
    fn bits(self) -> u32 {
        self
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Some(bits)
    }
}

impl TextValue for u32 {
    const FORM: Form = Form::Number;
}

/// Makes a field of an enum whose discriminants are the bits.
macro_rules! field_enum {
    ($type:ident { $($name:ident = $word:literal),* $(,)? }) => {
        impl crate::codec::FieldValue for $type {
            fn bits(self) -> u32 {
                self as u32
            }

            fn from_bits(bits: u32) -> Option<Self> {
                [$(Self::$name),*].into_iter().find(|value| *value as u32 == bits)
            }
        }

        impl crate::codec::TextValue for $type {
            const FORM: crate::codec::Form = {
                const LEN: usize = 1 + {
                    let all = [$($type::$name as usize),*];
                    let (mut at, mut max) = (0, 0);
                    while at < all.len() {
                        max = if all[at] > max { all[at] } else { max };
                        at += 1;
                    }
                    max
                };
                const WORDS: [&str; LEN] = {
                    let mut words = [""; LEN];
                    $(words[$type::$name as usize] = $word;)*
                    words
                };
                crate::codec::Form::Words(&WORDS)
            };
        }
    };
}

pub(crate) use field_enum;
