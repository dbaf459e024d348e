//! Opcode semantics: functions from operand bits to result bits, for all lanes at once.
//!
//! No compiler or simulator shares this code, so agreement with them is meaningful.

mod bits;
mod conversion;
mod double;
mod float;
mod integer;
mod maps;
mod neighbours;
mod packing;
mod scale;
mod vector;
mod wide;
mod zero_wins;

use tgsi_ir::Opcode;

use crate::lanes::{Operands, Vector};

pub(crate) use maps::{pair, set_pair};
pub(crate) use scale::fraction_and_exponent;

/// Computes all channels of all lanes.
pub(crate) type Function = fn(&Operands, &mut Vector);

/// Computes all channels of all lanes, given the active lanes.
pub(crate) type SubgroupFunction = fn(&Operands, u8, &mut Vector);

/// The function of an arithmetic opcode, or `None` for other opcodes.
pub(crate) fn find(opcode: Opcode) -> Option<Function> {
    const FAMILIES: [fn(Opcode) -> Option<Function>; 8] = [
        float::find,
        integer::find,
        bits::find,
        vector::find,
        packing::find,
        double::find,
        wide::find,
        conversion::find,
    ];
    FAMILIES.iter().find_map(|find| find(opcode)).or_else(|| neighbours::find_derivative(opcode))
}

/// The same for a shader with the property `MUL_ZERO_WINS`: zero times anything is zero.
pub(crate) fn find_where_zero_wins(opcode: Opcode) -> Option<Function> {
    zero_wins::find(opcode).or_else(|| find(opcode))
}

/// The function of an opcode that reads other active lanes.
pub(crate) fn find_subgroup(opcode: Opcode) -> Option<SubgroupFunction> {
    neighbours::find(opcode)
}
