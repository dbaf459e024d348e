#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - A request gets an answer, whatever the text holds; a text with mistakes gets as much as can be said of it.
//! - Places are those of the protocol: lines from 0, columns in units of UTF-16.

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
