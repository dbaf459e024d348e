//! Everything that `pass-manager` promises from outside: order, options, runs.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod analyses;
mod order;
mod run;
mod toy;
