//! Merges consecutive exits of a loop.
//!
//! Code between two tests is computed before both, in groups with free slots, and lanes leave once for either reason. A
//! result that the end of the iteration would change keeps its old value if the first test leaves. Values for the next
//! iteration are selected the same way, so both need only one register.

use cranelift_entity::EntitySet;
use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::AluOp;

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    AluInst, Condition, Function, If, InstData, Loop, LoopExit, Node, Operand, Rebuild, Region,
};

use super::fold;

/// The most instructions between two merged tests, and of each leaving arm. Lanes that leave at the first test compute
/// the code between in vain.
const MAX_BETWEEN: usize = 24;

/// The most results that may be selected in each iteration, and the most instructions of the second leaving arm that
/// may run in each iteration for them.
const MAX_CHOSEN: usize = 4;

/// The pass.
pub(crate) struct JoinExits;

impl Pass<Ssa> for JoinExits {
    fn declaration(&self) -> Declaration {
        // Rotation moves tests to the end of loops, after other exits.
        Declaration::optional(names::JOIN_EXITS).after(&[names::IF_CONVERT, names::ROTATE])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if !ssa.function.body.has_loop() {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut ssa.function.body);
        let joining = &mut Joining { function: &mut ssa.function, fuel: &mut *cx.fuel };
        let result = body.rebuild(joining);
        ssa.function.body = body;
        result?;
        Ok(Done::Settled)
    }
}

struct Joining<'a> {
    function: &'a mut Function,
    fuel: &'a mut Fuel,
}

impl Rebuild for Joining<'_> {
    fn node(&mut self, mut node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        if let Node::Loop(body) = &mut node {
            while self.join_last(body) {}
        }
        out.push(node);
        Ok(())
    }
}

/// The last two exits of a loop. Nothing follows the second in the iteration.
struct Pair<'a> {
    /// The code before the first.
    before: &'a [Node],
    first: LoopExit<'a>,
    /// The code between them, for lanes that pass the first.
    between: &'a [Node],
    second: LoopExit<'a>,
    /// Each parameter with its value in the next iteration.
    next: Vec<(Operand, Operand)>,
}

impl<'a> Pair<'a> {
    fn of(function: &Function, body: &'a Loop) -> Option<Self> {
        let [nodes @ .., second, Node::Continue(next)] = body.body.nodes.as_slice() else {
            return None;
        };
        let second = LoopExit::of_node(second).filter(|exit| exit.staying.is_empty())?;
        let at = nodes.iter().rposition(|node| !matches!(node, Node::Inst(_)))?;
        let first = LoopExit::of_node(&nodes[at]).filter(|exit| exit.staying.is_empty())?;
        let between = &nodes[at + 1..];
        let params = body.params.iter().map(|param| Operand::value(param.value));
        let next = params.zip(next.iter().copied()).collect();
        let pair = Self { before: &nodes[..at], first, between, second, next };
        pair.can_be_joined(function).then_some(pair)
    }

    fn can_be_joined(&self, function: &Function) -> bool {
        let arms = [self.first.leaving, self.second.leaving, self.between];
        let computes = |node: &Node| match node {
            Node::Inst(id) => function.insts[*id].data.only_computes(),
            _ => false,
        };
        let mut reads_changed = false;
        function.for_each_operand_of(self.first.leaving, &mut |operand| {
            reads_changed |= self.changes(operand);
        });
        arms.iter().all(|nodes| nodes.len() <= MAX_BETWEEN && nodes.iter().all(computes))
            && !reads_changed
            && (self.second.leaving.len() <= MAX_CHOSEN || !self.chooses_in_arm(function))
            && self.differing().iter().filter(|(left, _)| self.changes(*left)).count() <= MAX_CHOSEN
            && [&self.first, &self.second]
                .into_iter()
                .all(|exit| fold::compare_of_predicate(exit.condition.op).is_some())
    }

    /// Whether `operand` reads a parameter that changes in the next iteration.
    fn changes(&self, operand: Operand) -> bool {
        let is_read = |param: Operand| param.as_value() == operand.as_value();
        self.next.iter().any(|&(param, next)| is_read(param) && next != param)
    }

    /// Whether some result is a parameter that changes if lanes leave at the first test, and is computed in the leaving
    /// arm of the second.
    fn chooses_in_arm(&self, function: &Function) -> bool {
        let mut defined = EntitySet::new();
        for node in self.second.leaving {
            function.definitions_of(node, &mut defined);
        }
        let is_defined = |by: Operand| by.as_value().is_some_and(|value| defined.contains(value));
        self.differing().iter().any(|&(left, by)| self.changes(left) && is_defined(by))
    }

    /// The results that differ between the exits, each as the operands of the first and of the second exit, without
    /// duplicates.
    fn differing(&self) -> Vec<(Operand, Operand)> {
        let both = self.first.results.iter().copied().zip(self.second.results.iter().copied());
        let mut differing: Vec<(Operand, Operand)> = both.filter(|(a, b)| a != b).collect();
        differing.sort_unstable();
        differing.dedup();
        differing
    }
}

impl Joining<'_> {
    /// Merges the last two exits of `body`; false if that is impossible.
    fn join_last(&mut self, body: &mut Loop) -> bool {
        let pair = Pair::of(self.function, body).filter(|_| self.fuel.burn());
        let Some(nodes) = pair.and_then(|pair| self.join(&pair)) else { return false };
        body.body.nodes = nodes;
        true
    }

    /// The body of the loop with one exit for both.
    fn join(&mut self, pair: &Pair<'_>) -> Option<Vec<Node>> {
        let mut nodes = [pair.before, pair.between].concat();
        let mut leaving = pair.first.leaving.to_vec();
        // A select that runs in each iteration needs its operands in each iteration.
        let destination =
            if pair.chooses_in_arm(self.function) { &mut nodes } else { &mut leaving };
        destination.extend_from_slice(pair.second.leaving);
        let first = self.answer(&pair.first, &mut nodes)?;
        let second = self.answer(&pair.second, &mut nodes)?;
        let either = self.push(AluOp::OrInt, &[first, second], &mut nodes);
        let mut next: Vec<Operand> = pair.next.iter().map(|&(_, next)| next).collect();
        let mut results = pair.second.results.to_vec();
        for (left, passed) in pair.differing() {
            let is_changed = pair.changes(left);
            let place = if is_changed { &mut nodes } else { &mut leaving };
            // Integer selects accept no operand modifiers.
            let arms = self.function.unmodified(&[passed, left], place);
            let choice = self.push(AluOp::CndeInt, &[first, arms[0], arms[1]], place);
            let both = pair.first.results.iter().zip(pair.second.results);
            for (result, both) in results.iter_mut().zip(both) {
                if both == (&left, &passed) {
                    *result = choice;
                }
            }
            if is_changed {
                // Lanes that stay do not leave at the first exit, so for them `choice` is `passed`.
                next.iter_mut().filter(|next| **next == passed).for_each(|next| *next = choice);
            }
        }
        leaving.push(Node::Break(results));
        let condition = Condition { op: AluOp::PredSetneInt, src: [either, Operand::ZERO] };
        let then = Region { nodes: leaving };
        let branch = If { condition, then, otherwise: Region::default(), phis: Vec::new() };
        nodes.extend([Node::If(Box::new(branch)), Node::Continue(next)]);
        Some(nodes)
    }

    /// A value that is nonzero in lanes that leave by `exit`.
    fn answer(&mut self, exit: &LoopExit<'_>, out: &mut Vec<Node>) -> Option<Operand> {
        let Condition { op, src } = exit.condition;
        let is_plain = !src[0].has_modifier() && src[1].as_const() == Some(0);
        let asks_nonzero = match op {
            AluOp::PredSetneInt => exit.when_true,
            AluOp::PredSeteInt => !exit.when_true,
            _ => false,
        };
        if is_plain && asks_nonzero {
            return Some(src[0]);
        }
        let mask = self.push(fold::compare_of_predicate(*op)?, src, out);
        Some(if exit.when_true { mask } else { self.push(AluOp::NotInt, &[mask], out) })
    }

    fn push(&mut self, op: AluOp, src: &[Operand], out: &mut Vec<Node>) -> Operand {
        let id = self.function.make_inst(InstData::Alu(AluInst::new(op, src)));
        out.push(Node::Inst(id));
        Operand::value(self.function.insts[id].results[0])
    }
}
