//! Rotates loops: moves the test at the start of a loop to its end, with a copy in front of the loop.
//!
//! At the start, a test is a block of its own and takes a group for one operation in every iteration. At the end, it
//! shares a block with the rest of the iteration, and the start of the next iteration joins the block before the test.
//! Order of execution and active lanes stay the same.

use cranelift_entity::EntitySet;
use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    Condition, Copier, Function, If, Loop, LoopExit, LoopParam, Node, Operand, Phi, Rebuild,
    Region, Replacements, Value, may_continue, may_leave,
};

/// The most instructions that may be duplicated: the code before a test, and the code of its leaving arm.
const MAX_COPIED: usize = 24;

/// The most tests moved per loop: each adds a branch in front of the loop around everything that follows.
const MAX_TESTS: usize = 4;

/// The deepest nesting of branches and loops up to which tests move. The branch stack has room for each of them and for
/// the branches that are added.
const MAX_DEPTH: usize = 32;

/// The pass.
pub(crate) struct RotateLoops;

impl Pass<Ssa> for RotateLoops {
    fn declaration(&self) -> Declaration {
        // Unrolled loops have no test, and removed branches leave smaller loops.
        Declaration::optional(names::ROTATE)
            .after(&[names::UNROLL, names::IF_CONVERT])
            .refreshes(&[names::SIMPLIFY])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let body = &ssa.function.body;
        if !body.has_loop() || depth(body) > MAX_DEPTH {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut ssa.function.body);
        let mut rotator = Rotator {
            function: &mut ssa.function,
            fuel: &mut *cx.fuel,
            replacements: Replacements::new(),
        };
        body.rebuild(&mut rotator)?;
        let Rotator { replacements, .. } = rotator;
        ssa.function.body = body;
        ssa.function.apply(&replacements);
        Ok(Done::Settled)
    }
}

struct Rotator<'a> {
    function: &'a mut Function,
    fuel: &'a mut Fuel,
    replacements: Replacements,
}

/// Rotates every loop that begins with tests, inner loops first.
impl Rebuild for Rotator<'_> {
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        match node {
            Node::Loop(body) => {
                let tests = num_leading_tests(&body);
                self.rotate(*body, tests, out);
            }
            node => out.push(node),
        }
        Ok(())
    }
}

/// Nesting depth of branches and loops.
fn depth(region: &Region) -> usize {
    let mut walk = region.walk();
    let mut deepest = 0;
    while walk.next().is_some() {
        deepest = deepest.max(walk.depth());
    }
    deepest
}

/// Number of leading tests of a loop that move: each comes after less code than follows it.
fn num_leading_tests(body: &Loop) -> usize {
    let nodes = &body.body.nodes;
    let (mut tests, mut header) = (0, 0);
    for (at, node) in nodes.iter().enumerate() {
        match node {
            Node::Inst(_) => header += 1,
            Node::If(_) if LoopExit::of_node(node).is_some() => {
                let rest: usize = nodes[at + 1..].iter().map(size).sum();
                if rest <= header || tests == MAX_TESTS {
                    break;
                }
                (tests, header) = (tests + 1, 0);
            }
            _ => break,
        }
    }
    tests
}

fn size(node: &Node) -> usize {
    match node {
        Node::Inst(_) => 1,
        Node::Break(_) | Node::Continue(_) => 0,
        Node::If(branch) => branch.then.num_insts() + branch.otherwise.num_insts(),
        Node::Loop(body) => body.body.num_insts(),
    }
}

/// The parts of a loop.
struct Parts<'a> {
    /// The code before the first test.
    header: &'a [Node],
    test: LoopExit<'a>,
    /// The code after it.
    rest: &'a [Node],
    /// The values passed to the next iteration.
    next: &'a [Operand],
}

impl<'a> Parts<'a> {
    /// The parts of a loop with a short header in which no iteration ends early.
    fn of(body: &'a Loop) -> Option<Self> {
        let (Node::Continue(next), nodes) = body.body.nodes.split_last()? else { return None };
        let at = nodes.iter().position(|node| !matches!(node, Node::Inst(_)))?;
        let test = LoopExit::of_node(&nodes[at])?;
        let copied = at + test.leaving.iter().map(size).sum::<usize>();
        let (header, rest) = (&nodes[..at], &nodes[at + 1..]);
        let is_early = test.staying.iter().chain(rest).any(may_continue);
        let has_other = test.leaving.iter().any(may_leave);
        let can_be = copied <= MAX_COPIED && !is_early && !has_other;
        can_be.then_some(Self { header, test, rest, next })
    }
}

impl Rotator<'_> {
    /// Appends `body` to `out`, rotated up to `rounds` times.
    fn rotate(&mut self, body: Loop, rounds: usize, out: &mut Vec<Node>) {
        match Parts::of(&body).filter(|_| rounds > 0 && self.fuel.burn()) {
            Some(parts) => self.rotate_once(&body, &parts, rounds, out),
            None => out.push(Node::Loop(Box::new(body))),
        }
    }

    fn rotate_once(&mut self, body: &Loop, parts: &Parts<'_>, rounds: usize, out: &mut Vec<Node>) {
        let init: Vec<Operand> = body.params.iter().map(|param| param.init).collect();
        let init = self.function.unmodified(&init, out);
        let params = || body.params.iter().map(|param| param.value);
        let carried = self.carried(parts);
        let carried_args: Vec<Operand> = carried.iter().map(|&v| Operand::value(v)).collect();

        let first = self.test(parts, params().zip(init.iter().copied()), &carried_args, out);
        let mut nodes = [parts.test.staying, parts.rest].concat();
        let next = self.function.unmodified(parts.next, &mut nodes);
        let renamed = params().zip(next.iter().copied());
        let mut last = self.test(parts, renamed, &carried_args, &mut nodes);
        last.leaving.push(Node::Break(last.results));
        let when_true = parts.test.when_true;
        nodes.push(branch(last.condition, when_true, last.leaving, Vec::new(), Vec::new()));
        nodes.push(Node::Continue([next, last.carried].concat()));

        let rotated = self.new_loop(body, (init, first.carried), carried, nodes);
        let results = rotated.results.clone();
        let mut inner = Vec::new();
        self.rotate(rotated, rounds - 1, &mut inner);
        let phi = |((&value, leaving), inner): ((&Value, Operand), Value)| {
            let [then, otherwise] = in_arms(when_true, leaving, Operand::value(inner));
            Phi { value, then, otherwise }
        };
        let phis = body.results.iter().zip(first.results).zip(results).map(phi).collect();
        out.push(branch(first.condition, when_true, first.leaving, inner, phis));
    }

    /// The loop, starting after its first test. Header values that it reads become parameters.
    fn new_loop(
        &mut self,
        body: &Loop,
        (init, carried_init): (Vec<Operand>, Vec<Operand>),
        carried: Vec<Value>,
        nodes: Vec<Node>,
    ) -> Loop {
        let old = body.params.iter().zip(init);
        let mut params: Vec<LoopParam> =
            old.map(|(param, init)| LoopParam { value: param.value, init }).collect();
        for (value, init) in carried.into_iter().zip(carried_init) {
            let param = self.function.make_phi();
            self.replacements.insert(value, Operand::value(param));
            params.push(LoopParam { value: param, init });
        }
        let results = body.results.iter().map(|_| self.function.make_phi()).collect();
        Loop { params, body: Region { nodes }, results }
    }

    /// Appends a copy of the header to `out` and returns a copy of the test.
    fn test(
        &mut self,
        parts: &Parts<'_>,
        params: impl Iterator<Item = (Value, Operand)>,
        carried: &[Operand],
        out: &mut Vec<Node>,
    ) -> Test {
        let mut copier = Copier::new(self.function, &self.replacements, params);
        copier.nodes(parts.header, out);
        let Condition { op, src } = parts.test.condition;
        let condition = Condition { op: *op, src: src.map(|operand| copier.operand(operand)) };
        let carried = copier.operands(carried);
        let mut leaving = Vec::new();
        copier.nodes(parts.test.leaving, &mut leaving);
        Test { condition, leaving, results: copier.operands(parts.test.results), carried }
    }

    /// Header values that staying lanes read after the test.
    fn carried(&self, parts: &Parts<'_>) -> Vec<Value> {
        let mut read: EntitySet<Value> = EntitySet::new();
        let mut note = |operand: Operand| {
            read.extend(self.replacements.resolve(operand).as_value());
        };
        parts.next.iter().copied().for_each(&mut note);
        for nodes in [parts.test.staying, parts.rest] {
            self.function.for_each_operand_of(nodes, &mut note);
        }
        let insts = parts.header.iter().filter_map(|node| match node {
            Node::Inst(id) => Some(*id),
            _ => None,
        });
        let values = insts.flat_map(|id| self.function.insts[id].results.iter().copied());
        values.filter(|&value| read.contains(value)).collect()
    }
}

/// A copy of a test.
struct Test {
    condition: Condition,
    /// The code of leaving lanes.
    leaving: Vec<Node>,
    /// The values they pass to the loop's results.
    results: Vec<Operand>,
    /// The copies of header values.
    carried: Vec<Operand>,
}

/// A branch with one arm for leaving lanes and one for staying lanes.
fn branch(
    condition: Condition,
    when_true: bool,
    leaving: Vec<Node>,
    staying: Vec<Node>,
    phis: Vec<Phi>,
) -> Node {
    let [then, otherwise] = in_arms(when_true, leaving, staying).map(|nodes| Region { nodes });
    Node::If(Box::new(If { condition, then, otherwise, phis }))
}

/// The contents of the arm that is taken if the condition holds, and of the other.
fn in_arms<T>(when_true: bool, leaving: T, staying: T) -> [T; 2] {
    if when_true { [leaving, staying] } else { [staying, leaving] }
}
