//! Decodes a vertex's exports: position, the values beside it, and parameters by id.

use r600_isa::registers::{
    pa_cl_vs_out_cntl as out, pa_cl_vte_cntl as vte, spi_vs_out_config as out_config,
    spi_vs_out_id as out_id, vgt_strmout_buffer_config as buffer_config,
    vgt_strmout_buffer_en as buffer_en, vgt_strmout_config as config, vgt_strmout_en as enable,
};
use r600_isa::{FieldSet, Generation, WordReader};

use crate::outcome::{Event, ExportKind, MemoryTarget, MemoryWrite, Outcome};

use super::fault::{StateFault, demand};
use super::registers::StateRegisters;
use super::{LaneScalars, LaneVectors};

/// The first position export.
const FIRST_POSITION: u32 = 60;
const MAX_POSITIONS: u32 = 4;
const MAX_PARAMETERS: u32 = 32;
/// Scale and offset of all coordinates.
const WHOLE_VIEWPORT: u32 = 0x3F;

/// Vertices as the rasteriser receives them.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Positions.
    pub position: LaneVectors,
    /// Whether the positions are in window space rather than in clip space.
    pub is_in_window: bool,
    /// Size of a point.
    pub point_size: Option<LaneScalars>,
    /// Whether an edge is drawn.
    pub edge_flag: Option<LaneScalars>,
    /// Layer of the target.
    pub layer: Option<LaneScalars>,
    /// Number of the viewport.
    pub viewport: Option<LaneScalars>,
    /// Distances that clip.
    pub clip: [Option<LaneScalars>; 8],
    /// Distances that cull.
    pub cull: [Option<LaneScalars>; 8],
    /// Parameters with their ids.
    pub parameters: Vec<(u8, LaneVectors)>,
}

impl Drawn {
    /// Applies the state to the exports of the last stage before the rasteriser.
    ///
    /// # Errors
    /// If state and exports disagree.
    pub fn of(state: &StateRegisters, outcome: &Outcome) -> Result<Self, StateFault> {
        let word = state.word(out::REGISTER, 0)?;
        let mut positions = positions(word, outcome)?.into_iter();
        let mut drawn = Self {
            position: positions.next().unwrap_or_default(),
            is_in_window: is_in_window(state)?,
            parameters: parameters(state, outcome)?,
            ..Self::default()
        };
        if word.flag(&out::VS_OUT_MISC_VEC_ENA) {
            drawn.take_misc(word, &positions.next().unwrap_or_default());
        }
        let halves = [&out::VS_OUT_CCDIST0_VEC_ENA, &out::VS_OUT_CCDIST1_VEC_ENA];
        for (half, field) in halves.into_iter().enumerate() {
            if word.flag(field) {
                drawn.take_distances(word, half, &positions.next().unwrap_or_default());
            }
        }
        check_distances(word)?;
        Ok(drawn)
    }

    fn take_misc(&mut self, word: WordReader, misc: &LaneVectors) {
        let channel = |field: &FieldSet, n: usize| {
            word.flag(field).then(|| misc.iter().map(|lane| lane[n]).collect())
        };
        self.point_size = channel(&out::USE_VTX_POINT_SIZE, 0);
        self.edge_flag = channel(&out::USE_VTX_EDGE_FLAG, 1);
        self.layer = channel(&out::USE_VTX_RENDER_TARGET_INDX, 2);
        self.viewport = channel(&out::USE_VTX_VIEWPORT_INDX, 3);
    }

    fn take_distances(&mut self, word: WordReader, half: usize, vector: &LaneVectors) {
        let [clips, culls] =
            [&out::CLIP_DIST_ENA, &out::CULL_DIST_ENA].map(|field| word.get(field));
        for n in 0..4 {
            let at = 4 * half + n;
            let distance = || vector.iter().map(|lane| lane[n]).collect();
            self.clip[at] = (clips >> at & 1 == 1).then(distance);
            self.cull[at] = (culls >> at & 1 == 1).then(distance);
        }
    }
}

/// Checks that the vector of every distance in use is exported, and that the vector of every used channel is.
fn check_distances(word: WordReader) -> Result<(), StateFault> {
    let halves = [(&out::VS_OUT_CCDIST0_VEC_ENA, 0x0F), (&out::VS_OUT_CCDIST1_VEC_ENA, 0xF0)];
    for (field, bits) in halves {
        let heeded = (word.get(&out::CLIP_DIST_ENA) | word.get(&out::CULL_DIST_ENA)) & bits != 0;
        demand(!heeded || word.flag(field), (field, 0), "a distance of this vector is in use")?;
    }
    let fields = [
        &out::USE_VTX_POINT_SIZE,
        &out::USE_VTX_EDGE_FLAG,
        &out::USE_VTX_RENDER_TARGET_INDX,
        &out::USE_VTX_VIEWPORT_INDX,
    ];
    let is_used = fields.into_iter().any(|field| word.flag(field));
    let field = &out::VS_OUT_MISC_VEC_ENA;
    demand(!is_used || word.flag(field), (field, 0), "a channel of this vector is used")
}

/// The position exports: exactly as many as the state names, without a gap.
fn positions(word: WordReader, outcome: &Outcome) -> Result<Vec<LaneVectors>, StateFault> {
    let fields =
        [&out::VS_OUT_MISC_VEC_ENA, &out::VS_OUT_CCDIST0_VEC_ENA, &out::VS_OUT_CCDIST1_VEC_ENA];
    let named = 1 + fields.iter().map(|field| word.get(field)).sum::<u32>();
    let export = |n: u32| outcome.export(ExportKind::Position, FIRST_POSITION + n);
    let found = (0..MAX_POSITIONS).filter(|&n| export(n).is_some()).count() as u32;
    let all: Vec<_> = (0..named).map_while(export).map(|exported| exported.lanes.clone()).collect();
    let is_right = found == named && all.len() as u32 == named;
    let field = (&out::VS_OUT_MISC_VEC_ENA, word.get(&out::VS_OUT_MISC_VEC_ENA));
    demand(is_right, field, "the program exports another number of position vectors")?;
    Ok(all)
}

fn is_in_window(state: &StateRegisters) -> Result<bool, StateFault> {
    let word = state.word(vte::REGISTER, 0)?;
    let (viewport, w0) = (word.get(&vte::VPORT_ENA), word.flag(&vte::VTX_W0_FMT));
    let (xy, z) = (word.flag(&vte::VTX_XY_FMT), word.flag(&vte::VTX_Z_FMT));
    match (viewport, w0, xy, z) {
        (WHOLE_VIEWPORT, true, false, false) => Ok(false),
        (0, false, true, true) => Ok(true),
        _ => {
            let why = "positions are neither in clip space nor in the window";
            Err(StateFault::contradiction(&vte::VPORT_ENA, viewport, why))
        }
    }
}

/// Parameters with the ids that the state gives them. A stage without parameters may export a masked one.
fn parameters(
    state: &StateRegisters,
    outcome: &Outcome,
) -> Result<Vec<(u8, LaneVectors)>, StateFault> {
    let field = &out_config::VS_EXPORT_COUNT;
    let last = state.word(out_config::REGISTER, 0)?.get(field);
    let export = |n: u32| outcome.export(ExportKind::Parameter, n);
    let found = (0..MAX_PARAMETERS).filter(|&n| export(n).is_some()).count() as u32;
    let all: Vec<_> = (0..=last).map_while(export).collect();
    // The smallest number that the field can express is one.
    let has_none = found == 0 && last == 0;
    let is_right = has_none || found == last + 1 && all.len() as u32 == found;
    demand(is_right, (field, last), "the program exports another number of parameters")?;
    let fields =
        [&out_id::SEMANTIC_0, &out_id::SEMANTIC_1, &out_id::SEMANTIC_2, &out_id::SEMANTIC_3];
    let mut parameters = Vec::new();
    for (number, exported) in (0_u32..).zip(all) {
        let is_masked = exported.lanes.iter().flatten().all(Option::is_none);
        let Some(word) = state.optional_word(out_id::REGISTER, number / 4) else {
            if last == 0 && is_masked {
                continue;
            }
            return Err(StateFault::NotSet { register: "SPI_VS_OUT_ID", index: number / 4 });
        };
        let id = word.get(fields[number as usize % 4]);
        parameters.push((id as u8, exported.lanes.clone()));
    }
    Ok(parameters)
}

/// Writes of stream output that reach a buffer: those to streams and buffers that the state enables.
///
/// # Errors
/// If a register was not written.
pub fn streamed(state: &StateRegisters, outcome: &Outcome) -> Result<Vec<MemoryWrite>, StateFault> {
    let is_late = matches!(state.generation(), Generation::Evergreen | Generation::Cayman);
    let (streams, buffers) = if is_late {
        let streams = state.word(config::REGISTER, 0)?.get(&config::STREAMOUT_EN);
        (streams, state.word(buffer_config::REGISTER, 0)?.get(&buffer_config::STREAM_BUFFER_EN))
    } else {
        let streams = state.word(enable::REGISTER, 0)?.get(&enable::STREAMOUT);
        (streams, state.word(buffer_en::REGISTER, 0)?.get(&buffer_en::BUFFER_EN))
    };
    let reaches = |write: &MemoryWrite| match write.target {
        MemoryTarget::Stream { stream, buffer } => {
            streams >> stream & 1 == 1 && buffers >> (4 * stream + buffer) & 1 == 1
        }
        _ => false,
    };
    let writes = outcome.events.iter().filter_map(|event| match event {
        Event::Memory(write) => Some(*write),
        _ => None,
    });
    Ok(writes.filter(reaches).collect())
}
