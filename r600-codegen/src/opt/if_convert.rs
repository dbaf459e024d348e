//! Turns branches into selects where that is cheaper.
//!
//! A branch costs a predicate group, a break in the clause, and arms that cannot share groups with the code around
//! them. A select costs one slot per phi, and both arms always run. Computations that both arms share, above all
//! fetches, move in front of the branch before the cost is counted.

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::AluOp;

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    AluInst, Condition, Function, If, InstData, Node, Operand, Rebuild, Replacements,
};

use super::fold;
use super::hoist::hoist_common;

/// The most instructions and phis of a branch that is converted. Even if the arms take longer than a jump, they run
/// side by side in slots that each alone would leave empty. Beyond this limit, jumping is cheaper.
const MAX_SPECULATED: usize = 256;

/// The pass.
pub(crate) struct ConvertBranches;

impl Pass<Ssa> for ConvertBranches {
    fn declaration(&self) -> Declaration {
        // Costs must be those of simplified arms. Unrolling and constant indices may decide branches first.
        Declaration::optional(names::IF_CONVERT)
            .after(&[names::UNROLL, names::ARRAYS])
            .refreshes(&[names::SIMPLIFY])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if ssa.function.body.is_straight() {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut ssa.function.body);
        let function = &mut ssa.function;
        let mut converter =
            Converter { function, fuel: &mut *cx.fuel, replacements: Replacements::new() };
        body.rebuild(&mut converter)?;
        let Converter { replacements, .. } = converter;
        ssa.function.body = body;
        ssa.function.apply(&replacements);
        Ok(Done::Settled)
    }
}

struct Converter<'a> {
    function: &'a mut Function,
    fuel: &'a mut Fuel,
    replacements: Replacements,
}

/// Converts what is worth it, inner branches first.
impl Rebuild for Converter<'_> {
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        let Node::If(mut branch) = node else {
            out.push(node);
            return Ok(());
        };
        hoist_common(self.function, &mut branch, &mut self.replacements, self.fuel, out);
        match mask_compare(branch.condition.op) {
            Some(test) if self.is_worth_it(&branch) && self.fuel.burn() => {
                self.convert(*branch, test, out);
            }
            _ => out.push(Node::If(branch)),
        }
        Ok(())
    }
}

impl Converter<'_> {
    fn is_worth_it(&self, branch: &If) -> bool {
        let mut cost = branch.phis.len();
        for arm in [&branch.then, &branch.otherwise] {
            for node in &arm.nodes {
                let Node::Inst(inst) = node else { return false };
                if !self.function.insts[*inst].data.only_computes() {
                    return false;
                }
                cost += 1;
            }
        }
        cost <= MAX_SPECULATED
    }

    /// Replaces a branch by its arms and one select per phi. `test` is the comparison that gives the condition as a
    /// mask.
    fn convert(&mut self, branch: If, test: AluOp, out: &mut Vec<Node>) {
        out.extend(branch.then.nodes);
        out.extend(branch.otherwise.nodes);
        if branch.phis.is_empty() {
            return;
        }
        let test = self.mask(&branch.condition, test, out);
        for phi in branch.phis {
            let [then, otherwise] = [phi.then, phi.otherwise].map(|arm| self.select_arm(arm, out));
            let value = match test {
                Test::Mask(mask) => self.push(AluOp::CndeInt, &[mask, otherwise, then], out),
                Test::Zero(test) => self.push(AluOp::CndeInt, &[test, then, otherwise], out),
            };
            self.replacements.insert(phi.value, value);
        }
    }

    /// `arm` without modifiers, which integer selects do not accept.
    fn select_arm(&mut self, arm: Operand, out: &mut Vec<Node>) -> Operand {
        if arm.has_modifier() { self.push(AluOp::Mov, &[arm], out) } else { arm }
    }

    fn push(&mut self, op: AluOp, src: &[Operand], out: &mut Vec<Node>) -> Operand {
        let id = self.function.make_inst(InstData::Alu(AluInst::new(op, src)));
        out.push(Node::Inst(id));
        Operand::value(self.function.insts[id].results[0])
    }

    /// A value by which selects can choose according to the condition.
    fn mask(&mut self, condition: &Condition, test: AluOp, out: &mut Vec<Node>) -> Test {
        let [a, b] = condition.src;
        let plain = !a.has_modifier() && b.as_const() == Some(0);
        match condition.op {
            AluOp::PredSetneInt if plain => return Test::Mask(a),
            AluOp::PredSeteInt if plain => return Test::Zero(a),
            _ => {}
        }
        Test::Mask(self.push(test, &condition.src, out))
    }
}

/// A value to select by.
#[derive(Clone, Copy)]
enum Test {
    /// Nonzero where the condition holds.
    Mask(Operand),
    /// Zero where the condition holds.
    Zero(Operand),
}

fn mask_compare(predicate: AluOp) -> Option<AluOp> {
    fold::compare_of_predicate(predicate)
}
