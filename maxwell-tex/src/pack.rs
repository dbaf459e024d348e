//! From what a shader wants to an instruction and the order of its registers.
//!
//! A [`Request`] says what is wanted in the terms of a shading language; its values are of any type: virtual
//! registers, names, numbers. [`pack`] picks the instruction and puts the values in the order in which the
//! instruction reads them. What is left to the caller is to move them there.

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

/// The instruction for a request, and what goes in which register.
///
/// The registers of the instruction are the lowest that fit, results first; [`Packed::place`] takes others.
///
/// # Errors
/// When no instruction here does what is wanted: see [`PackError`].
pub fn pack<T: Clone>(request: &Request<T>, sm: Sm) -> Result<Packed<T>, PackError> {
    request.check()?;
    let packed = choose::choose(request)?;
    let mut broken = check(&packed.instruction, sm);
    broken.retain(|finding| finding.rule.severity() == Severity::Error);
    if broken.is_empty() { Ok(packed) } else { Err(PackError::Rules(broken)) }
}
