//! Moves in front of a loop what each of its trips would compute anew from the same values.
//!
//! Only what every trip reaches moves, so that nothing is computed that would not have been but for the lanes
//! that leave early. A value that waits in front of the loop takes a register all through it, and so does each
//! that it no longer reads for the last time: only so many move.

use cranelift_entity::EntitySet;

use crate::ssa::{Function, InstData, InstId, Loop, Node, Region, Value};

/// Values that may wait in front of one loop.
const MAX_KEPT: usize = 24;

/// Moves what can be moved, out of inner loops first; true when there was anything.
pub fn hoist_invariants(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let changed = hoist_in(function, &mut body);
    function.body = body;
    changed
}

fn hoist_in(function: &Function, region: &mut Region) -> bool {
    let mut changed = false;
    let nodes = std::mem::take(&mut region.nodes);
    let mut out = Vec::with_capacity(nodes.len());
    for mut node in nodes {
        match &mut node {
            Node::If(branch) => {
                changed |= hoist_in(function, &mut branch.then);
                changed |= hoist_in(function, &mut branch.otherwise);
            }
            Node::Loop(body) => {
                changed |= hoist_in(function, &mut body.body);
                let invariants = take_invariants(function, body);
                changed |= !invariants.is_empty();
                out.extend(invariants.into_iter().map(Node::Inst));
            }
            Node::Inst(_) | Node::Break(_) | Node::Continue(_) => {}
        }
        out.push(node);
    }
    region.nodes = out;
    changed
}

/// Takes the instructions out of `body` that read nothing which the loop makes.
fn take_invariants(function: &Function, body: &mut Loop) -> Vec<InstId> {
    let mut inside: EntitySet<Value> = EntitySet::with_capacity(function.values.len());
    inside.extend(body.params.iter().map(|param| param.value));
    super::hoist::define(function, &body.body, &mut inside);
    let mut invariants = Vec::new();
    body.body.nodes.retain(|node| {
        let Node::Inst(id) = node else { return true };
        let inst = &function.insts[*id];
        let is_invariant = inst.data.only_computes() && !reads_any(&inst.data, &inside);
        if !is_invariant || invariants.len() == MAX_KEPT {
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
