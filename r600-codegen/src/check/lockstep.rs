//! Walks the words and the schedule side by side, to find the register in which each operand ended up.

mod fetch;
mod group;
mod output;

use r600_isa::{AluGroup, AluOp, Cf, CfOp, Chan, Clause, Program};
use r600_mir::{Array, Block, Node, Op, Region, VReg};

use super::{Code, CodeFault};

/// A channel of a register, as 4 · GPR + channel.
pub(super) type Place = usize;

/// What one step reads and writes, by the registers that the words name.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeStep {
    /// Values, with the places from which they are read.
    pub(super) reads: Vec<(VReg, Place)>,
    /// Values, with the places to which they are written; `None` if the place receives no value of the schedule.
    pub(super) writes: Vec<(Option<VReg>, Place)>,
    /// The control flow instruction it belongs to.
    pub(super) cf: usize,
    /// Its memory access, if waits for acknowledgement matter for it.
    pub(super) memory: Option<Access>,
}

/// A memory access for which waits for acknowledgement matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// A fetch, which does not see unacknowledged writes.
    Read,
    /// A write that is acknowledged.
    Write,
}

/// The steps of a program in order.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeSteps {
    pub(super) steps: Vec<CodeStep>,
}

fn place(gpr: u8, chan: Chan) -> Place {
    4 * usize::from(gpr) + chan as usize
}

/// The steps of `program`, which must equal the schedule except for the places of values.
pub(super) fn walk(code: &Code<'_>, program: &Program) -> Result<CodeSteps, CodeFault> {
    let mut walk = Walk { code, program, cf: 0, in_burst: 0, out: CodeSteps::default() };
    walk.region(&code.machine.body)?;
    walk.skip_flow();
    walk.skip_nothing();
    if walk.in_burst == 0 && walk.cf == program.cf.len() {
        Ok(walk.out)
    } else {
        Err(CodeFault::Clauses(walk.cf))
    }
}

struct Walk<'a> {
    code: &'a Code<'a>,
    program: &'a Program,
    /// The control flow instruction that comes next.
    cf: usize,
    /// Number of exports of that instruction already seen.
    in_burst: u8,
    out: CodeSteps,
}

impl<'a> Walk<'a> {
    fn fault(&self, what: &'static str) -> CodeFault {
        CodeFault::Instruction(self.out.steps.len(), what)
    }

    fn demand(&self, holds: bool, what: &'static str) -> Result<(), CodeFault> {
        if holds { Ok(()) } else { Err(self.fault(what)) }
    }

    fn region(&mut self, region: &Region) -> Result<(), CodeFault> {
        for node in &region.nodes {
            match node {
                Node::Block(block) => self.block(*block)?,
                Node::If { then, otherwise } => {
                    self.region(then)?;
                    self.region(otherwise)?;
                }
                Node::Loop { body } => self.region(body)?,
                Node::Break | Node::Continue => {}
            }
        }
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<(), CodeFault> {
        for clause in &self.code.schedule.blocks[block] {
            if let r600_sched::Clause::Export(op) = clause
                && let Op::Event(want) = &self.code.machine.ops[*op]
                && !is_event(want.op)
            {
                self.wait(want)?;
                continue;
            }
            self.skip_flow();
            match clause {
                r600_sched::Clause::Alu(alu) => self.alu_clause(alu)?,
                r600_sched::Clause::Fetch(ops) => self.fetch_clause(ops)?,
                r600_sched::Clause::Export(op) => self.output(*op)?,
            }
        }
        Ok(())
    }

    /// Skips control flow that runs no clause.
    fn skip_flow(&mut self) {
        while matches!(self.program.cf.get(self.cf), Some(Cf::Flow(flow)) if !is_event(flow.op)) {
            self.cf += 1;
        }
    }

    /// Skips the empty clause that some chips need at the end.
    fn skip_nothing(&mut self) {
        if let Some(Clause::Alu(groups)) = self.clause()
            && does_nothing(groups)
        {
            self.cf += 1;
            self.skip_flow();
        }
    }

    fn clause(&self) -> Option<&'a Clause> {
        let id = match self.program.cf.get(self.cf)? {
            Cf::Alu(alu) => alu.clause,
            Cf::Fetch(fetch) => fetch.clause,
            Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => return None,
        };
        self.program.clauses.get(id.0 as usize)
    }
}

/// Whether all instructions of a clause are no-ops.
pub(super) fn does_nothing(groups: &[AluGroup]) -> bool {
    groups.iter().flat_map(|group| &group.insts).all(|inst| inst.op == AluOp::AluNop)
}

/// Whether a control-flow instruction signals an event to the hardware, rather than changing control.
pub(super) fn is_event(op: CfOp) -> bool {
    matches!(op, CfOp::EmitVertex | CfOp::CutVertex | CfOp::EmitCutVertex)
}

/// The places that arrays occupy.
pub(super) fn array_places(code: &Code<'_>) -> Vec<std::ops::Range<Place>> {
    let of = |(array, info): (Array, &r600_mir::ArrayInfo)| {
        let base = usize::from(code.allocation.arrays[array]);
        4 * base..4 * (base + usize::from(info.len))
    };
    code.machine.arrays.iter().map(of).collect()
}
