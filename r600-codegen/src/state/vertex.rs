//! Registers for the exports of the last vertex-producing stage.

use r600_isa::registers::{
    pa_cl_vs_out_cntl as out_cntl, pa_cl_vte_cntl as vte, spi_vs_out_config as out_config,
    spi_vs_out_id as out_id, vgt_hos_reuse_depth as surface_reuse,
    vgt_vertex_reuse_block_cntl as reuse,
};
use r600_isa::{Chip, WordBuilder};
use r600_mir::ExportTarget;
use tgsi_ir::{PropertyName, Semantic};

use crate::abi::Distances;

use super::builder::{Facts, State, StateError};

/// Number of parameters above which a vertex counts as large.
const MANY_PARAMETERS: u32 = 21;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    parameters(facts, state)?;
    let extra = extra_exports(facts, state)?;
    state.set(out_cntl::REGISTER, extra)?;
    let positions = positions(facts, state)?;
    state.set(vte::REGISTER, positions)
}

/// Positions in clip space are divided by w and moved to the viewport. Positions in window space stay as they are.
fn positions(facts: &Facts<'_>, state: &State) -> Result<WordBuilder, StateError> {
    let mut word = state.word();
    if facts.shader.is_set(PropertyName::VsWindowSpacePosition) {
        word.put(&vte::VTX_XY_FMT, 1_u32)?.put(&vte::VTX_Z_FMT, 1_u32)?;
    } else {
        word.put(&vte::VPORT_ENA, 0x3F_u32)?.put(&vte::VTX_W0_FMT, 1_u32)?;
    }
    Ok(word)
}

/// Sets how many shaded vertices are kept for reuse, as in recorded shaders of Latte: fewer if each has many
/// parameters.
fn set_reuse(num_parameters: u32, state: &mut State) -> Result<(), StateError> {
    let (vertices, on_surfaces) =
        if num_parameters > MANY_PARAMETERS { (2_u32, 4_u32) } else { (14, 16) };
    state.set_field(reuse::REGISTER, &reuse::VTX_REUSE_DEPTH, vertices)?;
    state.set_field(surface_reuse::REGISTER, &surface_reuse::REUSE_DEPTH, on_surfaces)
}

/// Sets the ids of the parameters, four per register.
fn parameters(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let mut ids = Vec::new();
    for slot in facts.outputs {
        if let Some(ExportTarget::Parameter(number)) = slot.export {
            let number = usize::from(number);
            ids.resize(ids.len().max(number + 1), 0);
            ids[number] = slot.spi_id;
        }
    }
    let fields =
        [&out_id::SEMANTIC_0, &out_id::SEMANTIC_1, &out_id::SEMANTIC_2, &out_id::SEMANTIC_3];
    for (index, four) in (0..).zip(ids.chunks(fields.len())) {
        let mut word = state.word();
        for (field, &id) in fields.into_iter().zip(four) {
            word.put(field, id)?;
        }
        state.set_at(out_id::REGISTER, index, word)?;
    }
    let count = ids.len() as u32;
    set_reuse(count, state)?;
    state.set_field(out_config::REGISTER, &out_config::VS_EXPORT_COUNT, count.max(1) - 1)
}

fn extra_exports(facts: &Facts<'_>, state: &State) -> Result<WordBuilder, StateError> {
    let drawn = || facts.outputs.iter().filter(|slot| slot.is_drawn);
    let writes = |semantic: Semantic| drawn().any(|slot| slot.semantic.0 == semantic);
    let point_size = writes(Semantic::Psize);
    let edge_flag = writes(Semantic::Edgeflag);
    let layer = writes(Semantic::Layer);
    let viewport = writes(Semantic::ViewportIndex);
    let any_extra = point_size || edge_flag || layer || viewport;
    let distances = Distances::of(facts.shader, facts.key, facts.outputs);
    let mut word = state.word();
    word.put(&out_cntl::USE_VTX_POINT_SIZE, point_size)?
        .put(&out_cntl::USE_VTX_EDGE_FLAG, edge_flag)?
        .put(&out_cntl::USE_VTX_RENDER_TARGET_INDX, layer)?
        .put(&out_cntl::USE_VTX_VIEWPORT_INDX, viewport)?
        .put(&out_cntl::VS_OUT_MISC_VEC_ENA, any_extra)?
        .put(&out_cntl::VS_OUT_MISC_SIDE_BUS_ENA, any_extra && facts.chip == Chip::Latte)?
        .put(&out_cntl::VS_OUT_CCDIST0_VEC_ENA, distances.has_half(0))?
        .put(&out_cntl::VS_OUT_CCDIST1_VEC_ENA, distances.has_half(1))?
        .put(&out_cntl::CLIP_DIST_ENA, distances.clips)?
        .put(&out_cntl::CULL_DIST_ENA, distances.culls)?;
    Ok(word)
}
