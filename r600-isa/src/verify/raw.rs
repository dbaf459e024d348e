//! What can be said of words that no type holds.

use crate::decode::{self, AluProblem};

use super::{Rule, Verifier};

/// Judges an ALU clause that is kept as words.
pub(super) fn check(cx: &mut Verifier<'_>, words: &[u32]) {
    let generation = cx.generation();
    match decode::alu_problem(words, generation) {
        AluProblem::UnknownOpcode(opcode) => cx.report(
            Rule::UnsupportedAlu,
            format!("{generation:?} has no ALU operation {opcode:#04x}"),
        ),
        AluProblem::NoGroups => cx.report(
            Rule::SlotConflict,
            "the words form no groups: more than five instructions, or the last mark is missing",
        ),
        AluProblem::Untyped => cx.report(Rule::Unchecked, "the clause is kept as words"),
    }
}

/// Judges a control-flow instruction that is kept as words.
pub(super) fn check_flow(cx: &mut Verifier<'_>, words: [u32; 2]) {
    let generation = cx.generation();
    if decode::is_known_flow(words[1], generation) {
        cx.report(Rule::Unchecked, "the instruction is kept as words");
    } else {
        let word = words[1];
        cx.report(
            Rule::UnsupportedFlow,
            format!("{generation:?} has no control-flow instruction {word:#010x}"),
        );
    }
}
