//! Initial registers of vertices.

use r600_isa::registers::{sq_vtx_semantic as semantic, sq_vtx_semantic_clear as clear};

use crate::entry::Entry;

use super::registers::StateRegisters;

/// A vertex before its shader runs.
#[derive(Clone, Debug, Default)]
pub struct VertexStart {
    /// Its number.
    pub vertex: u32,
    /// The number of the instance.
    pub instance: u32,
    /// Its number within its group of patches.
    pub relative: u32,
    /// Its attributes, by number.
    pub attributes: Vec<[u32; 4]>,
}

/// Vertices of a wavefront, one per lane.
#[derive(Clone, Debug, Default)]
pub struct Vertices(pub Vec<VertexStart>);

impl Vertices {
    /// The state on entry, after the fetch shader. On R600 and R700 the fetch shader may fetch by semantic, if the
    /// state has a table of them. Else attribute n goes to R(n + 1).
    #[must_use]
    pub fn start(&self, state: &StateRegisters) -> Entry<'static> {
        let mut entry = Entry::new(self.0.len().div_ceil(4));
        for (lane, vertex) in self.0.iter().enumerate() {
            entry.set_gpr(0, 0, lane, vertex.vertex);
            if !state.interpolates() {
                entry.set_gpr(0, 1, lane, vertex.relative);
            }
            entry.set_gpr(0, 3, lane, vertex.instance);
            for (attribute, value) in (0..).zip(&vertex.attributes) {
                let Some(gpr) = register(state, attribute) else { continue };
                for (channel, &bits) in (0..).zip(value) {
                    entry.set_gpr(gpr, channel, lane, bits);
                }
            }
        }
        entry
    }
}

/// The register to which an attribute is fetched; `None` if there is none.
fn register(state: &StateRegisters, attribute: u32) -> Option<u32> {
    // Semantic fetches fill the first registers only. A fetch shader that names registers can fill more.
    if attribute >= semantic::REGISTER.count() {
        return Some(attribute + 1);
    }
    let Some(cleared) = state.optional_word(clear::REGISTER, 0) else { return Some(attribute + 1) };
    let cleared = cleared.get(&clear::CLEAR);
    let is_its = |k: &u32| {
        let entry = state.optional_word(semantic::REGISTER, *k);
        let id = entry.map(|entry| entry.get(&semantic::SEMANTIC_ID));
        cleared >> k & 1 == 0 && id == Some(attribute)
    };
    (0..semantic::REGISTER.count()).find(is_its).map(|k| k + 1)
}
