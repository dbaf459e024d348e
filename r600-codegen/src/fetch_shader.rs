//! Fetch shaders: they load the attributes of a vertex into registers before a vertex shader runs.
//!
//! A vertex shader calls one as its first instruction. Attribute n goes to R(n + 1), as vertex shaders expect;
//! R0 has the number of the vertex in x and that of the instance in w. Strides and addresses of buffers are
//! those of their fetch resources.

use arrayvec::ArrayVec;
use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfFetch, CfFlow, CfOp, Chan, Chip,
    Clause, ComponentSel, DataFormat, EncodeError, FetchInst, Generation, IndexMode, NumFormat,
    PredSel, Program, VtxInst,
};
use thiserror::Error;

use crate::alloc::MAX_GPRS;

/// How wide the channels of an attribute are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelWidth {
    /// A byte each.
    Bits8,
    /// Two bytes each.
    Bits16,
    /// A word each.
    Bits32,
    /// Ten bits each of x, y and z, and two of w.
    Packed10,
}

/// What the bits of a channel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelNumber {
    /// A float.
    Float,
    /// From 0 to 1 where unsigned, from −1 to 1 where signed.
    Normalized {
        /// Whether it is signed.
        signed: bool,
    },
    /// An integer that becomes a float.
    Scaled {
        /// Whether it is signed.
        signed: bool,
    },
    /// An integer that stays one.
    Integer {
        /// Whether it is signed.
        signed: bool,
    },
}

/// How an attribute lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttributeFormat {
    /// Width of a channel.
    pub width: ChannelWidth,
    /// Channels, 1 to 4; the others are 0, 0 and 1.
    pub channels: u8,
    /// What each holds.
    pub number: ChannelNumber,
    /// Whether x and z change places, as in colours from blue to red.
    pub is_reversed: bool,
}

/// When an attribute goes on to the next element of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// With each vertex.
    Vertex,
    /// After so many instances, at least 1.
    Instances(u32),
}

/// An attribute of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexElement {
    /// Its number: the input register of the shader.
    pub attribute: u8,
    /// The vertex buffer.
    pub buffer: u8,
    /// Bytes from the start of the buffer's element.
    pub offset: u16,
    /// How it lies there.
    pub format: AttributeFormat,
    /// When it goes on.
    pub step: Step,
}

/// A fetch shader.
#[derive(Clone, Debug)]
pub struct FetchShader {
    /// The program, which ends by returning.
    pub program: Program,
    /// Its words.
    pub words: Vec<u32>,
    /// Registers that it writes: the vertex shader must have as many.
    pub num_gprs: u8,
}

/// Why there is no fetch shader.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FetchShaderError {
    /// The hardware cannot read a format.
    #[error("attribute {0}: no vertex format has such channels")]
    Format(u8),
    /// There is no such vertex buffer.
    #[error("attribute {0}: vertex buffers are numbered 0 to 15")]
    Buffer(u8),
    /// There is no register for an attribute.
    #[error("attribute {0}: there is no register for it")]
    Attribute(u8),
    /// An attribute that never goes on.
    #[error("attribute {0}: it goes on after at least one instance")]
    Divisor(u8),
    /// Encoding fails: a mistake of the compiler.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// Vertex buffers.
const NUM_BUFFERS: u8 = 16;

/// The fetch resource of vertex buffer 0 before Evergreen, in the numbers of vertex shaders.
const FIRST_BUFFER: u8 = 160;

/// Compiles the fetch shader for `layout`.
///
/// # Errors
/// The first element that the hardware cannot fetch.
pub fn compile_fetch_shader(
    layout: &[VertexElement],
    chip: Chip,
) -> Result<FetchShader, FetchShaderError> {
    let generation = chip.generation();
    layout.iter().try_for_each(judge)?;
    let mut program = Program::new(generation);
    let divided: Vec<AluGroup> =
        layout.iter().filter_map(|element| division(element, generation)).collect();
    if !divided.is_empty() {
        let clause = program.add_clause(Clause::Alu(divided));
        program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
    }
    let fetches: Result<Vec<_>, _> = layout.iter().map(|e| fetch(e, generation)).collect();
    for some in fetches?.chunks(clause_limit(generation)) {
        let clause = program.add_clause(Clause::Fetch(some.to_vec()));
        let op = if generation == Generation::Cayman { CfOp::Tex } else { CfOp::Vtx };
        program.cf.push(Cf::Fetch(CfFetch::new(op, clause)));
    }
    program.cf.push(Cf::Flow(CfFlow::new(CfOp::Ret)));
    let words = program.encode()?;
    let last = layout.iter().map(|element| element.attribute + 1).max().unwrap_or(0);
    Ok(FetchShader { program, words, num_gprs: last + 1 })
}

fn judge(element: &VertexElement) -> Result<(), FetchShaderError> {
    let attribute = element.attribute;
    if attribute >= MAX_GPRS - 1 {
        return Err(FetchShaderError::Attribute(attribute));
    }
    if element.buffer >= NUM_BUFFERS {
        return Err(FetchShaderError::Buffer(attribute));
    }
    if element.step == Step::Instances(0) {
        return Err(FetchShaderError::Divisor(attribute));
    }
    Ok(())
}

/// Fetch instructions of a clause.
fn clause_limit(generation: Generation) -> usize {
    match generation {
        Generation::R600 => 8,
        Generation::R700 | Generation::Evergreen | Generation::Cayman => 16,
    }
}

/// The instance divided by the attribute's divisor, in w of its register: the upper half of a product.
fn division(element: &VertexElement, generation: Generation) -> Option<AluGroup> {
    let Step::Instances(divisor @ 2..) = element.step else { return None };
    let factor = ((1_u64 << 32) / u64::from(divisor) + 1) as u32;
    let slots: &[Chan] = if generation == Generation::Cayman { &Chan::ALL } else { &[Chan::W] };
    let inst = |&chan: &Chan| {
        let unused = AluSrc::new(AluSel::Gpr(0), Chan::X);
        let src =
            [AluSrc::new(AluSel::Gpr(0), Chan::W), AluSrc::new(AluSel::Literal, Chan::X), unused];
        AluInst {
            op: AluOp::MulhiUint,
            dst: AluDst {
                gpr: element.attribute + 1,
                chan,
                write: chan == Chan::W,
                ..AluDst::default()
            },
            src,
            index_mode: IndexMode::ArX,
            pred_sel: PredSel::Off,
            bank_swizzle: 0,
            update_exec_mask: false,
            update_pred: false,
        }
    };
    let literals: ArrayVec<u32, 4> = [factor].into_iter().collect();
    Some(AluGroup { insts: slots.iter().map(inst).collect(), literals })
}

fn fetch(element: &VertexElement, generation: Generation) -> Result<FetchInst, FetchShaderError> {
    let format = element.format;
    let data_format = data_format(format).ok_or(FetchShaderError::Format(element.attribute))?;
    let (num_format, signed) = number_format(format.number);
    let is_old = matches!(generation, Generation::R600 | Generation::R700);
    let gpr = element.attribute + 1;
    let (src_gpr, src_sel) = match element.step {
        Step::Vertex => (0, ComponentSel::X),
        Step::Instances(1) => (0, ComponentSel::W),
        Step::Instances(_) => (gpr, ComponentSel::W),
    };
    Ok(FetchInst::Vtx(VtxInst {
        fetch_type: u8::from(element.step != Step::Vertex),
        mega_fetch_count: num_bytes(format) - 1,
        data_format: data_format as u8,
        num_format: num_format as u8,
        signed,
        no_zero: matches!(format.number, ChannelNumber::Float),
        offset: element.offset,
        src_gpr,
        src_sel,
        dst_gpr: gpr,
        dst_sel: selects(format),
        ..VtxInst::buffer_fetch(element.buffer + if is_old { FIRST_BUFFER } else { 0 })
    }))
}

/// The format by width and channels; three bytes or halves are read as four.
fn data_format(format: AttributeFormat) -> Option<DataFormat> {
    use DataFormat as D;
    let is_float = format.number == ChannelNumber::Float;
    let by_channels = match (format.width, is_float) {
        (ChannelWidth::Bits8, false) => [D::Fmt8, D::Fmt8_8, D::Fmt8_8_8_8, D::Fmt8_8_8_8],
        (ChannelWidth::Bits16, false) => {
            [D::Fmt16, D::Fmt16_16, D::Fmt16_16_16_16, D::Fmt16_16_16_16]
        }
        (ChannelWidth::Bits16, true) => {
            [D::Fmt16Float, D::Fmt16_16Float, D::Fmt16_16_16_16Float, D::Fmt16_16_16_16Float]
        }
        (ChannelWidth::Bits32, false) => [D::Fmt32, D::Fmt32_32, D::Fmt32_32_32, D::Fmt32_32_32_32],
        (ChannelWidth::Bits32, true) => {
            [D::Fmt32Float, D::Fmt32_32Float, D::Fmt32_32_32Float, D::Fmt32_32_32_32Float]
        }
        (ChannelWidth::Packed10, false) => {
            return (format.channels == 4).then_some(D::Fmt2_10_10_10);
        }
        (ChannelWidth::Bits8 | ChannelWidth::Packed10, true) => return None,
    };
    by_channels.get(usize::from(format.channels.checked_sub(1)?)).copied()
}

fn num_bytes(format: AttributeFormat) -> u8 {
    match format.width {
        ChannelWidth::Bits8 => format.channels,
        ChannelWidth::Bits16 => 2 * format.channels,
        ChannelWidth::Bits32 => 4 * format.channels,
        ChannelWidth::Packed10 => 4,
    }
}

/// What becomes of the bits, and whether channels are signed.
fn number_format(number: ChannelNumber) -> (NumFormat, bool) {
    match number {
        ChannelNumber::Float => (NumFormat::Norm, true),
        ChannelNumber::Normalized { signed } => (NumFormat::Norm, signed),
        ChannelNumber::Integer { signed } => (NumFormat::Int, signed),
        ChannelNumber::Scaled { signed } => (NumFormat::Scaled, signed),
    }
}

/// What is not there is 0, 0, 0 and 1.
fn selects(format: AttributeFormat) -> [ComponentSel; 4] {
    let there = [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W];
    let missing = [ComponentSel::Zero, ComponentSel::Zero, ComponentSel::Zero, ComponentSel::One];
    let mut selects =
        [0, 1, 2, 3].map(|n| if n < usize::from(format.channels) { there[n] } else { missing[n] });
    if format.is_reversed {
        selects.swap(0, 2);
    }
    selects
}
