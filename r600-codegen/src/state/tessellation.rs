//! Registers of tessellation: what an evaluation shader wants its patches cut into.

use r600_isa::registers::vgt_tf_param as param;
use tgsi_ir::{Primitive, PropertyName, TessSpacing};

use super::{Facts, State, StateError};

const EQUALLY: u32 = 0;
const INTO_ODD: u32 = 2;
const INTO_EVEN: u32 = 3;

const POINTS: u32 = 0;
const LINES: u32 = 1;
const CLOCKWISE: u32 = 2;
const COUNTERCLOCKWISE: u32 = 3;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let number = |name: PropertyName| facts.shader.property(name)?.try_into().ok();
    let is_set = |name: PropertyName| facts.shader.property(name).is_some_and(|value| value != 0);
    let domain = match number(PropertyName::TesPrimMode).and_then(Primitive::from_number) {
        Some(Primitive::Lines) => 0,
        Some(Primitive::Quads) => 2,
        _ => 1_u32,
    };
    let spacing = match number(PropertyName::TesSpacing).and_then(TessSpacing::from_number) {
        Some(TessSpacing::FractionalOdd) => INTO_ODD,
        Some(TessSpacing::FractionalEven) => INTO_EVEN,
        _ => EQUALLY,
    };
    let topology = if is_set(PropertyName::TesPointMode) {
        POINTS
    } else if domain == 0 {
        LINES
    } else if is_set(PropertyName::TesVertexOrderCw) {
        // The hardware's sense is the opposite of the language's, as the open driver has it.
        COUNTERCLOCKWISE
    } else {
        CLOCKWISE
    };
    let mut word = state.word();
    word.put(&param::TYPE, domain)?
        .put(&param::PARTITIONING, spacing)?
        .put(&param::TOPOLOGY, topology)?;
    state.set(param::REGISTER, word)
}
