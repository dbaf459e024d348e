//! Registers for a vertex shader's semantic fetches: attribute n goes to R(n + 1).
//!
//! Fetch shaders that name registers do not need them, but files of Latte's own tools have them for all shaders. A copy
//! shader has no attributes and leaves the registers to the vertex shader of the same draw.

use r600_isa::Generation;
use r600_isa::registers::{sq_vtx_semantic as semantic, sq_vtx_semantic_clear as clear};

use crate::abi::{VertexAs, VertexFetch};

use super::builder::{Facts, State, StateError};

/// Registers that a semantic fetch can write.
const NUM_ATTRIBUTES: u16 = 32;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let is_early = matches!(state.generation, Generation::R600 | Generation::R700);
    let is_fetched = facts.key.vertex_fetch == VertexFetch::FetchShader;
    if !is_early || !is_fetched || facts.key.vertex_as == VertexAs::Copy {
        return Ok(());
    }
    let mut taken = 0_u32;
    for slot in facts.inputs.iter().filter(|slot| slot.register < NUM_ATTRIBUTES) {
        let register = u32::from(slot.register);
        taken |= 1 << register;
        let mut word = state.word();
        word.put(&semantic::SEMANTIC_ID, register)?;
        state.set_at(semantic::REGISTER, register, word)?;
    }
    state.set_field(clear::REGISTER, &clear::CLEAR, !taken)
}
