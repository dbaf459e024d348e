//! Control-flow instructions.

use crate::fields::{
    cf_alloc_export_word0, cf_alloc_export_word1_swiz, cf_alu_word0, cf_alu_word0_ext,
    cf_alu_word1, cf_alu_word1_ext, cf_word0, cf_word1,
};
use crate::{CfOp, ClauseId, FieldError, Generation, WordBuilder};

/// How many lines a constant cache window holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum KcacheMode {
    /// The window is not used.
    #[default]
    None,
    /// One line: 16 vec4.
    Lock1,
    /// Two lines: 32 vec4.
    Lock2,
    /// One line, offset by the loop index.
    LockLoopIndex,
}

/// A constant cache window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KcacheWindow {
    /// Lines locked.
    pub mode: KcacheMode,
    /// Constant buffer.
    pub bank: u8,
    /// First line, in units of 16 vec4.
    pub line: u8,
}

/// Runs an ALU clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfAlu {
    /// What happens to the branch stack besides.
    pub op: CfOp,
    /// The clause.
    pub clause: ClauseId,
    /// Constant cache windows; the last two need Evergreen or Cayman.
    pub kcache: [KcacheWindow; 4],
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

impl CfAlu {
    /// Whether it is preceded by `ALU_EXTENDED`.
    pub fn is_extended(&self) -> bool {
        self.kcache[2..].iter().any(|window| window.mode != KcacheMode::None)
    }
}

/// Runs a fetch clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfFetch {
    /// Through which cache.
    pub op: CfOp,
    /// The clause.
    pub clause: ClauseId,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

/// Branches, loops, calls and everything else without a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfFlow {
    /// What it does.
    pub op: CfOp,
    /// The control-flow instruction it goes to, by position in [`Program::cf`](crate::Program::cf).
    pub target: u32,
    /// Stack entries it pops.
    pub pop_count: u8,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

impl CfFlow {
    /// `op` without target.
    pub const fn new(op: CfOp) -> Self {
        Self { op, target: 0, pop_count: 0, end_of_program: false, barrier: true }
    }
}

/// The source of an exported component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExportSel {
    /// x of the GPR.
    X,
    /// y of the GPR.
    Y,
    /// z of the GPR.
    Z,
    /// w of the GPR.
    W,
    /// 0.0.
    Zero,
    /// 1.0.
    One,
    /// Not written.
    Mask = 7,
}

/// An export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfExport {
    /// `EXPORT` or `EXPORT_DONE`.
    pub op: CfOp,
    /// 0 pixel, 1 position, 2 parameter.
    pub kind: u8,
    /// First target.
    pub array_base: u16,
    /// First GPR.
    pub gpr: u8,
    /// Consecutive GPRs and targets, at least 1.
    pub burst: u8,
    /// Sources of the components.
    pub sel: [ExportSel; 4],
    /// Dwords of an element less one; exports ignore it.
    pub elem_size: u8,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

/// A control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cf {
    /// Runs an ALU clause.
    Alu(CfAlu),
    /// Runs a fetch clause.
    Fetch(CfFetch),
    /// Anything without a clause.
    Flow(CfFlow),
    /// Exports.
    Export(CfExport),
    /// Two words that nothing above holds without loss.
    Raw([u32; 2]),
}

/// Where a clause lies and how long it is, for encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClausePlace {
    /// In 64-bit units from the start of the program.
    pub(crate) addr: u32,
    /// Slots or fetches.
    pub(crate) count: u32,
}

impl Cf {
    /// 64-bit units that it takes.
    pub fn num_units(&self) -> u32 {
        match self {
            Self::Alu(alu) if alu.is_extended() => 2,
            _ => 1,
        }
    }

    /// Appends the words; `clause` tells where its clause lies, `target` where its target does.
    pub(crate) fn encode(
        &self,
        generation: Generation,
        clause: ClausePlace,
        target: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), FieldError> {
        match self {
            Self::Alu(alu) => encode_alu(alu, generation, clause, out),
            Self::Fetch(fetch) => encode_fetch(fetch, generation, clause, out),
            Self::Flow(flow) => encode_flow(flow, generation, target, out),
            Self::Export(export) => encode_export(export, generation, out),
            Self::Raw(words) => {
                out.extend(words);
                Ok(())
            }
        }
    }
}

fn opcode(op: CfOp, generation: Generation) -> Result<u16, FieldError> {
    op.opcode(generation).ok_or(FieldError::Absent {
        field: op.name(),
        generation,
        value: op as u32,
    })
}

fn encode_alu(
    alu: &CfAlu,
    generation: Generation,
    clause: ClausePlace,
    out: &mut Vec<u32>,
) -> Result<(), FieldError> {
    let k = &alu.kcache;
    if alu.is_extended() {
        let mut w0 = WordBuilder::new(generation);
        w0.put(&cf_alu_word0_ext::KCACHE_BANK2, k[2].bank)?
            .put(&cf_alu_word0_ext::KCACHE_BANK3, k[3].bank)?
            .put(&cf_alu_word0_ext::KCACHE_MODE2, k[2].mode as u32)?;
        let mut w1 = WordBuilder::new(generation);
        w1.put(&cf_alu_word1_ext::KCACHE_MODE3, k[3].mode as u32)?
            .put(&cf_alu_word1_ext::KCACHE_ADDR2, k[2].line)?
            .put(&cf_alu_word1_ext::KCACHE_ADDR3, k[3].line)?
            .put(&cf_alu_word1_ext::CF_INST, opcode(CfOp::AluExt, generation)?)?
            .put(&cf_alu_word1_ext::BARRIER, alu.barrier)?;
        out.extend([w0.word(), w1.word()]);
    }
    let mut w0 = WordBuilder::new(generation);
    w0.put(&cf_alu_word0::ADDR, clause.addr)?
        .put(&cf_alu_word0::KCACHE_BANK0, k[0].bank)?
        .put(&cf_alu_word0::KCACHE_BANK1, k[1].bank)?
        .put(&cf_alu_word0::KCACHE_MODE0, k[0].mode as u32)?;
    let mut w1 = WordBuilder::new(generation);
    w1.put(&cf_alu_word1::KCACHE_MODE1, k[1].mode as u32)?
        .put(&cf_alu_word1::KCACHE_ADDR0, k[0].line)?
        .put(&cf_alu_word1::KCACHE_ADDR1, k[1].line)?
        .put(&cf_alu_word1::COUNT, clause.count.saturating_sub(1))?
        .put(&cf_alu_word1::CF_INST, opcode(alu.op, generation)?)?
        .put(&cf_alu_word1::BARRIER, alu.barrier)?;
    out.extend([w0.word(), w1.word()]);
    Ok(())
}

fn encode_fetch(
    fetch: &CfFetch,
    generation: Generation,
    clause: ClausePlace,
    out: &mut Vec<u32>,
) -> Result<(), FieldError> {
    let mut w0 = WordBuilder::new(generation);
    w0.put(&cf_word0::ADDR, clause.addr)?;
    let count = clause.count.saturating_sub(1);
    let mut w1 = WordBuilder::new(generation);
    w1.put(&cf_word1::CF_INST, opcode(fetch.op, generation)?)?
        .put(&cf_word1::END_OF_PROGRAM, fetch.end_of_program)?
        .put(&cf_word1::BARRIER, fetch.barrier)?;
    match generation {
        // R700's count grew by a bit elsewhere in the word.
        Generation::R700 => {
            w1.put(&cf_word1::COUNT, count & 7)?.put(&cf_word1::COUNT_3, count >> 3)?;
        }
        _ => {
            w1.put(&cf_word1::COUNT, count)?;
        }
    }
    out.extend([w0.word(), w1.word()]);
    Ok(())
}

fn encode_flow(
    flow: &CfFlow,
    generation: Generation,
    target: u32,
    out: &mut Vec<u32>,
) -> Result<(), FieldError> {
    let mut w0 = WordBuilder::new(generation);
    w0.put(&cf_word0::ADDR, target)?;
    let mut w1 = WordBuilder::new(generation);
    w1.put(&cf_word1::POP_COUNT, flow.pop_count)?
        .put(&cf_word1::END_OF_PROGRAM, flow.end_of_program)?
        .put(&cf_word1::CF_INST, opcode(flow.op, generation)?)?
        .put(&cf_word1::BARRIER, flow.barrier)?;
    out.extend([w0.word(), w1.word()]);
    Ok(())
}

fn encode_export(
    export: &CfExport,
    generation: Generation,
    out: &mut Vec<u32>,
) -> Result<(), FieldError> {
    let mut w0 = WordBuilder::new(generation);
    w0.put(&cf_alloc_export_word0::ARRAY_BASE, export.array_base)?
        .put(&cf_alloc_export_word0::TYPE, export.kind)?
        .put(&cf_alloc_export_word0::RW_GPR, export.gpr)?
        .put(&cf_alloc_export_word0::ELEM_SIZE, export.elem_size)?;
    use cf_alloc_export_word1_swiz as f;
    let mut w1 = WordBuilder::new(generation);
    for (field, sel) in [&f::SEL_X, &f::SEL_Y, &f::SEL_Z, &f::SEL_W].into_iter().zip(export.sel) {
        w1.put(field, sel as u32)?;
    }
    w1.put(&f::BURST_COUNT, export.burst.saturating_sub(1))?
        .put(&f::END_OF_PROGRAM, export.end_of_program)?
        .put(&f::CF_INST, opcode(export.op, generation)?)?
        .put(&f::BARRIER, export.barrier)?;
    out.extend([w0.word(), w1.word()]);
    Ok(())
}
