//! Ways to break a program.

mod alu;
mod fetch;
mod flow;
mod memory;
mod places;

use difftest::random::Random;
use r600_codegen::internals::check::Declared;
use r600_isa::Program;

/// A program and what it declares.
pub(crate) type Whole = (Program, Declared);
/// Changes a program at a random place; false where there is no such place.
pub(crate) type Change = fn(&mut Whole, &mut Random) -> bool;
/// A way with its name.
pub(crate) type Kind = (&'static str, Change);

/// All ways.
pub(crate) fn kinds() -> Vec<Kind> {
    [alu::KINDS, flow::KINDS, fetch::KINDS, memory::KINDS].concat()
}
