//! Registers of what the last stage that makes vertices exports.

use r600_isa::Chip;
use r600_sched::machine::ExportTarget;
use tgsi_ir::{PropertyName, Semantic};

use crate::generated::registers::{
    pa_cl_vs_out_cntl as out_cntl, pa_cl_vte_cntl as vte, spi_vs_out_config as out_config,
    spi_vs_out_id as out_id, vgt_hos_reuse_depth as surface_reuse,
    vgt_vertex_reuse_block_cntl as reuse,
};

use super::{Facts, State};

/// Parameters beyond which a vertex takes much room.
const MANY_PARAMETERS: u32 = 21;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) {
    parameters(facts, state);
    state.set(out_cntl::REGISTER, extra_exports(facts));
    state.set(vte::REGISTER, positions(facts));
}

/// Positions in clip space are divided and moved to the viewport; those in the window stay as they are.
fn positions(facts: &Facts<'_>) -> u32 {
    if facts.shader.property(PropertyName::VsWindowSpacePosition) == Some(1) {
        return vte::VTX_XY_FMT.of(1_u32) | vte::VTX_Z_FMT.of(1_u32);
    }
    vte::VPORT_ENA.of(0x3F_u32) | vte::VTX_W0_FMT.of(1_u32)
}

/// Shaded vertices that are kept for those that use them again, as recorded shaders of Latte have it: fewer where
/// each has many parameters.
fn set_reuse(num_parameters: u32, state: &mut State) {
    let (vertices, on_surfaces) =
        if num_parameters > MANY_PARAMETERS { (2_u32, 4_u32) } else { (14, 16) };
    state.set(reuse::REGISTER, reuse::VTX_REUSE_DEPTH.of(vertices));
    state.set(surface_reuse::REGISTER, surface_reuse::REUSE_DEPTH.of(on_surfaces));
}

/// The ids of the parameters, four in a register.
fn parameters(facts: &Facts<'_>, state: &mut State) {
    let mut ids = [0_u8; 32];
    let mut count = 0_u32;
    for slot in facts.outputs {
        if let Some(ExportTarget::Parameter(number)) = slot.export {
            ids[usize::from(number % 32)] = slot.spi_id;
            count = count.max(u32::from(number) + 1);
        }
    }
    for (index, four) in (0..).zip(ids.chunks(4)).take_while(|(index, _)| index * 4 < count) {
        let value = out_id::SEMANTIC_0.of(four[0])
            | out_id::SEMANTIC_1.of(four[1])
            | out_id::SEMANTIC_2.of(four[2])
            | out_id::SEMANTIC_3.of(four[3]);
        state.set_at(out_id::REGISTER, index, value);
    }
    set_reuse(count, state);
    state.set(out_config::REGISTER, out_config::VS_EXPORT_COUNT.of(count.max(1) - 1));
}

fn extra_exports(facts: &Facts<'_>) -> u32 {
    let writes = |semantic: Semantic| {
        u32::from(facts.outputs.iter().any(|slot| slot.semantic.0 == semantic))
    };
    let point_size = writes(Semantic::Psize);
    let edge_flag = writes(Semantic::Edgeflag);
    let layer = writes(Semantic::Layer);
    let viewport = writes(Semantic::ViewportIndex);
    let (clips, culls) = distances(facts);
    let any = clips | culls;
    let any_extra = point_size | edge_flag | layer | viewport;
    out_cntl::USE_VTX_POINT_SIZE.of(point_size)
        | out_cntl::USE_VTX_EDGE_FLAG.of(edge_flag)
        | out_cntl::USE_VTX_RENDER_TARGET_INDX.of(layer)
        | out_cntl::USE_VTX_VIEWPORT_INDX.of(viewport)
        | out_cntl::VS_OUT_MISC_VEC_ENA.of(any_extra)
        | out_cntl::VS_OUT_MISC_SIDE_BUS_ENA.of(if facts.chip == Chip::Latte {
            any_extra
        } else {
            0
        })
        | out_cntl::VS_OUT_CCDIST0_VEC_ENA.of(u32::from(any & 0x0F != 0))
        | out_cntl::VS_OUT_CCDIST1_VEC_ENA.of(u32::from(any & 0xF0 != 0))
        | out_cntl::CLIP_DIST_ENA.of(clips)
        | out_cntl::CULL_DIST_ENA.of(culls)
}

/// The distances that clip and those that cull, a bit each.
fn distances(facts: &Facts<'_>) -> (u32, u32) {
    let writes = |name: Semantic| facts.outputs.iter().any(|slot| slot.semantic.0 == name);
    let clips_position = facts.key.clip_position && writes(Semantic::Position);
    if writes(Semantic::Clipvertex) || clips_position && !writes(Semantic::Clipdist) {
        return (u32::from(facts.key.clip_planes), 0);
    }
    let mut written = 0_u32;
    for slot in facts.outputs.iter().filter(|slot| slot.semantic.0 == Semantic::Clipdist) {
        written |= 0xF << (4 * (slot.semantic.1 % 2));
    }
    let count = |name: PropertyName| facts.shader.property(name);
    let low_bits = |count: u32| (1_u32 << count.min(8)) - 1;
    let Some(clips) = count(PropertyName::NumClipdistEnabled) else { return (written, 0) };
    let culls = count(PropertyName::NumCulldistEnabled).unwrap_or(0);
    let clip_mask = low_bits(clips);
    let cull_mask = low_bits(clips.saturating_add(culls)) & !clip_mask;
    (written & clip_mask, written & cull_mask)
}
