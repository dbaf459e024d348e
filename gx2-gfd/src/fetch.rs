//! Fetch shaders. GX2 makes them at run time, so no file contains them.

use crate::bytes::Endian;
use crate::error::Error;
use crate::generated::enums::FetchShaderType;

/// `GX2FetchShader`, as laid out in the console's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FetchShader {
    /// The kind of tessellation that it feeds, if any.
    pub kind: FetchShaderType,
    /// `SQ_PGM_RESOURCES_FS`.
    pub resources: u32,
    /// Bytes of the program.
    pub program_size: u32,
    /// Pointer to the program.
    pub program: u32,
    /// Attributes that it loads.
    pub num_attribs: u32,
    /// Divisors in use.
    pub num_divisors: u32,
    /// Numbers of instances that share an element, for streams that advance by instance.
    pub divisors: [u32; 2],
}

impl FetchShader {
    /// Bytes of the structure.
    pub const SIZE: usize = 0x20;

    /// Reads the structure at the start of `bytes`.
    ///
    /// # Errors
    /// If there are too few bytes.
    pub fn read(bytes: &[u8], endian: Endian) -> Result<Self, Error> {
        let error = Error::Structure { what: "GX2FetchShader", size: bytes.len() };
        let word = |number: usize| endian.word(bytes, 4 * number).ok_or(error.clone());
        Ok(Self {
            kind: FetchShaderType(word(0)?),
            resources: word(1)?,
            program_size: word(2)?,
            program: word(3)?,
            num_attribs: word(4)?,
            num_divisors: word(5)?,
            divisors: [word(6)?, word(7)?],
        })
    }

    /// The bytes of the structure.
    #[must_use]
    pub fn write(&self, endian: Endian) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let words = [
            self.kind.0,
            self.resources,
            self.program_size,
            self.program,
            self.num_attribs,
            self.num_divisors,
            self.divisors[0],
            self.divisors[1],
        ];
        endian.put(&mut bytes, 0, &words);
        bytes
    }
}
