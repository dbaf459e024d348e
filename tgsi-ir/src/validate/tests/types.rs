//! Modifiers and channels of integers and of 64-bit values.

use super::*;

#[test]
fn wide_results_take_whole_pairs() {
    let of = |mask| full_of([op(Opcode::Drcp, &[temp0().masked(mask)], &[imm0()])]);
    for mask in [WriteMask::XY, WriteMask::ZW, WriteMask::XYZW] {
        assert_eq!(of(mask), [""; 0], "{mask:?}");
    }
    for bits in [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14] {
        let mask = WriteMask::from_bits(bits);
        assert_eq!(of(mask), [format!("V208 `{mask:?}` takes half of a 64-bit result")]);
    }
}

#[test]
fn wide_sources_take_pairs_from_pairs() {
    use Component::{W, X, Y, Z};
    let of = |mask, components| {
        let source = Src { swizzle: Swizzle::new(components), ..imm0() };
        full_of([op(Opcode::Drcp, &[temp0().masked(mask)], &[source])])
    };
    for good in [[X, Y, Z, W], [X, Y, X, Y], [Z, W, X, Y], [Z, W, Z, W]] {
        assert_eq!(of(WriteMask::XYZW, good), [""; 0], "{good:?}");
    }
    for bad in [[Y, X, Z, W], [X, Y, W, Z], [X, W, Z, W], [X, Y, X, W], [X, Y, Y, Z]] {
        let swizzle = Swizzle::new(bad);
        let want = format!("V209 `{swizzle:?}` mixes halves of 64-bit values");
        assert_eq!(of(WriteMask::XYZW, bad), [want]);
    }
    // A pair that nothing asks for does not matter.
    assert_eq!(of(WriteMask::XY, [X, Y, Y, Y]), [""; 0]);
    assert_eq!(of(WriteMask::ZW, [X, X, Z, W]), [""; 0]);
}

#[test]
fn modifiers_go_with_floats() {
    let absolute = Src { absolute: true, ..imm0() };
    let of = |opcode, source| full_of([op(opcode, &[temp0()], &[source])]);
    assert_eq!(of(Opcode::Rcp, absolute), [""; 0]);
    assert_eq!(of(Opcode::Ineg, imm0().negated()), [""; 0]);
    assert_eq!(
        of(Opcode::Ineg, absolute),
        ["V205 `INEG` takes an integer here, which has no absolute value"]
    );
    let wide = ["V206 a modifier has no meaning on the 64-bit source `IMM[0]`"];
    assert_eq!(of(Opcode::Drcp, absolute), wide);
    assert_eq!(of(Opcode::Drcp, imm0().negated()), wide);
    // Counts have 32 bits where the value that is shifted has 64.
    let shift = |value, count| full_of([op(Opcode::U64shl, &[temp0()], &[value, count])]);
    assert_eq!(shift(imm0(), imm0().negated()), [""; 0]);
    assert_eq!(
        shift(imm0(), absolute),
        ["V205 `U64SHL` takes an integer here, which has no absolute value"]
    );
    assert_eq!(shift(imm0().negated(), imm0()), wide);
}

#[test]
fn saturation_goes_with_floats() {
    let of = |opcode, saturate| {
        let mut one = op(opcode, &[temp0()], &[imm0()]);
        one.saturate = saturate;
        full_of([one])
    };
    assert_eq!(of(Opcode::Rcp, Saturate::ZeroOne), [""; 0]);
    assert_eq!(of(Opcode::Ineg, Saturate::None), [""; 0]);
    // The first result counts, a float of 64 bits.
    let mut both =
        op(Opcode::Dfracexp, &[temp0().masked(WriteMask::XY), dst(File::Temporary, 1)], &[imm0()]);
    both.saturate = Saturate::ZeroOne;
    assert_eq!(full_of([both]), [""; 0]);
    // There is nothing to saturate.
    let mut kill = bare(Opcode::KillIf);
    kill.saturate = Saturate::ZeroOne;
    assert_eq!(full_of([kill]), [""; 0]);
    for saturate in [Saturate::ZeroOne, Saturate::MinusPlusOne] {
        assert_eq!(
            of(Opcode::Ineg, saturate),
            ["V207 `INEG` gives integers, whose bits `_SAT` clamps as floats"]
        );
    }
}
