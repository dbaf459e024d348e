#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - It listens on 127.0.0.1 only, and answers only requests that come from its own page.
//! - No request takes more than its share: bodies, shaders, time and the number of compilations are limited.
//! - What the page shows comes from the libraries; nothing is computed here but places in the text.

mod answer;
mod deadline;
mod foreign;
#[cfg(feature = "server")]
mod guard;
mod language;
mod limits;
mod lines;
pub mod page;
#[cfg(feature = "server")]
mod patient;
mod problem;
mod question;
#[cfg(feature = "server")]
mod server;
mod setup;
mod source;

pub use answer::{Answer, Costs, PassDeed, Shown, answer, answer_by, answer_with};
pub use foreign::{Complaint, ComplaintPlace, Translated, Translator};
pub use language::Language;
pub use limits::Limits;
pub use problem::Problem;
pub use question::{Question, View};
#[cfg(feature = "server")]
pub use server::{Explorer, router};
pub use setup::{Example, Setup};
