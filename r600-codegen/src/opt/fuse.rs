//! Fuses an operation with the one that alone reads it: product and sum, result and clamp, result and
//! multiplier, conversion and rounding.
//!
//! The hardware's multiply-add rounds its product, so that fusing a sum with its product is exact.

use cranelift_entity::SecondaryMap;
use r600_isa::{AluOp, Omod};

use crate::internal::Broken;
use crate::legal;
use crate::ssa::{AluInst, Function, InstData, InstId, Node, Operand, Region, Value, ValueDef};

use super::{Goals, count_uses};

/// Fuses what can be fused; true when anything was.
///
/// # Errors
/// When exits do not fit their loops.
pub fn fuse(function: &mut Function, goals: &Goals) -> Result<bool, Broken> {
    let uses = count_uses(function);
    let body = std::mem::take(&mut function.body);
    let mut cx = Fusion { function, goals, uses, changed: false };
    cx.region(&body);
    let changed = cx.changed;
    function.body = body;
    if changed {
        super::eliminate_dead_code(function)?;
    }
    Ok(changed)
}

struct Fusion<'a> {
    function: &'a mut Function,
    goals: &'a Goals,
    uses: SecondaryMap<Value, u32>,
    changed: bool,
}

impl Fusion<'_> {
    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => self.inst(*inst),
                Node::If(branch) => {
                    self.region(&branch.then);
                    self.region(&branch.otherwise);
                }
                Node::Loop(body) => self.region(&body.body),
                Node::Break(_) | Node::Continue(_) => {}
            }
        }
    }

    fn inst(&mut self, id: InstId) {
        self.halve_parts(id);
        let InstData::Alu(alu) = &self.function.insts[id].data else { return };
        let fused = match alu.op {
            AluOp::Add => self.multiply_add(alu),
            AluOp::Mov if alu.clamp && alu.omod == Omod::None => self.clamped(alu),
            AluOp::Mul | AluOp::MulIeee => self.multiplied(alu),
            _ => None,
        };
        if let Some((fused, eaten)) = fused {
            self.uses[eaten] -= 1;
            for operand in &fused.src {
                if let Some(value) = operand.as_value() {
                    self.uses[value] += 1;
                }
            }
            self.function.insts[id].data = InstData::Alu(fused);
            self.changed = true;
        }
    }

    /// The operation that defines `operand`, when nothing else reads it.
    fn only_use(&self, operand: Operand) -> Option<(&AluInst, Value)> {
        let value = operand.as_value()?;
        let alu = self.function.def_alu(operand)?;
        (self.uses[value] == 1).then_some((alu, value))
    }

    /// `a·b + c`.
    fn multiply_add(&self, sum: &AluInst) -> Option<(AluInst, Value)> {
        if sum.omod != Omod::None {
            return None;
        }
        // The second operand first: it is the one that was computed later more often than not.
        [1, 0].into_iter().find_map(|at| self.product_into_sum(sum, at))
    }

    fn product_into_sum(&self, sum: &AluInst, at: usize) -> Option<(AluInst, Value)> {
        let (operand, other) = (sum.src[at], sum.src[1 - at]);
        let (product, value) = self.only_use(operand)?;
        let op = match product.op {
            AluOp::Mul => AluOp::Muladd,
            AluOp::MulIeee => AluOp::MuladdIeee,
            _ => return None,
        };
        if product.omod != Omod::None || product.clamp || operand.abs || other.abs {
            return None;
        }
        let mut a = product.src[0];
        let b = product.src[1];
        if a.abs || b.abs {
            return None;
        }
        if operand.neg {
            a = a.negated();
        }
        let mut fused = AluInst::new(op, &[a, b, other]);
        fused.clamp = sum.clamp;
        Some((fused, value))
    }

    /// A clamped move of what can be clamped where it is computed.
    fn clamped(&self, mov: &AluInst) -> Option<(AluInst, Value)> {
        let operand = mov.src[0];
        let (def, value) = self.only_use(operand)?;
        let mut def = def.clone();
        if operand.has_modifier() && !negates(operand, &mut def) {
            return None;
        }
        if !legal::takes_clamp(def.op) || def.op.is_kill() {
            return None;
        }
        def.clamp = true;
        Some((def, value))
    }

    /// A quarter of a sum is half of the sum of halves, where both parts can be halved where they are computed:
    /// that takes no operation more. Exact but for denormals.
    fn halve_parts(&mut self, id: InstId) {
        if let Some(parts) = self.parts_to_halve(id)
            && let InstData::Alu(product) = &mut self.function.insts[id].data
        {
            let half = Operand::constant(0.5_f32.to_bits());
            let is_quarter = |operand: &&mut Operand| is_float(**operand, 0.25);
            product.src.iter_mut().filter(is_quarter).take(1).for_each(|operand| *operand = half);
            for part in parts {
                if let InstData::Alu(part) = &mut self.function.insts[part].data {
                    part.omod = Omod::Half;
                }
            }
            self.changed = true;
        }
    }

    /// The instructions that compute the two parts of a sum of which `id` takes a quarter.
    fn parts_to_halve(&self, id: InstId) -> Option<[InstId; 2]> {
        let InstData::Alu(product) = &self.function.insts[id].data else { return None };
        let is_product = matches!(product.op, AluOp::Mul | AluOp::MulIeee);
        if self.goals.precise || !is_product || product.omod != Omod::None {
            return None;
        }
        let (a, b) = (product.src[0], product.src[1]);
        let quartered = [(a, b), (b, a)].into_iter().find(|(_, by)| is_float(*by, 0.25))?.0;
        let (sum, _) = self.only_use(quartered)?;
        if sum.op != AluOp::Add || !takes_multiplier(sum) || quartered.has_modifier() {
            return None;
        }
        let part = |operand: Operand| {
            let (part, value) = self.only_use(operand)?;
            let ValueDef::Inst(id, _) = self.function.values[value] else { return None };
            takes_multiplier(part).then_some(id)
        };
        Some([part(sum.src[0])?, part(sum.src[1])?])
    }

    /// A product by 2, 4 or ½ of what can be multiplied where it is computed. Exact but for denormals.
    fn multiplied(&self, product: &AluInst) -> Option<(AluInst, Value)> {
        if self.goals.precise || product.omod != Omod::None {
            return None;
        }
        for (known, operand) in [(product.src[1], product.src[0]), (product.src[0], product.src[1])]
        {
            let omod = match known.as_const().map(f32::from_bits) {
                Some(2.0) => Omod::Times2,
                Some(4.0) => Omod::Times4,
                Some(0.5) => Omod::Half,
                _ => continue,
            };
            let Some((def, value)) = self.only_use(operand) else { continue };
            if !takes_multiplier(def) || operand.has_modifier() {
                continue;
            }
            let mut fused = def.clone();
            fused.omod = omod;
            fused.clamp = product.clamp;
            return Some((fused, value));
        }
        None
    }
}

/// Whether the result of `alu` can be multiplied where it is computed.
fn takes_multiplier(alu: &AluInst) -> bool {
    let can = legal::takes_clamp(alu.op) && !alu.op.is_op3() && alu.op != AluOp::Mov;
    can && alu.omod == Omod::None && !alu.clamp
}

fn is_float(operand: Operand, value: f32) -> bool {
    operand.as_const() == Some(value.to_bits())
}

/// Gives `def` the sign that `operand` gives its result; false where that is not possible.
fn negates(operand: Operand, def: &mut AluInst) -> bool {
    // What is clamped already is no longer positive once it is negated: the clamp cannot move outward.
    operand.neg && !operand.abs && !def.clamp && negate_sum(def)
}

/// Negates the result of a sum or product by its operands; false where that is not possible.
fn negate_sum(alu: &mut AluInst) -> bool {
    match alu.op {
        AluOp::Mul | AluOp::MulIeee => alu.src[0] = alu.src[0].negated(),
        AluOp::Add => {
            alu.src[0] = alu.src[0].negated();
            alu.src[1] = alu.src[1].negated();
        }
        AluOp::Muladd | AluOp::MuladdIeee => {
            alu.src[0] = alu.src[0].negated();
            alu.src[2] = alu.src[2].negated();
        }
        _ => return false,
    }
    true
}
