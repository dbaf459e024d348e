use super::Specialization::{self, Bits, Bool, Float, Int};
use crate::types::Type;

const BYTE: Type = Type::Int { bits: 8, signed: true };
const UNSIGNED_BYTE: Type = Type::Int { bits: 8, signed: false };
const SHORT: Type = Type::Int { bits: 16, signed: true };
const INT: Type = Type::Int { bits: 32, signed: true };
const UINT: Type = Type::Int { bits: 32, signed: false };
const LONG: Type = Type::Int { bits: 64, signed: true };
const UNSIGNED_LONG: Type = Type::Int { bits: 64, signed: false };
const HALF: Type = Type::Float { bits: 16 };
const FLOAT: Type = Type::Float { bits: 32 };
const DOUBLE: Type = Type::Float { bits: 64 };

#[track_caller]
fn check(ty: &Type, cases: &[(Specialization, Option<u64>)]) {
    for &(value, words) in cases {
        assert_eq!(value.of_type(ty), words, "{value} of {ty:?}");
    }
}

#[test]
fn truth_values() {
    check(
        &Type::Bool,
        &[
            (Bool(true), Some(1)),
            (Bool(false), Some(0)),
            (Int(1), Some(1)),
            (Int(2), None),
            (Int(-1), None),
            (Float(1.0), None),
            (Bits(1), Some(1)),
            (Bits(2), None),
        ],
    );
}

#[test]
fn integers_have_the_range_of_their_type() {
    check(
        &BYTE,
        &[
            (Int(-128), Some(0xFFFF_FF80)),
            (Int(127), Some(127)),
            (Int(128), None),
            (Int(-129), None),
        ],
    );
    check(&BYTE, &[(Bits(0xFF), Some(0xFFFF_FFFF)), (Bits(0x100), None)]);
    check(&UNSIGNED_BYTE, &[(Int(255), Some(255)), (Int(300), None), (Int(-1), None)]);
    check(&UNSIGNED_BYTE, &[(Bits(0xFF), Some(0xFF))]);
    check(&SHORT, &[(Int(-2), Some(0xFFFF_FFFE)), (Int(32768), None)]);
    check(
        &INT,
        &[(Int(-1), Some(0xFFFF_FFFF)), (Int(1 << 31), None), (Bits(1 << 31), Some(1 << 31))],
    );
    check(&UINT, &[(Int(1 << 31), Some(1 << 31)), (Int(-1), None), (Bits(1 << 32), None)]);
    check(&LONG, &[(Int(-1), Some(u64::MAX)), (Int(1 << 40), Some(1 << 40)), (Int(1 << 63), None)]);
    check(&LONG, &[(Bits(u64::MAX), Some(u64::MAX))]);
    let most = i128::from(u64::MAX);
    check(&UNSIGNED_LONG, &[(Int(most), Some(u64::MAX)), (Int(most + 1), None), (Int(-1), None)]);
    check(&UNSIGNED_LONG, &[(Bits(u64::MAX), Some(u64::MAX))]);
}

#[test]
fn whole_floats_are_integers() {
    check(&INT, &[(Float(3.0), Some(3)), (Float(1.5), None), (Float(1e10), None)]);
    check(&LONG, &[(Float(1e10), Some(10_000_000_000)), (Float(1e300), None)]);
    check(&UINT, &[(Float(f64::NAN), None), (Float(f64::INFINITY), None), (Bool(true), None)]);
}

#[test]
fn floats_are_the_nearest_of_their_type() {
    let single = |value: f32| Some(value.to_bits().into());
    check(&FLOAT, &[(Float(0.1), single(0.1)), (Int(3), single(3.0)), (Int(-3), single(-3.0))]);
    check(&FLOAT, &[(Float(1e39), None), (Float(f64::INFINITY), single(f32::INFINITY))]);
    check(&FLOAT, &[(Int((1 << 24) + 1), single(16_777_216.0)), (Bool(true), None)]);
    check(&FLOAT, &[(Bits(0x3F80_0000), single(1.0)), (Bits(1 << 32), None)]);
    check(&DOUBLE, &[(Float(0.1), Some(0.1f64.to_bits())), (Int(1), Some(1.0f64.to_bits()))]);
    check(&DOUBLE, &[(Float(-0.0), Some(1 << 63)), (Bits(u64::MAX), Some(u64::MAX))]);
}

#[test]
fn floats_of_16_bits() {
    let tiny = 2.0f64.powi(-24);
    check(
        &HALF,
        &[
            (Int(1), Some(0x3C00)),
            (Float(-2.0), Some(0xC000)),
            (Float(0.1), Some(0x2E66)),
            (Float(65504.0), Some(0x7BFF)),
            (Float(65519.9), Some(0x7BFF)),
            (Float(65520.0), None),
            (Float(f64::NEG_INFINITY), Some(0xFC00)),
            (Float(f64::NAN), Some(0x7E00)),
            // Below the least normal number, and midway between neighbours.
            (Float(tiny), Some(1)),
            (Float(tiny / 2.0), Some(0)),
            (Float(tiny * 1.5), Some(2)),
            (Float(tiny * 1023.5), Some(0x400)),
            (Float(2.0f64.powi(-14)), Some(0x400)),
            (Float(1.0 + 2.0f64.powi(-11)), Some(0x3C00)),
            (Float(1.0 + 3.0 * 2.0f64.powi(-11)), Some(0x3C02)),
            (Float(2.0 - 2.0f64.powi(-12)), Some(0x4000)),
            (Float(0.0), Some(0)),
            (Bits(0x3C00), Some(0x3C00)),
            (Bits(0x1_0000), None),
        ],
    );
}
