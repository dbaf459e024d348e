//! Random shaders, for property tests of code that reads, writes, runs or compiles them.
//!
//! Every shader of [`shaders`] is valid: [`validate`](crate::validate::validate) finds no error, and its dialect can
//! express all of it. Immediates hold any bits, NaNs included.
//!
//! ```
//! use proptest::prelude::*;
//! use tgsi_ir::testing::shaders;
//! use tgsi_ir::validate::{Profile, is_valid, validate};
//! use tgsi_ir::Dialect;
//!
//! proptest!(|(shader in shaders(Dialect::Y2021))| {
//!     prop_assert!(is_valid(&validate(&shader, Profile::Full)));
//! });
//! ```

mod steps;
mod write;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Dialect, ImmediateType, Processor, Shader};

use steps::{Step, steps};

/// Registers that every generated shader declares, by file.
const NUM_TEMPS: u16 = 6;
const NUM_INPUTS: u16 = 3;
const NUM_OUTPUTS: u16 = 2;
const NUM_CONSTANTS: u16 = 5;
const NUM_IMMEDIATES: usize = 3;

/// Valid shaders of one dialect, with up to a few dozen instructions.
pub fn shaders(dialect: Dialect) -> impl Strategy<Value = Shader> {
    let stage = prop_oneof![Just(Processor::Vertex), Just(Processor::Fragment)];
    let immediates = vec((immediate_types(dialect), any::<[u32; 4]>()), NUM_IMMEDIATES);
    (stage, immediates, steps(dialect)).prop_map(move |(stage, immediates, steps)| {
        write::shader(dialect, stage, immediates, &steps)
    })
}

/// Types that all readers preserve bit for bit: 32-bit types in the old dialects, all types today.
fn immediate_types(dialect: Dialect) -> impl Strategy<Value = ImmediateType> {
    let all = [
        ImmediateType::Float32,
        ImmediateType::Uint32,
        ImmediateType::Int32,
        ImmediateType::Uint64,
        ImmediateType::Int64,
    ];
    let known: Vec<ImmediateType> =
        all.into_iter().filter(|kind| kind.number_in(dialect).is_some()).collect();
    proptest::sample::select(known)
}

#[cfg(test)]
mod tests;
