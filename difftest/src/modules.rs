//! Random SPIR-V, with an evaluator that shares nothing with the translation.
//!
//! A module is a fragment shader or a shader of one of the two tessellation stages. Its control flow is structured and
//! takes every form that SPIR-V allows: loops with a test in any place and separate continue blocks, loop headers whose
//! two sides meet again, switches with cases that fall through, branches out of every construct, early returns, calls
//! and discards. There are phis on all edges, and values used outside the construct that defines them. Data includes
//! vectors, matrices, structs, arrays with dynamic subscripts, 64-bit numbers, and blocks of memory of any layout. Each
//! lane writes its own part of one of the blocks. A module always terminates. The evaluator ([`evaluate`]) executes its
//! words block by block, and the translation must give the same results.

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
