#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - A handle is made by one call and freed by one; a call that fails gives NULL and, where the caller wants it, an error.
//! - No panic crosses the border: it becomes an error. There is no global state; handles may be used from several threads
//!   as long as nobody frees them meanwhile.
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
