//! What can be wrong with a file.

use thiserror::Error;

/// Why a file, or a block of it, cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not begin as GFD files do.
    #[error("the file does not begin with `Gfx2`")]
    Magic,
    /// The file ends inside something.
    #[error("the file ends inside {what} at {at:#x}: {wanted:#x} bytes are missing")]
    Truncated {
        /// Inside what.
        what: &'static str,
        /// Where that begins.
        at: usize,
        /// How much is missing.
        wanted: usize,
    },
    /// A header that says that it is smaller than its own fields.
    #[error("{what} at {at:#x} claims {size:#x} bytes; it takes at least 0x20")]
    HeaderSize {
        /// Whose header.
        what: &'static str,
        /// Where it begins.
        at: usize,
        /// What it says.
        size: u32,
    },
    /// Something else stands where a block begins.
    #[error("no block begins at {at:#x}: {found:#010x} stands where `BLK{{` must")]
    BlockMagic {
        /// Where.
        at: usize,
        /// The word that is there.
        found: u32,
    },
    /// A structure that does not fit its block.
    #[error("{what} does not fit the block's {size:#x} bytes")]
    Structure {
        /// The structure.
        what: &'static str,
        /// Bytes of the block.
        size: usize,
    },
    /// A table that has elements and no place.
    #[error("the table of {0} has elements, but no pointer")]
    NoTable(&'static str),
    /// A pointer to outside its block.
    #[error("the pointer {pointer:#010x} of {what} leads outside the block's {size:#x} bytes")]
    Pointer {
        /// What it belongs to.
        what: &'static str,
        /// The pointer with its tag.
        pointer: u32,
        /// Bytes of the block.
        size: usize,
    },
    /// A name without an end.
    #[error("the name at {0:#x} of the block has no end")]
    Name(usize),
    /// Names that share their bytes many times over.
    #[error("the names of the block take many times the block's size")]
    Names,
    /// A block that is larger than the pointers in it reach.
    #[error("the block takes {0:#x} bytes, and pointers reach 0x100000")]
    TooLarge(usize),
    /// Tables that were changed so that the places which they had do not hold them any more.
    #[error("the changed block no longer fits the layout it was read with")]
    Layout,
    /// A block whose size no header can tell.
    #[error("a block of {0:#x} bytes is too long for a 32-bit size")]
    Size(usize),
}
