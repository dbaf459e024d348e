//! Registers of stream output: which buffers record which vertex stream.
//!
//! The driver sets addresses, sizes and strides of the buffers.

use r600_isa::registers::{
    vgt_strmout_buffer_config as buffer_config, vgt_strmout_buffer_en as buffer_en,
    vgt_strmout_config as config, vgt_strmout_en as enable,
};

use super::builder::{Facts, State, StateError};

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let outputs = &facts.key.stream_outputs;
    let streams = outputs.iter().fold(0_u32, |bits, output| bits | 1 << output.stream);
    let buffers = outputs.iter().fold(0_u32, |bits, output| {
        bits | 1 << (4 * u32::from(output.stream) + u32::from(output.buffer))
    });
    // The first chips have only stream 0.
    state.set_field(enable::REGISTER, &enable::STREAMOUT, streams)?;
    state.set_field(buffer_en::REGISTER, &buffer_en::BUFFER_EN, buffers)?;
    state.set_field(config::REGISTER, &config::STREAMOUT_EN, streams)?;
    state.set_field(buffer_config::REGISTER, &buffer_config::STREAM_BUFFER_EN, buffers)
}
