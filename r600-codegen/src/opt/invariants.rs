//! Hoists loop invariants.
//!
//! Only code that every iteration reaches is moved, so nothing extra is computed except for lanes that leave early. A
//! hoisted value is live throughout the loop, so only a limited number is moved.

use cranelift_entity::EntitySet;
use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{Function, InstData, InstId, Loop, Node, Rebuild, Value};

/// The most instructions that are hoisted out of one loop.
const MAX_KEPT: usize = 64;

/// The pass.
pub(crate) struct HoistInvariants;

impl Pass<Ssa> for HoistInvariants {
    fn declaration(&self) -> Declaration {
        // A hoisted product could no longer fuse with a sum in the loop.
        Declaration::optional(names::INVARIANTS).after(&[names::FUSE])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if !ssa.function.body.has_loop() {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut ssa.function.body);
        body.rebuild(&mut Hoisting { function: &ssa.function, fuel: &mut *cx.fuel })?;
        ssa.function.body = body;
        Ok(Done::Settled)
    }
}

/// Hoists invariants, out of inner loops first.
struct Hoisting<'a> {
    function: &'a Function,
    fuel: &'a mut Fuel,
}

impl Rebuild for Hoisting<'_> {
    fn node(&mut self, mut node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        if let Node::Loop(body) = &mut node {
            let invariants = take_invariants(self.function, body, self.fuel);
            out.extend(invariants.into_iter().map(Node::Inst));
        }
        out.push(node);
        Ok(())
    }
}

/// Removes and returns up to [`MAX_KEPT`] instructions of `body` that read no value defined in the loop.
fn take_invariants(function: &Function, body: &mut Loop, fuel: &mut Fuel) -> Vec<InstId> {
    let mut inside: EntitySet<Value> = EntitySet::with_capacity(function.values.len());
    inside.extend(body.params.iter().map(|param| param.value));
    function.definitions(&body.body, &mut inside);
    let mut invariants = Vec::new();
    body.body.nodes.retain(|node| {
        let Node::Inst(id) = node else { return true };
        let inst = &function.insts[*id];
        let is_invariant = inst.data.only_computes() && !reads_any(&inst.data, &inside);
        if !is_invariant || invariants.len() == MAX_KEPT || !fuel.burn() {
            return true;
        }
        for &value in &inst.results {
            inside.remove(value);
        }
        invariants.push(*id);
        false
    });
    invariants
}

fn reads_any(data: &InstData, values: &EntitySet<Value>) -> bool {
    let mut reads = false;
    data.for_each_operand(|operand| {
        reads |= operand.as_value().is_some_and(|value| values.contains(value));
    });
    reads
}
