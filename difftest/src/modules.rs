//! Random SPIR-V, with an evaluator that knows nothing of its translation.
//!
//! A module is a fragment shader of structured control flow in every form that SPIR-V allows: loops with their test
//! anywhere and continue blocks of their own, headers whose sides meet again, switches that fall through, branches out
//! of everything, early returns, calls, discards; with phis on all edges, values that outlive the construct that made
//! them, vectors, matrices, structs and arrays with run-time subscripts. It always ends. What it does follows from its
//! words, block by block ([`evaluate`]): translated, it must do the same.

mod evaluate;
mod expressions;
mod generate;
mod loops;
mod module;
mod selections;
mod translated;
mod types;

pub use evaluate::{Inputs, Lane, Stop, evaluate};
pub use generate::module;
pub use translated::{Compared, compare};
