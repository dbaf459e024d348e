//! What every ALU instruction computes, at the values where instructions differ.

use crate::support;

use r600_isa::{AluFlags, AluOp, Chan, Chip, Generation};
use r600_sim::{Fault, LaneMask};
use support::{CHIPS, entry, gpr, group, inst, issue, result, run};

const INF: u32 = 0x7f80_0000;
const NEG_INF: u32 = 0xff80_0000;
const NAN: u32 = 0x7fc0_0000;
const NEG_ZERO: u32 = 0x8000_0000;
const MAX: u32 = 0x7f7f_ffff;
const NEG_MAX: u32 = 0xff7f_ffff;
/// 1 + 2^-12, whose square needs more bits than a float has.
const ABOVE_ONE: f32 = 1.000_244_1;
const YES: u32 = 0xffff_ffff;
const INT_MIN: u32 = 0x8000_0000;
const INT_MAX: u32 = 0x7fff_ffff;

const fn f(value: f32) -> u32 {
    value.to_bits()
}

/// Operands, and the result on every generation that has the instruction.
type Case = (AluOp, [u32; 3], u32);

const fn one(op: AluOp, a: u32, want: u32) -> Case {
    (op, [a, 0, 0], want)
}

const fn two(op: AluOp, a: u32, b: u32, want: u32) -> Case {
    (op, [a, b, 0], want)
}

const fn three(op: AluOp, a: u32, b: u32, c: u32, want: u32) -> Case {
    (op, [a, b, c], want)
}

fn is_same(got: u32, want: u32) -> bool {
    got == want || (f32::from_bits(got).is_nan() && want == NAN)
}

fn check_on(chip: Chip, &(op, operands, want): &Case) {
    let generation = chip.generation();
    let outcome = run(chip, vec![issue(op, generation)], &entry(&operands));
    let got =
        result(&outcome.unwrap_or_else(|error| panic!("{} on {chip:?}: {error}", op.name())))[0];
    let shown = operands.map(|bits| format!("{bits:#010x}"));
    assert!(
        is_same(got, want),
        "{} of {shown:?} on {chip:?}: {got:#010x}, not {want:#010x}",
        op.name()
    );
}

fn check(cases: &[Case]) {
    for case in cases {
        let mut chips = CHIPS.into_iter().filter(|chip| case.0.opcode(chip.generation()).is_some());
        let first = chips.next().unwrap_or_else(|| panic!("no chip has {}", case.0.name()));
        std::iter::once(first).chain(chips).for_each(|chip| check_on(chip, case));
    }
}

static FLOAT: &[Case] = &[
    one(AluOp::Mov, 0x0000_0001, 0x0000_0001),
    one(AluOp::Mov, 0xffa0_1234, 0xffa0_1234),
    two(AluOp::Add, f(1.5), f(-0.25), f(1.25)),
    two(AluOp::Add, INF, NEG_INF, NAN),
    two(AluOp::Mul, f(-1.5), f(2.0), f(-3.0)),
    two(AluOp::Mul, 0, INF, 0),
    two(AluOp::Mul, NEG_ZERO, NAN, 0),
    two(AluOp::MulIeee, 0, INF, NAN),
    two(AluOp::MulIeee, NEG_ZERO, f(1.0), NEG_ZERO),
    two(AluOp::Max, f(1.0), f(2.0), f(2.0)),
    two(AluOp::Max, NAN, f(2.0), f(2.0)),
    two(AluOp::Max, f(2.0), NAN, NAN),
    two(AluOp::Min, f(1.0), f(2.0), f(1.0)),
    two(AluOp::Min, f(2.0), NAN, NAN),
    two(AluOp::MaxDx10, f(2.0), NAN, f(2.0)),
    two(AluOp::MaxDx10, NAN, f(2.0), f(2.0)),
    two(AluOp::MaxDx10, NAN, NAN, NAN),
    two(AluOp::MinDx10, f(2.0), NAN, f(2.0)),
    two(AluOp::MinDx10, f(-1.0), f(2.0), f(-1.0)),
    one(AluOp::Fract, f(-1.25), f(0.75)),
    one(AluOp::Fract, INF, NAN),
    one(AluOp::Trunc, f(-1.75), f(-1.0)),
    one(AluOp::Ceil, f(-1.75), f(-1.0)),
    one(AluOp::Ceil, f(1.25), f(2.0)),
    one(AluOp::Rndne, f(2.5), f(2.0)),
    one(AluOp::Rndne, f(3.5), f(4.0)),
    one(AluOp::Floor, f(-1.25), f(-2.0)),
    three(AluOp::Fma, f(ABOVE_ONE), f(ABOVE_ONE), f(-1.0), 0x3a00_0400),
    three(AluOp::Muladd, f(2.0), f(3.0), f(4.0), f(10.0)),
    three(AluOp::Muladd, 0, INF, f(4.0), f(4.0)),
    three(AluOp::MuladdM2, f(2.0), f(3.0), f(4.0), f(20.0)),
    three(AluOp::MuladdM4, f(2.0), f(3.0), f(4.0), f(40.0)),
    three(AluOp::MuladdD2, f(2.0), f(3.0), f(4.0), f(5.0)),
    three(AluOp::MuladdIeee, 0, INF, f(4.0), NAN),
    // The product is rounded before the sum, which loses what the fused form keeps.
    three(AluOp::MuladdIeee, f(ABOVE_ONE), f(ABOVE_ONE), f(-1.0), 0x3a00_0000),
    three(AluOp::MuladdIeeeM2, f(2.0), f(3.0), f(4.0), f(20.0)),
    three(AluOp::MuladdIeeeM4, f(2.0), f(3.0), f(4.0), f(40.0)),
    three(AluOp::MuladdIeeeD2, f(2.0), f(3.0), f(4.0), f(5.0)),
    three(AluOp::MulLit, f(2.0), f(3.0), f(1.0), f(6.0)),
    three(AluOp::MulLit, f(2.0), f(3.0), 0, NEG_MAX),
    three(AluOp::MulLit, f(2.0), NEG_INF, f(1.0), NEG_MAX),
    three(AluOp::MulLit, f(2.0), NAN, f(1.0), NEG_MAX),
    three(AluOp::MulLitM2, f(2.0), f(3.0), f(1.0), f(12.0)),
    three(AluOp::MulLitM4, f(2.0), f(3.0), f(1.0), f(24.0)),
    three(AluOp::MulLitD2, f(2.0), f(3.0), f(1.0), f(3.0)),
];

static COMPARISONS: &[Case] = &[
    two(AluOp::Sete, NEG_ZERO, 0, f(1.0)),
    two(AluOp::Sete, NAN, NAN, 0),
    two(AluOp::Setgt, f(2.0), f(1.0), f(1.0)),
    two(AluOp::Setgt, NAN, f(1.0), 0),
    two(AluOp::Setge, f(1.0), f(1.0), f(1.0)),
    two(AluOp::Setge, f(1.0), NAN, 0),
    two(AluOp::Setne, NAN, NAN, f(1.0)),
    two(AluOp::Setne, NEG_ZERO, 0, 0),
    two(AluOp::SeteDx10, NEG_ZERO, 0, YES),
    two(AluOp::SetgtDx10, f(2.0), f(1.0), YES),
    two(AluOp::SetgtDx10, f(1.0), f(1.0), 0),
    two(AluOp::SetgeDx10, f(1.0), f(1.0), YES),
    two(AluOp::SetneDx10, NAN, f(1.0), YES),
    two(AluOp::SeteInt, 5, 5, YES),
    two(AluOp::SeteInt, NEG_ZERO, 0, 0),
    two(AluOp::SetgtInt, 1, YES, YES),
    two(AluOp::SetgeInt, INT_MIN, INT_MAX, 0),
    two(AluOp::SetneInt, 1, 2, YES),
    two(AluOp::SetgtUint, 1, YES, 0),
    two(AluOp::SetgeUint, INT_MIN, INT_MAX, YES),
    three(AluOp::Cnde, NEG_ZERO, 1, 2, 1),
    three(AluOp::Cnde, NAN, 1, 2, 2),
    three(AluOp::Cndgt, f(0.5), 1, 2, 1),
    three(AluOp::Cndgt, 0, 1, 2, 2),
    three(AluOp::Cndge, NEG_ZERO, 0xffa0_0001, 2, 0xffa0_0001),
    three(AluOp::Cndge, NAN, 1, 2, 2),
    three(AluOp::CndeInt, 0, 1, 2, 1),
    three(AluOp::CndeInt, NEG_ZERO, 1, 2, 2),
    three(AluOp::CndgtInt, INT_MIN, 1, 2, 2),
    three(AluOp::CndgeInt, 0, 1, 2, 1),
];

static INTEGER: &[Case] = &[
    two(AluOp::AshrInt, INT_MIN, 33, 0xc000_0000),
    two(AluOp::LshrInt, INT_MIN, 31, 1),
    two(AluOp::LshlInt, 1, 63, INT_MIN),
    two(AluOp::AndInt, 0xff00, 0x0ff0, 0x0f00),
    two(AluOp::OrInt, 0xff00, 0x0ff0, 0xfff0),
    two(AluOp::XorInt, 0xff00, 0x0ff0, 0xf0f0),
    one(AluOp::NotInt, 0x0000_ffff, 0xffff_0000),
    two(AluOp::AddInt, INT_MAX, 1, INT_MIN),
    two(AluOp::SubInt, 0, 1, YES),
    two(AluOp::MaxInt, YES, 1, 1),
    two(AluOp::MinInt, YES, 1, YES),
    two(AluOp::MaxUint, YES, 1, YES),
    two(AluOp::MinUint, YES, 1, 1),
    two(AluOp::AddcUint, YES, 1, 1),
    two(AluOp::AddcUint, INT_MAX, 1, 0),
    two(AluOp::SubbUint, 0, 1, 1),
    two(AluOp::MulloInt, YES, 3, 0xffff_fffd),
    two(AluOp::MulloUint, 0x0001_0001, 0x0001_0001, 0x0002_0001),
    two(AluOp::MulhiInt, YES, 3, YES),
    two(AluOp::MulhiInt, INT_MIN, INT_MIN, 0x4000_0000),
    two(AluOp::MulhiUint, YES, 3, 2),
    one(AluOp::RecipUint, 0, YES),
    one(AluOp::RecipUint, 3, 0x5555_5555),
    one(AluOp::RecipUint, 1, YES),
    one(AluOp::RecipInt, 0xffff_fffd, 0xaaaa_aaab),
    two(AluOp::MulInt24, 0x00ff_ffff, 2, 0xffff_fffe),
    two(AluOp::MulhiInt24, 0x00ff_ffff, 2, YES),
    two(AluOp::MulUint24, 0x01ff_ffff, 2, 0x01ff_fffe),
    two(AluOp::MulhiUint24, 0x00ff_ffff, 0x00ff_ffff, 0xffff),
    three(AluOp::MuladdInt24, 0x00ff_ffff, 2, 3, 1),
    three(AluOp::MuladdUint24, 0x00ff_ffff, 2, 3, 0x0200_0001),
];

static BITS: &[Case] = &[
    one(AluOp::BfrevInt, 0x0000_0001, INT_MIN),
    two(AluOp::BfmInt, 4, 8, 0xf00),
    two(AluOp::BfmInt, 32, 8, 0),
    three(AluOp::BfeUint, 0xabcd_1234, 8, 8, 0x12),
    three(AluOp::BfeUint, 0xabcd_1234, 8, 32, 0),
    three(AluOp::BfeInt, 0xabcd_f234, 8, 8, 0xffff_fff2),
    three(AluOp::BfeInt, 0xabcd_f234, 8, 0, 0),
    three(AluOp::BfiInt, 0x00ff_0000, 0x1122_3344, 0x5566_7788, 0x5522_7788),
    three(AluOp::BitAlignInt, 0x0000_0001, 0x8000_0000, 31, 3),
    three(AluOp::ByteAlignInt, 0x1122_3344, 0x5566_7788, 1, 0x4455_6677),
    one(AluOp::BcntInt, 0xf0f0_0001, 9),
    one(AluOp::FfbhUint, 0, YES),
    one(AluOp::FfbhUint, 0x0001_0000, 15),
    one(AluOp::FfbhUint, INT_MIN, 0),
    one(AluOp::FfblInt, 0, YES),
    one(AluOp::FfblInt, 0x0001_0000, 16),
    one(AluOp::FfbhInt, YES, YES),
    one(AluOp::FfbhInt, 0xffff_0000, 16),
    one(AluOp::FfbhInt, 0x0001_0000, 15),
    three(AluOp::LerpUint, 0x0305_0709, 0x0104_0600, 0x0001_0001, 0x0205_0605),
    three(AluOp::SadAccumUint, 0x01ff_0300, 0x0301_0500, 7, 2 + 254 + 2 + 7),
    three(AluOp::SadAccumHiUint, 0x0100_0000, 0x0300_0000, 7, 0x0002_0007),
];

static CONVERSIONS: &[Case] = &[
    one(AluOp::FltToInt, f(-3.0), 0xffff_fffd),
    one(AluOp::FltToInt, f(3e9), INT_MAX),
    one(AluOp::FltToInt, NAN, 0),
    one(AluOp::FltToUint, f(-3.0), 0),
    one(AluOp::FltToUint, f(5e9), YES),
    one(AluOp::FltToUint, f(3e9), 3_000_000_000),
    one(AluOp::FltToIntTrunc, f(-1.75), YES),
    one(AluOp::FltToIntRpi, f(-1.5), YES),
    one(AluOp::FltToIntRpi, f(1.5), 2),
    one(AluOp::FltToIntFloor, f(-1.25), 0xffff_fffe),
    one(AluOp::FltToUint4, f(99.0), 15),
    one(AluOp::IntToFlt, YES, f(-1.0)),
    one(AluOp::IntToFlt, 0x0100_0001, f(16_777_216.0)),
    one(AluOp::UintToFlt, YES, f(4_294_967_296.0)),
    one(AluOp::Ubyte0Flt, 0x8070_60ff, f(255.0)),
    one(AluOp::Ubyte1Flt, 0x8070_60ff, f(96.0)),
    one(AluOp::Ubyte2Flt, 0x8070_60ff, f(112.0)),
    one(AluOp::Ubyte3Flt, 0x8070_60ff, f(128.0)),
    one(AluOp::Flt32ToFlt16, f(65_520.0), 0x7c00),
    one(AluOp::Flt32ToFlt16, f(-1.5), 0xbe00),
    one(AluOp::Flt16ToFlt32, 0xffff_be00, f(-1.5)),
    one(AluOp::Flt16ToFlt32, 0x0001, 0x3380_0000),
    one(AluOp::OffsetToFlt, 0x8, f(-0.5)),
];

static TRANSCENDENTAL: &[Case] = &[
    one(AluOp::ExpIeee, f(3.0), f(8.0)),
    one(AluOp::ExpIeee, NEG_INF, 0),
    one(AluOp::ExpIeee, NAN, NAN),
    one(AluOp::LogIeee, f(8.0), f(3.0)),
    one(AluOp::LogIeee, 0, NEG_INF),
    one(AluOp::LogIeee, f(-1.0), NAN),
    one(AluOp::LogClamped, 0, NEG_MAX),
    one(AluOp::RecipIeee, f(-4.0), f(-0.25)),
    one(AluOp::RecipIeee, NEG_ZERO, NEG_INF),
    one(AluOp::RecipClamped, NEG_ZERO, NEG_MAX),
    one(AluOp::RecipFf, NEG_ZERO, NEG_ZERO),
    one(AluOp::RecipsqrtIeee, f(4.0), f(0.5)),
    one(AluOp::RecipsqrtIeee, 0, INF),
    one(AluOp::RecipsqrtIeee, f(-1.0), NAN),
    one(AluOp::RecipsqrtClamped, 0, MAX),
    one(AluOp::RecipsqrtFf, 0, 0),
    one(AluOp::SqrtIeee, f(2.25), f(1.5)),
    one(AluOp::SqrtIeee, f(-1.0), NAN),
    one(AluOp::Cos, 0, f(1.0)),
    one(AluOp::Sin, 0, 0),
    one(AluOp::Sin, f(1e9), NAN),
];

/// Results of predicates follow the counter convention; the tests of the masks stand below.
static PREDICATES: &[Case] = &[
    two(AluOp::PredSete, f(1.0), f(1.0), 0),
    two(AluOp::PredSetgt, f(1.0), f(1.0), f(1.0)),
    two(AluOp::PredSetge, f(1.0), f(1.0), 0),
    two(AluOp::PredSetne, NAN, f(1.0), 0),
    two(AluOp::PredSetgtUint, 1, YES, f(1.0)),
    two(AluOp::PredSetgeUint, YES, YES, 0),
    two(AluOp::PredSeteInt, 7, 7, 0),
    two(AluOp::PredSetgtInt, 1, YES, 0),
    two(AluOp::PredSetgeInt, YES, 1, f(1.0)),
    two(AluOp::PredSetneInt, 1, 2, 0),
    one(AluOp::PredSetInv, f(1.0), 0),
    one(AluOp::PredSetInv, 0, f(1.0)),
    one(AluOp::PredSetInv, f(3.0), f(3.0)),
    two(AluOp::PredSetPop, f(3.0), f(1.0), f(2.0)),
    two(AluOp::PredSetPop, f(1.0), f(1.0), 0),
    one(AluOp::PredSetClr, 0, MAX),
    one(AluOp::PredSetRestore, f(2.0), f(2.0)),
    one(AluOp::PredSetRestore, NEG_ZERO, 0),
    two(AluOp::PredSetePush, 0, 0, 0),
    two(AluOp::PredSetePush, f(1.0), 0, f(2.0)),
    two(AluOp::PredSetgtPush, 0, f(1.0), 0),
    two(AluOp::PredSetgePush, 0, f(-1.0), f(1.0)),
    two(AluOp::PredSetnePush, 0, f(1.0), 0),
    two(AluOp::PredSetePushInt, 0, 1, f(1.0)),
    two(AluOp::PredSetgtPushInt, 0, 1, 0),
    two(AluOp::PredSetgePushInt, 0, YES, f(1.0)),
    two(AluOp::PredSetnePushInt, 0, 1, 0),
    two(AluOp::PredSetltPushInt, 0, YES, 0),
    two(AluOp::PredSetlePushInt, 0, 0, 0),
];

static KILLS: &[Case] = &[
    two(AluOp::Kille, f(1.0), f(1.0), f(1.0)),
    two(AluOp::Killgt, 0, NEG_ZERO, 0),
    two(AluOp::Killgt, 0, f(-1.0), f(1.0)),
    two(AluOp::Killge, NAN, 0, 0),
    two(AluOp::Killne, NAN, 0, f(1.0)),
    two(AluOp::KillgtUint, YES, 1, f(1.0)),
    two(AluOp::KillgeUint, 1, YES, 0),
    two(AluOp::KilleInt, 3, 3, f(1.0)),
    two(AluOp::KillgtInt, YES, 1, 0),
    two(AluOp::KillgeInt, 1, YES, f(1.0)),
    two(AluOp::KillneInt, 3, 3, 0),
];

/// Instructions that look at several slots, given the same operands in each.
static OVER_SLOTS: &[Case] = &[
    two(AluOp::Dot4, f(1.5), f(2.0), f(12.0)),
    two(AluOp::Dot4, 0, INF, 0),
    two(AluOp::Dot4Ieee, f(1.5), f(2.0), f(12.0)),
    two(AluOp::Dot4Ieee, 0, INF, NAN),
    one(AluOp::Max4, f(-2.0), f(-2.0)),
    two(AluOp::Dot, f(1.5), f(2.0), f(3.0)),
    two(AluOp::Dot, 0, INF, 0),
    two(AluOp::DotIeee, 0, INF, NAN),
    one(AluOp::MulPrev, f(3.0), 0),
    one(AluOp::MulIeeePrev, INF, NAN),
    one(AluOp::AddPrev, f(3.0), f(3.0)),
    two(AluOp::MuladdPrev, f(3.0), f(2.0), f(6.0)),
    two(AluOp::MuladdIeeePrev, 0, INF, NAN),
    one(AluOp::BcntAccumPrevInt, 0xff, 8),
    two(AluOp::SadAccumPrevUint, 0x0100, 0x0300, 2),
    one(AluOp::Mbcnt32hiInt, YES, 0),
    one(AluOp::Mbcnt32loAccumPrevInt, YES, 0),
];

/// Instructions without a result, or with one that is tested by its effect.
static OTHERWISE_TESTED: &[AluOp] = &[
    AluOp::AluNop,
    AluOp::GroupBarrier,
    AluOp::GroupSeqBegin,
    AluOp::GroupSeqEnd,
    AluOp::SetCfIdx0,
    AluOp::SetCfIdx1,
    AluOp::Mova,
    AluOp::MovaFloor,
    AluOp::MovaInt,
    AluOp::MovaGprInt,
    AluOp::LdsIdxOp,
    AluOp::Cube,
    AluOp::InterpXy,
    AluOp::InterpZw,
    AluOp::InterpX,
    AluOp::InterpZ,
    AluOp::InterpLoadP0,
    AluOp::InterpLoadP10,
    AluOp::InterpLoadP20,
];

/// Instructions of which no source says what they do.
static NOT_ESTABLISHED: &[AluOp] = &[
    AluOp::SetMode,
    AluOp::SetLdsSize,
    AluOp::StoreFlags,
    AluOp::LoadStoreFlags,
    AluOp::Lds1a,
    AluOp::Lds1a1d,
    AluOp::Lds2a,
];

static TABLES: [&[Case]; 9] =
    [FLOAT, COMPARISONS, INTEGER, BITS, CONVERSIONS, TRANSCENDENTAL, PREDICATES, KILLS, OVER_SLOTS];

#[test]
fn every_instruction_gives_its_results() {
    TABLES.iter().for_each(|cases| check(cases));
}

#[test]
fn no_instruction_is_left_out() {
    let is_in_table =
        |op: &AluOp| TABLES.iter().any(|cases| cases.iter().any(|case| case.0 == *op));
    let left: Vec<_> = AluOp::ALL
        .iter()
        .filter(|op| !is_in_table(op) && !op.has(AluFlags::DOUBLE))
        .filter(|op| !OTHERWISE_TESTED.contains(op) && !NOT_ESTABLISHED.contains(op))
        .map(|op| op.name())
        .collect();
    assert!(left.is_empty(), "untested: {left:?}");
}

#[test]
fn what_is_not_established_is_refused() {
    for &op in NOT_ESTABLISHED {
        let error =
            run(Chip::Cypress, vec![issue(op, Generation::Evergreen)], &entry(&[])).unwrap_err();
        assert!(matches!(error.fault, Fault::NotExecuted(..)), "{}: {error}", op.name());
    }
}

#[test]
fn generations_differ_in_sine_and_in_conversion() {
    let quarter = [f(0.25), 0, 0];
    check_on(Chip::Rv770, &(AluOp::Sin, quarter, f(1.0)));
    check_on(Chip::Cayman, &(AluOp::Sin, quarter, f(1.0)));
    check_on(Chip::Rv670, &(AluOp::Sin, quarter, f(0.25_f64.sin() as f32)));
    let half = [f(2.75), 0, 0];
    check_on(Chip::Rv670, &(AluOp::FltToInt, half, 2));
    check_on(Chip::Rv770, &(AluOp::FltToInt, half, 2));
    check_on(Chip::Cypress, &(AluOp::FltToInt, half, 3));
    check_on(Chip::Cayman, &(AluOp::FltToInt, half, 2));
}

#[test]
fn a_kill_takes_the_lanes_where_it_holds() {
    let sources = [1, 2].map(|number| gpr(number, Chan::X));
    let mut entry = entry(&[0, 0]);
    entry.set_gpr(2, 0, 2, f(-1.0));
    let outcome = run(Chip::Rv770, vec![group(&[inst(AluOp::Killgt, Chan::X, &sources)])], &entry);
    assert_eq!(outcome.unwrap().killed, LaneMask::from_bits(0b0100));
}

#[test]
fn chained_slots_take_the_next_result() {
    let sources = [1, 2].map(|number| gpr(number, Chan::X));
    let chain: Vec<_> =
        Chan::ALL.iter().map(|&chan| inst(AluOp::DotIeee, chan, &sources)).collect();
    let outcome = run(Chip::Cypress, vec![group(&chain)], &entry(&[f(2.0), f(3.0)])).unwrap();
    assert_eq!(result(&outcome), [24.0, 18.0, 12.0, 6.0].map(f));
}

/// A direction, and t, s, twice the major axis and the face.
#[test]
fn cube_gives_face_and_coordinates() {
    for (direction, want) in [
        ([2.0, 0.5, 1.0], [-0.5, -1.0, 4.0, 0.0]),
        ([-2.0, 0.5, 1.0], [-0.5, 1.0, -4.0, 1.0]),
        ([0.5, 2.0, 1.0], [1.0, 0.5, 4.0, 2.0]),
        ([0.5, -2.0, 1.0], [-1.0, 0.5, -4.0, 3.0]),
        ([0.5, 1.0, 2.0], [-1.0, 0.5, 4.0, 4.0]),
        ([0.5, 1.0, -2.0], [-1.0, -0.5, -4.0, 5.0]),
        ([1.0, 1.0, 1.0], [-1.0, 1.0, 2.0, 4.0]),
    ] {
        let [x, y, z] = [1, 2, 3].map(|number| gpr(number, Chan::X));
        let slots = [[z, y], [z, x], [x, z], [y, z]];
        let mut insts: Vec<_> = Chan::ALL
            .iter()
            .zip(&slots)
            .map(|(&chan, sources)| inst(AluOp::Cube, chan, sources))
            .collect();
        // Register R3 is read in the first cycle, R2 in the second, R1 in the third.
        for (inst, swizzle) in insts.iter_mut().zip([0, 1, 4, 3]) {
            inst.bank_swizzle = swizzle;
        }
        let got = CHIPS.map(|chip| {
            let outcome = run(chip, vec![group(&insts)], &entry(&direction.map(f)));
            result(&outcome.unwrap())
        });
        assert_eq!(got, [want.map(f); 4], "{direction:?}");
    }
}
