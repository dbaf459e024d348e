//! Turns scheduled code with allocated registers into a program.

mod clause;
mod flow;
mod memory;
mod nesting;
mod origins;
mod steps;

use cranelift_entity::SecondaryMap;
use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfFlow, CfOp, Chan, Clause,
    EncodeError, ExportKind, Generation, Hazard, IndexMode, PredSel, Program, StackDepth,
};
use r600_mir::{Function, OpId, VReg};
use r600_sched::Schedule;
use thiserror::Error;

use crate::alloc::Allocation;

pub use self::origins::Origins;
use self::origins::Row;
pub(crate) use self::steps::flow_of;

/// Why a scheduled function cannot be emitted: a bug in an earlier step.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum EmitError {
    /// A register that is read or written has no GPR.
    #[error("{0} has no place")]
    Unplaced(VReg),
    /// A group's operands cannot be read with any bank swizzles.
    #[error("a group has no bank swizzles")]
    BankSwizzle,
    /// A group has more literals than fit.
    #[error("a group has more than four literals")]
    Literals,
    /// A constant has no window in its clause.
    #[error("vec4 {index} of constant buffer {bank} has no window in its clause")]
    NoWindow {
        /// The buffer.
        bank: u8,
        /// The vec4.
        index: u16,
    },
    /// A branch without a preceding predicate operation.
    #[error("a branch has no predicate operation before it")]
    NoPredicate,
    /// An exit outside of any loop.
    #[error("an exit stands outside any loop")]
    NoLoop,
    /// An operation in a clause that cannot hold it.
    #[error("{0} stands in a clause of another kind")]
    Clause(OpId),
    /// Control flow that does not nest.
    #[error("CF {0} does not nest: {1}")]
    Nesting(usize, &'static str),
    /// Registers that must share a GPR are in different ones, or in a wrong channel.
    #[error("{0} is not in the GPR and channel that it shares with others")]
    Torn(VReg),
    /// An array element beyond the last GPR.
    #[error("element {0} of an array has no GPR")]
    Element(u8),
    /// Encoding fails.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// A finished program.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The program.
    pub program: Program,
    /// Its words.
    pub words: Vec<u32>,
    /// Number of branch stack entries it needs.
    pub stack_size: u32,
    /// Origins of its parts.
    pub origins: Origins,
}

/// The environment of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Whether it begins with a call of the fetch shader: a vertex shader with attributes.
    pub calls_fetch_shader: bool,
    /// Whether some lanes only serve derivatives, as in fragment shaders.
    pub has_helper_lanes: bool,
    /// Whether it is a vertex shader.
    pub is_vertex: bool,
    /// Number of GPRs allocated to it.
    pub num_gprs: u8,
}

/// Emits the program of `function`.
///
/// # Errors
/// If scheduling or allocation is incomplete.
pub(crate) fn emit(
    function: &Function,
    schedule: &Schedule,
    allocation: &Allocation,
    setting: Setting,
) -> Result<Emitted, EmitError> {
    let mut emitter = Emitter {
        function,
        schedule,
        places: Places { chans: &schedule.chans, allocation },
        program: Program::new(function.chip.generation()),
        stack: StackDepth::default(),
        loops: Vec::new(),
        unacknowledged: false,
        has_helper_lanes: setting.has_helper_lanes,
        num_gprs: setting.num_gprs,
        origins: Origins::default(),
    };
    if setting.calls_fetch_shader {
        emitter.program.cf.push(Cf::Flow(CfFlow::new(CfOp::CallFs)));
    }
    emitter.region(&function.body)?;
    emitter.finish_exports();
    if setting.is_vertex && function.avoids(Hazard::VertexWithoutAlu) {
        emitter.add_alu_clause();
    }
    emitter.end();
    nesting::check(&emitter.program)?;
    let words = emitter.program.encode()?;
    Ok(Emitted {
        stack_size: emitter.program.stack_size(function.chip),
        program: emitter.program,
        words,
        origins: emitter.origins,
    })
}

/// The places of registers.
#[derive(Clone, Copy)]
struct Places<'a> {
    chans: &'a SecondaryMap<VReg, Chan>,
    allocation: &'a Allocation,
}

impl Places<'_> {
    fn gpr(&self, vreg: VReg) -> Result<u8, EmitError> {
        self.allocation.gprs[vreg].ok_or(EmitError::Unplaced(vreg))
    }

    /// The one GPR of registers that share it; 0 for none.
    fn shared_gpr(&self, vregs: impl IntoIterator<Item = VReg>) -> Result<u8, EmitError> {
        let mut shared = None;
        for vreg in vregs {
            let gpr = self.gpr(vreg)?;
            if *shared.get_or_insert(gpr) != gpr {
                return Err(EmitError::Torn(vreg));
            }
        }
        Ok(shared.unwrap_or(0))
    }

    fn chan(&self, vreg: VReg) -> Chan {
        self.chans[vreg]
    }
}

/// An open loop.
#[derive(Debug, Default)]
struct OpenLoop {
    /// Its breaks and continues, which target its end.
    exits: Vec<usize>,
    /// Whether an unacknowledged write may be pending at a break.
    unacknowledged: bool,
}

struct Emitter<'a> {
    function: &'a Function,
    schedule: &'a Schedule,
    places: Places<'a>,
    program: Program,
    /// Open loops and pushes.
    stack: StackDepth,
    /// Open loops, innermost last.
    loops: Vec<OpenLoop>,
    /// Whether an unacknowledged write may be pending.
    unacknowledged: bool,
    /// Whether helper lanes exist, which must have no side effects.
    has_helper_lanes: bool,
    /// Number of GPRs allocated to the program.
    num_gprs: u8,
    origins: Origins,
}

impl Emitter<'_> {
    /// Ends the program, with the end-of-program bit if the chip has one, on an instruction that can carry it.
    fn end(&mut self) {
        if self.program.generation == Generation::Cayman {
            self.program.cf.push(Cf::Flow(CfFlow::new(CfOp::CfEnd)));
            return;
        }
        match self.program.cf.last_mut() {
            Some(Cf::Export(export)) => export.end_of_program = true,
            Some(Cf::Memory(memory)) => memory.end_of_program = true,
            Some(Cf::Flow(flow)) if matches!(flow.op, CfOp::EmitVertex | CfOp::CutVertex) => {
                flow.end_of_program = true;
            }
            _ => {
                let end = CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) };
                self.program.cf.push(Cf::Flow(end));
            }
        }
    }

    /// Adds a clause with one empty group to a program without ALU clauses.
    fn add_alu_clause(&mut self) {
        if self.program.cf.iter().any(|cf| matches!(cf, Cf::Alu(_))) {
            return;
        }
        let nothing = AluInst {
            op: AluOp::AluNop,
            dst: AluDst::default(),
            src: [AluSrc::new(AluSel::Gpr(0), Chan::X); 3],
            index_mode: IndexMode::ArX,
            pred_sel: PredSel::Off,
            bank_swizzle: 0,
            update_exec_mask: false,
            update_pred: false,
        };
        let insts = [nothing].into_iter().collect();
        let group = AluGroup { insts, ..AluGroup::default() };
        let id = self.program.add_clause(Clause::Alu(vec![group]));
        self.origins.push_clause(vec![Row::default()]);
        self.program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, id)));
    }

    /// Marks the last export of each kind, as the hardware requires.
    fn finish_exports(&mut self) {
        let mut seen = [false; ExportKind::ALL.len()];
        for cf in self.program.cf.iter_mut().rev() {
            if let Cf::Export(export) = cf
                && !std::mem::replace(&mut seen[export.kind as usize], true)
            {
                export.op = CfOp::ExportDone;
            }
        }
    }

    fn next_cf(&self) -> u32 {
        self.program.cf.len() as u32
    }
}
