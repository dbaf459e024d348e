//! Reads and writes TGSI token streams: the dialects of Mesa 7.8, 9.0 and 21.2, from little- and big-endian machines.
//!
//! A stream is a list of 32-bit words: a header, then declarations, immediates, properties and instructions in any
//! order. It does not record its dialect; the caller must know it.
//!
//! ```
//! use tgsi_binary::{decode, encode};
//! use tgsi_ir::Dialect;
//!
//! let words = [0x0000_0202, 0, 0x0006_b002, 0x0007_5002];
//! let decoded = decode(&words, Dialect::Y2021)?;
//! assert_eq!(decoded.shader.instructions.len(), 2);
//! assert_eq!(decoded.to_words()?, words);
//!
//! // The same shader as Mesa 7.8 numbers and lays it out.
//! assert_eq!(encode(&decoded.shader, Dialect::Y2010)?, [0x0202, 1, 0x0006_b002, 0x0007_5002]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`encode`] writes the shader as it is: it looks up numbers, and rejects constructs without one. Use
//! `tgsi_ir::translate` first to rewrite constructs that differ between dialects.
//!
//! # Invariants
//! - `decode(w)?.to_words()? == w` for every readable stream: bits outside of known fields are kept beside the shader.
//! - `decode(encode(s)?)?.shader == s`, except for two things that the 2010 layout cannot tell apart: an input
//!   of a fragment shader without interpolation is one with constant interpolation, and elsewhere the other
//!   way round.
//! - Encoding never truncates a value.
//! - Reading allocates a small multiple of the stream's size, and never panics.

mod decode;
mod dump;
mod encode;
mod field;
mod format;
pub mod fuzzing;
mod generated;
mod reserved;

pub use decode::{DecodeError, DecodeReason, Decoded, decode, decode_within};
pub use dump::{dump, dump_within};
pub use encode::{EncodeError, EncodeReason, encode};
pub use format::{Host, PartialWord, TokenFormat};
pub use reserved::Reserved;

/// The examples of the front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
