//! Registers of geometry shaders: ring items, and the number of vertices emitted.

use r600_isa::registers::{
    sq_esgs_ring_itemsize as esgs, sq_gs_vert_itemsize as vertex,
    sq_gs_vert_itemsize_1 as vertex_1, sq_gs_vert_itemsize_2 as vertex_2,
    sq_gs_vert_itemsize_3 as vertex_3, sq_gsvs_ring_itemsize as gsvs,
    sq_gsvs_ring_offset_1 as offset_1, sq_gsvs_ring_offset_2 as offset_2,
    sq_gsvs_ring_offset_3 as offset_3, vgt_gs_instance_cnt as instances,
    vgt_gs_max_vert_out as max_out, vgt_gs_mode as mode, vgt_gs_out_prim_type as out_prim,
    vgt_primitiveid_en as primitive_id,
};
use r600_isa::{FieldSet, StateRegister};
use tgsi_ir::{PropertyName, Semantic};

use crate::abi::{EmittedLayout, NUM_STREAMS, RingLayout};

use super::builder::{Facts, State, StateError};

/// `MODE` of a geometry shader that emits its own vertices.
const MODE_GEOMETRY: u32 = 3;
/// The largest number of vertices for each `CUT_MODE`, from mode 3 down to mode 1.
const CUT_LIMITS: [u32; 3] = [128, 256, 512];
/// TGSI's numbers of primitives: points, and the last kind of lines.
const POINTS: u32 = 0;
const LAST_LINES: u32 = 3;

/// Size of a vertex, by stream.
const VERTEX_SIZES: [(StateRegister, &FieldSet); NUM_STREAMS] = [
    (vertex::REGISTER, &vertex::ITEMSIZE),
    (vertex_1::REGISTER, &vertex_1::ITEMSIZE),
    (vertex_2::REGISTER, &vertex_2::ITEMSIZE),
    (vertex_3::REGISTER, &vertex_3::ITEMSIZE),
];

/// Where a stream begins in the item of a primitive, for the streams after the first.
const OFFSETS: [(StateRegister, &FieldSet); NUM_STREAMS - 1] = [
    (offset_1::REGISTER, &offset_1::OFFSET),
    (offset_2::REGISTER, &offset_2::OFFSET),
    (offset_3::REGISTER, &offset_3::OFFSET),
];

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    rings(facts, state)?;
    let count = |name: PropertyName| facts.shader.property(name);
    let max_vertices = count(PropertyName::GsMaxOutputVertices).unwrap_or(0);
    let cut = CUT_LIMITS.iter().filter(|&&limit| max_vertices <= limit).count() as u32;
    let mut word = state.word();
    word.put(&mode::MODE, MODE_GEOMETRY)?.put(&mode::CUT_MODE, cut)?;
    state.set(mode::REGISTER, word)?;
    let strip = match count(PropertyName::GsOutputPrim).unwrap_or(POINTS) {
        POINTS => 0,
        1..=LAST_LINES => 1,
        _ => 2_u32,
    };
    state.set_field(out_prim::REGISTER, &out_prim::OUTPRIM_TYPE, strip)?;
    state.set_field(max_out::REGISTER, &max_out::MAX_VERT_OUT, max_vertices)?;
    let invocations = count(PropertyName::GsInvocations).unwrap_or(1);
    let mut word = state.word();
    word.put(&instances::ENABLE, invocations > 1)?.put(&instances::CNT, invocations)?;
    state.set(instances::REGISTER, word)?;
    let names = facts.shader.declarations.iter().filter_map(|d| d.semantic);
    let reads_id = names.into_iter().any(|semantic| semantic.name == Semantic::Primid);
    state.set_field(primitive_id::REGISTER, &primitive_id::ENABLE, reads_id)
}

/// Sets the item sizes and offsets of the rings before and after the shader.
fn rings(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let before = RingLayout::of_inputs(facts.shader);
    state.set_field(esgs::REGISTER, &esgs::ITEMSIZE, before.num_dwords())?;
    let after = EmittedLayout::of(facts.shader, facts.outputs.len(), facts.streams);
    state.set_field(gsvs::REGISTER, &gsvs::ITEMSIZE, after.num_dwords(facts.chip))?;
    for (stream, (register, field)) in VERTEX_SIZES.into_iter().enumerate() {
        state.set_field(register, field, after.vertex_dwords(stream))?;
    }
    for (stream, (register, field)) in (1..).zip(OFFSETS) {
        state.set_field(register, field, after.offset(stream))?;
    }
    Ok(())
}
