//! Fetch instructions in executable form.

use r600_isa::HazardSet;

use super::alu::IndexRegister;
use crate::resources::BufferFormat;

/// One fetch instruction.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    /// The name as disassemblers print it.
    pub(crate) name: &'static str,
    pub(crate) action: FetchAction,
    pub(crate) source: FetchRegister,
    pub(crate) source_select: [Select; 4],
    pub(crate) destination: FetchRegister,
    pub(crate) destination_select: [Select; 4],
    /// Hazards to which its clause exposes it, on any chip.
    pub(crate) exposed_to: HazardSet,
}

impl Fetch {
    /// Whether the operands of other lanes of the quad determine the level of detail or the result. Fetches with an
    /// explicit level of detail may run anywhere.
    pub(crate) fn takes_derivatives(&self) -> bool {
        match &self.action {
            FetchAction::Derivative { .. } => true,
            FetchAction::Texture(texture) => matches!(
                texture.kind,
                TextureKind::Sample { lod: LodSource::Implicit | LodSource::Bias, .. }
            ),
            _ => false,
        }
    }

    /// The result registers that it names. A semantic fetch writes registers that the state determines, never R0.
    pub(crate) fn destinations(&self) -> impl Iterator<Item = FetchRegister> + use<> {
        let FetchRegister { gpr: first, index } = self.destination;
        let count = match &self.action {
            FetchAction::Buffer(access) if access.semantic.is_some() => 0,
            FetchAction::ReadScratch(read) => read.count,
            _ => 1,
        };
        (0..count).map(move |n| FetchRegister { gpr: first.wrapping_add(n), index })
    }

    /// Whether the texture unit runs it, rather than the path to buffers and memory.
    pub(crate) fn is_texture(&self) -> bool {
        !matches!(
            self.action,
            FetchAction::Buffer(_)
                | FetchAction::BufferSize(_)
                | FetchAction::ReadScratch(_)
                | FetchAction::Gds(_)
                | FetchAction::TessellationFactor
        )
    }
}

/// A register of a fetch instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FetchRegister {
    pub(crate) gpr: u32,
    pub(crate) index: Option<IndexRegister>,
}

/// The source of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Select {
    Channel(u8),
    Zero,
    One,
    #[default]
    Masked,
}

/// A resource number, to which an index register of control flow may be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourceNumber {
    pub(crate) base: u32,
    pub(crate) index: Option<u8>,
}

/// The action of a fetch instruction.
#[derive(Clone, Debug)]
pub(crate) enum FetchAction {
    Texture(TextureFetch),
    /// Keeps the source for a later fetch of the clause.
    SetState(FetchState),
    /// The differences of the source within the quad.
    Derivative {
        vertical: bool,
        fine: bool,
    },
    Buffer(BufferFetch),
    BufferSize(ResourceNumber),
    /// Returns the source.
    Pass,
    ReadScratch(ScratchRead),
    Gds(GdsAccess),
    /// Writes a tessellation factor.
    TessellationFactor,
}

/// State that a fetch sets for later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchState {
    HorizontalGradients,
    VerticalGradients,
    Offsets,
    CubeLayer,
}

/// A texture access.
#[derive(Clone, Debug)]
pub(crate) struct TextureFetch {
    pub(crate) kind: TextureKind,
    pub(crate) resource: ResourceNumber,
    pub(crate) sampler: ResourceNumber,
    pub(crate) normalized: [bool; 4],
    pub(crate) offset: [i32; 3],
    pub(crate) lod_bias: f32,
}

/// The request of a texture access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureKind {
    Sample { lod: LodSource, compares: bool },
    Gather { component: u8, compares: bool, takes_offsets: bool },
    Load,
    Fragments,
    Size,
    Samples,
    LevelOfDetail,
}

/// The source of a sample's level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LodSource {
    Implicit,
    Bias,
    Explicit,
    Zero,
    Gradients,
    GradientsAndBias,
}

/// A vertex fetch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferFetch {
    pub(crate) resource: ResourceNumber,
    pub(crate) offset: u32,
    /// The format, unless it is taken from the resource.
    pub(crate) format: Option<ElementFormat>,
    /// Semantic number that determines the destination register.
    pub(crate) semantic: Option<u8>,
    /// Whether it goes through the vertex cache, which some chips have.
    pub(crate) is_of_vertices: bool,
}

/// How a fetch reads an element: its format, and the conversions before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementFormat {
    pub(crate) format: BufferFormat,
    /// Whether signed fractions are symmetrical around zero, so that none of them is exactly zero.
    pub(crate) lacks_zero: bool,
    pub(crate) swap: ByteSwap,
}

impl From<BufferFormat> for ElementFormat {
    /// A resource's own format. Its provider has applied the rest.
    fn from(format: BufferFormat) -> Self {
        Self { format, lacks_zero: false, swap: ByteSwap::None }
    }
}

/// The unit in which the bytes of memory are swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteSwap {
    None,
    In16,
    In32,
}

impl ByteSwap {
    /// A dword of memory with its bytes swapped.
    pub(crate) fn apply(self, word: u32) -> u32 {
        match self {
            Self::None => word,
            Self::In16 => word.swap_bytes().rotate_left(16),
            Self::In32 => word.swap_bytes(),
        }
    }
}

/// A read of scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScratchRead {
    pub(crate) base: u32,
    pub(crate) is_indexed: bool,
    /// Number of vectors to read, each to the next register.
    pub(crate) count: u32,
}

/// An access to the global data share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GdsAccess {
    pub(crate) op: super::data_share::LdsOp,
    /// The append counter to access. Without one, the first operand is the address.
    pub(crate) counter: Option<ResourceNumber>,
}
