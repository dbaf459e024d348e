//! From shaders to words.

mod declaration;
mod error;
mod instruction;
mod operand;
mod writer;

use tgsi_ir::Shader;

use crate::format::{Shape, TokenFormat, with_shape};

pub use error::{EncodeError, EncodeReason};
use writer::Writer;

/// The token stream of `shader`.
///
/// # Errors
/// When a construct has no number in the dialect, no field in its layout, or does not fit its field.
pub fn encode(shader: &Shader, format: impl Into<TokenFormat>) -> Result<Vec<u32>, EncodeError> {
    let format = format.into();
    with_shape!(format, encode_shape::<_>(shader))
}

fn encode_shape<S: Shape>(shader: &Shader) -> Result<Vec<u32>, EncodeError> {
    Writer::<S>::write(shader)
}
