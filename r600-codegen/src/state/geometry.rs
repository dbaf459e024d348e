//! Registers of geometry shaders: what the rings hold, and how much comes out.

use r600_isa::{Chip, Generation};
use tgsi_ir::{PropertyName, Semantic};

use crate::abi::{RingLayout, SLOT_DWORDS};
use crate::generated::registers::{
    sq_esgs_ring_itemsize as esgs, sq_gs_vert_itemsize as vertex, sq_gsvs_ring_itemsize as gsvs,
    vgt_gs_instance_cnt as instances, vgt_gs_max_vert_out as max_out, vgt_gs_mode as mode,
    vgt_gs_out_prim_type as out_prim, vgt_primitiveid_en as primitive_id,
};

use super::{Facts, State};

/// A geometry shader that makes vertices of its own.
const MODE_GEOMETRY: u32 = 3;
/// The highest number of vertices of each way to cut, from the last way on.
const CUT_LIMITS: [u32; 3] = [128, 256, 512];
/// TGSI's number of points, and the highest of those of lines.
const POINTS: u32 = 0;
const LAST_LINES: u32 = 3;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) {
    let count = |name: PropertyName| facts.shader.property(name);
    let max_vertices = count(PropertyName::GsMaxOutputVertices).unwrap_or(0);
    let vertex_dwords = facts.outputs.len() as u32 * u32::from(SLOT_DWORDS);
    let layout = RingLayout::of_inputs(facts.shader);
    state.set(esgs::REGISTER, esgs::ITEMSIZE.of(layout.num_dwords()));
    let item = (vertex_dwords * max_vertices).next_multiple_of(alignment(facts.chip));
    state.set(gsvs::REGISTER, gsvs::ITEMSIZE.of(item));
    state.set(vertex::REGISTER, vertex::ITEMSIZE.of(vertex_dwords));
    let cut = CUT_LIMITS.iter().filter(|&&limit| max_vertices <= limit).count() as u32;
    state.set(mode::REGISTER, mode::MODE.of(MODE_GEOMETRY) | mode::CUT_MODE.of(cut));
    let primitive = count(PropertyName::GsOutputPrim).unwrap_or(POINTS);
    let strip = match primitive {
        POINTS => 0,
        1..=LAST_LINES => 1,
        _ => 2_u32,
    };
    state.set(out_prim::REGISTER, out_prim::OUTPRIM_TYPE.of(strip));
    state.set(max_out::REGISTER, max_out::MAX_VERT_OUT.of(max_vertices));
    let invocations = count(PropertyName::GsInvocations).unwrap_or(1);
    state.set(
        instances::REGISTER,
        instances::ENABLE.of(invocations > 1) | instances::CNT.of(invocations),
    );
    let names = facts.shader.declarations.iter().filter_map(|d| d.semantic);
    let reads_id = names.into_iter().any(|semantic| semantic.name == Semantic::Primid);
    state.set(primitive_id::REGISTER, primitive_id::ENABLE.of(reads_id));
}

/// Dwords to which some of the first chips round the size of what a primitive puts into the ring.
fn alignment(chip: Chip) -> u32 {
    match chip {
        Chip::Rv610 => 32,
        _ if chip.generation() != Generation::R600 => 1,
        Chip::Rs780 | Chip::Rs880 => 1,
        _ => 16,
    }
}
