//! The compiler's model of what operations compute.
//!
//! `r600-isa/spec/alu.ron` defines the result of each operation. This module executes these definitions to fold
//! constants, and rewrites are proved from the same text. The tools that judge the compiler have their own arithmetic.

mod powers;

pub(crate) mod functions;

use r600_isa::{AluOp, Omod};

pub(crate) use crate::generated::semantics::evaluate as evaluate_sources;

/// The result bits of `op` for these sources; `None` if their number is wrong or the table defines no result.
///
/// If the operation may return either of two zeros, this is the first. The bits of a NaN are unspecified.
pub fn evaluate(op: AluOp, src: &[u32]) -> Option<u32> {
    let mut all = [0; 3];
    all.get_mut(..src.len())?.copy_from_slice(src);
    (src.len() == op.num_src()).then(|| evaluate_sources(op, all)).flatten()
}

/// A result after output multiplier and clamp.
pub fn modify_output(bits: u32, omod: Omod, clamp: bool) -> u32 {
    let scale = match omod {
        Omod::None if !clamp => return bits,
        Omod::None => 1.0,
        Omod::Times2 => 2.0,
        Omod::Times4 => 4.0,
        Omod::Half => 0.5,
    };
    let value = f32::from_bits(bits) * scale;
    if !clamp {
        return value.to_bits();
    }
    // DX10 clamp: a NaN becomes 0, and so does a negative zero.
    (if value > 0.0 { value.min(1.0) } else { 0.0 }).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(op: AluOp, src: &[f32]) -> Option<u32> {
        let src: Vec<u32> = src.iter().map(|value| value.to_bits()).collect();
        evaluate(op, &src)
    }

    #[test]
    fn legacy_and_ieee_products_differ_at_zero() {
        assert_eq!(fold(AluOp::Mul, &[0.0, f32::INFINITY]), Some(0));
        assert_eq!(fold(AluOp::Mul, &[-0.0, 1.0]), Some(0));
        let product = fold(AluOp::MulIeee, &[0.0, f32::INFINITY]).unwrap();
        assert!(f32::from_bits(product).is_nan());
    }

    #[test]
    fn comparisons_with_nan_hold_only_for_inequality() {
        let nan = f32::NAN;
        assert_eq!(fold(AluOp::SetgeDx10, &[nan, nan]), Some(0));
        assert_eq!(fold(AluOp::SetneDx10, &[nan, nan]), Some(u32::MAX));
    }

    #[test]
    fn a_wrong_number_of_sources_gives_nothing() {
        assert_eq!(evaluate(AluOp::Add, &[0]), None);
        assert_eq!(evaluate(AluOp::Mov, &[0; 4]), None);
        assert_eq!(evaluate(AluOp::Cube, &[0, 0]), None);
    }
}
