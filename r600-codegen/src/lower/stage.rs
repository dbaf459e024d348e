//! Differences between stages: sources of inputs, destinations of outputs, and system values.
//!
//! The shader's stage is resolved once, here, into a [`Stage`].

mod compute;
mod geometry;
mod local;
pub(super) mod patch;
mod ring;
mod stream;

use r600_isa::Generation;
use tgsi_ir::{Component, File, Instruction, Opcode, Processor, Register, Semantic, Shader};

use crate::abi::{RingLayout, ShaderKey, VertexAs};
use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::variables::Variables;
use super::{LowerError, Lowering};

use self::geometry::Geometry;
pub(super) use self::patch::Tessellation;
use self::ring::{RingReads, VertexReads};

/// A shader's stage.
#[derive(Debug)]
pub(super) struct Stage {
    /// Where inputs come from.
    pub(super) source: InputSource,
    /// Where outputs go.
    pub(super) sink: OutputSink,
    /// The available system values.
    pub(super) values: SystemValues,
}

/// The source of inputs.
#[derive(Debug)]
pub(super) enum InputSource {
    /// Registers that hardware or fetch shader fill, and parameters.
    Registers,
    /// The ring before a geometry shader, vertex by vertex.
    Vertices(VertexReads),
    /// The ring after a geometry shader.
    Copy(RingReads),
    /// The local data share.
    Patch(Tessellation),
    /// The stage has no inputs.
    None,
}

/// The destination of outputs.
#[derive(Debug)]
pub(super) enum OutputSink {
    /// Positions and parameters, exported at the end.
    Vertex,
    /// Colours and depth, exported at the end.
    Pixel,
    /// The ring before a geometry shader, written at the end.
    Ring(RingLayout),
    /// The ring after a geometry shader, written with each vertex.
    Emitted(Geometry),
    /// The local data share, written at the end.
    Local,
    /// The local data share, written and read immediately.
    Patch,
    /// The stage has no outputs.
    None,
}

/// The available system values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SystemValues {
    /// Those of vertices.
    Vertex,
    /// Those of fragments.
    Fragment,
    /// Those of primitives.
    Geometry,
    /// Those of invocations in a work group.
    Compute,
    /// Those of control points, or of positions in a patch.
    Tessellation(Tessellation),
}

impl Stage {
    /// The stage of `shader`.
    pub(super) fn of(
        shader: &Shader,
        generation: Generation,
        key: &ShaderKey,
        variables: &mut Variables,
    ) -> Result<Self, LowerError> {
        match shader.processor {
            Processor::Vertex => Self::vertex(generation, key),
            Processor::Fragment => Ok(Self {
                source: InputSource::Registers,
                sink: OutputSink::Pixel,
                values: SystemValues::Fragment,
            }),
            Processor::Geometry => Ok(Self {
                source: InputSource::Vertices(VertexReads::new(shader)?),
                sink: OutputSink::Emitted(Geometry::new(shader, generation, variables)?),
                values: SystemValues::Geometry,
            }),
            Processor::Compute => Self::compute(shader, generation),
            Processor::TessCtrl => Self::control(generation),
            Processor::TessEval => Self::evaluation(generation, key),
            other => {
                let name = other.name().unwrap_or("unknown stage");
                Err(LowerError::new(name, Refusal::UnknownStage))
            }
        }
    }

    fn vertex(generation: Generation, key: &ShaderKey) -> Result<Self, LowerError> {
        let source = match key.vertex_as {
            VertexAs::Copy => InputSource::Copy(RingReads::default()),
            _ => InputSource::Registers,
        };
        Ok(Self { source, sink: vertex_sink(generation, key)?, values: SystemValues::Vertex })
    }

    fn control(generation: Generation) -> Result<Self, LowerError> {
        require_tessellation(generation, "TESS_CTRL")?;
        Ok(Self {
            source: InputSource::Patch(Tessellation::Control),
            sink: OutputSink::Patch,
            values: SystemValues::Tessellation(Tessellation::Control),
        })
    }

    fn evaluation(generation: Generation, key: &ShaderKey) -> Result<Self, LowerError> {
        require_tessellation(generation, "TESS_EVAL")?;
        if matches!(key.vertex_as, VertexAs::Local | VertexAs::Copy) {
            return Err(LowerError::new("TESS_EVAL", Refusal::EvaluationAs));
        }
        Ok(Self {
            source: InputSource::Patch(Tessellation::Evaluation),
            sink: vertex_sink(generation, key)?,
            values: SystemValues::Tessellation(Tessellation::Evaluation),
        })
    }

    fn compute(shader: &Shader, generation: Generation) -> Result<Self, LowerError> {
        if matches!(generation, Generation::R600 | Generation::R700) {
            return Err(LowerError::new("COMP", Refusal::NoCompute));
        }
        compute::judge_size(shader)?;
        Ok(Self {
            source: InputSource::None,
            sink: OutputSink::None,
            values: SystemValues::Compute,
        })
    }

    /// Streams to which vertices are emitted, one bit each.
    pub(super) fn streams(&self) -> u8 {
        match &self.sink {
            OutputSink::Emitted(geometry) => geometry.streams(),
            _ => 0,
        }
    }

    /// Whether it runs for pixel quads, which have derivatives.
    pub(super) fn has_derivatives(&self) -> bool {
        self.values == SystemValues::Fragment
    }

    /// Whether the stage can read the constant file, if the chip has one.
    pub(super) fn has_constant_file(&self) -> bool {
        self.values != SystemValues::Geometry
    }

    /// Whether a fetch shader has to fill the inputs.
    pub(super) fn has_attributes(&self) -> bool {
        matches!((&self.source, self.values), (InputSource::Registers, SystemValues::Vertex))
    }
}

/// Number of registers up to the last one that inputs may preload. Attributes are placed by number, so gaps between
/// them stay empty; other inputs are packed.
pub(super) fn registers_of_inputs(shader: &Shader) -> usize {
    let inputs = shader.declarations.iter().filter(|d| d.file == File::Input);
    match shader.processor {
        Processor::Vertex => inputs.map(|d| usize::from(d.range.last) + 1).max().unwrap_or(0),
        _ => inputs.map(|d| d.range.len()).sum(),
    }
}

/// The output destination of a vertex-producing stage.
fn vertex_sink(generation: Generation, key: &ShaderKey) -> Result<OutputSink, LowerError> {
    match &key.vertex_as {
        VertexAs::Vertex | VertexAs::Copy => Ok(OutputSink::Vertex),
        VertexAs::Export(layout) => Ok(OutputSink::Ring(layout.clone())),
        VertexAs::Local => {
            require_tessellation(generation, "VERT")?;
            Ok(OutputSink::Local)
        }
    }
}

fn require_tessellation(generation: Generation, name: &str) -> Result<(), LowerError> {
    match generation {
        Generation::Evergreen | Generation::Cayman => Ok(()),
        Generation::R600 | Generation::R700 => Err(LowerError::new(name, Refusal::NoTessellation)),
    }
}

impl Lowering<'_> {
    /// Emits the stage's code in front of the shader's own instructions.
    pub(super) fn begin_stage(&mut self) {
        if let OutputSink::Emitted(_) = self.stage.sink {
            self.begin_geometry();
        }
    }

    /// A channel of an input.
    pub(super) fn stage_input(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        match self.stage.source {
            InputSource::Registers => self.register_input(reg, component),
            InputSource::Vertices(_) => self.vertex_input(reg, component),
            InputSource::Copy(_) => self.copy_input(reg, component),
            InputSource::Patch(stage) => self.load_patch(stage, reg, component),
            InputSource::None => Err(LowerError::new("IN", Refusal::NoInputs)),
        }
    }

    /// A channel of a system value.
    pub(super) fn stage_value(
        &mut self,
        name: Semantic,
        component: Component,
    ) -> Result<Operand, LowerError> {
        match self.stage.values {
            SystemValues::Vertex => self.vertex_value(name),
            SystemValues::Fragment => self.fragment_value(name, component),
            SystemValues::Geometry => self.geometry_value(name),
            SystemValues::Compute => self.compute_value(name, component),
            SystemValues::Tessellation(stage) => self.tessellation_value(stage, name, component),
        }
    }

    /// Lowers an instruction that only some stages support; false if `inst` is another one.
    pub(super) fn stage_instruction(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        match inst.opcode {
            Opcode::Emit => self.emit_vertex(inst)?,
            Opcode::Endprim => self.end_primitive(inst)?,
            Opcode::Barrier => self.barrier()?,
            _ => return self.shared_memory(inst),
        }
        Ok(true)
    }

    /// Whether outputs are memory, rather than values exported at the end.
    pub(super) fn has_shared_outputs(&self) -> bool {
        matches!(self.stage.sink, OutputSink::Patch)
    }

    /// Writes or exports the outputs at the end.
    pub(super) fn finish_stage(&mut self) -> Result<(), LowerError> {
        match &self.stage.sink {
            OutputSink::Vertex => self.vertex_exports(),
            OutputSink::Pixel => self.fragment_exports(),
            OutputSink::Ring(layout) => {
                let layout = layout.clone();
                self.write_ring(&layout)
            }
            OutputSink::Local => self.write_vertex_slots(),
            OutputSink::Patch => {
                self.write_factors();
                Ok(())
            }
            OutputSink::Emitted(_) => self.judge_emitted(),
            OutputSink::None => Ok(()),
        }
    }
}
