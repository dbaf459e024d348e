#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Every request gets an answer, whatever the text contains; a text with mistakes gets a partial answer.
//! - Positions follow the protocol: lines from 0, columns in UTF-16 units.

mod declaration;
mod diagnostics;
mod document;
mod formatting;
mod hover;
mod scan;
mod server;
mod tokens;

pub use lsp_server::Connection;
pub use server::{ServerError, serve, serve_stdio};
