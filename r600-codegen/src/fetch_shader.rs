//! Fetch shaders: they load vertex attributes into registers before a vertex shader runs.
//!
//! A vertex shader calls one as its first instruction. Attribute n goes to R(n + 1), as vertex shaders expect. R0 holds
//! the vertex number in x and the instance number in w. Buffer strides and addresses come from the fetch resources.

mod element;

use arrayvec::ArrayVec;
use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfFetch, CfFlow, CfOp, Chan, Chip,
    Clause, ComponentSel, EncodeError, FetchInst, Generation, IndexMode, PredSel, Program, VtxInst,
};
use thiserror::Error;

use crate::abi::{Step, VertexElement, fetch_shader_buffer_resource};
use crate::quotient::{self, Term, Way, way};

pub(crate) use self::element::{judge, vertex_fetch};

/// A fetch shader.
#[derive(Clone, Debug)]
pub struct FetchShader {
    /// The program, which ends by returning.
    pub program: Program,
    /// Its words.
    pub words: Vec<u32>,
    /// Number of registers it writes. The vertex shader must allocate as many.
    pub num_gprs: u8,
}

/// Why no fetch shader can be compiled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FetchShaderError {
    /// An unsupported format.
    #[error("attribute {0}: no vertex format has these channels")]
    Format(u8),
    /// A vertex buffer out of range.
    #[error("attribute {0}: vertex buffers are numbered 0 to 15")]
    Buffer(u8),
    /// No register for an attribute.
    #[error("attribute {0}: there is no register for it")]
    Attribute(u8),
    /// An instance divisor of 0.
    #[error("attribute {0}: an instance divisor is at least 1")]
    Divisor(u8),
    /// Encoding fails: a bug in the compiler.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

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
    for some in layout.chunks(ATTRIBUTES_IN_CLAUSE) {
        let groups: Vec<AluGroup> =
            some.iter().flat_map(|element| division(element, generation)).collect();
        if !groups.is_empty() {
            let clause = program.add_clause(Clause::Alu(groups));
            program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
        }
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

/// The most fetch instructions in a clause.
fn clause_limit(generation: Generation) -> usize {
    match generation {
        Generation::R600 => 8,
        Generation::R700 | Generation::Evergreen | Generation::Cayman => 16,
    }
}

/// Number of attributes whose divisions share an ALU clause. A clause has 128 slots, sixteen for each; no division
/// needs more than eleven, literals included.
const ATTRIBUTES_IN_CLAUSE: usize = 8;

/// Divides the instance number by the attribute's divisor. The result is in w of the attribute's register; its other
/// channels hold intermediate values.
fn division(element: &VertexElement, generation: Generation) -> Vec<AluGroup> {
    let Step::Instances(divisor @ 2..) = element.step else { return Vec::new() };
    let steps = way(divisor).map(Way::steps).unwrap_or_default();
    let gpr = element.attribute + 1;
    let chan = |step: usize| if step + 1 == steps.len() { Chan::W } else { Chan::ALL[step] };
    let group = |(number, step): (usize, &quotient::Step)| {
        let mut literals = ArrayVec::new();
        let src = step.src.map(|term| match term {
            Term::Number => AluSrc::new(AluSel::Gpr(0), Chan::W),
            Term::Result(step) => AluSrc::new(AluSel::Gpr(gpr), chan(step)),
            Term::Constant(bits) => {
                literals.push(bits);
                AluSrc::new(AluSel::Literal, Chan::X)
            }
        });
        let is_wide = step.op == AluOp::MulhiUint && generation == Generation::Cayman;
        let own = [chan(number)];
        let slots = if is_wide { &Chan::ALL[..] } else { &own };
        let inst = |&slot: &Chan| operation(step.op, (gpr, slot, slot == own[0]), src);
        AluGroup { insts: slots.iter().map(inst).collect(), literals }
    };
    steps.iter().enumerate().map(group).collect()
}

/// An operation in the slot of channel `chan`, which writes its result only if `write` is set.
fn operation(op: AluOp, (gpr, chan, write): (u8, Chan, bool), src: [AluSrc; 2]) -> AluInst {
    let unused = AluSrc::new(AluSel::Gpr(0), Chan::X);
    AluInst {
        op,
        dst: AluDst { gpr, chan, write, ..AluDst::default() },
        src: [src[0], src[1], unused],
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    }
}

/// The fetch of an attribute into its register.
fn fetch(element: &VertexElement, generation: Generation) -> Result<FetchInst, FetchShaderError> {
    let gpr = element.attribute + 1;
    let (src_gpr, src_sel) = match element.step {
        Step::Vertex => (0, ComponentSel::X),
        Step::Instances(1) => (0, ComponentSel::W),
        Step::Instances(_) => (gpr, ComponentSel::W),
    };
    let resource = fetch_shader_buffer_resource(element.buffer, generation);
    let template = vertex_fetch(element, resource)?;
    Ok(FetchInst::Vtx(VtxInst { src_gpr, src_sel, dst_gpr: gpr, ..template }))
}
