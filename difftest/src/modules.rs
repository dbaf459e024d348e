//! Random SPIR-V, with an evaluator that knows nothing of its translation.
//!
//! A module is a fragment shader, or one of the two tessellation stages, of structured control flow in every form that SPIR-V allows: loops with their test
//! anywhere and continue blocks of their own, headers whose sides meet again, switches that fall through, branches out
//! of everything, early returns, calls, discards; with phis on all edges, values that outlive the construct that made
//! them, vectors, matrices, structs and arrays with run-time subscripts, numbers of 64 bits, and blocks of memory of any
//! layout, one of which each lane writes in a part of its own. It always ends. What it does follows from its
//! words, block by block ([`evaluate`]): translated, it must do the same.

mod evaluate;
mod expressions;
mod functions;
mod generate;
mod layout;
mod loops;
mod module;
mod places;
mod selections;
mod shown;
mod stage;
mod translated;
mod types;
mod wide;

pub use evaluate::{Inputs, Lane, Stop, Vertex, evaluate};
pub use generate::module;
pub use translated::{Compared, compare};
