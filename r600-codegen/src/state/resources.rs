//! Hardware resources of a program, in the register of the stage it runs as.

use r600_isa::registers::{
    sq_estmp_ring_itemsize as es_scratch, sq_gstmp_ring_itemsize as gs_scratch,
    sq_hstmp_ring_itemsize as hs_scratch, sq_lstmp_ring_itemsize as ls_scratch,
    sq_pstmp_ring_itemsize as ps_scratch, sq_vstmp_ring_itemsize as vs_scratch,
};
use r600_isa::registers::{
    sq_pgm_resources_es as es, sq_pgm_resources_gs as gs, sq_pgm_resources_hs as hs,
    sq_pgm_resources_ls as ls, sq_pgm_resources_vs as vs,
};
use r600_isa::{FieldSet, StateRegister};

use crate::abi::{SLOT_DWORDS, VertexAs};

use super::builder::{Facts, State, StateError};

/// A register that has one field.
type Single = (StateRegister, &'static FieldSet);

/// A hardware stage other than the fragment stage, whose register has more fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HardwareStage {
    Vertex,
    Export,
    Geometry,
    Local,
    Hull,
}

impl HardwareStage {
    /// The stage as which a vertex-producing shader runs.
    pub(super) fn of_vertices(facts: &Facts<'_>) -> Self {
        match facts.key.vertex_as {
            VertexAs::Vertex | VertexAs::Copy => Self::Vertex,
            VertexAs::Export(_) => Self::Export,
            VertexAs::Local => Self::Local,
        }
    }

    /// The register for the scratch memory of a lane.
    fn scratch(self) -> Single {
        match self {
            Self::Vertex => (vs_scratch::REGISTER, &vs_scratch::ITEMSIZE),
            Self::Export => (es_scratch::REGISTER, &es_scratch::ITEMSIZE),
            Self::Geometry => (gs_scratch::REGISTER, &gs_scratch::ITEMSIZE),
            Self::Local => (ls_scratch::REGISTER, &ls_scratch::ITEMSIZE),
            Self::Hull => (hs_scratch::REGISTER, &hs_scratch::ITEMSIZE),
        }
    }

    /// The register, with its fields for GPRs, stack entries and clamping.
    fn register(self) -> (StateRegister, [&'static FieldSet; 3]) {
        match self {
            Self::Vertex => (vs::REGISTER, [&vs::NUM_GPRS, &vs::STACK_SIZE, &vs::DX10_CLAMP]),
            Self::Export => (es::REGISTER, [&es::NUM_GPRS, &es::STACK_SIZE, &es::DX10_CLAMP]),
            Self::Geometry => (gs::REGISTER, [&gs::NUM_GPRS, &gs::STACK_SIZE, &gs::DX10_CLAMP]),
            Self::Local => (ls::REGISTER, [&ls::NUM_GPRS, &ls::STACK_SIZE, &ls::DX10_CLAMP]),
            Self::Hull => (hs::REGISTER, [&hs::NUM_GPRS, &hs::STACK_SIZE, &hs::DX10_CLAMP]),
        }
    }
}

/// Sets the scratch memory of a lane, if it uses any.
fn set_scratch(
    (register, size): Single,
    facts: &Facts<'_>,
    state: &mut State,
) -> Result<(), StateError> {
    match u32::from(facts.scratch_size) * u32::from(SLOT_DWORDS) {
        0 => Ok(()),
        dwords => state.set_field(register, size, dwords),
    }
}

/// The same for a fragment shader.
pub(super) fn set_fragment_scratch(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    set_scratch((ps_scratch::REGISTER, &ps_scratch::ITEMSIZE), facts, state)
}

/// Sets the registers.
pub(super) fn set(
    stage: HardwareStage,
    facts: &Facts<'_>,
    state: &mut State,
) -> Result<(), StateError> {
    let (register, [num_gprs, stack_size, dx10_clamp]) = stage.register();
    let mut word = state.word();
    word.put(num_gprs, facts.num_gprs)?
        .put(stack_size, facts.stack_size)?
        .put(dx10_clamp, 1_u32)?;
    state.set(register, word)?;
    set_scratch(stage.scratch(), facts, state)
}
