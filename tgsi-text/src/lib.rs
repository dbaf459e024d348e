//! Reads and prints TGSI text, with spans and diagnostics.
//!
//! ```
//! let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
//! let parsed = tgsi_text::parse(text);
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(tgsi_text::print(&parsed.shader, tgsi_text::Style::Mesa), text);
//! ```
//!
//! [`parse_with`] chooses between the extended language (the crate's front page lists what it has) and Mesa's
//! own, [`print`](print()) between styles, [`format`](format()) keeps comments, and [`SourceMap`] tells where
//! the parts of a shader stand.
//!
//! # Invariants
//! - Reading goes on after a mistake: one typing error gives one error, and the rest is read.
//! - Every diagnostic has a span, and names the word at fault.
//! - Whatever Mesa 21.2 accepts is accepted, with the same meaning; only in [`Language::Mesa`] `ARRAY(1) , COLOR` is no
//!   semantic, for the blank before its comma.
//! - What [`Style::Lossless`] prints reads back to an equal shader, whatever token stream it came from.
//! - Reading takes at most a small multiple of the text's memory, and never panics.

mod cursor;
mod diagnostic;
mod findings;
mod format;
pub mod fuzzing;
pub mod mesa;
mod options;
mod parser;
mod printer;
mod source_map;
mod today;

pub use diagnostic::{Code, Diagnostic, Label, Severity, Span};
pub use findings::{Finding, violations};
pub use format::format;
pub use options::{Language, ParseOptions, PrintOptions, Style};
pub use parser::{Parsed, parse, parse_with, states_dialect};
pub use printer::print;
pub use source_map::{SourceMap, line_and_column};
pub use today::Today;

/// The examples of the front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
