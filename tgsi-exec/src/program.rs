//! The flat form of a shader: operands resolved to slots, opcodes turned into functions, jumps into
//! positions.
//!
//! All registers of a quad lie in one list of channels; a [slot](Slot) is a place in it, and register
//! `n` of a file takes four slots. Immediates and constants with fixed numbers have slots too, so that
//! most operands are four slots and nothing else.

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
    /// Operands that need more than four slots, which sources and destinations refer to.
    pub(crate) far: Vec<FarRegister>,
    /// Constants with fixed numbers: buffer and vector of each, in the order of their slots.
    pub(crate) constants: Vec<(u32, u32)>,
    /// The constant buffers, buffers, images, samplers and views that are declared.
    pub(crate) resources: DeclaredResources,
    /// The counters that are declared.
    pub(crate) counters: Counters,
    /// The words of the immediates.
    pub(crate) immediates: Vec<[u32; 4]>,
    /// Vertices that one run may emit.
    pub(crate) max_vertices: Option<usize>,
    /// Control points of the patch that a tessellation control shader makes.
    pub(crate) num_patch_vertices: usize,
    /// The outputs that are declared.
    pub(crate) declared_outputs: Vec<usize>,
    /// The outputs that are edge flags.
    pub(crate) edge_flags: Vec<usize>,
    /// The declared inputs and outputs.
    pub(crate) declared: DeclaredRegisters,
    /// The inputs that a geometry shader has for the number of its primitive.
    pub(crate) primitive_numbers: Ranges,
}

/// Vertices of a patch, as in every API.
pub(crate) const MAX_PATCH_VERTICES: usize = 32;

impl Program {
    /// Whether outputs belong to the patch rather than to a lane.
    pub(crate) fn shares_outputs(&self) -> bool {
        self.processor == Processor::TessCtrl
    }

    /// The slot of an input that belongs to the primitive, whichever of its vertices it is read of.
    pub(crate) fn primitive_number(&self, index: i64) -> Option<Slot> {
        let is_it = self.primitive_numbers.contains(index);
        self.layout.file(RegisterFile::Input).slot(index).filter(|_| is_it)
    }

    /// Whether `index` is that of a register which is declared and, where an array is named, in that array. What a patch
    /// has and what its points have are files of their own.
    pub(crate) fn declares(&self, far: &FarRegister, index: i64) -> bool {
        let Some(indirect) = far.indirect else { return true };
        let is_of_patch = match (far.file, far.of) {
            (FarFile::Constant, _) => return true,
            (FarFile::VertexInput | FarFile::VertexOutput, _) => Some(false),
            (FarFile::PatchOutput, _) => Some(true),
            (FarFile::Slots(_), File::Input) if self.processor == Processor::TessEval => Some(true),
            (FarFile::Slots(_), File::Input | File::Output) => None,
            // The end of the file is all there is to know.
            (FarFile::Slots(_), _) => return true,
        };
        indirect.reaches(index) && self.declared.contains(far.of, is_of_patch, index)
    }
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The instruction of the shader that was given, which errors name.
    pub(crate) at: InstructionId,
    pub(crate) action: Action,
    pub(crate) destination: Option<Destination>,
    pub(crate) sources: Vec<Source>,
    /// What error hardware may make in the result.
    pub(crate) error: Error,
    /// Type of the result.
    pub(crate) result: Kind,
    /// Whether each channel of the result looks at the same channel of the sources.
    pub(crate) is_componentwise: bool,
}

impl Step {
    /// Whether what a lane gets depends on what the others hold.
    pub(crate) fn looks_at_other_lanes(&self) -> bool {
        match &self.action {
            Action::Subgroup(_) => true,
            Action::Texture(texture) => texture.query.takes_differences(),
            _ => self.error == Error::Derivative,
        }
    }
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Nothing,
    Compute(Function),
    /// Looks at the other lanes that run.
    Subgroup(SubgroupFunction),
    /// Has two results: a fraction, and an exponent for this second destination.
    Split(Option<Destination>),
    Texture(Box<TextureStep>),
    Memory(Box<MemoryStep>),
    /// Interpolates an input anew.
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

/// Where an input is interpolated anew. Its source is the input itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterpolateStep {
    /// The input, where it has a fixed number.
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

/// What the builder answers.
pub(crate) type Result<T> = std::result::Result<T, crate::error::ExecError>;
