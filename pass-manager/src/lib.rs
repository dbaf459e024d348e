#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Nothing here knows an IR, a chip, a file or a terminal; dumps and checks go through [`Observer`].
//! - The order of passes depends on the declarations alone: topological, ties in order of registration.
//! - A [`Pipeline`] is immutable and `Sync`: build it once, run it over many units from many threads.
//! - A pass that another one needs can be neither disabled nor skipped.

mod dot;
mod drawing;
mod error;
mod graph;
mod observer;
mod options;
mod pass;
mod pipeline;
mod report;

pub use self::drawing::{Drawing, DrawnEdge, DrawnPass};
pub use self::error::{PipelineError, RunError};
pub use self::observer::Observer;
pub use self::options::{Options, PassSet};
pub use self::pass::{Changed, Pass, PassId, Unit};
pub use self::pipeline::{Builder, Pipeline};
pub use self::report::{Outcome, PassReport, Report};
