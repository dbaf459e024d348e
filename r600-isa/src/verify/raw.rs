//! Checks of raw words, which no type can represent.

use crate::decode::{self, AluProblem, CfProblem};
use crate::{Cf, FetchInst};

use super::{Rule, Verifier};

/// Checks words of an ALU clause that form no group.
pub(super) fn check(cx: &mut Verifier<'_>, words: &[u32]) {
    let generation = cx.generation();
    match decode::alu_problem(words, generation) {
        AluProblem::UnknownOpcode(opcode) => cx.report(
            Rule::UnsupportedAlu,
            format!("{generation:?} has no ALU operation {opcode:#04x}"),
        ),
        AluProblem::NoGroups => cx.report(
            Rule::SlotConflict,
            "the words form no groups: a group has more than five instructions, or no last one",
        ),
        AluProblem::Reserved => {
            cx.report(Rule::Reserved, "an instruction has reserved bits or values");
        }
    }
}

/// Checks a fetch kept as raw words.
pub(super) fn check_fetch(cx: &mut Verifier<'_>, fetch: &FetchInst) {
    let FetchInst::Raw(words) = fetch else { return };
    let generation = cx.generation();
    match decode::fetch_op(words, generation) {
        Some(op) => {
            let name = op.name();
            cx.report(Rule::Reserved, format!("{name} has reserved bits or values"));
        }
        None => {
            let word = words[0];
            cx.report(Rule::UnsupportedFetch, format!("{generation:?} has no fetch {word:#010x}"));
        }
    }
}

/// Checks a control-flow instruction kept as raw words.
pub(super) fn check_flow(cx: &mut Verifier<'_>, words: [u32; 2]) {
    let generation = cx.generation();
    if follows_raw_extension(cx) {
        cx.report(Rule::Unchecked, "does not decode together with its extension");
        return;
    }
    match decode::cf_problem(words, generation) {
        CfProblem::Unknown => {
            let word = words[1];
            cx.report(
                Rule::UnsupportedFlow,
                format!("{generation:?} has no control-flow instruction {word:#010x}"),
            );
        }
        CfProblem::Reserved => {
            cx.report(Rule::Reserved, "the instruction has reserved bits or values");
        }
        CfProblem::Extension => {
            cx.report(
                Rule::Unchecked,
                "does not decode together with the instruction that it extends",
            );
        }
        CfProblem::Target(addr) => {
            cx.report(Rule::FlowTarget, format!("goes to {addr}, where no instruction begins"));
        }
        CfProblem::Clause { end } => clause(cx, end),
    }
}

/// Whether the preceding instruction is an extension that stayed raw.
fn follows_raw_extension(cx: &Verifier<'_>) -> bool {
    let before = cx.place.cf.and_then(|at| cx.program.cf.get(at.checked_sub(1)?));
    match before {
        Some(Cf::Raw(words)) => decode::cf_problem(*words, cx.generation()) == CfProblem::Extension,
        _ => false,
    }
}

/// Checks a clause that was not found and would end before word `end`.
fn clause(cx: &mut Verifier<'_>, end: usize) {
    let len = cx.program.layout.as_ref().map_or(0, |layout| layout.len as usize);
    if end > len {
        cx.report(Rule::NoClause, "the clause goes beyond the end of the program");
    } else {
        cx.report(Rule::Unchecked, "the clause shares words with another part of the program");
    }
}
