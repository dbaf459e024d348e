//! Names of values.

use crate::Generation;
use crate::generated::names::{ALU_SOURCE, DATA_FORMAT, NUM_FORMAT_ALL, RAT_OP};

/// Treatment of lanes that fail a predicate on Cayman, by the multiplier bits.
pub(crate) const EXEC_MASK_OPS: [&str; 4] = ["DEACTIVATE", "BREAK", "CONTINUE", "KILL"];

/// The name of a number in a name table, if it has one.
fn find(names: &'static [&'static str], value: u32) -> Option<&'static str> {
    names.get(value as usize).copied().filter(|name| !name.is_empty())
}

/// The number of a name.
fn number(names: &[&str], name: &str) -> Option<u32> {
    names.iter().position(|own| *own == name && !own.is_empty()).map(|at| at as u32)
}

/// Names of element formats by number; empty where there is none.
pub(crate) fn data_formats(generation: Generation) -> &'static [&'static str] {
    &DATA_FORMAT[generation as usize]
}

/// Names of number formats by number: how the bits of elements are interpreted.
pub(crate) fn num_formats(generation: Generation) -> &'static [&'static str] {
    &NUM_FORMAT_ALL[generation as usize]
}

/// The name of a random access target operation.
pub fn rat_op_name(generation: Generation, op: u8) -> Option<&'static str> {
    find(&RAT_OP[generation as usize], u32::from(op))
}

/// The random access target operation with this name.
pub fn rat_op(generation: Generation, name: &str) -> Option<u8> {
    number(&RAT_OP[generation as usize], name).map(|op| op as u8)
}

/// The name of a special operand.
pub(crate) fn alu_source_name(generation: Generation, selector: u16) -> Option<&'static str> {
    find(&ALU_SOURCE[generation as usize], u32::from(selector))
}

/// The selector of a special operand's name.
pub(crate) fn alu_source(generation: Generation, name: &str) -> Option<u16> {
    number(&ALU_SOURCE[generation as usize], name).map(|selector| selector as u16)
}
