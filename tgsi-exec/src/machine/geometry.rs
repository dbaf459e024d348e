//! Vertices that a geometry shader emits.

use super::Machine;
use crate::error::ExecError;
use crate::lanes::{LANES, first};
use crate::outcome::{Primitive, Vertex};
use crate::program::{RegisterFile, Step};

/// Vertex streams.
const NUM_STREAMS: usize = 4;

/// What has been emitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Emitted {
    /// The primitives of each stream.
    pub(crate) streams: [Vec<Primitive>; NUM_STREAMS],
    /// The primitive that each stream is at.
    open: [Primitive; NUM_STREAMS],
    count: usize,
}

impl Machine<'_> {
    pub(super) fn emit(&mut self, step: &Step) -> Result<(), ExecError> {
        let stream = self.stream(step)?;
        let wanted = self.program.max_vertices.unwrap_or(usize::MAX);
        let count = self.state.emitted.count;
        // Every step may emit a vertex too many, so it must cost nothing: its outputs, maybe thousands, stay unchanged.
        // They are undefined from here on, and no later vertex uses them.
        if count >= wanted {
            return Ok(());
        }
        let limits = self.program.limits;
        let num_registers = self.program.layout.file(RegisterFile::Output).len as usize;
        let limit = limits.vertices.min(limits.vertex_registers / num_registers.max(1));
        if count >= limit {
            let (at, lane) = (step.at, first(self.active()));
            return Err(ExecError::VertexLimit { at, lane, limit });
        }
        let vertex = self.take_vertex();
        self.state.emitted.count += 1;
        if let Some(open) = self.state.emitted.open.get_mut(stream) {
            open.push(vertex);
        }
        Ok(())
    }

    pub(super) fn end_primitive(&mut self, step: &Step) -> Result<(), ExecError> {
        let stream = self.stream(step)?;
        self.close(stream);
        Ok(())
    }

    /// Closes the open primitives at the end.
    pub(super) fn end_primitives(&mut self) {
        (0..NUM_STREAMS).for_each(|stream| self.close(stream));
    }

    fn close(&mut self, stream: usize) {
        let emitted = &mut self.state.emitted;
        let (Some(open), Some(closed)) =
            (emitted.open.get_mut(stream), emitted.streams.get_mut(stream))
        else {
            return;
        };
        if !open.is_empty() {
            closed.push(std::mem::take(open));
        }
    }

    /// The number in x of the source; dialects without the source have one stream.
    fn stream(&mut self, step: &Step) -> Result<usize, ExecError> {
        self.load_sources(step)?;
        let is_given = !step.sources.is_empty();
        Ok(if is_given { self.operands[0][0][0] as usize } else { 0 })
    }

    /// Takes the outputs and resets them to zero.
    fn take_vertex(&mut self) -> Vertex {
        let slots = self.program.layout.file(RegisterFile::Output).slots();
        let channels = &mut self.state.registers[slots];
        let registers = channels.chunks_exact(4);
        let vertex =
            registers.map(|register| [0, 1, 2, 3].map(|c: usize| register[c][0])).collect();
        channels.fill([0; LANES]);
        vertex
    }
}
