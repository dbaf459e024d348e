#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Nothing here knows an IR, a chip, a file or a terminal; dumps and checks go through [`Observer`].
//! - The order of passes depends on the declarations alone: topological, ties in order of registration.
//! - A step gives the form that the next one takes: a pipeline without one of them does not compile.
//! - What an analysis found is dropped when a pass changes the form and does not preserve it.
//! - A [`Pipeline`] is immutable and `Sync`: build it once, run it over many inputs from many threads.
//! - A pass that another one needs can be neither disabled nor skipped.

mod analysis;
mod clock;
mod context;
mod declaration;
mod dot;
mod drawing;
mod error;
mod few;
mod form;
mod fuel;
mod graph;
mod id;
mod observer;
mod options;
mod pass;
mod pipeline;
mod plan;
mod report;
mod run;

pub use self::analysis::{Analysis, Undeclared};
pub use self::clock::Clock;
pub use self::context::PassCx;
pub use self::declaration::Declaration;
pub use self::drawing::{Drawing, DrawnEdge, DrawnKind, DrawnNode};
pub use self::error::{PipelineError, RunError};
pub use self::form::{ContextOf, ErrorOf, Form, Forms};
pub use self::fuel::Fuel;
pub use self::graph::EdgeKind;
pub use self::id::{AnalysisId, PassId};
pub use self::observer::Observer;
pub use self::options::{Options, PassSet};
pub use self::pass::{Done, Node, Pass, Step};
pub use self::pipeline::{Builder, Pipeline};
pub use self::report::{AnalysisReport, MemberReport, Outcome, PassReport, Report};
