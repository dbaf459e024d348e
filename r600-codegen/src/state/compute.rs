//! Registers of compute shaders: what they are told of their place, and how large a group is.

use tgsi_ir::PropertyName;

use crate::generated::registers::{
    spi_compute_input_cntl as input, spi_compute_num_thread as num_thread,
};

use super::{Facts, State};

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) {
    state.set(
        input::REGISTER,
        input::TID_IN_GROUP_ENA.of(1_u32)
            | input::TGID_ENA.of(1_u32)
            | input::DISABLE_INDEX_PACK.of(1_u32),
    );
    let axes = [
        PropertyName::CsFixedBlockWidth,
        PropertyName::CsFixedBlockHeight,
        PropertyName::CsFixedBlockDepth,
    ];
    for (index, axis) in (0..).zip(axes) {
        // A size that the shader leaves open is the launch's.
        if let Some(size) = facts.shader.property(axis).filter(|&size| size != 0) {
            state.set_at(num_thread::REGISTER, index, num_thread::NUM_THREAD.of(size));
        }
    }
}
