//! The executable form of a program. Everything that does not change while it runs is resolved once.
//!
//! Slots are assigned, sources are classified, constants are resolved through the clause's locked lines, instructions
//! become functions, and the rules that need no run-time value are checked.

pub(crate) mod alu;
mod build;
pub(crate) mod cf;
mod clause;
pub(crate) mod data_share;
mod decode;
pub(crate) mod fetch;
pub(crate) mod fetches;
pub(crate) mod hazards;
mod kcache;
mod operand;
mod rules;
mod semantics;
mod shared_memory;
mod word;

pub(crate) use build::{build, stack_rules};

/// A program that is ready to run.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Control flow by index; indices are the addresses that jumps use.
    pub(crate) cf: Vec<cf::CfStep>,
    /// ALU groups of all clauses.
    pub(crate) groups: Vec<alu::Group>,
    /// Fetch instructions of all clauses.
    pub(crate) fetches: Vec<fetch::Fetch>,
}
