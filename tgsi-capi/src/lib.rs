#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - One call makes a handle, and one call frees it. A call that fails returns NULL, and an error if the caller wants
//!   one.
//! - No panic crosses the boundary: it becomes an error. There is no global state. Several threads may use a handle as
//!   long as none frees it meanwhile.
//! - Every address is checked for NULL.
#![allow(unsafe_code, reason = "values go over the border as addresses")]
#![allow(non_camel_case_types, reason = "the names are those of the C header")]

mod border;
mod bytes;
mod error;
mod handle;
mod link;
mod program;
mod shader;
mod text;
mod words;

pub use bytes::*;
pub use error::*;
pub use link::*;
pub use program::*;
pub use shader::*;
pub use text::*;
pub use words::*;
