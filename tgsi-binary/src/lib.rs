//! Reads and writes TGSI token streams in the layout of Mesa 21.2.
//!
//! ```
//! let words = [0x0000_0202, 0, 0x0006_b002, 0x0007_5002];
//! let decoded = tgsi_binary::decode(&words)?;
//! assert_eq!(decoded.shader.instructions.len(), 2);
//! assert_eq!(decoded.to_words()?, words);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! - `decode(w)?.to_words()? == w` for every stream that can be read at all: bits that no field holds are
//!   kept beside the shader.
//! - Reading allocates a small multiple of the stream's size, and never panics.

mod decode;
mod encode;
mod field;
mod generated;

pub use decode::{DecodeError, Decoded, decode};
pub use encode::{EncodeError, encode};
