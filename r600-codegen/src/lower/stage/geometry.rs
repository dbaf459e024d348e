//! Geometry shaders: each vertex is written to a ring and then emitted.

use r600_isa::{AluOp, CfFlow, CfOp, Chan, Generation, MemoryType};
use tgsi_ir::{Component, File, Instruction, Opcode, PropertyName, Register, Semantic, Shader};

use crate::abi::{EmittedLayout, NUM_STREAMS};
use crate::refusal::Refusal;
use crate::ssa::{InstData, MemoryInst, Operand};

use super::super::variables::{Variable, Variables};
use super::super::{LowerError, Lowering};
use super::OutputSink;
use super::ring::ring_write;

/// The most vertices that a run of the shader emits, and the most runs for a primitive (`VGT_GS_MODE`,
/// `VGT_GS_INSTANCE_CNT`).
const MAX_VERTICES: u32 = 1024;
const MAX_INVOCATIONS: u32 = 127;

/// The state that a geometry shader keeps while it runs.
#[derive(Debug)]
pub(in super::super) struct Geometry {
    /// For each stream, the place of its next vertex in the ring, as a number of vec4.
    places: Vec<Variable>,
    /// Streams to which vertices are emitted, one bit each.
    streams: u8,
}

impl Geometry {
    pub(super) fn new(
        shader: &Shader,
        generation: Generation,
        variables: &mut Variables,
    ) -> Result<Self, LowerError> {
        let (num_streams, max_invocations) = match generation {
            Generation::R600 | Generation::R700 => (1, 1),
            Generation::Evergreen | Generation::Cayman => (NUM_STREAMS, MAX_INVOCATIONS),
        };
        let invocations = shader.property(PropertyName::GsInvocations).unwrap_or(1);
        if invocations > max_invocations {
            let reason = match max_invocations {
                1 => Refusal::GeometryInvocations,
                _ => Refusal::InvocationCount,
            };
            return Err(LowerError::new("GS_INVOCATIONS", reason));
        }
        let max_vertices = shader.property(PropertyName::GsMaxOutputVertices).unwrap_or(0);
        if max_vertices > MAX_VERTICES {
            return Err(LowerError::new("GS_MAX_OUTPUT_VERTICES", Refusal::VertexCount));
        }
        let places = (0..num_streams).map(|_| variables.new_flag()).collect();
        Ok(Self { places, streams: 0 })
    }

    pub(super) fn streams(&self) -> u8 {
        self.streams
    }
}

impl Lowering<'_> {
    /// Chips of the R600 generation hang on a thread that emits nothing. Cutting a strip before the first vertex
    /// prevents this.
    pub(super) fn begin_geometry(&mut self) {
        if self.generation == Generation::R600 {
            self.prologue_event(InstData::Event(CfFlow::new(CfOp::CutVertex)));
        }
    }

    pub(super) fn geometry_value(&mut self, name: Semantic) -> Result<Operand, LowerError> {
        let is_late = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        let (gpr, chan) = match name {
            Semantic::Primid => (0, Chan::Z),
            Semantic::Invocationid if is_late => (1, Chan::W),
            Semantic::Invocationid => {
                let reason = Refusal::GeometryInvocations;
                return Err(LowerError::new("INVOCATIONID", reason));
            }
            other => return Err(super::super::error::refused_value(other)),
        };
        Ok(Operand::value(self.function.live_in_value(gpr, chan)))
    }

    /// Writes the outputs to the ring and emits a vertex. The outputs are zero again after it.
    pub(super) fn emit_vertex(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let (stream, place) = self.stream(inst)?;
        if let OutputSink::Emitted(geometry) = &mut self.stage.sink {
            geometry.streams |= 1 << stream;
        }
        let index = self.variables.read(place);
        let outputs: Vec<u16> = self.outputs.iter().map(|slot| slot.register).collect();
        for (slot, register) in (0..).zip(&outputs) {
            let memory = ring_write(stream, MemoryType::WriteIndexed, slot)?;
            let src = self.output_vector(*register);
            let index = [Some(index), None, None, None];
            self.emit(InstData::Memory(Box::new(MemoryInst { src, index, ..memory })));
        }
        self.event(CfOp::EmitVertex, stream);
        let size = Operand::int(outputs.len() as i32);
        let next = self.alu(AluOp::AddInt, &[index, size]);
        self.variables.write(place, next);
        for register in outputs {
            self.clear_output(register);
        }
        Ok(())
    }

    /// Refuses vertices for which the ring has no room.
    pub(super) fn judge_emitted(&self) -> Result<(), LowerError> {
        let layout = EmittedLayout::of(self.shader, self.outputs.len(), self.stage.streams());
        match layout.fits(self.function.chip) {
            true => Ok(()),
            false => Err(LowerError::new("GS_MAX_OUTPUT_VERTICES", Refusal::EmittedSize)),
        }
    }

    /// Marks the variables that emitting a vertex changes besides any destination: the place of the next vertex, and
    /// all outputs.
    pub(in super::super) fn mark_written_by_stage(&mut self, inst: &Instruction) {
        let OutputSink::Emitted(geometry) = &self.stage.sink else { return };
        if inst.opcode != Opcode::Emit {
            return;
        }
        for place in geometry.places.clone() {
            self.variables.write(place, Operand::ZERO);
        }
        let outputs: Vec<u16> = self.outputs.iter().map(|slot| slot.register).collect();
        outputs.into_iter().for_each(|register| self.clear_output(register));
    }

    /// Ends a strip.
    pub(super) fn end_primitive(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let (stream, _) = self.stream(inst)?;
        self.event(CfOp::CutVertex, stream);
        Ok(())
    }

    fn event(&mut self, op: CfOp, stream: u8) {
        self.emit(InstData::Event(CfFlow { count: stream, ..CfFlow::new(op) }));
    }

    fn clear_output(&mut self, register: u16) {
        let reg = Register::new(File::Output, register.cast_signed());
        for component in Component::ALL {
            if let Some(variable) = self.variables.find(&reg, component) {
                self.variables.write(variable, Operand::ZERO);
            }
        }
    }

    /// The stream that an instruction names, and the variable with the place of its next vertex.
    fn stream(&mut self, inst: &Instruction) -> Result<(u8, Variable), LowerError> {
        let name = inst.opcode.info().name;
        let number = match inst.src.is_empty() {
            true => Operand::ZERO,
            false => self.source(inst, 0, Component::X)?,
        };
        let Some(number) = number.as_const() else {
            return Err(LowerError::new(name, Refusal::StreamNotImmediate));
        };
        let OutputSink::Emitted(geometry) = &self.stage.sink else {
            return Err(LowerError::new(name, Refusal::NotGeometry));
        };
        let place = usize::try_from(number).ok().and_then(|n| geometry.places.get(n)).copied();
        let reason = match geometry.places.len() {
            1 => Refusal::OneStream,
            _ => Refusal::StreamNumber,
        };
        place.map(|place| (number as u8, place)).ok_or_else(|| LowerError::new(name, reason))
    }
}
