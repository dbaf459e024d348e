//! Single operations on operand bits, for checkers of code that is not encoded yet.

use r600_isa::{AluFlags, AluOp, Generation, Omod, ResultType, Slots};

use crate::arith::numerics::{Numerics, ResultModifiers, Scale};
use crate::arith::{compare, double, find_lane};

/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;

/// The result of `op` for the bits of its operands; missing operands are 0. `None` if operand bits are not enough:
/// tests, doubles, reductions, instructions with effects.
#[must_use]
pub fn compute(op: AluOp, generation: Generation, src: [u32; 3]) -> Option<u32> {
    if op.has(AluFlags::PREDICATE) || op.has(AluFlags::KILL) {
        return None;
    }
    if op.has(AluFlags::CONDITIONAL_MOVE) {
        let (condition, kind) = op.info().compare?;
        let holds = compare::test(condition, kind)?(src[0], 0);
        return Some(if holds { src[1] } else { src[2] });
    }
    if op.has(AluFlags::SET) {
        let yes = if op.info().result == ResultType::Float { ONE } else { u32::MAX };
        let (condition, kind) = op.info().compare?;
        let holds = compare::test(condition, kind)?(src[0], src[1]);
        return Some(if holds { yes } else { 0 });
    }
    find_lane(op, generation).map(|function| function(src))
}

/// Whether the comparison of `op`, a predicate or a kill of single words, holds; `None` for other operations.
#[must_use]
pub fn holds(op: AluOp, [a, b]: [u32; 2]) -> Option<bool> {
    if !op.has(AluFlags::PREDICATE) && !op.has(AluFlags::KILL) {
        return None;
    }
    let (condition, kind) = op.info().compare?;
    compare::test(condition, kind).map(|test| test(a, b))
}

/// The result of `op` in each slot for doubles, the low half of each first; `None` if it is not a double operation.
#[must_use]
pub fn compute_double(op: AluOp, generation: Generation, src: &[[u32; 2]]) -> Option<[u32; 4]> {
    const LOW: usize = 0;
    const HIGH: usize = 1;
    if let Some(function) = double::find_seed(op) {
        let [low, high] = *src.first()?;
        return Some(double::split(function(double::join(high, low))));
    }
    let halves = match op.slots(generation)? {
        Slots::Pair => [HIGH, LOW, HIGH, LOW],
        Slots::Quad if op == AluOp::Frexp64 => [HIGH, LOW, HIGH, LOW],
        Slots::Quad => [HIGH, HIGH, HIGH, LOW],
        _ => return None,
    };
    let operands = halves.map(|half| {
        let mut slot = [0; 3];
        for (operand, pair) in slot.iter_mut().zip(src) {
            *operand = pair[half];
        }
        slot
    });
    if let Some(test) = double::find_test(op) {
        let (a, b) = (double::pair_operand(operands, 0), double::pair_operand(operands, 1));
        return Some([if test(a, b) { u32::MAX } else { 0 }, 0, 0, 0]);
    }
    let function = double::find_pair(op).or_else(|| double::find_quad(op))?;
    Some(function(operands))
}

/// A result after its multiplier and clamp, by the rules of DX10.
#[must_use]
pub fn modify_result(bits: u32, omod: Omod, clamp: bool) -> u32 {
    let scale = match omod {
        Omod::None => Scale::None,
        Omod::Times2 => Scale::Double,
        Omod::Times4 => Scale::Quadruple,
        Omod::Half => Scale::Half,
    };
    let modifiers = ResultModifiers { scale, clamp };
    if modifiers.is_identity() { bits } else { modifiers.apply(bits, Numerics::default()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_give_what_the_hardware_gives() {
        let float = |x: f32| x.to_bits();
        let at = |op, src| compute(op, Generation::Evergreen, src);
        assert_eq!(at(AluOp::Add, [float(1.5), float(2.0), 0]), Some(float(3.5)));
        assert_eq!(at(AluOp::SetgtInt, [3, 2, 0]), Some(u32::MAX));
        assert_eq!(at(AluOp::Setgt, [float(3.0), float(2.0), 0]), Some(ONE));
        assert_eq!(at(AluOp::CndeInt, [0, 7, 8]), Some(7));
        assert_eq!(at(AluOp::PredSetneInt, [1, 0, 0]), None);
        assert_eq!(holds(AluOp::PredSetneInt, [1, 0]), Some(true));
        assert_eq!(holds(AluOp::Killgt, [float(0.0), float(1.0)]), Some(false));
        assert_eq!(holds(AluOp::Add, [0, 0]), None);
        assert_eq!(modify_result(float(0.75), Omod::Times2, true), ONE);
        assert_eq!(modify_result(float(-0.0), Omod::None, false), float(-0.0));
    }

    #[test]
    fn doubles_are_pairs_of_halves() {
        let pair = |x: f64| [x.to_bits() as u32, (x.to_bits() >> 32) as u32];
        let at = |op, src: &[f64]| {
            let src: Vec<[u32; 2]> = src.iter().map(|&x| pair(x)).collect();
            compute_double(op, Generation::Evergreen, &src)
        };
        let value = |slots: Option<[u32; 4]>| slots.map(|s| [s[0], s[1]]);
        assert_eq!(value(at(AluOp::Add64, &[1.25, 2.5])), Some(pair(3.75)));
        assert_eq!(value(at(AluOp::Mul64, &[1.25, 2.0])), Some(pair(2.5)));
        assert_eq!(value(at(AluOp::Fma64, &[1.25, 2.0, 1.0])), Some(pair(3.5)));
        assert_eq!(value(at(AluOp::Recip64, &[4.0])), Some(pair(0.25)));
        assert_eq!(at(AluOp::Setgt64, &[4.0, 1.0]).map(|s| s[0]), Some(u32::MAX));
        assert_eq!(at(AluOp::Add, &[4.0, 1.0]), None);
    }
}
