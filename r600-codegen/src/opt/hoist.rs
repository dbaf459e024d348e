//! Hoists computations that both arms of a branch share.

use std::hash::{Hash as _, Hasher as _};

use cranelift_entity::EntitySet;
use pass_manager::Fuel;

use crate::hash::{FastHasher, FastMap};
use crate::ssa::{Function, If, InstId, Node, Operand, Replacements, Value};

/// The most rounds of matching. Each can match instructions that read results of the round before.
const MAX_ROUNDS: usize = 32;

/// Moves instructions that both arms of `branch` contain to `out`. Results of those in the second arm are replaced by
/// those of the first.
pub(super) fn hoist_common(
    function: &mut Function,
    branch: &mut If,
    replacements: &mut Replacements,
    fuel: &mut Fuel,
    out: &mut Vec<Node>,
) {
    let mut inside = EntitySet::new();
    function.definitions(&branch.then, &mut inside);
    function.definitions(&branch.otherwise, &mut inside);
    let mut hoist = Hoist { inside, function, replacements, fuel };
    for _ in 0..MAX_ROUNDS {
        if !hoist.round(branch, out) {
            break;
        }
    }
}

struct Hoist<'a> {
    function: &'a mut Function,
    replacements: &'a mut Replacements,
    /// Values that are defined in the arms.
    inside: EntitySet<Value>,
    fuel: &'a mut Fuel,
}

impl Hoist<'_> {
    /// A hash of the operands of an instruction; `None` if the instruction could not stand in front of the branch.
    fn key(&mut self, id: InstId) -> Option<u64> {
        let replacements = &*self.replacements;
        let data = &mut self.function.insts[id].data;
        if !data.is_pure() {
            return None;
        }
        let mut hasher = FastHasher::default();
        let mut reads_inside = false;
        data.for_each_operand_mut(|operand| {
            *operand = replacements.resolve(*operand);
            operand.hash(&mut hasher);
            reads_inside |= operand.as_value().is_some_and(|value| self.inside.contains(value));
        });
        (!reads_inside).then(|| hasher.finish())
    }

    fn round(&mut self, branch: &mut If, out: &mut Vec<Node>) -> bool {
        let mut others: FastMap<u64, Vec<InstId>> = FastMap::default();
        for node in &branch.otherwise.nodes {
            if let Node::Inst(id) = node
                && let Some(key) = self.key(*id)
            {
                others.entry(key).or_default().push(*id);
            }
        }
        let mut moved = EntitySet::new();
        for node in &branch.then.nodes {
            let Node::Inst(id) = node else { continue };
            let Some(key) = self.key(*id) else { continue };
            let Some(others) = others.get_mut(&key) else { continue };
            let function = &*self.function;
            let is_same = |other: &InstId| function.insts[*other].data == function.insts[*id].data;
            let Some(at) = others.iter().position(is_same) else { continue };
            if !self.fuel.burn() {
                continue;
            }
            let other = others.swap_remove(at);
            self.unify(*id, other);
            moved.insert(*id);
            moved.insert(other);
            out.push(Node::Inst(*id));
        }
        let stays = |node: &Node| !matches!(node, Node::Inst(id) if moved.contains(*id));
        branch.then.nodes.retain(stays);
        branch.otherwise.nodes.retain(stays);
        !moved.is_empty()
    }

    /// Makes the results of `id` stand for those of `other`.
    fn unify(&mut self, id: InstId, other: InstId) {
        let results = self.function.insts[id].results.clone();
        let others = self.function.insts[other].results.clone();
        for (value, other) in results.into_iter().zip(others) {
            self.inside.remove(value);
            self.replacements.insert(other, Operand::value(value));
        }
    }
}
