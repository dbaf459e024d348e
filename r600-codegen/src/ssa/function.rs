//! A function: values, instructions and the region tree that orders them.

use arrayvec::ArrayVec;
use cranelift_entity::PrimaryMap;
use r600_isa::{AluOp, Chan, Chip};
use tgsi_ir::InstructionId;

use crate::abi::Uniforms;

use super::{ArrayId, Inst, InstData, InstId, Operand, Value};

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// Live on entry: [`Function::live_in`].
    LiveIn,
    /// The n-th result of an instruction.
    Inst(InstId, u8),
    /// A phi of a branch, or a parameter or result of a loop.
    Phi,
}

/// A value in a register that hardware or fetch shader fills before the program starts.
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
    /// Its operands.
    pub src: [Operand; 2],
}

/// A value that depends on the arm that a lane took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phi {
    /// The resulting value.
    pub value: Value,
    /// Its source if the condition holds.
    pub then: Operand,
    /// Its source if the condition fails.
    pub otherwise: Operand,
}

/// A branch. It has no phis if an arm does not reach its end: values of the other arm are then used directly after the
/// branch.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// The test.
    pub condition: Condition,
    /// Runs if the condition holds.
    pub then: Region,
    /// Runs if the condition fails.
    pub otherwise: Region,
    /// Values that differ by arm.
    pub phis: Vec<Phi>,
}

/// A loop-carried value.
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
    /// Loop-carried values.
    pub params: Vec<LoopParam>,
    /// The body. If its end is reachable, it closes with a [`Node::Continue`].
    pub body: Region,
    /// Values defined after the loop; each break has sources for them.
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
    /// Whether control never reaches the point after the node.
    pub fn diverges(&self) -> bool {
        match self {
            Self::Break(_) | Self::Continue(_) => true,
            Self::If(branch) => branch.then.diverges() && branch.otherwise.diverges(),
            Self::Inst(_) | Self::Loop(_) => false,
        }
    }
}

/// The place of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayPlace {
    /// In consecutive GPRs.
    Registers,
    /// In scratch memory, from this vec4 on.
    Scratch(u16),
}

/// Facts about an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayInfo {
    /// Number of vec4.
    pub len: u16,
    /// Its place.
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
    /// The origin of new instructions; if `None`, they take that of an operand.
    pub origin: Option<InstructionId>,
    /// Arrays that are indexed at run time.
    pub arrays: PrimaryMap<ArrayId, ArrayInfo>,
    /// Values live on entry.
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

    /// Reserves space for `num_insts` more instructions and as many values.
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

    /// The first known origin among the operands.
    fn origin_of_operands(&self, data: &InstData) -> Option<InstructionId> {
        let mut origin = None;
        data.for_each_operand(|operand| {
            origin = origin.or_else(|| self.origin_of(operand));
        });
        origin
    }

    /// The origin of the instruction whose result `operand` reads.
    pub fn origin_of(&self, operand: Operand) -> Option<InstructionId> {
        match self.values[operand.as_value()?] {
            ValueDef::Inst(inst, _) => self.origins[inst],
            ValueDef::LiveIn | ValueDef::Phi => None,
        }
    }

    /// A new value defined by a phi.
    pub fn make_phi(&mut self) -> Value {
        self.values.push(ValueDef::Phi)
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

    /// The instruction that defines `value`, if one does.
    pub fn def_inst(&self, value: Value) -> Option<&Inst> {
        match self.values[value] {
            ValueDef::Inst(inst, _) => Some(&self.insts[inst]),
            ValueDef::LiveIn | ValueDef::Phi => None,
        }
    }

    /// The ALU operation that defines the value of `operand`, if one does.
    pub fn def_alu(&self, operand: Operand) -> Option<&super::AluInst> {
        match &self.def_inst(operand.as_value()?)?.data {
            InstData::Alu(alu) => Some(alu),
            _ => None,
        }
    }
}
