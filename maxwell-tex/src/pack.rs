//! Selects the instruction for a request, and the order of its registers.
//!
//! A [`Request`] describes an access in the terms of a shading language. Its values are of any type: virtual registers,
//! names, numbers. [`pack`] selects the instruction and puts the values in the order in which the instruction reads
//! them. The caller only has to move them there.

mod choose;
mod error;
mod packed;
mod request;

pub use self::error::PackError;
pub use self::packed::{Content, Packed, Placement, Source};
pub use self::request::{Access, Data, LodArg, Request, TextureArg};
use crate::diagnostic::Severity;
use crate::generated::enums::Sm;
use crate::rules::check;

/// The instruction for a request, with the contents of its registers.
///
/// The instruction uses the lowest registers that fit, results first; [`Packed::place`] sets others.
///
/// # Errors
/// When no instruction supports the request: see [`PackError`].
pub fn pack<T: Clone>(request: &Request<T>, sm: Sm) -> Result<Packed<T>, PackError> {
    request.check()?;
    let packed = choose::choose(request)?;
    let mut broken = check(&packed.instruction, sm);
    broken.retain(|finding| finding.rule.severity() == Severity::Error);
    if broken.is_empty() { Ok(packed) } else { Err(PackError::Rules(broken)) }
}
