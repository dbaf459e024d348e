//! Dot products as chains of multiply-adds.
//!
//! The hardware's reduction takes all vector slots of one group and reads eight operands at once, in channels that its
//! read ports must reach. A chain of n products takes n slots of any groups. The chain follows the order of TGSI's
//! formula, so it is exact. Over real shaders chains need no more groups in total, because other work fills the slots
//! around them.

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::{AluOp, Omod};

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::legal;
use crate::names;
use crate::ssa::{AluInst, DotInst, Function, Inst, InstData, InstId, Node, Operand, Rebuild};

/// The pass. It is required, because instruction selection supports no dot products.
pub(crate) struct ExpandDots;

impl Pass<Ssa> for ExpandDots {
    fn declaration(&self) -> Declaration {
        // Earlier passes work on whole dot products: they drop products of zero, and hoist equal dot products out of
        // both arms.
        Declaration::required(names::EXPAND_DOTS)
            .after(&[names::IF_CONVERT, names::MEMORY])
            .refreshes(&[names::SIMPLIFY])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let is_dot = |inst: &Inst| matches!(inst.data, InstData::Dot(_));
        if !ssa.function.insts.values().any(is_dot) {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut ssa.function.body);
        body.rebuild(&mut Expansion { function: &mut ssa.function, fuel: &mut *cx.fuel })?;
        ssa.function.body = body;
        Ok(Done::Settled)
    }
}

struct Expansion<'a> {
    function: &'a mut Function,
    fuel: &'a mut Fuel,
}

impl Rebuild for Expansion<'_> {
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        if let Node::Inst(inst) = node
            && let Some(chain) = chain_of(self.function, inst)
        {
            self.fuel.burn();
            out.extend(chain.into_iter().map(Node::Inst));
        } else {
            out.push(node);
        }
        Ok(())
    }
}

/// The chain that replaces dot product `id` and ends with it; `None` if `id` is another instruction.
fn chain_of(function: &mut Function, id: InstId) -> Option<Vec<InstId>> {
    let InstData::Dot(dot) = &function.insts[id].data else { return None };
    let dot = dot.clone();
    let origin = function.origins[id];
    let mut chain = Vec::with_capacity(2 * dot.pairs.len());
    let mut sum: Option<AluInst> = None;
    for [a, b] in &dot.pairs {
        let term = match sum.take() {
            None => AluInst::new(product_op(&dot), &[*a, *b]),
            Some(before) => {
                let before = push(function, &mut chain, before);
                let op = if dot.ieee { AluOp::MuladdIeee } else { AluOp::Muladd };
                let a = plain_for(function, &mut chain, op, *a);
                let b = plain_for(function, &mut chain, op, *b);
                AluInst::new(op, &[a, b, before])
            }
        };
        sum = Some(term);
    }
    let mut last = sum.unwrap_or_else(|| AluInst::new(AluOp::Mov, &[Operand::ZERO]));
    (last.omod, last.clamp) = (Omod::None, dot.clamp);
    function.insts[id].data = InstData::Alu(last);
    for &part in &chain {
        function.origins[part] = origin;
    }
    chain.push(id);
    Some(chain)
}

fn product_op(dot: &DotInst) -> AluOp {
    if dot.ieee { AluOp::MulIeee } else { AluOp::Mul }
}

fn push(function: &mut Function, chain: &mut Vec<InstId>, inst: AluInst) -> Operand {
    let id = function.make_inst(InstData::Alu(inst));
    chain.push(id);
    Operand::value(function.insts[id].results[0])
}

/// `operand` in a form that `op` accepts.
fn plain_for(
    function: &mut Function,
    chain: &mut Vec<InstId>,
    op: AluOp,
    operand: Operand,
) -> Operand {
    if legal::accepts(op, operand) {
        operand
    } else {
        push(function, chain, AluInst::new(AluOp::Mov, &[operand]))
    }
}
