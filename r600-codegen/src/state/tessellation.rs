//! Registers of tessellation: how an evaluation shader's patches are subdivided.

use r600_isa::registers::vgt_tf_param as param;
use tgsi_ir::{Primitive, PropertyName, TessSpacing};

use super::builder::{Facts, State, StateError};

const EQUALLY: u32 = 0;
const INTO_ODD: u32 = 2;
const INTO_EVEN: u32 = 3;

const POINTS: u32 = 0;
const LINES: u32 = 1;
const CLOCKWISE: u32 = 2;
const COUNTERCLOCKWISE: u32 = 3;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let domain = match facts.known(PropertyName::TesPrimMode, Primitive::from_number)? {
        Some(Primitive::Lines) => 0,
        Some(Primitive::Quads) => 2,
        None | Some(Primitive::Triangles) => 1_u32,
        Some(other) => {
            let (name, value) = (PropertyName::TesPrimMode, u32::from(other.number()));
            return Err(StateError::Property { name, value });
        }
    };
    let spacing = match facts.known(PropertyName::TesSpacing, TessSpacing::from_number)? {
        Some(TessSpacing::FractionalOdd) => INTO_ODD,
        Some(TessSpacing::FractionalEven) => INTO_EVEN,
        None | Some(TessSpacing::Equal) => EQUALLY,
    };
    let topology = if facts.shader.is_set(PropertyName::TesPointMode) {
        POINTS
    } else if domain == 0 {
        LINES
    } else if facts.shader.is_set(PropertyName::TesVertexOrderCw) {
        // The hardware's winding is the opposite of the language's, as in the open driver.
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
