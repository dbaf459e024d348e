//! Copies nodes, with new values.

use r600_isa::AluOp;

use crate::hash::FastMap;

use super::{
    AluInst, Function, If, Inst, InstData, InstId, Loop, LoopParam, Node, Operand, Phi, Region,
    Replacements, Value,
};

/// Copies nodes with new values.
pub(crate) struct Copier<'a> {
    function: &'a mut Function,
    /// Known replacements of original values.
    replacements: &'a Replacements,
    /// The copy of each original value. It has no modifiers, so any instruction can read it.
    map: FastMap<Value, Operand>,
}

impl<'a> Copier<'a> {
    /// A copier that replaces each value of `renamed` by the operand beside it, which must have no modifiers.
    pub(crate) fn new(
        function: &'a mut Function,
        replacements: &'a Replacements,
        renamed: impl IntoIterator<Item = (Value, Operand)>,
    ) -> Self {
        Self { function, replacements, map: renamed.into_iter().collect() }
    }

    /// Appends copies of `nodes` to `out`.
    pub(crate) fn nodes(&mut self, nodes: &[Node], out: &mut Vec<Node>) {
        for node in nodes {
            let copy = self.node(node);
            out.push(copy);
        }
    }

    /// What the copies read where the originals read `operands`.
    pub(crate) fn operands(&self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    /// What the copies read where the originals read `operand`.
    pub(crate) fn operand(&self, operand: Operand) -> Operand {
        let operand = self.replacements.resolve(operand);
        match operand.as_value().and_then(|value| self.map.get(&value)) {
            Some(new) => new.modified(operand.neg, operand.abs),
            None => operand,
        }
    }

    fn new_phi(&mut self, value: Value) -> Value {
        let new = self.function.make_phi();
        self.map.insert(value, Operand::value(new));
        new
    }

    fn region(&mut self, region: &Region) -> Region {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        self.nodes(&region.nodes, &mut nodes);
        Region { nodes }
    }

    fn node(&mut self, node: &Node) -> Node {
        match node {
            Node::Inst(inst) => Node::Inst(self.inst(*inst)),
            Node::If(branch) => Node::If(Box::new(self.branch(branch))),
            Node::Loop(body) => Node::Loop(Box::new(self.loop_node(body))),
            Node::Break(args) => Node::Break(self.operands(args)),
            Node::Continue(args) => Node::Continue(self.operands(args)),
        }
    }

    fn inst(&mut self, inst: InstId) -> InstId {
        let Inst { mut data, results } = self.function.insts[inst].clone();
        data.for_each_operand_mut(|operand| *operand = self.operand(*operand));
        let id = self.function.make_inst(data);
        self.function.origins[id] = self.function.origins[inst];
        let new = self.function.insts[id].results.clone();
        self.map.extend(results.into_iter().zip(new).map(|(a, b)| (a, Operand::value(b))));
        id
    }

    fn branch(&mut self, branch: &If) -> If {
        let mut condition = branch.condition.clone();
        condition.src = condition.src.map(|operand| self.operand(operand));
        let then = self.region(&branch.then);
        let otherwise = self.region(&branch.otherwise);
        let phi = |phi: &Phi| Phi {
            then: self.operand(phi.then),
            otherwise: self.operand(phi.otherwise),
            value: self.new_phi(phi.value),
        };
        let phis = branch.phis.iter().map(phi).collect();
        If { condition, then, otherwise, phis }
    }

    fn loop_node(&mut self, body: &Loop) -> Loop {
        let init: Vec<Operand> = body.params.iter().map(|p| self.operand(p.init)).collect();
        let param =
            |(p, init): (&LoopParam, Operand)| LoopParam { value: self.new_phi(p.value), init };
        let params = body.params.iter().zip(init).map(param).collect();
        let inner = self.region(&body.body);
        let results = body.results.iter().map(|&value| self.new_phi(value)).collect();
        Loop { params, body: inner, results }
    }
}

impl Function {
    /// `operands` without modifiers, so that they can replace a value anywhere: some readers accept no modifiers. Moves
    /// that apply the modifiers are appended to `out`.
    pub(crate) fn unmodified(&mut self, operands: &[Operand], out: &mut Vec<Node>) -> Vec<Operand> {
        let mut plain = |operand: Operand| {
            if !operand.has_modifier() {
                return operand;
            }
            let id = self.make_inst(InstData::Alu(AluInst::new(AluOp::Mov, &[operand])));
            out.push(Node::Inst(id));
            Operand::value(self.insts[id].results[0])
        };
        operands.iter().map(|&operand| plain(operand)).collect()
    }
}
