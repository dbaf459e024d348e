#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - It listens on 127.0.0.1 only, and answers only requests that come from its own page.
//! - No request takes more than its share: bodies, shaders, time and the number of compilations are limited.
//! - What the page shows comes from the libraries; nothing is computed here but places in the text.

mod answer;
mod deadline;
mod guard;
mod limits;
mod page;
mod question;
mod server;

pub use answer::{Answer, Costs, PassDeed, Problem, Shown, answer};
pub use limits::Limits;
pub use question::{Question, View};
pub use server::{Explorer, router};
