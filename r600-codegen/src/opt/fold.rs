//! Constant folding: the result of an operation whose operands are all known.
//!
//! [`crate::semantics`] computes it for all operations that it knows. Operations that the hardware approximates are
//! folded, too: a correctly rounded result is always within tolerance. Interpreter and simulator, which judge the
//! result, have their own arithmetic.

use r600_isa::AluOp;

use crate::semantics;

/// The bits that `op` gives for `src`; `None` if it is not folded.
pub(super) fn fold(op: AluOp, src: &[u32]) -> Option<u32> {
    match (op, src) {
        (AluOp::FltToInt, &[a]) => float_to_int(f32::from_bits(a)),
        (AluOp::FltToUint, &[a]) => float_to_uint(f32::from_bits(a)),
        _ => semantics::evaluate(op, src),
    }
}

/// Out-of-range conversions are left to run time, because generations differ.
fn float_to_int(x: f32) -> Option<u32> {
    let whole = x.trunc();
    let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&whole);
    fits.then_some((whole as i32).cast_unsigned())
}

fn float_to_uint(x: f32) -> Option<u32> {
    let whole = x.trunc();
    (0.0..4_294_967_296.0).contains(&whole).then_some(whole as u32)
}

/// Whether a predicate operation holds for known operands; `None` for other operations.
pub(super) fn predicate_test(op: AluOp, a: u32, b: u32) -> Option<bool> {
    let set = compare_of_predicate(op)?;
    fold(set, &[a, b]).map(|bits| bits != 0)
}

/// The comparison that tests the same as a predicate operation and gives an integer mask.
pub(super) fn compare_of_predicate(op: AluOp) -> Option<AluOp> {
    Some(match op {
        AluOp::PredSete => AluOp::SeteDx10,
        AluOp::PredSetgt => AluOp::SetgtDx10,
        AluOp::PredSetge => AluOp::SetgeDx10,
        AluOp::PredSetne => AluOp::SetneDx10,
        AluOp::PredSeteInt => AluOp::SeteInt,
        AluOp::PredSetgtInt => AluOp::SetgtInt,
        AluOp::PredSetgeInt => AluOp::SetgeInt,
        AluOp::PredSetneInt => AluOp::SetneInt,
        AluOp::PredSetgtUint => AluOp::SetgtUint,
        AluOp::PredSetgeUint => AluOp::SetgeUint,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_out_of_range_are_left_alone() {
        assert_eq!(fold(AluOp::FltToInt, &[3e9f32.to_bits()]), None);
        assert_eq!(fold(AluOp::FltToInt, &[(-1.5f32).to_bits()]), Some(u32::MAX));
    }
}
