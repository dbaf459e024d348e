//! Lowers TGSI's texture instructions to TEX and TLDS (feature `tgsi`).
//!
//! Each instruction becomes computations that fill the source registers, one TEX or TLDS, and moves of the results.
//! Every instruction is independent: it uses the lowest registers, and an allocator that wants others calls
//! [`Packed::place`].
//!
//! | TGSI | here |
//! |---|---|
//! | TEX, TEX2, SAMPLE | TEX; TEX.LZ outside of fragment shaders, where no derivatives are |
//! | TXB, TXB2, SAMPLE_B | TEX.LB |
//! | TXL, TXL2, SAMPLE_L | TEX.LL |
//! | TEX_LZ, SAMPLE_C_LZ | TEX.LZ |
//! | TXP | TEX of the coordinates, the layer among them, and the value to compare divided by w |
//! | TXF, TXF_LZ, SAMPLE_I | TLDS.LL, or TLDS.LZ when the level is known to be 0 |
//! | TXF of `2D_MSAA`, SAMPLE_I_MS | TLDS.LZ.MS |
//! | a shadow target, SAMPLE_C | `.DC` |
//! | texel offsets | `.AOFFI` |
//!
//! Layers are floats in TGSI: they are rounded to the nearest integer, ties to even, and clamped to 16 bits, as the
//! vendor's compiler does. Unsupported instructions are rejected with the reason: derivatives (TXD), gathering (TG4),
//! queries, buffers, and combinations without a TLDS row.

mod compute;
mod error;
mod listing;
mod recipe;
mod source;
mod target;

use alloc::vec::Vec;

use tgsi_ir::{
    Component as Channel, Declarations, Instruction as TgsiInstruction, InstructionId, Saturate,
    Shader,
};

pub use self::compute::{Compute, Operand};
pub use self::error::{LowerError, Reason};
use self::recipe::Recipe;
use self::source::{Given, Lowerer};
use crate::component::{Component, ComponentMask};
use crate::effects::Written;
use crate::generated::enums::Sm;
use crate::instruction::Instruction;
use crate::pack::{Content, Packed, pack};
use crate::register::Reg;

/// Options for lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The generation.
    pub sm: Sm,
    /// The word of the constant bank that holds header and sampler of sampler 0; the others follow.
    ///
    /// Instructions with separate view and sampler use the pair of numbers as index.
    pub first_index: u16,
}

/// A texture instruction of a shader, and its lowering.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// The instruction of the shader.
    pub at: InstructionId,
    /// Its lowering, or why there is none.
    pub outcome: Result<Lowering, LowerError>,
}

/// The lowering of a texture instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowering {
    /// The instruction, with the contents of its source registers.
    pub packed: Packed<Compute>,
    /// The destination.
    pub dst: tgsi_ir::Register,
    /// The result register for each channel of the destination.
    pub results: Vec<(Channel, Reg)>,
    /// How results are clamped on their way to the destination.
    pub saturate: Saturate,
    /// Assumptions of the lowering.
    pub notes: Vec<Note>,
}

/// A computation that fills a register before the access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The register.
    pub to: Reg,
    /// The value to compute.
    pub compute: &'a Compute,
    /// Its role for the instruction.
    pub value: crate::Value,
}

/// An assumption or change of a lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Note {
    /// Coordinates are in texels: the texture header must not normalise them.
    TexelCoordinates,
    /// Coordinates are divided by w first, with a reciprocal and multiplications.
    Divided,
    /// There are no derivatives in this stage, so the level is 0.
    NoDerivatives,
    /// `.DC` compares only when the sampler enables comparison, since a level or a bias is given.
    SamplerCompares,
}

impl Note {
    /// A sentence that describes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::TexelCoordinates => {
                "coordinates are in texels: the header must not normalise them"
            }
            Self::Divided => "coordinates are divided by w: a reciprocal and multiplications",
            Self::NoDerivatives => "no derivatives outside of fragment shaders: level 0",
            Self::SamplerCompares => "depth is compared only when the sampler enables it",
        }
    }
}

impl Lowering {
    /// The computations that fill the source registers, in register order.
    pub fn steps(&self) -> Vec<Step<'_>> {
        let instruction = &self.packed.instruction;
        let vectors = [(instruction.ra(), &self.packed.ra), (instruction.rb(), &self.packed.rb)];
        let mut steps = Vec::new();
        for (first, sources) in vectors {
            for (source, at) in sources.iter().zip(0..) {
                // No request of this module has a clamp, so each register has one source.
                if let (Content::Whole(compute), Some(to)) =
                    (&source.content, first.checked_add(at))
                {
                    steps.push(Step { to, compute, value: source.value });
                }
            }
        }
        steps
    }

    /// The instruction.
    pub const fn instruction(&self) -> &Instruction {
        &self.packed.instruction
    }
}

/// Lowers every texture instruction of a shader.
pub fn lower(shader: &Shader, options: &Options) -> Vec<Lowered> {
    let given = Given { shader, options, declarations: Declarations::of(shader) };
    let instructions = shader.instructions.iter().enumerate();
    let lowered = instructions.filter_map(|(at, instruction)| {
        let recipe = recipe::find(instruction.opcode)?;
        let at = InstructionId::from_index(at);
        let outcome = recipe
            .map_err(Reason::OtherInstruction)
            .and_then(|recipe| lower_one(&given, instruction, recipe))
            .map_err(|reason| LowerError { opcode: instruction.opcode, reason });
        Some(Lowered { at, outcome })
    });
    lowered.collect()
}

fn lower_one(
    given: &Given<'_>,
    instruction: &TgsiInstruction,
    recipe: &Recipe,
) -> Result<Lowering, Reason> {
    let mut lowerer = Lowerer::new(given, instruction, recipe)?;
    let mut request = lowerer.request()?;
    let wanted = wanted_components(instruction, recipe)?;
    request.mask = wanted.iter().map(|&(_, component)| component).collect::<ComponentMask>();
    let packed = pack(&request, given.options.sm).map_err(Reason::Pack)?;
    let results = wanted.iter().filter_map(|&(channel, component)| {
        let write =
            packed.writes().into_iter().find(|write| write.result == Written::Word(component));
        Some((channel, write?.reg))
    });
    let results = results.collect();
    let dst = instruction.dst.first().ok_or(Reason::Operands)?.reg;
    Ok(Lowering { packed, dst, results, saturate: instruction.saturate, notes: lowerer.notes })
}

/// The texel component for each written channel; views swizzle.
fn wanted_components(
    instruction: &TgsiInstruction,
    recipe: &Recipe,
) -> Result<Vec<(Channel, Component)>, Reason> {
    let dst = instruction.dst.first().ok_or(Reason::Operands)?;
    let swizzle = match recipe.view {
        Some(view) => instruction.src.get(view).ok_or(Reason::Operands)?.swizzle,
        None => tgsi_ir::Swizzle::XYZW,
    };
    let wanted =
        dst.mask.iter().map(|channel| (channel, Component::ALL[swizzle.get(channel).index()]));
    Ok(wanted.collect())
}
