//! Errors that opcodes may have.

use tgsi_ir::Opcode;

use super::*;

/// The results that runs with random errors have.
fn results(opcode: Opcode, errors: Errors, operands: [f32; 3], plain: u32) -> Vec<u32> {
    let [a, b, c] = operands.map(f32::to_bits);
    let mut perturbation = Perturbation::new(1, errors);
    let mut results: Vec<u32> =
        (0..64).map(|_| perturbation.apply(Error::of(opcode), [a, b, c, 0], plain)).collect();
    results.sort_unstable();
    results.dedup();
    results
}

#[test]
fn either_of_two_zeros_is_the_greater_one() {
    let minus = (-0.0_f32).to_bits();
    for errors in [Errors::Approximations, Errors::Everything] {
        assert_eq!(results(Opcode::Max, errors, [0.0, -0.0, 0.0], 0), [0, minus]);
        assert_eq!(results(Opcode::Min, errors, [0.0, -0.0, 0.0], minus), [0, minus]);
    }
    let plain = Errors::Approximations;
    assert_eq!(results(Opcode::Max, plain, [0.0, -1.0, 0.0], 0), [0]);
}

#[test]
fn an_approximation_may_be_exact_or_the_zero_beside_it() {
    let of = |opcode, x: f32, plain: f32| {
        results(opcode, Errors::Approximations, [x, 0.0, 0.0], plain.to_bits())
    };
    assert!(of(Opcode::Lg2, 1.0, 0.0).contains(&0));
    let pi = std::f32::consts::PI;
    let found = of(Opcode::Sin, pi, pi.sin());
    assert!(found.contains(&0) && found.contains(&SIGN), "{found:x?}");
    // Where zero is further off than the error, it is still a mistake.
    let found = of(Opcode::Sin, 1.0, 1.0_f32.sin());
    assert!(found.contains(&1.0_f32.sin().to_bits()), "{found:x?}");
    assert!(found.iter().all(|&bits| (f32::from_bits(bits) - 1.0_f32.sin()).abs() < 1e-5));
}

#[test]
fn an_interpolation_at_a_nonfinite_offset_gives_any_value() {
    for errors in [Errors::Approximations, Errors::Everything] {
        for plain in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            let found = results(Opcode::InterpOffset, errors, [1.0; 3], plain.to_bits());
            assert!(found.iter().any(|bits| f32::from_bits(*bits).is_nan()), "{found:x?}");
            assert!(found.iter().any(|bits| f32::from_bits(*bits).is_finite()), "{found:x?}");
        }
        let one = 1.0_f32.to_bits();
        assert_eq!(results(Opcode::InterpOffset, errors, [1.0; 3], one), [one]);
    }
}

#[test]
fn a_blend_at_infinity_may_be_computed_either_way() {
    let infinity = f32::INFINITY.to_bits();
    let found =
        results(Opcode::Lrp, Errors::Approximations, [f32::NEG_INFINITY, 0.5, 1.0], infinity);
    assert!(found.contains(&infinity), "{found:x?}");
    assert!(found.iter().any(|bits| f32::from_bits(*bits).is_nan()), "{found:x?}");
}

#[test]
fn either_of_two_nans_is_the_greater_one() {
    let [nan, minus] = [f32::NAN, -f32::NAN];
    let bits = [nan.to_bits(), minus.to_bits()];
    for errors in [Errors::Approximations, Errors::Everything] {
        assert_eq!(results(Opcode::Min, errors, [nan, minus, 0.0], bits[1]), bits);
    }
    // Beside a number the number comes, unless code is rearranged.
    assert_eq!(results(Opcode::Min, Errors::Approximations, [nan, 1.0, 0.0], 0), [0]);
}

#[test]
fn a_limit_of_zero_has_either_sign_where_code_is_rearranged() {
    let operands = [-0.0, -3.0, 0.0];
    assert_eq!(results(Opcode::Max, Errors::Everything, operands, SIGN), [0, SIGN]);
    assert_eq!(results(Opcode::Max, Errors::Approximations, operands, SIGN), [SIGN]);
}

#[test]
fn a_conditional_move_of_zeros_may_give_either_where_code_is_rearranged() {
    let operands = [-0.0, 0.0, -0.0];
    assert_eq!(results(Opcode::Cmp, Errors::Everything, operands, SIGN), [0, SIGN]);
    assert_eq!(results(Opcode::Cmp, Errors::Approximations, operands, SIGN), [SIGN]);
    assert_eq!(results(Opcode::Cmp, Errors::Everything, [-0.0, 1.0, -0.0], SIGN), [SIGN]);
}

#[test]
fn the_mantissa_of_the_greatest_number_is_open() {
    let of = |x: f32, plain: f32| {
        results(Opcode::Log, Errors::Approximations, [x, 0.0, 0.0], plain.to_bits())
    };
    assert_eq!(of(f32::MAX, 0.0), [0, (1.0 - f32::EPSILON / 2.0).to_bits()]);
    // A quotient of infinities is no number, and the legacy product with their zero is 0.
    assert_eq!(of(f32::INFINITY, f32::NAN), [0, f32::NAN.to_bits()]);
    // The logarithm of 1 is 0, too, and only rounding is open.
    let found = of(1.0, 0.0);
    assert!(found.iter().all(|&bits| f32::from_bits(bits).abs() < 1e-5), "{found:?}");
}

#[test]
fn lighting_errs_like_the_power_that_it_has() {
    // As far as a logarithm in single precision leaves open at 2 to the 119th.
    let power = 2.0_f32.powi(119);
    let found = results(Opcode::Lit, Errors::Approximations, [0.0; 3], power.to_bits());
    let furthest = found.iter().map(|bits| (f32::from_bits(*bits) / power - 1.0).abs());
    assert!(furthest.fold(0.0, f32::max) > 119.0 * UNIT);
}

#[test]
fn lighting_may_take_either_of_two_zeros() {
    let minus = (-0.0_f32).to_bits();
    assert_eq!(results(Opcode::Lit, Errors::Approximations, [-0.0; 3], 0), [0, minus]);
}

#[test]
fn the_sign_of_a_zero_is_open_where_code_is_rearranged() {
    let zeros = [0, SIGN];
    assert_eq!(results(Opcode::Mul, Errors::Everything, [0.0, 1.0, 0.0], 0), zeros);
    assert_eq!(results(Opcode::Mul, Errors::Approximations, [0.0, 1.0, 0.0], 0), [0]);
    for opcode in [Opcode::Div, Opcode::Ldexp] {
        assert_eq!(results(opcode, Errors::Everything, [0.0, -1.0, 0.0], SIGN), zeros);
        assert_eq!(results(opcode, Errors::Approximations, [0.0, -1.0, 0.0], SIGN), [SIGN]);
    }
}

#[test]
fn a_blend_computed_the_other_way_round_may_give_the_other_zero() {
    // 0 * -1 + 1 * -0 is -0, and 0 * (-1 - -0) + -0 is, too; with 1 for -1 both are 0.
    for y in [-1.0, 1.0] {
        let found = results(Opcode::Lrp, Errors::Approximations, [0.0, y, -0.0], SIGN);
        assert_eq!(found, [0, SIGN]);
    }
}

#[test]
fn a_signalling_nan_may_pass_as_it_is() {
    let signalling = f32::from_bits(0x7f80_0001);
    let plain = f32::NAN.to_bits();
    let found = results(Opcode::Mul, Errors::Approximations, [signalling, 1.0, 0.0], plain);
    assert!(found.contains(&0x7f80_0001) && found.contains(&0x7fc0_0001), "{found:x?}");
    // What no operand holds comes from nowhere.
    assert!(!found.contains(&0x7f80_0002), "{found:x?}");
}

#[test]
fn sign_and_kind_of_a_new_nan_are_open() {
    let nan = f32::NAN.to_bits();
    let operands = [f32::INFINITY, 0.0, 0.0];
    for opcode in [Opcode::Cos, Opcode::Mul, Opcode::Txl] {
        let found = results(opcode, Errors::Approximations, operands, nan);
        assert_eq!(found, [nan, FULL_NAN, nan | SIGN, FULL_NAN | SIGN]);
        let other = 0x7FFF_E000;
        let found = results(opcode, Errors::Approximations, operands, other);
        let plain = [nan, other, FULL_NAN];
        assert_eq!(found, [plain, plain.map(|kind| kind | SIGN)].concat());
    }
    assert_eq!(results(Opcode::Mov, Errors::Everything, operands, nan), [nan]);
}

#[test]
fn a_nan_may_be_that_of_any_operand() {
    let (nan, own) = (f32::NAN.to_bits(), 0x7FC0_1234);
    let operands = [f32::from_bits(own), f32::NAN, 0.0];
    let found = results(Opcode::Mul, Errors::Approximations, operands, nan);
    let plain = [nan, own, FULL_NAN];
    assert_eq!(found, [plain, plain.map(|kind| kind | SIGN)].concat());
    assert_eq!(results(Opcode::Mov, Errors::Approximations, operands, own), [own]);
}

#[test]
fn the_kind_of_a_nan_is_open_where_it_is_packed_or_unpacked() {
    let operands = [0.0; 3];
    let full = 0x7FFF_E000;
    let found = results(Opcode::Up2h, Errors::Approximations, operands, full);
    let plain = [QUIET_NAN, full, FULL_NAN];
    assert_eq!(found, [plain, plain.map(|kind| kind | SIGN)].concat());
    let found = results(Opcode::Pk2h, Errors::Approximations, operands, 0xFFFF_3C00);
    assert_eq!(found, [0x7E00_3C00, 0x7FFF_3C00, 0xFE00_3C00, 0xFFFF_3C00]);
    // Infinities are no NaN.
    let found = results(Opcode::Pk2h, Errors::Approximations, operands, 0xFC00_7C00);
    assert_eq!(found, [0xFC00_7C00]);
}

/// Chosen anew each time, a NaN that a loop packs again and again would have every kind in some iteration.
#[test]
fn hardware_packs_every_nan_as_the_same_one() {
    let mut hardware = Perturbation::like_hardware(Angles::Radians);
    let error = Error::of(Opcode::Pk2h);
    for (word, packed) in [(0xFFFF_3C00, 0xFE00_3C00), (0x7C00_7C01, 0x7C00_7E00)] {
        assert_eq!(hardware.apply(error, [0; 4], word), packed);
    }
}

#[test]
fn doubles_have_nans_of_any_kind_and_either_zero_as_the_smaller_one() {
    let mut perturbation = Perturbation::new(1, Errors::Approximations);
    let mut results = |opcode, [x, y]: [f64; 2], plain: u64| {
        let error = Error::of(opcode);
        let operands = [x, y, 0.0].map(f64::to_bits);
        let results = (0..64).map(|_| perturbation.apply_to_double(error, operands, plain));
        results.collect::<std::collections::BTreeSet<_>>()
    };
    let full = u64::MAX >> 1;
    let signed = |bits| [bits, bits | 1 << 63];
    let kinds = [signed(full), signed(QUIET_DOUBLE)].into_iter().flatten();
    assert_eq!(results(Opcode::Dadd, [f64::NAN; 2], full), kinds.collect());
    let own = |payload: u64| f64::from_bits(QUIET_DOUBLE | payload);
    let kinds = [7, 9, 0].map(|payload| signed(QUIET_DOUBLE | payload));
    let kinds = kinds.into_iter().flatten().collect();
    assert_eq!(results(Opcode::Ddiv, [own(7), own(9)], QUIET_DOUBLE | 7), kinds);
    assert_eq!(results(Opcode::Dmax, [own(7), own(9)], 7), [7, 9].map(|n| QUIET_DOUBLE | n).into());
    assert_eq!(results(Opcode::Dmax, [0.0, -0.0], 0), signed(0).into());
    assert_eq!(results(Opcode::Dmax, [0.0, -1.0], 0), [0].into());
    assert_eq!(results(Opcode::Dadd, [0.0, -0.0], 0), [0].into());
    // A denormal quotient is rounded twice, others are not.
    assert_eq!(results(Opcode::Ddiv, [1.0, 2.0], 9), [8, 9, 10].into());
    assert_eq!(results(Opcode::Dmul, [1.0, 2.0], 9), [9].into());
    assert_eq!(results(Opcode::Ddiv, [1.0, 2.0], 1 << 60), [1 << 60].into());
    assert_eq!(results(Opcode::Ddiv, [0.0, 2.0], 0), [0].into());
}

#[test]
fn comparisons_with_nan_are_open_where_code_is_rearranged() {
    let one = 1.0_f32.to_bits();
    let nan = [f32::NAN, 1.0, 2.0];
    let open = |opcode, plain| results(opcode, Errors::Everything, nan, plain);
    assert_eq!(open(Opcode::Slt, 0), [0, one]);
    assert_eq!(open(Opcode::Fslt, 0), [0, u32::MAX]);
    assert_eq!(open(Opcode::Max, one), [one, f32::NAN.to_bits()]);
    assert_eq!(open(Opcode::Cmp, 2.0_f32.to_bits()), [one, 2.0_f32.to_bits()]);
    assert_eq!(open(Opcode::Ssg, 0), [0, (-1.0_f32).to_bits()]);
    assert_eq!(results(Opcode::Ssg, Errors::Everything, [0.0, 1.0, 2.0], 0), [0, SIGN]);
    for opcode in [Opcode::Slt, Opcode::Fslt, Opcode::Ssg] {
        assert_eq!(results(opcode, Errors::Approximations, nan, 0), [0]);
        assert_eq!(results(opcode, Errors::Everything, [3.0, 1.0, 2.0], 0), [0]);
    }
}

#[test]
fn idle_lanes_may_hold_the_values_of_their_neighbours() {
    let mut perturbation = Perturbation::new(1, Errors::Approximations);
    let (mut equal, mut other) = ([false; LANES], false);
    for _ in 0..64 {
        let mut operand = [[7, 8, 9, 10]; 4];
        perturbation.forget_idle(0b0001, &mut operand);
        assert!(operand.iter().all(|channel| channel[0] == 7), "lane 0 is not idle");
        for step in [1, 2] {
            equal[step] |= operand[0][step] == 7;
        }
        other |= operand[0][3] > 10;
    }
    assert_eq!((equal, other), ([false, true, true, false], true));
}
