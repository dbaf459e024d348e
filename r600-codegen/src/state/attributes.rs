//! Registers of what a vertex shader takes from semantic fetches: attribute n goes to R(n + 1).
//!
//! Fetch shaders that name registers do not need them; the files of Latte's own tools have them for all shaders.

use r600_isa::Generation;

use crate::abi::VertexFetch;
use crate::generated::registers::{sq_vtx_semantic as semantic, sq_vtx_semantic_clear as clear};

use super::{Facts, State};

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) {
    let is_early = matches!(state.generation, Generation::R600 | Generation::R700);
    if !is_early || facts.key.vertex_fetch != VertexFetch::FetchShader {
        return;
    }
    let mut taken = 0_u32;
    for slot in facts.inputs.iter().filter(|slot| slot.register < 32) {
        let register = u32::from(slot.register);
        taken |= 1 << register;
        state.set_at(semantic::REGISTER, register, semantic::SEMANTIC_ID.of(register));
    }
    state.set(clear::REGISTER, clear::CLEAR.of(!taken));
}
