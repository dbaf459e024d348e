//! Walking and rewriting the region tree.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::walk::Event;
use super::{Function, InstId, Node, Operand, Region, Value};

/// Values with the operands that they were found to equal. Rewriting looks up each operand here.
#[derive(Clone, Debug, Default)]
pub struct Replacements {
    map: SecondaryMap<Value, Option<Operand>>,
    any: bool,
}

impl Replacements {
    /// Nothing replaced yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing replaced yet, with room for all values of `function`.
    pub fn of(function: &Function) -> Self {
        let mut map = SecondaryMap::new();
        map.resize(function.values.len());
        Self { map, any: false }
    }

    /// Records that `value` equals `operand`.
    pub fn insert(&mut self, value: Value, operand: Operand) {
        self.map[value] = Some(operand);
        self.any = true;
    }

    /// Whether nothing was replaced.
    pub fn is_empty(&self) -> bool {
        !self.any
    }

    /// `operand` with replaced values looked up, through chains of replacements.
    pub fn resolve(&self, mut operand: Operand) -> Operand {
        while let Some(next) = operand.as_value().and_then(|value| self.map[value]) {
            operand = next.modified(operand.neg, operand.abs);
        }
        operand
    }
}

impl Region {
    /// Calls `visit` for each instruction of the region, inner regions included, in order.
    pub fn for_each_inst(&self, visit: &mut impl FnMut(InstId)) {
        for event in self.walk() {
            if let Event::Inst(inst) = event {
                visit(inst);
            }
        }
    }

    /// Drops the instructions for which `keep` is false, also in inner regions.
    pub(crate) fn retain_insts(&mut self, keep: &impl Fn(InstId) -> bool) {
        self.nodes.retain_mut(|node| match node {
            Node::Inst(inst) => keep(*inst),
            Node::If(branch) => {
                branch.then.retain_insts(keep);
                branch.otherwise.retain_insts(keep);
                true
            }
            Node::Loop(body) => {
                body.body.retain_insts(keep);
                true
            }
            Node::Break(_) | Node::Continue(_) => true,
        });
    }

    /// Number of instructions in the region, inner regions included.
    pub fn num_insts(&self) -> usize {
        let of_node = |node: &Node| match node {
            Node::Inst(_) => 1,
            Node::If(branch) => branch.then.num_insts() + branch.otherwise.num_insts(),
            Node::Loop(body) => body.body.num_insts(),
            Node::Break(_) | Node::Continue(_) => 0,
        };
        self.nodes.iter().map(of_node).sum()
    }

    /// Calls `change` for each operand that nodes hold themselves: conditions, sources of phis, initial values of
    /// parameters, operands of exits.
    pub fn for_each_node_operand_mut(&mut self, change: &mut impl FnMut(&mut Operand)) {
        for node in &mut self.nodes {
            match node {
                Node::Inst(_) => {}
                Node::If(branch) => {
                    branch.condition.src.iter_mut().for_each(&mut *change);
                    branch.then.for_each_node_operand_mut(change);
                    branch.otherwise.for_each_node_operand_mut(change);
                    for phi in &mut branch.phis {
                        change(&mut phi.then);
                        change(&mut phi.otherwise);
                    }
                }
                Node::Loop(body) => {
                    body.params.iter_mut().for_each(|param| change(&mut param.init));
                    body.body.for_each_node_operand_mut(change);
                }
                Node::Break(args) | Node::Continue(args) => args.iter_mut().for_each(&mut *change),
            }
        }
    }
}

impl Function {
    /// Rewrites every operand through `replacements`.
    pub fn apply(&mut self, replacements: &Replacements) {
        if replacements.is_empty() {
            return;
        }
        let mut change = |operand: &mut Operand| *operand = replacements.resolve(*operand);
        let insts = &mut self.insts;
        self.body.for_each_inst(&mut |inst| insts[inst].data.for_each_operand_mut(&mut change));
        self.body.for_each_node_operand_mut(&mut change);
    }

    /// Calls `visit` for each operand that `nodes` read, those of inner regions included.
    pub(crate) fn for_each_operand_of(&self, nodes: &[Node], visit: &mut impl FnMut(Operand)) {
        for node in nodes {
            match node {
                Node::Inst(inst) => self.insts[*inst].data.for_each_operand(&mut *visit),
                Node::If(branch) => {
                    branch.condition.src.iter().copied().for_each(&mut *visit);
                    self.for_each_operand_of(&branch.then.nodes, visit);
                    self.for_each_operand_of(&branch.otherwise.nodes, visit);
                    branch
                        .phis
                        .iter()
                        .flat_map(|phi| [phi.then, phi.otherwise])
                        .for_each(&mut *visit);
                }
                Node::Loop(body) => {
                    body.params.iter().map(|param| param.init).for_each(&mut *visit);
                    self.for_each_operand_of(&body.body.nodes, visit);
                }
                Node::Break(args) | Node::Continue(args) => {
                    args.iter().copied().for_each(&mut *visit);
                }
            }
        }
    }

    /// Number of instructions in the region tree.
    pub fn num_insts(&self) -> usize {
        self.body.num_insts()
    }

    /// Adds the values that `node` defines, inner regions included, to `defined`.
    pub(crate) fn definitions_of(&self, node: &Node, defined: &mut EntitySet<Value>) {
        match node {
            Node::Inst(inst) => defined.extend(self.insts[*inst].results.iter().copied()),
            Node::If(branch) => {
                self.definitions(&branch.then, defined);
                self.definitions(&branch.otherwise, defined);
                defined.extend(branch.phis.iter().map(|phi| phi.value));
            }
            Node::Loop(body) => {
                self.definitions(&body.body, defined);
                defined.extend(body.params.iter().map(|param| param.value));
                defined.extend(body.results.iter().copied());
            }
            Node::Break(_) | Node::Continue(_) => {}
        }
    }

    /// Adds the values that are defined in `region`, inner regions included, to `inside`.
    pub(crate) fn definitions(&self, region: &Region, inside: &mut EntitySet<Value>) {
        for event in region.walk() {
            match event {
                Event::Inst(inst) => inside.extend(self.insts[inst].results.iter().copied()),
                other => other.for_each_definition(|value| _ = inside.insert(value)),
            }
        }
    }
}
