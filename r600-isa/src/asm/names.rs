//! Names in a listing.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::listing::export_name;
use crate::{AluOp, CfOp, FetchOp, Generation, LdsOp};

/// An operation of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// An ALU operation.
    Alu(AluOp),
    /// An operation of the local data share.
    Lds(LdsOp),
    /// A control-flow operation.
    Cf(CfOp),
    /// A fetch operation.
    Fetch(FetchOp),
}

impl Op {
    /// The operation with this name in listings.
    pub fn from_name(name: &str) -> Option<Self> {
        OPS.get(name).copied()
    }

    /// The name that is closest to a misspelt one.
    pub fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, OPS.keys().copied())
    }
}

/// Short forms and other names from listings of vendors and drivers.
const ALIASES: &[(&str, &str)] = &[
    ("SQRT_e", "SQRT_IEEE"),
    ("EXP_e", "EXP_IEEE"),
    ("LOG_e", "LOG_IEEE"),
    ("LOG_sat", "LOG_CLAMPED"),
    ("RSQ_e", "RECIPSQRT_IEEE"),
    ("RCP_e", "RECIP_IEEE"),
    ("MUL_e", "MUL_IEEE"),
    ("DOT4_e", "DOT4_IEEE"),
    ("MULADD_e", "MULADD_IEEE"),
    ("PREDGT", "PRED_SETGT"),
    ("EXPORT", "EXP"),
    ("EXPORT_DONE", "EXP_DONE"),
    ("RETURN", "RET"),
    ("TC", "TEX"),
    ("VC", "VTX"),
    ("VTX_FETCH", "VFETCH"),
    ("VTX_SEMANTIC", "SEMFETCH"),
    ("GET_TEXTURE_INFO", "GET_TEXTURE_RESINFO"),
    ("GET_SAMPLE_INFO", "GET_NUMBER_OF_SAMPLES"),
    ("GET_COMP_TEX_LOD", "GET_LOD"),
    ("MEM_REDUCTION", "MEM_REDUCT"),
];

static OPS: LazyLock<HashMap<&'static str, Op>> = LazyLock::new(|| {
    let mut ops = HashMap::new();
    ops.extend(AluOp::ALL.into_iter().map(|op| (op.name(), Op::Alu(op))));
    ops.extend(LdsOp::ALL.into_iter().map(|op| (op.name(), Op::Lds(op))));
    ops.extend(FetchOp::ALL.into_iter().map(|op| (op.name(), Op::Fetch(op))));
    ops.extend(CfOp::ALL.into_iter().map(|op| (export_name(op), Op::Cf(op))));
    ops
});

/// The operation with this name or alias.
pub(super) fn op(name: &str) -> Option<Op> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    OPS.get(alias.map_or(name, |(_, name)| name)).copied()
}

/// The operation with this name in a slot.
pub(super) fn alu_op(name: &str) -> Option<Op> {
    match op(name) {
        // In a slot, `NOP` is the ALU instruction.
        Some(Op::Cf(CfOp::Nop)) => Some(Op::Alu(AluOp::AluNop)),
        Some(op @ (Op::Alu(_) | Op::Lds(_))) => Some(op),
        _ => None,
    }
}

/// The name among those of `kind` that is closest to a misspelt one, as a suggestion.
pub(super) fn nearest_op(name: &str, is_kind: fn(Op) -> bool) -> Option<String> {
    let names = OPS.iter().filter(|(_, op)| is_kind(**op)).map(|(name, _)| *name);
    nearest(name, names).map(|near| format!("did you mean `{near}`?"))
}

/// The closest of `names`, if it is close enough to be a typing error.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Long words are no typing errors, and comparing them would be slow.
    if name.len() > 40 {
        return None;
    }
    let upper = name.to_ascii_uppercase();
    let limit = 1 + name.len() / 4;
    // If lengths differ by more than the limit, so does the edit distance.
    let names = names.filter(|own| own.len().abs_diff(name.len()) <= limit);
    let near = names.map(|own| (distance(&upper, &own.to_ascii_uppercase()), own)).min()?;
    (near.0 <= limit).then_some(near.1)
}

/// The edit distance of two words: insertions, deletions and replacements.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (n, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[n + 1];
            row[n + 1] = replaced.min(diagonal + 1).min(row[n] + 1);
        }
    }
    row[b.len()]
}

/// The generations that have an operation, for a message about one that lacks it.
pub(super) fn generations(opcode: [Option<u16>; 4]) -> String {
    let has = Generation::ALL.into_iter().zip(opcode).filter(|(_, opcode)| opcode.is_some());
    let names: Vec<_> = has.map(|(generation, _)| generation.name()).collect();
    format!("it exists on {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_name() {
        for alu in AluOp::ALL {
            assert_eq!(alu_op(alu.name()), Some(Op::Alu(alu)));
        }
        for fetch in FetchOp::ALL {
            assert_eq!(op(fetch.name()), Some(Op::Fetch(fetch)));
        }
        for cf in CfOp::ALL {
            assert_eq!(op(export_name(cf)), Some(Op::Cf(cf)));
        }
        for (alias, name) in ALIASES {
            assert!(op(name).is_some(), "{name}");
            assert_eq!(op(alias), op(name));
        }
    }

    #[test]
    fn a_typing_error_is_close_to_the_intended_name() {
        assert_eq!(nearest("MULL", ["MUL", "ADD"].into_iter()), Some("MUL"));
        assert_eq!(nearest("XYZZY", ["MUL", "ADD"].into_iter()), None);
        assert_eq!(nearest("MUL", ["MULXX", "MULX"].into_iter()), Some("MULX"));
    }

    /// Comparing it would take time proportional to its length.
    #[test]
    fn a_long_name_is_not_compared() {
        let long = "a".repeat(1_000_000);
        let names = std::iter::repeat_n(&*long, 2_000).chain(["MUL"]);
        assert_eq!(nearest("MULL", names), Some("MUL"));
    }
}
