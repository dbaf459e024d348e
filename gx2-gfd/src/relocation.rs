//! The relocation table at the end of a shader's header block: the pointers that a loader turns into addresses.

use crate::bytes::Endian;
use crate::structure::{DATA, offset};

/// Size of the header after the table, in bytes.
pub(crate) const SIZE: usize = 0x28;
/// `}BLK`.
const MAGIC: u32 = 0x7D42_4C4B;

/// The words of the header after the table, without magic and the count of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Relocation {
    /// Bytes of the header.
    pub header_size: u32,
    /// A word whose meaning is not established.
    pub unknown: u32,
    /// Bytes of structure, tables and names.
    pub data_size: u32,
    /// Pointer to the structure.
    pub data_offset: u32,
    /// Bytes of the names.
    pub text_size: u32,
    /// Pointer to the names.
    pub text_offset: u32,
    /// What is added to pointers, 0 in files.
    pub patch_base: u32,
    /// Words of the table.
    pub num_patches: u32,
    /// Pointer to the table.
    pub patch_offset: u32,
}

impl Relocation {
    /// The header at the end of a block, if there is one.
    pub(crate) fn read(bytes: &[u8], endian: Endian) -> Option<Self> {
        let start = bytes.len().checked_sub(SIZE)?;
        let mut words = [0; SIZE / 4];
        for (number, word) in words.iter_mut().enumerate() {
            *word = endian.word(bytes, start + 4 * number)?;
        }
        let [
            magic,
            header_size,
            unknown,
            data_size,
            data_offset,
            text_size,
            text_offset,
            rest @ ..,
        ] = words;
        let [patch_base, num_patches, patch_offset] = rest;
        (magic == MAGIC).then_some(Self {
            header_size,
            unknown,
            data_size,
            data_offset,
            text_size,
            text_offset,
            patch_base,
            num_patches,
            patch_offset,
        })
    }

    /// A header as all tools write it.
    pub(crate) fn usual(data_size: u32, text: (u32, u32), num_patches: u32) -> Self {
        let (text_offset, text_size) = text;
        Self {
            header_size: SIZE as u32,
            unknown: 0,
            data_size,
            data_offset: DATA,
            text_size,
            text_offset: DATA | text_offset,
            patch_base: 0,
            num_patches,
            patch_offset: DATA | data_size,
        }
    }

    /// All words of the header.
    pub(crate) fn words(&self) -> [u32; SIZE / 4] {
        [
            MAGIC,
            self.header_size,
            self.unknown,
            self.data_size,
            self.data_offset,
            self.text_size,
            self.text_offset,
            self.patch_base,
            self.num_patches,
            self.patch_offset,
        ]
    }

    /// The first byte of names or table.
    pub(crate) fn limit(&self) -> usize {
        let text = if self.text_offset == 0 { usize::MAX } else { offset(self.text_offset) };
        text.min(offset(self.patch_offset))
    }
}
