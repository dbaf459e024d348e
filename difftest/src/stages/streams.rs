//! Vertices of streams that the rasteriser does not see. They are written to buffers.

use r600_codegen::abi::StreamOutput;
use r600_isa::Generation;
use r600_sim::{Event, MemoryTarget, Outcome};
use tgsi_ir::{File, Shader};

use crate::compare::Exported;

/// Dwords of an output.
const OUTPUT_DWORDS: u16 = 4;

/// Mask of the streams that the channels of an output register belong to.
pub(super) fn streams_of(shader: &Shader, register: usize) -> u8 {
    let outputs = shader.declarations.iter().filter(|d| d.file == File::Output);
    let declared = outputs.filter(|d| d.range.contains(register as i32));
    let bits = declared.flat_map(|d| {
        let streams = d.semantic.map_or([0; 4], |semantic| semantic.streams.0);
        d.usage_mask.iter().map(move |component| 1 << streams[component.index()])
    });
    bits.fold(0, |all, bit: u8| all | bit)
}

/// Sends the outputs of all streams but the first to buffers, one for each stream. Hardware with a single stream has no
/// vertices in the others.
pub(super) fn to_buffers(copy: &Shader, generation: Generation) -> Vec<StreamOutput> {
    if matches!(generation, Generation::R600 | Generation::R700) {
        return Vec::new();
    }
    let outputs = registers(copy).flat_map(|register| {
        let streams = streams_of(copy, register.into());
        let others = (1..4_u8).filter(move |stream| streams >> stream & 1 == 1);
        others.map(move |stream| StreamOutput {
            register,
            first_component: 0,
            num_components: 4,
            buffer: stream,
            offset: OUTPUT_DWORDS * register,
            stream,
        })
    });
    outputs.collect()
}

fn registers(copy: &Shader) -> impl Iterator<Item = u16> {
    let outputs = copy.declarations.iter().filter(|d| d.file == File::Output);
    outputs.flat_map(|d| d.range.first..=d.range.last)
}

/// The first register of a vertex of `stream` in `lane` with channels that did not arrive in the stream's buffer.
pub(super) fn missing(
    copy: &Shader,
    arrived: &[(usize, Exported)],
    (lane, stream): (usize, usize),
) -> Option<usize> {
    let mut registers = registers(copy).map(usize::from);
    registers.find(|&register| {
        let mut of_register = arrived.iter().filter(|(at, _)| *at == register);
        let is_whole = of_register.any(|(_, values)| values[lane].iter().all(Option::is_some));
        streams_of(copy, register) >> stream & 1 == 1 && !is_whole
    })
}

/// Writes of the copy shader to the buffers of [`to_buffers`], by register.
///
/// # Errors
/// When a write goes to the buffer of another stream.
pub(super) fn in_buffers(outcome: &Outcome) -> Result<Vec<(usize, Exported)>, String> {
    let mut results = Vec::new();
    for event in &outcome.events {
        let Event::Memory(write) = event else { continue };
        let MemoryTarget::Stream { stream, buffer } = write.target else { continue };
        if stream != buffer {
            return Err(format!("a vertex of stream {stream} goes to buffer {buffer}"));
        }
        let mut values = Exported::default();
        for (channel, value) in values[write.lane].iter_mut().enumerate() {
            *value = (write.mask >> channel & 1 == 1).then_some(write.values[channel]);
        }
        results.push(((write.address / u32::from(OUTPUT_DWORDS)) as usize, values));
    }
    Ok(results)
}
