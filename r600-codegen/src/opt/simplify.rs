//! Folding, simplification and value numbering in one forward walk.
//!
//! Definitions are visited before uses. For each instruction, operands are looked up, moves are looked through and
//! rewrites are applied ([`super::rewrite`]). If an equal instruction dominates it, the results of that one are used
//! instead.

mod equal;

use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use arrayvec::ArrayVec;
use pass_manager::{Analysis as _, Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::{AluOp, Omod};

use crate::analyses::LoopExits;
use crate::error::Stop;
use crate::forms::Ssa;
use crate::hash::FastMap;
use crate::legal;
use crate::names;
use crate::semantics;
use crate::ssa::{
    AluInst, DotInst, ExitSlice, Function, If, InstData, InstId, Loop, Node, Operand, Phi, Region,
    Replacements, Source, Stake, Value,
};

use self::equal::hash_of;
use super::elements::KnownElements;
use super::fold;
use super::rewrite::{self, Freedom, Goals, Last, Matcher, Replacement, RewriteCounts};

/// The pass.
pub(crate) struct Rewrite;

impl Pass<Ssa> for Rewrite {
    fn declaration(&self) -> Declaration {
        Declaration::optional(names::REWRITE).uses(&[LoopExits::ID])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let exits = ExitSlice::clone(&*cx.analysis::<LoopExits>(ssa)?);
        let function = &mut ssa.function;
        let mut body = std::mem::take(&mut function.body);
        let replacements = Replacements::of(function);
        let hasher = BuildHasherDefault::default();
        let mut simplifier = Simplifier {
            function,
            goals: &cx.context.goals,
            counts: &mut cx.context.rewrites,
            fuel: &mut *cx.fuel,
            replacements,
            numbered: FastMap::with_capacity_and_hasher(body.nodes.len(), hasher),
            log: Vec::with_capacity(body.nodes.len()),
            elements: KnownElements::default(),
            exits,
            is_unsettled: false,
        };
        // Definitions come before uses, so replacements are known when an operand is reached.
        simplifier.region(&mut body);
        let done = Done::unless(simplifier.is_unsettled);
        ssa.function.body = body;
        Ok(done)
    }
}

struct Simplifier<'a> {
    function: &'a mut Function,
    goals: &'a Goals,
    counts: &'a mut RewriteCounts,
    fuel: &'a mut Fuel,
    replacements: Replacements,
    /// The first instruction of each hash.
    numbered: FastMap<u64, InstId>,
    /// Hashes entered, for removing those of a region at its end.
    log: Vec<u64>,
    /// Known contents of array elements.
    elements: KnownElements,
    /// The slice that decides whether loops end, including newly made values.
    exits: ExitSlice,
    /// Whether new instructions were made that are not yet simplified.
    is_unsettled: bool,
}

impl Simplifier<'_> {
    fn region(&mut self, region: &mut Region) {
        let nodes = std::mem::take(&mut region.nodes);
        let mut out = Vec::with_capacity(nodes.len());
        self.nodes(nodes, &mut out);
        region.nodes = out;
    }

    /// Simplifies nodes up to the first that diverges.
    fn nodes(&mut self, nodes: Vec<Node>, out: &mut Vec<Node>) {
        for node in nodes {
            self.node(node, out);
            if out.last().is_some_and(Node::diverges) {
                break;
            }
        }
    }

    /// Walks a region whose values are not visible after it, and whose stores may not execute.
    fn scoped(&mut self, region: &mut Region) {
        let mark = self.log.len();
        self.region(region);
        self.elements.forget(self.function, region);
        for key in self.log.drain(mark..) {
            self.numbered.remove(&key);
        }
    }

    fn node(&mut self, node: Node, out: &mut Vec<Node>) {
        match node {
            Node::Inst(inst) => self.inst(inst, out),
            Node::If(branch) => self.branch(*branch, out),
            Node::Loop(body) => self.loop_node(*body, out),
            Node::Break(mut args) => {
                self.resolve_all(&mut args);
                out.push(Node::Break(args));
            }
            Node::Continue(mut args) => {
                self.resolve_all(&mut args);
                out.push(Node::Continue(args));
            }
        }
    }

    fn resolve_all(&self, operands: &mut [Operand]) {
        for operand in operands {
            *operand = self.replacements.resolve(*operand);
        }
    }

    fn inst(&mut self, id: InstId, out: &mut Vec<Node>) {
        self.function.origin = self.function.origins[id];
        // Nothing reads the placeholder.
        let mut data = std::mem::replace(&mut self.function.insts[id].data, InstData::Barrier);
        data.for_each_operand_mut(|operand| *operand = self.replacements.resolve(*operand));
        let result = self.function.insts[id].results.first().copied();
        if let InstData::Alu(alu) = &mut data
            && let Some(result) = result
            && let Some(operand) = self.alu(alu, result, out)
        {
            self.replace(result, operand);
            self.function.insts[id].data = data;
            return;
        }
        if let Some(operand) = self.elements.follow(self.function, &data)
            && let Some(result) = result
            && self.fuel.burn()
        {
            self.replace(result, operand);
            self.function.insts[id].data = data;
            return;
        }
        if let InstData::Dot(dot) = &mut data {
            self.dot(dot, self.exits.of_all(&result));
        }
        self.fetch_and_export_operands(&mut data);
        let known = self.number(&data, id);
        self.function.insts[id].data = data;
        let Some(known) = known.filter(|_| self.fuel.burn()) else {
            out.push(Node::Inst(id));
            return;
        };
        let [results, known] = [id, known].map(|inst| self.function.insts[inst].results.clone());
        for (value, known) in results.into_iter().zip(known) {
            self.replace(value, Operand::value(known));
        }
    }

    /// Makes readers of `value` read `operand` from now on.
    fn replace(&mut self, value: Value, operand: Operand) {
        if let Some(new) = operand.as_value() {
            self.exits.note(new, self.exits.stake(value));
        }
        self.replacements.insert(value, operand);
    }

    /// An earlier instruction that computes `data`; records `id` for it if there is none.
    fn number(&mut self, data: &InstData, id: InstId) -> Option<InstId> {
        let hash = hash_of(data)?;
        match self.numbered.entry(hash) {
            Entry::Occupied(known) => {
                let known = *known.get();
                // Of two different instructions with equal hashes only the first is recorded.
                (self.function.insts[known].data == *data).then_some(known)
            }
            Entry::Vacant(vacant) => {
                vacant.insert(id);
                self.log.push(hash);
                None
            }
        }
    }

    /// An instruction that computes `data`: an earlier one if known, else a new one.
    fn known_or_new(&mut self, data: InstData, out: &mut Vec<Node>) -> InstId {
        let known = hash_of(&data).and_then(|hash| self.numbered.get(&hash).copied());
        if let Some(known) = known
            && self.function.insts[known].data == data
        {
            return known;
        }
        let id = self.function.make_inst(data.clone());
        self.number(&data, id);
        self.is_unsettled = true;
        out.push(Node::Inst(id));
        id
    }

    /// Simplifies an ALU operation in place, or returns the operand that its result equals.
    fn alu(&mut self, alu: &mut AluInst, result: Value, out: &mut Vec<Node>) -> Option<Operand> {
        let stake = self.exits.stake(result);
        for _ in 0..8 {
            self.see_through_moves(alu);
            if let Some(bits) = self.constant_result(alu)
                && self.fuel.burn()
            {
                return Some(Operand::constant(bits));
            }
            let freedom = self.goals.freedom(stake);
            let found = Matcher::new(self.function, freedom).find(alu);
            let Some(found) = found.filter(|_| self.fuel.burn()) else { break };
            self.counts.note(found.row);
            match self.insert_steps(found, stake, out) {
                Last::Operand(operand) => {
                    if let Some(result) = self.as_replacement(alu, operand) {
                        return Some(result);
                    }
                    break;
                }
                Last::Inst(better) => *alu = better,
            }
        }
        if is_reversed(alu) && self.fuel.burn() {
            alu.src.swap(0, 1);
        }
        self.plain_move(alu).filter(|_| self.fuel.burn())
    }

    /// Emits the steps of a replacement. Returns what gives its result.
    fn insert_steps(&mut self, found: Replacement, stake: Stake, out: &mut Vec<Node>) -> Last {
        let mut results: ArrayVec<Operand, 4> = ArrayVec::new();
        for mut inst in found.steps.into_iter().map(|step| step.inst) {
            rewrite::resolve_steps(&mut inst, &results);
            if let Some(bits) = self.constant_result(&inst) {
                results.push(Operand::constant(bits));
                continue;
            }
            if is_reversed(&inst) {
                inst.src.swap(0, 1);
            }
            let id = self.known_or_new(InstData::Alu(inst), out);
            let result = self.function.insts[id].results[0];
            self.exits.note(result, stake);
            results.push(Operand::value(result));
        }
        let mut last = found.last;
        if let Last::Inst(inst) = &mut last {
            rewrite::resolve_steps(inst, &results);
        }
        last
    }

    /// Replaces results of moves by their sources if the operation accepts the modifiers.
    fn see_through_moves(&mut self, alu: &mut AluInst) {
        let op = alu.op;
        for operand in &mut alu.src {
            if let Some(through) = self.through_move(*operand)
                && legal::accepts(op, through)
                && self.fuel.burn()
            {
                *operand = through;
            }
        }
    }

    /// The source of a move without clamp or multiplier, under the operand's own modifiers.
    fn through_move(&self, operand: Operand) -> Option<Operand> {
        let mov = self.function.def_alu(operand)?;
        (mov.op == AluOp::Mov && !mov.clamp && mov.omod == Omod::None)
            .then(|| mov.src[0].modified(operand.neg, operand.abs))
    }

    fn constant_result(&self, alu: &AluInst) -> Option<u32> {
        // Few operations have only constant operands.
        if !alu.src.iter().all(|src| matches!(src.source, Source::Const(_))) {
            return None;
        }
        let known: ArrayVec<u32, 3> = alu.src.iter().filter_map(|src| src.as_const()).collect();
        let bits = fold::fold(alu.op, &known)?;
        // A kill is removed if it kills no lane, and stays if it kills all.
        if alu.op.is_kill() && bits != 0 {
            return None;
        }
        Some(semantics::modify_output(bits, alu.omod, alu.clamp))
    }

    /// The operand that replaces the result of `alu`, which becomes a move of `operand`. `None` if the move has to
    /// stay, because a clamp, a multiplier or an operand modifier is still to be applied.
    fn as_replacement(&self, alu: &mut AluInst, operand: Operand) -> Option<Operand> {
        let output = (alu.omod, alu.clamp);
        *alu = AluInst::new(AluOp::Mov, &[operand]);
        (alu.omod, alu.clamp) = output;
        self.plain_move(alu)
    }

    /// The source of a move that changes nothing.
    fn plain_move(&self, alu: &AluInst) -> Option<Operand> {
        let plain = alu.op == AluOp::Mov && !alu.clamp && alu.omod == Omod::None;
        (plain && !alu.src[0].has_modifier()).then(|| alu.src[0])
    }

    /// Looks through moves in instructions other than ALU operations and dot products. Exports and addresses read only
    /// operands without modifiers.
    fn fetch_and_export_operands(&mut self, data: &mut InstData) {
        if matches!(data, InstData::Alu(_) | InstData::Dot(_)) {
            return;
        }
        data.for_each_operand_mut(|operand| {
            if let Some(through) = self.through_move(*operand)
                && !through.has_modifier()
                && self.fuel.burn()
            {
                *operand = through;
            }
        });
    }

    fn dot(&mut self, dot: &mut DotInst, stake: Stake) {
        for operand in dot.pairs.iter_mut().flatten() {
            if let Some(through) = self.through_move(*operand)
                && self.fuel.burn()
            {
                *operand = through;
            }
        }
        // A product of zero and infinity is NaN, so it must stay.
        if self.goals.freedom(stake) < Freedom::Finite {
            return;
        }
        let fuel = &mut *self.fuel;
        dot.pairs.retain(|[a, b]| !is_zero(*a) && !is_zero(*b) || !fuel.burn());
    }

    fn branch(&mut self, mut branch: If, out: &mut Vec<Node>) {
        self.resolve_all(&mut branch.condition.src);
        let condition = &mut branch.condition;
        let compared: ArrayVec<Value, 2> =
            condition.src.iter().filter_map(|operand| operand.as_value()).collect();
        let stake = self.exits.of_all(&compared);
        let (function, freedom) = (&*self.function, self.goals.freedom(stake));
        rewrite::rewrite_condition(function, freedom, condition, self.counts, self.fuel);
        let [a, b] = branch.condition.src.map(Operand::as_const);
        if let (Some(a), Some(b)) = (a, b)
            && let Some(holds) = fold::predicate_test(branch.condition.op, a, b)
            && self.fuel.burn()
        {
            self.known_branch(branch, holds, out);
            return;
        }
        self.arm(&mut branch, true);
        self.arm(&mut branch, false);
        let phis = match [&branch.then, &branch.otherwise].map(Region::diverges) {
            [false, false] => Vec::new(),
            _ => std::mem::take(&mut branch.phis),
        };
        let is_then_left = branch.then.diverges();
        out.push(Node::If(Box::new(branch)));
        for phi in phis {
            self.arrived(&phi, is_then_left, out);
        }
    }

    /// After a branch with one arm found to diverge, a phi becomes the value of the other arm.
    fn arrived(&mut self, phi: &Phi, is_then_left: bool, out: &mut Vec<Node>) {
        let operand = if is_then_left { phi.otherwise } else { phi.then };
        let operand = self.unmodified(operand, out);
        self.replace(phi.value, operand);
    }

    fn arm(&mut self, branch: &mut If, then: bool) {
        if then {
            self.scoped(&mut branch.then);
            for phi in &mut branch.phis {
                phi.then = self.replacements.resolve(phi.then);
            }
        } else {
            self.scoped(&mut branch.otherwise);
            for phi in &mut branch.phis {
                phi.otherwise = self.replacements.resolve(phi.otherwise);
            }
        }
    }

    /// Moves the arm that is always taken into the region around the branch.
    fn known_branch(&mut self, branch: If, holds: bool, out: &mut Vec<Node>) {
        let arm = if holds { branch.then } else { branch.otherwise };
        self.nodes(arm.nodes, out);
        if out.last().is_some_and(Node::diverges) {
            // Code after the branch is unreachable, so its values are not needed.
            return;
        }
        for phi in branch.phis {
            let taken = self.replacements.resolve(if holds { phi.then } else { phi.otherwise });
            let taken = self.unmodified(taken, out);
            self.replace(phi.value, taken);
        }
    }

    /// `operand` in a form that can replace a value anywhere.
    fn unmodified(&mut self, operand: Operand, out: &mut Vec<Node>) -> Operand {
        if !operand.has_modifier() {
            return operand;
        }
        let mov = InstData::Alu(AluInst::new(AluOp::Mov, &[operand]));
        let id = self.function.make_inst(mov);
        out.push(Node::Inst(id));
        Operand::value(self.function.insts[id].results[0])
    }

    fn loop_node(&mut self, mut node: Loop, out: &mut Vec<Node>) {
        for param in &mut node.params {
            param.init = self.replacements.resolve(param.init);
        }
        self.elements.forget(self.function, &node.body);
        self.scoped(&mut node.body);
        out.push(Node::Loop(Box::new(node)));
    }
}

/// Whether `operand` is zero, of either sign.
fn is_zero(operand: Operand) -> bool {
    operand.as_const().is_some_and(|bits| bits & !(1 << 31) == 0)
}

/// Whether to swap the operands of a commutative operation, to make equal ones look equal.
fn is_reversed(alu: &AluInst) -> bool {
    alu.op.is_commutative() && alu.src.len() >= 2 && alu.src[0] > alu.src[1]
}
