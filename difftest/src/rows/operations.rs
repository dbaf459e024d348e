//! TGSI that is lowered to each hardware operation.

use r600_isa::AluOp;

/// Instructions that are lowered to an operation. `@0` and so on are its operands, `$` is the result, and `%` is a
/// register for an intermediate value (`&` without a channel). Numbers are immediates (`#` without a channel). An
/// operand may have a modifier.
pub(super) fn instructions(op: AluOp) -> Option<&'static [&'static str]> {
    float(op).or_else(|| integer(op)).or_else(|| select(op)).or_else(|| effect(op))
}

/// Whether the operation needs a shader in which zero times anything is zero.
pub(super) fn lets_zero_win(op: AluOp) -> bool {
    matches!(op, AluOp::Mul | AluOp::Muladd)
}

fn float(op: AluOp) -> Option<&'static [&'static str]> {
    Some(match op {
        AluOp::Mov => &["MOV $, @0"],
        AluOp::Add => &["ADD $, @0, @1"],
        AluOp::Mul | AluOp::MulIeee => &["MUL $, @0, @1"],
        AluOp::Muladd | AluOp::MuladdIeee => &["MAD $, @0, @1, @2"],
        AluOp::MaxDx10 => &["MAX $, @0, @1"],
        AluOp::MinDx10 => &["MIN $, @0, @1"],
        AluOp::Floor => &["FLR $, @0"],
        AluOp::Ceil => &["CEIL $, @0"],
        AluOp::Trunc => &["TRUNC $, @0"],
        AluOp::Rndne => &["ROUND $, @0"],
        AluOp::Fract => &["FRC $, @0"],
        AluOp::RecipIeee => &["RCP $, @0"],
        AluOp::RecipsqrtIeee => &["RSQ $, @0"],
        AluOp::SqrtIeee => &["SQRT $, @0"],
        AluOp::ExpIeee => &["EX2 $, @0"],
        AluOp::LogIeee => &["LG2 $, @0"],
        AluOp::Sete => &["SEQ $, @0, @1"],
        AluOp::Setgt => &["SGT $, @0, @1"],
        AluOp::Setge => &["SGE $, @0, @1"],
        AluOp::Setne => &["SNE $, @0, @1"],
        AluOp::SeteDx10 => &["FSEQ $, @0, @1"],
        AluOp::SetgtDx10 => &["FSLT $, @1, @0"],
        AluOp::SetgeDx10 => &["FSGE $, @0, @1"],
        AluOp::SetneDx10 => &["FSNE $, @0, @1"],
        _ => return None,
    })
}

fn integer(op: AluOp) -> Option<&'static [&'static str]> {
    Some(match op {
        AluOp::AndInt => &["AND $, @0, @1"],
        AluOp::OrInt => &["OR $, @0, @1"],
        AluOp::XorInt => &["XOR $, @0, @1"],
        AluOp::NotInt => &["NOT $, @0"],
        AluOp::AddInt => &["UADD $, @0, @1"],
        AluOp::SubInt => &["INEG %, @1", "UADD $, @0, %"],
        AluOp::MaxInt => &["IMAX $, @0, @1"],
        AluOp::MinInt => &["IMIN $, @0, @1"],
        AluOp::MaxUint => &["UMAX $, @0, @1"],
        AluOp::MinUint => &["UMIN $, @0, @1"],
        AluOp::LshlInt => &["SHL $, @0, @1"],
        AluOp::LshrInt => &["USHR $, @0, @1"],
        AluOp::AshrInt => &["ISHR $, @0, @1"],
        AluOp::MulloInt | AluOp::MulloUint => &["UMUL $, @0, @1"],
        AluOp::IntToFlt => &["I2F $, @0"],
        AluOp::UintToFlt => &["U2F $, @0"],
        AluOp::SeteInt => &["USEQ $, @0, @1"],
        AluOp::SetgtInt => &["ISLT $, @1, @0"],
        AluOp::SetgeInt => &["ISGE $, @0, @1"],
        AluOp::SetneInt => &["USNE $, @0, @1"],
        AluOp::SetgtUint => &["USLT $, @1, @0"],
        AluOp::SetgeUint => &["USGE $, @0, @1"],
        _ => return None,
    })
}

/// Selects. Most of them come from a comparison and a select by its mask, which other rows combine.
fn select(op: AluOp) -> Option<&'static [&'static str]> {
    Some(match op {
        AluOp::Cndgt => &["CMP $, -@0, @1, @2"],
        AluOp::Cndge => &["FSGE %, @0, 0.0", "UCMP $, %, @1, @2"],
        AluOp::Cnde => &["FSEQ %, @0, 0.0", "UCMP $, %, @1, @2"],
        AluOp::CndeInt => &["UCMP $, @0, @2, @1"],
        AluOp::CndgtInt => &["ISLT %, 0, @0", "UCMP $, %, @1, @2"],
        AluOp::CndgeInt => &["ISGE %, @0, 0", "UCMP $, %, @1, @2"],
        _ => return None,
    })
}

/// A subtraction of zero, which comes from the carry of a 64-bit sum.
pub(super) const MINUS_ZERO: &[&str] =
    &["MOV &.x, 0", "MOV &.y, @0", "U64ADD &.xy, &.xyxy, #0", "MOV $, &.y"];

/// A test for zero that guards the rest of the program after a possible return. The second `RET` is never taken; it
/// keeps the compiler from moving the rest into the branch. The rest is a loop, since other code could be computed in
/// all lanes.
pub(super) const EXIT: &[&str] = &[
    "UIF @0",
    "RET",
    "ELSE",
    "UIF 0",
    "RET",
    "ENDIF",
    "ENDIF",
    "U2F $, @0",
    "BGNLOOP",
    "MAD $, $, 0.5, 3.0",
    "FSLT %, $, 100.0",
    "UIF %",
    "BRK",
    "ENDIF",
    "ENDLOOP",
];

/// Branches and kills. If TGSI has no instruction for the condition, it comes from a comparison that another row folds
/// in. `KILLNE_INT` needs a value that is not known to be a mask, so a mask is combined with another value.
fn effect(op: AluOp) -> Option<&'static [&'static str]> {
    Some(match op {
        AluOp::PredSetne => &["IF @0", "MOV $, 3.0", "ELSE", "MOV $, 5.0", "ENDIF"],
        AluOp::PredSete => {
            &["FSEQ %, @0, @1", "UIF %", "MOV $, 3.0", "ELSE", "MOV $, 5.0", "ENDIF"]
        }
        AluOp::PredSetneInt => &["UIF @0", "MOV $, 3.0", "ELSE", "MOV $, 5.0", "ENDIF"],
        AluOp::PredSeteInt => {
            &["USEQ %, @0, @1", "UIF %", "MOV $, 3.0", "ELSE", "MOV $, 5.0", "ENDIF"]
        }
        AluOp::Killgt => &["KILL_IF @1", "MOV $, 3.0"],
        AluOp::KillneInt => {
            &["USEQ %, @0, 5.0", "OR %, @0, %", "AND %, %, 1.0", "KILL_IF -%", "MOV $, 3.0"]
        }
        _ => return None,
    })
}
