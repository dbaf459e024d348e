//! Unrolls loops that are known to make a few trips.
//!
//! Such a loop has one way out: a branch at the top level of its body whose test, followed through constants
//! from the first trip on, fails after a known number of trips.

use crate::hash::FastMap;
use crate::ssa::{
    Function, If, Inst, InstData, Loop, LoopParam, Node, Operand, Phi, Region, Replacements,
    Source, Value, ValueDef,
};

use super::fold;

/// Trips up to which a loop is unrolled.
const MAX_TRIPS: usize = 128;

/// Instructions that an unrolled loop may have.
const MAX_INSTS: usize = 4000;

/// Unrolls every loop that can be, inner loops first; true when there was any.
pub fn unroll(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut unroller = Unroller { function, replacements: Replacements::new(), changed: false };
    unroller.region(&mut body);
    let Unroller { replacements, changed, .. } = unroller;
    function.body = body;
    function.apply(&replacements);
    changed
}

struct Unroller<'a> {
    function: &'a mut Function,
    replacements: Replacements,
    changed: bool,
}

/// A loop with one exit.
struct Counted {
    /// Position of the exit branch in the body.
    exit: usize,
    /// Whether lanes leave where the test holds.
    leaves_when_true: bool,
    trips: usize,
}

impl Unroller<'_> {
    fn region(&mut self, region: &mut Region) {
        let nodes = std::mem::take(&mut region.nodes);
        let mut out = Vec::with_capacity(nodes.len());
        for mut node in nodes {
            match node {
                Node::If(ref mut branch) => {
                    self.region(&mut branch.then);
                    self.region(&mut branch.otherwise);
                }
                Node::Loop(mut body) => {
                    self.region(&mut body.body);
                    match self.counted(&body) {
                        Some(counted) => self.expand(*body, &counted, &mut out),
                        None => out.push(Node::Loop(body)),
                    }
                    continue;
                }
                Node::Inst(_) | Node::Break(_) | Node::Continue(_) => {}
            }
            out.push(node);
        }
        region.nodes = out;
    }

    fn counted(&self, body: &Loop) -> Option<Counted> {
        let nodes = &body.body.nodes;
        let Some(Node::Continue(next)) = nodes.last() else { return None };
        let exit =
            nodes.iter().position(|node| matches!(node, Node::If(b) if exits(b).is_some()))?;
        let has_other_exit =
            nodes[..nodes.len() - 1].iter().enumerate().any(|(at, n)| at != exit && leaves_loop(n));
        let Node::If(branch) = &nodes[exit] else { return None };
        if has_other_exit {
            return None;
        }
        let leaves_when_true = exits(branch)?;
        let trips = self.count_trips(body, branch, leaves_when_true, next)?;
        let size = count_insts(&body.body);
        (trips * size <= MAX_INSTS).then_some(Counted { exit, leaves_when_true, trips })
    }

    /// How often the body runs to its end.
    fn count_trips(
        &self,
        body: &Loop,
        branch: &If,
        leaves_when_true: bool,
        next: &[Operand],
    ) -> Option<usize> {
        let mut known: FastMap<Value, Option<u32>> =
            body.params.iter().map(|p| (p.value, p.init.as_const())).collect();
        for trip in 0..=MAX_TRIPS {
            let a = self.evaluate(branch.condition.src[0], &known, 16)?;
            let b = self.evaluate(branch.condition.src[1], &known, 16)?;
            if fold::predicate_test(branch.condition.op, a, b)? == leaves_when_true {
                return Some(trip);
            }
            let values: Vec<Option<u32>> =
                next.iter().map(|&operand| self.evaluate(operand, &known, 16)).collect();
            for (param, value) in body.params.iter().zip(values) {
                known.insert(param.value, value);
            }
        }
        None
    }

    /// The bits of `operand`, where they follow from what is known.
    fn evaluate(
        &self,
        operand: Operand,
        known: &FastMap<Value, Option<u32>>,
        depth: u32,
    ) -> Option<u32> {
        let operand = self.replacements.resolve(operand);
        let Source::Value(value) = operand.source else { return operand.as_const() };
        let bits = match known.get(&value) {
            Some(bits) => (*bits)?,
            None => {
                let alu = self.function.def_alu(operand)?;
                if depth == 0 {
                    return None;
                }
                let src: Option<Vec<u32>> =
                    alu.src.iter().map(|&src| self.evaluate(src, known, depth - 1)).collect();
                super::algebra::modify_output(fold::fold(alu.op, &src?)?, alu)
            }
        };
        Operand::constant(bits).modified(operand.neg, operand.abs).as_const()
    }

    fn expand(&mut self, body: Loop, counted: &Counted, out: &mut Vec<Node>) {
        self.changed = true;
        let mut args: Vec<Operand> = body.params.iter().map(|param| param.init).collect();
        for _ in 0..counted.trips {
            let mut copier = Copier::new(self.function, &self.replacements, &body, &args);
            let nodes = &body.body.nodes;
            let end = nodes.len() - 1;
            for (at, node) in nodes[..end].iter().enumerate() {
                copier.top_level(node, at == counted.exit, counted.leaves_when_true, out);
            }
            if let Node::Continue(next) = &nodes[end] {
                args = next.iter().map(|&operand| copier.operand(operand)).collect();
            }
        }
        self.last_trip(&body, counted, &args, out);
    }

    /// The part of the body up to the exit, and what the exit gives.
    fn last_trip(&mut self, body: &Loop, counted: &Counted, args: &[Operand], out: &mut Vec<Node>) {
        let mut copier = Copier::new(self.function, &self.replacements, body, args);
        for node in &body.body.nodes[..counted.exit] {
            copier.top_level(node, false, false, out);
        }
        let Node::If(branch) = &body.body.nodes[counted.exit] else { return };
        let arm = if counted.leaves_when_true { &branch.then } else { &branch.otherwise };
        let mut results = Vec::new();
        for node in &arm.nodes {
            match node {
                Node::Break(values) => {
                    results = values.iter().map(|&operand| copier.operand(operand)).collect();
                }
                other => copier.top_level(other, false, false, out),
            }
        }
        for (&value, result) in body.results.iter().zip(results) {
            let plain = self.unmodified(result, out);
            self.replacements.insert(value, plain);
        }
    }

    fn unmodified(&mut self, operand: Operand, out: &mut Vec<Node>) -> Operand {
        if !operand.has_modifier() {
            return operand;
        }
        let mov = crate::ssa::AluInst::new(r600_isa::AluOp::Mov, &[operand]);
        let id = self.function.make_inst(InstData::Alu(mov));
        out.push(Node::Inst(id));
        Operand::value(self.function.insts[id].results[0])
    }
}

/// For a branch of which one arm ends in a break and the other goes on: whether it is the first.
fn exits(branch: &If) -> Option<bool> {
    let ends = |region: &Region| matches!(region.nodes.last(), Some(Node::Break(_)));
    match (ends(&branch.then), ends(&branch.otherwise)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Whether a node may leave the loop around it, or end its trip.
fn leaves_loop(node: &Node) -> bool {
    match node {
        Node::Inst(_) | Node::Loop(_) => false,
        Node::Break(_) | Node::Continue(_) => true,
        Node::If(branch) => {
            branch.then.nodes.iter().any(leaves_loop)
                || branch.otherwise.nodes.iter().any(leaves_loop)
        }
    }
}

fn count_insts(region: &Region) -> usize {
    let mut count = 0;
    region.for_each_inst(&mut |_| count += 1);
    count
}

/// Copies nodes of a loop's body with new values.
struct Copier<'a> {
    function: &'a mut Function,
    /// Results of loops inside the body that were unrolled already.
    replacements: &'a Replacements,
    map: FastMap<Value, Operand>,
}

impl<'a> Copier<'a> {
    fn new(
        function: &'a mut Function,
        replacements: &'a Replacements,
        body: &Loop,
        args: &[Operand],
    ) -> Self {
        let map = body.params.iter().zip(args).map(|(p, &arg)| (p.value, arg)).collect();
        Self { function, replacements, map }
    }

    fn operand(&self, operand: Operand) -> Operand {
        let operand = self.replacements.resolve(operand);
        match operand.as_value().and_then(|value| self.map.get(&value)) {
            Some(new) => new.modified(operand.neg, operand.abs),
            None => operand,
        }
    }

    /// Copies a node of the body itself; of the exit branch only the arm that goes on.
    fn top_level(
        &mut self,
        node: &Node,
        is_exit: bool,
        leaves_when_true: bool,
        out: &mut Vec<Node>,
    ) {
        let Node::If(branch) = node else {
            self.node(node, out);
            return;
        };
        if !is_exit {
            self.node(node, out);
            return;
        }
        let arm = if leaves_when_true { &branch.otherwise } else { &branch.then };
        for node in &arm.nodes {
            self.node(node, out);
        }
    }

    fn region(&mut self, region: &Region) -> Region {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for node in &region.nodes {
            self.node(node, &mut nodes);
        }
        Region { nodes }
    }

    fn merge(&mut self, value: Value) -> Value {
        let new = self.function.values.push(ValueDef::Merge);
        self.map.insert(value, Operand::value(new));
        new
    }

    fn operands(&self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    fn node(&mut self, node: &Node, out: &mut Vec<Node>) {
        match node {
            Node::Inst(inst) => {
                let Inst { mut data, results } = self.function.insts[*inst].clone();
                self.operands_of(&mut data, out);
                let id = self.function.make_inst(data);
                self.function.origins[id] = self.function.origins[*inst];
                let new = self.function.insts[id].results.clone();
                self.map.extend(results.into_iter().zip(new).map(|(a, b)| (a, Operand::value(b))));
                out.push(Node::Inst(id));
            }
            Node::If(branch) => {
                let mut condition = branch.condition.clone();
                condition.src = condition.src.map(|operand| self.operand(operand));
                let then = self.region(&branch.then);
                let then_args: Vec<Operand> =
                    branch.phis.iter().map(|phi| self.operand(phi.then)).collect();
                let otherwise = self.region(&branch.otherwise);
                let phis = branch
                    .phis
                    .iter()
                    .zip(then_args)
                    .map(|(phi, then)| {
                        let otherwise = self.operand(phi.otherwise);
                        Phi { value: self.merge(phi.value), then, otherwise }
                    })
                    .collect();
                out.push(Node::If(Box::new(If { condition, then, otherwise, phis })));
            }
            Node::Loop(body) => {
                let params = body
                    .params
                    .iter()
                    .map(|p| LoopParam { init: self.operand(p.init), value: p.value })
                    .collect::<Vec<_>>();
                let params = params
                    .into_iter()
                    .map(|p| LoopParam { value: self.merge(p.value), init: p.init })
                    .collect();
                let inner = self.region(&body.body);
                let results = body.results.iter().map(|&value| self.merge(value)).collect();
                out.push(Node::Loop(Box::new(Loop { params, body: inner, results })));
            }
            Node::Break(args) => out.push(Node::Break(self.operands(args))),
            Node::Continue(args) => out.push(Node::Continue(self.operands(args))),
        }
    }

    /// Maps the operands of a copied instruction; a parameter may stand for a modified operand that the
    /// operation cannot take, which is then moved first.
    fn operands_of(&mut self, data: &mut InstData, out: &mut Vec<Node>) {
        let op = match data {
            InstData::Alu(alu) => Some(alu.op),
            _ => None,
        };
        let mut moved: Vec<(Operand, Operand)> = Vec::new();
        data.for_each_operand(|operand| {
            let new = self.operand(operand);
            let legal = match op {
                Some(op) => crate::legal::accepts(op, new),
                None => !new.has_modifier() || operand.has_modifier(),
            };
            if !legal {
                moved.push((operand, new));
            }
        });
        for (_, new) in &mut moved {
            let mov = crate::ssa::AluInst::new(r600_isa::AluOp::Mov, &[*new]);
            let id = self.function.make_inst(InstData::Alu(mov));
            out.push(Node::Inst(id));
            *new = Operand::value(self.function.insts[id].results[0]);
        }
        data.for_each_operand_mut(|operand| {
            *operand = match moved.iter().find(|(old, _)| old == operand) {
                Some((_, new)) => *new,
                None => self.operand(*operand),
            };
        });
    }
}
