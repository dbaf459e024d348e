//! Registers of shader structures, by name and field.

use crate::generated::registers::{compute, geometry, pixel, vertex};

/// A register, or an array of registers, in a shader structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub doc: &'static str,
    /// Index of its first word in the structure.
    pub(crate) first: usize,
    /// Number of words.
    pub count: usize,
    /// Its fields; empty for a plain count.
    pub fields: &'static [Field],
}

impl Register {
    /// The field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().copied().find(|field| field.name == name)
    }
}

/// A bit field of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Lowest bit.
    pub lo: u8,
    /// Highest bit.
    pub hi: u8,
    /// A one-line description.
    pub doc: &'static str,
}

impl Field {
    /// The largest value that fits.
    #[must_use]
    pub fn max(&self) -> u32 {
        u32::MAX >> (31 - (self.hi - self.lo))
    }

    /// Its value in `word`.
    #[must_use]
    pub fn get(&self, word: u32) -> u32 {
        word >> self.lo & self.max()
    }

    /// The word with this field replaced; `None` if the value does not fit.
    #[must_use]
    pub fn put(&self, word: u32, value: u32) -> Option<u32> {
        (value <= self.max()).then(|| word & !(self.max() << self.lo) | value << self.lo)
    }
}

/// The registers of any stage.
pub trait RegisterFile {
    /// Every register, in order.
    fn registers(&self) -> &'static [Register];

    /// Word `index` of a register; 0 if there is no such word.
    fn word(&self, register: Register, index: usize) -> u32;

    /// Sets word `index` of a register; no effect if there is no such word.
    fn set_word(&mut self, register: Register, index: usize, word: u32);

    /// The register with this name.
    fn find_register(&self, name: &str) -> Option<Register> {
        self.registers().iter().copied().find(|register| register.name == name)
    }
}

macro_rules! register_file {
    ($(#[$doc:meta])* $name:ident, $table:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(
            /// The words.
            pub [u32; $table::WORDS],
        );

        impl Default for $name {
            fn default() -> Self {
                Self([0; $table::WORDS])
            }
        }

        impl $name {
            /// Every register, in order.
            pub const ALL: &[Register] = $table::ALL;

            /// The register with this name.
            #[must_use]
            pub fn find(name: &str) -> Option<Register> {
                Self::ALL.iter().copied().find(|register| register.name == name)
            }

            /// Word `index` of a register; 0 if there is no such word.
            #[must_use]
            pub fn get(&self, register: Register, index: usize) -> u32 {
                self.all(register).get(index).copied().unwrap_or(0)
            }

            /// All words of a register.
            #[must_use]
            pub fn all(&self, register: Register) -> &[u32] {
                let last = register.first + register.count;
                self.0.get(register.first..last).unwrap_or(&[])
            }

            /// Sets word `index` of a register; no effect if there is no such word.
            pub fn set(&mut self, register: Register, index: usize, word: u32) {
                let place = (index < register.count).then_some(register.first + index);
                if let Some(own) = place.and_then(|place| self.0.get_mut(place)) {
                    *own = word;
                }
            }

            /// A field of word `index`; 0 if there is no such word.
            #[must_use]
            pub fn field(&self, register: Register, index: usize, name: &str) -> u32 {
                register.field(name).map_or(0, |field| field.get(self.get(register, index)))
            }

            /// Sets a field of word `index`; false if there is no such word or the value does not fit.
            #[must_use]
            pub fn set_field(
                &mut self,
                register: Register,
                index: usize,
                name: &str,
                value: u32,
            ) -> bool {
                let word = self.get(register, index);
                let put = register.field(name).and_then(|field| field.put(word, value));
                let put = put.filter(|_| index < register.count);
                if let Some(word) = put {
                    self.set(register, index, word);
                }
                put.is_some()
            }
        }

        impl RegisterFile for $name {
            fn registers(&self) -> &'static [Register] {
                Self::ALL
            }

            fn word(&self, register: Register, index: usize) -> u32 {
                self.get(register, index)
            }

            fn set_word(&mut self, register: Register, index: usize, word: u32) {
                self.set(register, index, word);
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = to.serialize_map(Some(Self::ALL.len()))?;
                for register in Self::ALL {
                    match self.all(*register) {
                        [word] => map.serialize_entry(register.name, word)?,
                        words => map.serialize_entry(register.name, words)?,
                    }
                }
                map.end()
            }
        }

        #[cfg(feature = "serde")]
        impl<'d> serde::Deserialize<'d> for $name {
            fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
                use serde::de::Error as _;
                let mut named = std::collections::BTreeMap::<String, Words>::deserialize(from)?;
                let mut own = Self::default();
                for register in Self::ALL {
                    let words = named.remove(register.name).map(Words::all);
                    let words = words.filter(|words| words.len() == register.count);
                    let words = words.ok_or_else(|| {
                        let (name, count) = (register.name, register.count);
                        D::Error::custom(format!("{name} needs {count} words"))
                    })?;
                    words.iter().enumerate().for_each(|(at, word)| own.set(*register, at, *word));
                }
                match named.keys().next() {
                    Some(name) => Err(D::Error::custom(format!("unknown register `{name}`"))),
                    None => Ok(own),
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                std::collections::BTreeMap::<String, Words>::json_schema(generator)
            }
        }
    };
}

/// One word, or a list.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Words {
    /// Of a register that there is once.
    One(u32),
    /// Of a register that there is several times.
    Many(Vec<u32>),
}

#[cfg(feature = "serde")]
impl Words {
    fn all(self) -> Vec<u32> {
        match self {
            Self::One(word) => vec![word],
            Self::Many(words) => words,
        }
    }
}

register_file!(
    /// Registers of a vertex shader; [`crate::vertex`] names them.
    VertexRegisters,
    vertex
);
register_file!(
    /// Registers of a pixel shader; [`crate::pixel`] names them.
    PixelRegisters,
    pixel
);
register_file!(
    /// Registers of a geometry shader; [`crate::geometry`] names them.
    GeometryRegisters,
    geometry
);
register_file!(
    /// Registers of a compute shader; [`crate::compute`] names them.
    ComputeRegisters,
    compute
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_set_without_touching_others() {
        let mut registers = VertexRegisters::default();
        registers.set(vertex::SPI_VS_OUT_ID, 9, u32::MAX);
        assert!(registers.set_field(vertex::SPI_VS_OUT_ID, 9, "SEMANTIC_1", 7));
        assert_eq!(registers.get(vertex::SPI_VS_OUT_ID, 9), 0xFFFF_07FF);
        assert_eq!(registers.field(vertex::SPI_VS_OUT_ID, 9, "SEMANTIC_1"), 7);
        assert!(!registers.set_field(vertex::SPI_VS_OUT_ID, 9, "SEMANTIC_1", 256));
        assert!(!registers.set_field(vertex::SPI_VS_OUT_ID, 10, "SEMANTIC_1", 0));
        assert_eq!(registers.get(vertex::SPI_VS_OUT_ID, 10), 0);
        assert_eq!(VertexRegisters::find("PA_CL_VS_OUT_CNTL"), Some(vertex::PA_CL_VS_OUT_CNTL));
    }
}
