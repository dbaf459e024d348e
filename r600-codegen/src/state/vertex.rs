//! Registers of what the last stage that makes vertices exports.

use r600_sched::machine::ExportTarget;
use tgsi_ir::{PropertyName, Semantic};

use crate::generated::registers::{
    pa_cl_vs_out_cntl as out_cntl, spi_vs_out_config as out_config, spi_vs_out_id as out_id,
};

use super::{Facts, State};

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) {
    parameters(facts, state);
    state.set(out_cntl::REGISTER, extra_exports(facts));
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
    out_cntl::USE_VTX_POINT_SIZE.of(point_size)
        | out_cntl::USE_VTX_EDGE_FLAG.of(edge_flag)
        | out_cntl::USE_VTX_RENDER_TARGET_INDX.of(layer)
        | out_cntl::USE_VTX_VIEWPORT_INDX.of(viewport)
        | out_cntl::VS_OUT_MISC_VEC_ENA.of(point_size | edge_flag | layer | viewport)
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
