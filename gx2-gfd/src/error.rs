//! Errors of GFD files.

use thiserror::Error;

/// Why a file, or a block of it, cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file lacks the GFD magic.
    #[error("the file does not begin with `Gfx2`")]
    Magic,
    /// The file is truncated.
    #[error("the file ends inside {what} at {at:#x}: {wanted:#x} bytes are missing")]
    Truncated {
        /// The truncated item.
        what: &'static str,
        /// Where it begins.
        at: usize,
        /// Number of missing bytes.
        wanted: usize,
    },
    /// A header whose size is smaller than its own fields.
    #[error("{what} at {at:#x} claims {size:#x} bytes; it takes at least 0x20")]
    HeaderSize {
        /// The item with this header.
        what: &'static str,
        /// Where it begins.
        at: usize,
        /// The size it states.
        size: u32,
    },
    /// No block begins where one must.
    #[error("no block begins at {at:#x}: {found:#010x} stands where `BLK{{` must")]
    BlockMagic {
        /// The offset.
        at: usize,
        /// The word found there.
        found: u32,
    },
    /// A structure that does not fit in its block.
    #[error("{what} does not fit the block's {size:#x} bytes")]
    Structure {
        /// The structure.
        what: &'static str,
        /// Bytes of the block.
        size: usize,
    },
    /// A nonempty table without a pointer.
    #[error("the table of {0} has elements, but no pointer")]
    NoTable(&'static str),
    /// A pointer out of its block.
    #[error("the pointer {pointer:#010x} of {what} leads outside the block's {size:#x} bytes")]
    Pointer {
        /// The item it belongs to.
        what: &'static str,
        /// The pointer, including its tag.
        pointer: u32,
        /// Bytes of the block.
        size: usize,
    },
    /// An unterminated name.
    #[error("the name at {0:#x} of the block has no end")]
    Name(usize),
    /// Names that overlap excessively.
    #[error("the names of the block take many times the block's size")]
    Names,
    /// A block larger than its pointers can address.
    #[error("the block takes {0:#x} bytes, and pointers reach 0x100000")]
    TooLarge(usize),
    /// Changed tables no longer fit in their kept layout.
    #[error("the changed block no longer fits the layout it was read with")]
    Layout,
    /// A block too large for the size field of its header.
    #[error("a block of {0:#x} bytes is too long for a 32-bit size")]
    Size(usize),
}
