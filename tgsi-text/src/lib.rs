//! Reads and prints TGSI text, with spans and diagnostics.
//!
//! ```
//! let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
//! let parsed = tgsi_text::parse(text);
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(tgsi_text::print(&parsed.shader, tgsi_text::Style::Mesa), text);
//! ```
//!
//! [`parse_with`] selects between the extended language (described on the crate's front page) and Mesa's own.
//! [`print`](print()) takes a style. [`format`](format()) keeps comments. [`SourceMap`] maps the parts of a shader to
//! their places.
//!
//! # Invariants
//! - Parsing resumes after a mistake: one typing error gives one error, and the rest is read.
//! - Every diagnostic has a span, and names the word at fault.
//! - Whatever Mesa 21.2 accepts is accepted, with the same meaning. One exception exists, only in [`Language::Mesa`]:
//!   the blank before the comma keeps `COLOR` in `ARRAY(1) , COLOR` from being a semantic.
//! - The output of [`Style::Lossless`] reads back to an equal shader, whatever token stream the shader came from.
//! - Parsing takes at most a small multiple of the text's memory, and never panics.

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
pub use source_map::{SourceMap, ends_line, line_and_column};
pub use today::Today;

/// The examples of the front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
