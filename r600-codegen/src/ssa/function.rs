//! A function: values, instructions and the region tree that orders them.

use arrayvec::ArrayVec;
use cranelift_entity::PrimaryMap;
use r600_isa::{AluOp, Chan, Chip};
use tgsi_ir::InstructionId;

use crate::abi::Uniforms;

use super::{ArrayId, Inst, InstData, InstId, Operand, Value};

/// Where a value is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// Held on entry: [`Function::live_in`].
    LiveIn,
    /// The n-th result of an instruction.
    Inst(InstId, u8),
    /// A phi of a branch, a parameter or a result of a loop.
    Merge,
}

/// A value that hardware or fetch shader leaves in a register before the program starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveIn {
    /// The value.
    pub value: Value,
    /// Its GPR.
    pub gpr: u8,
    /// Its channel.
    pub chan: Chan,
}

/// The test of a branch: a `PRED_SET*` operation and its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The operation.
    pub op: AluOp,
    /// What it compares.
    pub src: [Operand; 2],
}

/// A value that depends on the arm a lane took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phi {
    /// The merged value.
    pub value: Value,
    /// Its source where the condition held.
    pub then: Operand,
    /// Its source where it did not.
    pub otherwise: Operand,
}

/// A branch. When an arm does not reach its end there are no phis: what the other arm computed is used
/// after the branch as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// The test.
    pub condition: Condition,
    /// Where it holds.
    pub then: Region,
    /// Where it does not.
    pub otherwise: Region,
    /// Values that differ by arm.
    pub phis: Vec<Phi>,
}

/// A value that changes from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopParam {
    /// The value in the loop.
    pub value: Value,
    /// Its source on the first iteration.
    pub init: Operand,
}

/// A loop. It runs until every lane has left it by a [`Node::Break`].
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Values carried from iteration to iteration.
    pub params: Vec<LoopParam>,
    /// The body; when its end is reached it closes with a [`Node::Continue`].
    pub body: Region,
    /// Values that hold after the loop, given by each break.
    pub results: Vec<Value>,
}

/// A step of a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An instruction.
    Inst(InstId),
    /// A branch.
    If(Box<If>),
    /// A loop.
    Loop(Box<Loop>),
    /// Leaves the innermost loop with a source for each of its results. Ends its region.
    Break(Vec<Operand>),
    /// Goes to the next iteration of the innermost loop with a source for each parameter. Ends its region.
    Continue(Vec<Operand>),
}

/// Steps in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The steps.
    pub nodes: Vec<Node>,
}

impl Region {
    /// Whether control never reaches the end of the region.
    pub fn diverges(&self) -> bool {
        self.nodes.last().is_some_and(Node::diverges)
    }

    /// Whether it has no branch, loop or exit.
    pub fn is_straight(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node, Node::Inst(_)))
    }

    /// Whether there is a loop in it.
    pub fn has_loop(&self) -> bool {
        self.nodes.iter().any(|node| match node {
            Node::Loop(_) => true,
            Node::If(branch) => branch.then.has_loop() || branch.otherwise.has_loop(),
            Node::Inst(_) | Node::Break(_) | Node::Continue(_) => false,
        })
    }
}

impl Node {
    /// Whether control never gets after the node.
    pub fn diverges(&self) -> bool {
        match self {
            Self::Break(_) | Self::Continue(_) => true,
            Self::If(branch) => branch.then.diverges() && branch.otherwise.diverges(),
            Self::Inst(_) | Self::Loop(_) => false,
        }
    }
}

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayPlace {
    /// In consecutive GPRs.
    Registers,
    /// In scratch memory, from this vec4 on.
    Scratch(u16),
}

/// What is known of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayInfo {
    /// Number of vec4.
    pub len: u16,
    /// Where it lies.
    pub place: ArrayPlace,
}

/// A shader in SSA form.
#[derive(Clone, Debug)]
pub struct Function {
    /// The chip it is for.
    pub chip: Chip,
    /// Where uniforms are.
    pub uniforms: Uniforms,
    /// Definitions of all values.
    pub values: PrimaryMap<Value, ValueDef>,
    /// Instructions; those not in the region tree are dead.
    pub insts: PrimaryMap<InstId, Inst>,
    /// The TGSI instruction that each instruction comes from.
    pub origins: PrimaryMap<InstId, Option<InstructionId>>,
    /// The origin of instructions made from now on; without, they take that of an operand.
    pub origin: Option<InstructionId>,
    /// Arrays that are indexed at run time.
    pub arrays: PrimaryMap<ArrayId, ArrayInfo>,
    /// Values held on entry.
    pub live_in: Vec<LiveIn>,
    /// The program.
    pub body: Region,
}

impl Function {
    /// An empty function.
    pub fn new(chip: Chip) -> Self {
        Self {
            chip,
            uniforms: Uniforms::Blocks,
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            origins: PrimaryMap::new(),
            origin: None,
            arrays: PrimaryMap::new(),
            live_in: Vec::new(),
            body: Region::default(),
        }
    }

    /// Makes room for so many instructions more, and as many values.
    pub(crate) fn reserve(&mut self, num_insts: usize) {
        self.values.reserve(num_insts);
        self.insts.reserve(num_insts);
        self.origins.reserve(num_insts);
    }

    /// A new instruction with new results, in no region yet.
    pub fn make_inst(&mut self, data: InstData) -> InstId {
        let id = self.insts.next_key();
        let origin = self.origin.or_else(|| self.origin_of_operands(&data));
        let results: ArrayVec<Value, 4> = (0..data.num_results())
            .map(|n| self.values.push(ValueDef::Inst(id, n as u8)))
            .collect();
        self.add_inst(Inst { data, results }, origin)
    }

    /// Adds an instruction that comes from `origin`.
    pub(super) fn add_inst(&mut self, inst: Inst, origin: Option<InstructionId>) -> InstId {
        self.origins.push(origin);
        self.insts.push(inst)
    }

    /// Where the first operand comes from whose origin is known.
    fn origin_of_operands(&self, data: &InstData) -> Option<InstructionId> {
        let mut origin = None;
        data.for_each_operand(|operand| {
            origin = origin.or_else(|| self.origin_of(operand));
        });
        origin
    }

    /// Where the instruction stands whose result `operand` reads.
    pub fn origin_of(&self, operand: Operand) -> Option<InstructionId> {
        match self.values[operand.as_value()?] {
            ValueDef::Inst(inst, _) => self.origins[inst],
            ValueDef::LiveIn | ValueDef::Merge => None,
        }
    }

    /// A new value defined by a phi.
    pub fn make_merge(&mut self) -> Value {
        self.values.push(ValueDef::Merge)
    }

    /// The value that `gpr.chan` holds on entry.
    pub fn live_in_value(&mut self, gpr: u8, chan: Chan) -> Value {
        if let Some(known) = self.live_in.iter().find(|l| l.gpr == gpr && l.chan == chan) {
            return known.value;
        }
        let value = self.values.push(ValueDef::LiveIn);
        self.live_in.push(LiveIn { value, gpr, chan });
        value
    }

    /// The instruction that defines `value`, where one does.
    pub fn def_inst(&self, value: Value) -> Option<&Inst> {
        match self.values[value] {
            ValueDef::Inst(inst, _) => Some(&self.insts[inst]),
            ValueDef::LiveIn | ValueDef::Merge => None,
        }
    }

    /// The ALU operation that defines what `operand` reads, where one does.
    pub fn def_alu(&self, operand: Operand) -> Option<&super::AluInst> {
        match &self.def_inst(operand.as_value()?)?.data {
            InstData::Alu(alu) => Some(alu),
            _ => None,
        }
    }
}
