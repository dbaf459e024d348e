#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - The content of a picture is a value ([`Graph`], [`Chart`]) before it is drawn; drawing decides nothing.
//! - Text is measured in the font used for drawing, so no label overflows its box.
//! - Colour is never the only cue: kinds also differ in dashes, marks or words. All colours come from the palette of
//!   Okabe and Ito, which colour-blind people can tell apart.

mod canvas;
mod chart;
mod dependences;
mod flow;
mod graph;
mod passes;
#[cfg(feature = "png")]
mod raster;
mod source;
mod theme;
mod vector;

pub use canvas::Picture;
pub use chart::{Cell, CellKind, Chart, Row};
pub use dependences::{block_of, dependence_graph, largest_block, machine_code};
pub use flow::flow_graph;
pub use graph::{Edge, EdgeKind, Graph, MAX_NODES, Node, NodeKind, TooLarge};
pub use passes::pass_graph;
#[cfg(feature = "png")]
pub use raster::PngError;
pub use source::instruction_texts;
pub use theme::Theme;
