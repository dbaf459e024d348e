//! Fuses an operation with its only reader: product and sum, result and clamp, result and multiplier. It uses the rows
//! of `spec/rewrites.ron` that ask how often a value is read.

use arrayvec::ArrayVec;
use pass_manager::{Analysis as _, Declaration, Done, Fuel, Pass, PassCx};

use crate::analyses::{LoopExits, UseCounts};
use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    ExitSlice, Function, InstData, InstId, Node, Operand, Rebuild, Stake, Uses, Value, ValueDef,
};

use super::rewrite::{self, Goals, Last, Matcher, Replacement, RewriteCounts, Step};

/// The pass.
pub(crate) struct Combine;

impl Pass<Ssa> for Combine {
    fn declaration(&self) -> Declaration {
        Declaration::optional(names::COMBINE).uses(&[UseCounts::ID, LoopExits::ID])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let uses = Uses::clone(&*cx.analysis::<UseCounts>(ssa)?);
        let exits = ExitSlice::clone(&*cx.analysis::<LoopExits>(ssa)?);
        let before = cx.fuel.burnt();
        let mut body = std::mem::take(&mut ssa.function.body);
        let mut fusion = Fusion {
            function: &mut ssa.function,
            goals: &cx.context.goals,
            counts: &mut cx.context.rewrites,
            fuel: &mut *cx.fuel,
            uses,
            exits,
        };
        body.rebuild(&mut fusion)?;
        ssa.function.body = body;
        // A fused operation may fuse with a third one.
        Ok(Done::unless(cx.fuel.burnt() > before))
    }
}

struct Fusion<'a> {
    function: &'a mut Function,
    goals: &'a Goals,
    counts: &'a mut RewriteCounts,
    fuel: &'a mut Fuel,
    uses: Uses,
    /// The values that loop termination depends on.
    exits: ExitSlice,
}

impl Rebuild for Fusion<'_> {
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        if let Node::Inst(inst) = node {
            self.inst(inst, out);
        }
        out.push(node);
        Ok(())
    }
}

impl Fusion<'_> {
    fn inst(&mut self, id: InstId, out: &mut Vec<Node>) {
        let InstData::Alu(alu) = &self.function.insts[id].data else { return };
        let stake = self.exits.of_all(&self.function.insts[id].results);
        let freedom = self.goals.freedom(stake);
        let matcher = Matcher::of_fusions(self.function, freedom, &self.uses);
        // A fusion row always makes an instruction, never an operand.
        if let Some(found) = matcher.find(alu).filter(|found| matches!(found.last, Last::Inst(_)))
            && self.fuel.burn()
        {
            self.counts.note(found.row);
            self.replace((id, stake), found, out);
        }
    }

    /// Replaces `id` by `found`. Instructions that this needs first go to `out`.
    fn replace(&mut self, (id, stake): (InstId, Stake), found: Replacement, out: &mut Vec<Node>) {
        let Last::Inst(mut last) = found.last else { return };
        for eaten in found.eaten {
            self.uses[eaten] -= 1;
        }
        self.function.origin = self.function.origins[id];
        let mut results: ArrayVec<Operand, 4> = ArrayVec::new();
        for Step { mut inst, instead } in found.steps {
            rewrite::resolve_steps(&mut inst, &results);
            let value = self.step(InstData::Alu(inst), instead, out);
            self.exits.note(value, stake);
            results.push(Operand::value(value));
        }
        rewrite::resolve_steps(&mut last, &results);
        let data = InstData::Alu(last);
        self.count_operands(&data);
        self.function.insts[id].data = data;
    }

    /// Appends an instruction to `out` and returns its result. With `instead`, the instruction replaces the one that
    /// defines this value, and its result is this value.
    fn step(&mut self, data: InstData, instead: Option<Value>, out: &mut Vec<Node>) -> Value {
        if let Some(value) = instead
            && let ValueDef::Inst(id, _) = self.function.values[value]
        {
            self.function.insts[id].data = data;
            return value;
        }
        self.count_operands(&data);
        let id = self.function.make_inst(data);
        out.push(Node::Inst(id));
        self.function.insts[id].results[0]
    }

    /// Counts the operands of a new instruction as uses.
    fn count_operands(&mut self, data: &InstData) {
        data.for_each_operand(|operand| {
            if let Some(value) = operand.as_value() {
                self.uses[value] += 1;
            }
        });
    }
}
