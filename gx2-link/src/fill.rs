//! Copies the compiler's state registers into a structure.

use gx2_gfd::RegisterFile;
use r600_codegen::RegisterValue;

use crate::error::StageError;

/// The viewport transform control and the word that GX2 sets: scale and offset of all three, and a reciprocal of w.
const VIEWPORT: &str = "PA_CL_VTE_CNTL";
const WHOLE_VIEWPORT: u32 = 0x43F;

/// Registers of a stage's state that its structure lacks: GX2 sets them for every draw, or another field or structure
/// holds them.
const OF_THE_DRAW: [&str; 11] = [
    VIEWPORT,
    "SPI_INTERP_CONTROL_0",
    "CB_COLOR_CONTROL",
    "DB_RENDER_CONTROL",
    "VGT_STRMOUT_EN",
    "SQ_GSVS_RING_ITEMSIZE",
    "SQ_ESGS_RING_ITEMSIZE",
    "VGT_GS_MAX_VERT_OUT",
    "VGT_PRIMITIVEID_EN",
    "VGT_VERTEX_REUSE_BLOCK_CNTL",
    "VGT_HOS_REUSE_DEPTH",
];

/// The name of a register in structures.
fn own_name(name: &str) -> &str {
    match name {
        // GX2 writes it to the stage that the mode asks for.
        "SQ_PGM_RESOURCES_ES" => "SQ_PGM_RESOURCES_VS",
        name => name,
    }
}

/// Copies the state to a structure. A register of the draw is left to GX2; any other must have a place.
pub(crate) fn fill(
    state: &[RegisterValue],
    registers: &mut dyn RegisterFile,
) -> Result<(), StageError> {
    for RegisterValue { name, index, value, .. } in state {
        match registers.find_register(own_name(name)) {
            Some(register) if (*index as usize) < register.count => {
                registers.set_word(register, *index as usize, *value);
            }
            None if *name == VIEWPORT && *value != WHOLE_VIEWPORT => {
                return Err(StageError::WindowSpace);
            }
            None if OF_THE_DRAW.contains(name) => {}
            _ => {
                let (register, index, value) = (*name, *index, *value);
                return Err(StageError::NoPlace { register, index, value });
            }
        }
    }
    Ok(())
}

/// The value of a register of the state; `None` where it is not set.
pub(crate) fn find(state: &[RegisterValue], name: &str) -> Option<u32> {
    state.iter().find(|value| value.name == name).map(|value| value.value)
}

/// Number of registers of an array up to the last one set.
pub(crate) fn count(state: &[RegisterValue], name: &str) -> u32 {
    let own = state.iter().filter(|value| value.name == name);
    own.map(|value| value.index + 1).max().unwrap_or(0)
}
