//! Unrolls loops with a small known number of iterations.
//!
//! Such a loop has one exit: a branch at the top level of its body. The test is evaluated for one iteration after the
//! other, starting with the constants on entry, until the exit is taken.

mod count;

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    Copier, Event, Function, Loop, LoopExit, Node, Operand, Rebuild, Region, Replacements, Value,
};

use self::count::count_iterations;

/// Instructions that an unrolled loop may have.
const MAX_INSTS: usize = 4000;

/// Instructions that all unrolled loops of a function may add to it, so that a shader of many loops does not grow
/// a hundredfold.
const MAX_GROWTH: usize = 32_000;

/// How much larger the same bounds are if measured by [`size`], which counts more than instructions: a branch may hold
/// no instructions at all, but its phis become selects later.
const SIZE_FACTOR: usize = 4;

/// The pass.
pub(crate) struct Unroll;

impl Pass<Ssa> for Unroll {
    fn declaration(&self) -> Declaration {
        // Simplification makes tests known, and sizes must be those of simplified bodies.
        Declaration::optional(names::UNROLL).refreshes(&[names::SIMPLIFY])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if !ssa.function.body.has_loop() {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut ssa.function.body);
        let mut unroller = Unroller {
            function: &mut ssa.function,
            fuel: &mut *cx.fuel,
            replacements: Replacements::new(),
            growth: 0,
            growth_in_size: 0,
        };
        body.rebuild(&mut unroller)?;
        let Unroller { replacements, .. } = unroller;
        ssa.function.body = body;
        ssa.function.apply(&replacements);
        Ok(Done::Settled)
    }
}

struct Unroller<'a> {
    function: &'a mut Function,
    fuel: &'a mut Fuel,
    replacements: Replacements,
    /// Instructions that were added.
    growth: usize,
    /// The same in units of [`size`].
    growth_in_size: usize,
}

/// Unrolls every loop that can be, inner loops first.
impl Rebuild for Unroller<'_> {
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        if !matches!(&node, Node::Loop(body) if self.expand(body, out)) {
            out.push(node);
        }
        Ok(())
    }
}

impl Unroller<'_> {
    /// Appends all iterations of `body` to `out`. If their number is unknown or too large, returns false and does
    /// nothing.
    fn expand(&mut self, body: &Loop, out: &mut Vec<Node>) -> bool {
        let Some(Node::Continue(next)) = body.body.nodes.last() else { return false };
        let Some((at, exit)) = LoopExit::only_of(body) else { return false };
        let counted = count_iterations(self.function, &self.replacements, body, &exit, next);
        let Some(iterations) = counted else { return false };
        let (insts, size) = (iterations * body.body.num_insts(), iterations * size(&body.body));
        let is_too_large = insts > MAX_INSTS || size > SIZE_FACTOR * MAX_INSTS;
        let growth = (self.growth + insts, self.growth_in_size + size);
        let is_too_much = growth.0 > MAX_GROWTH || growth.1 > SIZE_FACTOR * MAX_GROWTH;
        if is_too_large || is_too_much || !self.fuel.burn() {
            return false;
        }
        (self.growth, self.growth_in_size) = growth;
        let mut args: Vec<Operand> = body.params.iter().map(|param| param.init).collect();
        for _ in 0..iterations {
            args = self.iteration(body, (at, &exit), next, &args, out);
        }
        self.last_iteration(body, (at, &exit), &args, out);
        true
    }

    /// Appends a whole iteration with `args` as parameters. Returns the parameters of the next one.
    fn iteration(
        &mut self,
        body: &Loop,
        (at, exit): (usize, &LoopExit<'_>),
        next: &[Operand],
        args: &[Operand],
        out: &mut Vec<Node>,
    ) -> Vec<Operand> {
        let args = self.function.unmodified(args, out);
        let mut copier = Copier::new(self.function, &self.replacements, renamed(body, &args));
        let nodes = &body.body.nodes;
        copier.nodes(&nodes[..at], out);
        copier.nodes(exit.staying, out);
        copier.nodes(&nodes[at + 1..nodes.len() - 1], out);
        copier.operands(next)
    }

    /// Appends the part of the body up to the exit, and replaces the results of the loop by the operands of the exit.
    fn last_iteration(
        &mut self,
        body: &Loop,
        (at, exit): (usize, &LoopExit<'_>),
        args: &[Operand],
        out: &mut Vec<Node>,
    ) {
        let args = self.function.unmodified(args, out);
        let mut copier = Copier::new(self.function, &self.replacements, renamed(body, &args));
        copier.nodes(&body.body.nodes[..at], out);
        copier.nodes(exit.leaving, out);
        let results = copier.operands(exit.results);
        let results = self.function.unmodified(&results, out);
        for (&value, result) in body.results.iter().zip(results) {
            self.replacements.insert(value, result);
        }
    }
}

/// The size of a region: its instructions, branches, loops and exits, and the values that the latter three pass.
fn size(region: &Region) -> usize {
    let of_event = |event: Event<'_>| match event {
        Event::Inst(_) => 1,
        Event::Branch(branch) => 1 + branch.phis.len(),
        Event::Loop(body) => 1 + body.params.len() + body.results.len(),
        Event::Exit(exit) => 1 + exit.args.len(),
        _ => 0,
    };
    region.walk().map(of_event).sum()
}

/// The parameters of `body`, each with its value in an iteration.
fn renamed(body: &Loop, args: &[Operand]) -> impl Iterator<Item = (Value, Operand)> {
    body.params.iter().map(|param| param.value).zip(args.iter().copied())
}
