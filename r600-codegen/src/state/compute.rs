//! Registers of compute shaders: thread and group ids, and the group size.

use r600_isa::registers::{spi_compute_input_cntl as input, spi_compute_num_thread as num_thread};
use tgsi_ir::PropertyName;

use super::builder::{Facts, State, StateError};

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let mut word = state.word();
    word.put(&input::TID_IN_GROUP_ENA, 1_u32)?
        .put(&input::TGID_ENA, 1_u32)?
        .put(&input::DISABLE_INDEX_PACK, 1_u32)?;
    state.set(input::REGISTER, word)?;
    let axes = [
        PropertyName::CsFixedBlockWidth,
        PropertyName::CsFixedBlockHeight,
        PropertyName::CsFixedBlockDepth,
    ];
    for (index, axis) in (0..).zip(axes) {
        // The launch sets a size that the shader leaves open.
        if let Some(size) = facts.shader.property(axis).filter(|&size| size != 0) {
            let mut word = state.word();
            word.put(&num_thread::NUM_THREAD, size)?;
            state.set_at(num_thread::REGISTER, index, word)?;
        }
    }
    Ok(())
}
