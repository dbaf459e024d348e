#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - It listens on 127.0.0.1 only, and answers only requests from its own page.
//! - Every request is bounded: the sizes of bodies and shaders, the time and the number of compilations are limited.
//! - The contents of the page come from the libraries; only places in the text are computed here.

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
