//! The flat form of a shader: operands resolved to slots, opcodes turned into functions, jumps into
//! positions.
//!
//! All registers of a quad are in one list of channels. A [slot](Slot) is an index into it, and register `n` of a file
//! takes four slots. Immediates and constants with fixed numbers have slots too, so most operands are just four slots.

mod build;
mod declared;
mod flow;
mod layout;
mod memory;
mod operand;
mod texture;

use tgsi_ir::{File, InstructionId, Processor};

use crate::functions::{Function, SubgroupFunction};
use crate::limits::Limits;
use crate::perturb::Error;

pub(crate) use build::build;
pub(crate) use declared::{Counters, DeclaredRegisters, DeclaredResources, Ranges};
pub(crate) use flow::{FlowStep, SwitchStep};
pub(crate) use layout::{FileRange, Layout, RegisterFile, Slot};
pub(crate) use memory::{MemoryAction, MemoryPlace, MemoryStep, ResourceFile};
pub(crate) use operand::{
    Destination, FarFile, FarRegister, IndexSource, Kind, Modifier, Place, Saturation, Source,
    SourcePlace, Unit, UnitIndex,
};
pub(crate) use texture::{Coordinate, TextureStep};

/// A shader, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) limits: Limits,
    pub(crate) processor: Processor,
    pub(crate) steps: Vec<Step>,
    pub(crate) layout: Layout,
    /// Operands that are not just four slots; sources and destinations refer to them.
    pub(crate) far: Vec<FarRegister>,
    /// Constants with fixed numbers: buffer and vector of each, in slot order.
    pub(crate) constants: Vec<(u32, u32)>,
    /// The declared constant buffers, buffers, images, samplers and views.
    pub(crate) resources: DeclaredResources,
    /// The declared counters.
    pub(crate) counters: Counters,
    /// The words of the immediates.
    pub(crate) immediates: Vec<[u32; 4]>,
    /// The most vertices that one run may emit.
    pub(crate) max_vertices: Option<usize>,
    /// Number of control points of the patch that a tessellation control shader outputs.
    pub(crate) num_patch_vertices: usize,
    /// The declared outputs.
    pub(crate) declared_outputs: Vec<usize>,
    /// The outputs that are edge flags.
    pub(crate) edge_flags: Vec<usize>,
    /// The declared inputs and outputs.
    pub(crate) declared: DeclaredRegisters,
    /// The inputs of a geometry shader that hold the primitive number.
    pub(crate) primitive_numbers: Ranges,
}

/// Vertices of a patch, as in every API.
pub(crate) const MAX_PATCH_VERTICES: usize = 32;

impl Program {
    /// Whether outputs belong to the patch rather than to a lane.
    pub(crate) fn shares_outputs(&self) -> bool {
        self.processor == Processor::TessCtrl
    }

    /// The slot of an input that belongs to the primitive; it is the same for all vertices.
    pub(crate) fn primitive_number(&self, index: i64) -> Option<Slot> {
        let is_it = self.primitive_numbers.contains(index);
        self.layout.file(RegisterFile::Input).slot(index).filter(|_| is_it)
    }

    /// Whether `index` is a declared register and, if an array is named, in that array. Registers of a patch and of its
    /// points count as separate files.
    pub(crate) fn declares(&self, far: &FarRegister, index: i64) -> bool {
        let Some(indirect) = far.indirect else { return true };
        let is_of_patch = match (far.file, far.of) {
            (FarFile::Constant, _) => return true,
            (FarFile::VertexInput | FarFile::VertexOutput, _) => Some(false),
            (FarFile::PatchOutput, _) => Some(true),
            (FarFile::Slots(_), File::Input) if self.processor == Processor::TessEval => Some(true),
            (FarFile::Slots(_), File::Input | File::Output) => None,
            // Only the end of the file is known.
            (FarFile::Slots(_), _) => return true,
        };
        indirect.reaches(index) && self.declared.contains(far.of, is_of_patch, index)
    }
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The instruction of the original shader, for errors.
    pub(crate) at: InstructionId,
    pub(crate) action: Action,
    pub(crate) destination: Option<Destination>,
    pub(crate) sources: Vec<Source>,
    /// The error that hardware may make in the result.
    pub(crate) error: Error,
    /// Type of the result.
    pub(crate) result: Kind,
    /// Whether each channel of the result depends only on the same channel of the sources.
    pub(crate) is_componentwise: bool,
}

impl Step {
    /// Whether a lane's result depends on the other lanes.
    pub(crate) fn looks_at_other_lanes(&self) -> bool {
        match &self.action {
            Action::Subgroup(_) => true,
            Action::Texture(texture) => texture.query.takes_differences(),
            _ => self.error == Error::Derivative,
        }
    }
}

/// The operation of an instruction.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Nothing,
    Compute(Function),
    /// Reads the other active lanes.
    Subgroup(SubgroupFunction),
    /// Has two results: a fraction, and an exponent for this second destination.
    Split(Option<Destination>),
    Texture(Box<TextureStep>),
    Memory(Box<MemoryStep>),
    /// Re-interpolates an input.
    Interpolate(InterpolateStep),
    /// Reads the colours under the quad.
    Framebuffer(u32),
    /// The handle of a sampler or image.
    Handle(Unit),
    Clock,
    /// Whether the lane is a helper.
    ReadHelper,
    Kill,
    KillIf,
    Emit,
    EndPrimitive,
    Barrier,
    Flow(FlowStep),
}

/// Where an input is re-interpolated. The source is the input itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterpolateStep {
    /// The input, if it has a fixed number.
    pub(crate) input: Option<u32>,
    pub(crate) at: InterpolateAt,
}

/// A place in the pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InterpolateAt {
    Centroid,
    /// The sample with the number in x of the second source.
    Sample,
    /// The offset in xy of the second source.
    Offset,
}

/// The builder's result type.
pub(crate) type Result<T> = std::result::Result<T, crate::error::ExecError>;
