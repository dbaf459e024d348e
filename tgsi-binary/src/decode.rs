//! From words to shaders.

mod declaration;
mod error;
mod instruction;
mod operand;
mod reader;

use tgsi_ir::{Limits, Shader};

use crate::encode::{EncodeError, encode};
use crate::format::{Shape, TokenFormat, with_shape};
use crate::generated::layout::WordKind;
use crate::reserved::Reserved;

pub use error::{DecodeError, DecodeReason};
use reader::Reader;

/// A decoded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The shader.
    pub shader: Shader,
    /// The format of the stream.
    pub format: TokenFormat,
    /// What the stream holds besides the shader.
    pub reserved: Reserved,
}

impl Decoded {
    /// The words that were read, bit for bit. A changed shader is written with the stream's reserved data, as far as
    /// that still has a place.
    ///
    /// # Errors
    /// When the shader was changed to something that the format cannot hold.
    pub fn to_words(&self) -> Result<Vec<u32>, EncodeError> {
        Ok(self.reserved.restore(encode(&self.shader, self.format)?))
    }
}

/// Reads a token stream. Words after the end that the header gives are not part of it.
///
/// # Errors
/// When the stream is truncated, has an unknown number that determines what follows, or has more operands, offsets or
/// values than Mesa's reader holds.
pub fn decode(words: &[u32], format: impl Into<TokenFormat>) -> Result<Decoded, DecodeError> {
    decode_within(words, format, Limits::default())
}

/// Reads a token stream that is no larger than `limits`.
///
/// # Errors
/// As [`decode`], and a [`DecodeReason::Limit`] if the stream is too large.
pub fn decode_within(
    words: &[u32],
    format: impl Into<TokenFormat>,
    limits: Limits,
) -> Result<Decoded, DecodeError> {
    decode_noting(words, format.into(), limits, &mut |_, _| {})
}

/// The same; reports the kind of each word to `note` as it is read.
pub(crate) fn decode_noting(
    words: &[u32],
    format: TokenFormat,
    limits: Limits,
    note: &mut impl Note,
) -> Result<Decoded, DecodeError> {
    let (shader, reserved) = with_shape!(format, decode_shape::<_>(words, limits, note))?;
    Ok(Decoded { shader, format, reserved })
}

/// Takes the number and the kind of each word.
pub(crate) trait Note: FnMut(usize, WordKind) {}

impl<F: FnMut(usize, WordKind)> Note for F {}

fn decode_shape<S: Shape>(
    words: &[u32],
    limits: Limits,
    note: &mut impl Note,
) -> Result<(Shader, Reserved), DecodeError> {
    let (mut reader, mut shader) = Reader::<S, _>::open(words, limits, note)?;
    while !reader.is_at_end() {
        reader.item(&mut shader)?;
    }
    Ok((shader, reader.reserved))
}
