//! Rules of the documents beyond the encoding: registers, combinations, generations.
//!
//! The rules are the rows of `spec/rules.ron`; [`Rule`] lists them. A broken rule does not prevent encoding, since the
//! vendor's tools print and run more than the documents allow.

mod tex;
mod tlds;
mod vector;

use alloc::vec::Vec;

use crate::bundle::{Op, Slot};
use crate::control::Control;
use crate::diagnostic::{Diagnostic, Part};
use crate::generated::enums::Sm;
use crate::generated::rules::Rule;
use crate::generated::words::BUNDLE_SLOTS;
use crate::instruction::Instruction;

/// The rules that an instruction breaks on `sm`.
pub fn check(instruction: &Instruction, sm: Sm) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    match instruction {
        Instruction::Tex(tex) => tex::check(tex, sm, &mut findings),
        Instruction::Tlds(tlds) => tlds::check(tlds, sm, &mut findings),
    }
    findings
}

/// The rules that a texture instruction's scheduling breaks.
pub fn check_control(control: &Control) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if control.phase.is_reserved() {
        let case = alloc::format!("phase {}", control.phase.code());
        findings.push(Diagnostic::new(Rule::PhaseReserved, Part::Modifiers, case));
    }
    for (name, barrier) in [("&rd", control.rd), ("&wr", control.wr)] {
        if !barrier.is_known() {
            let case = alloc::format!("{name}{}", barrier.code());
            findings.push(Diagnostic::new(Rule::Barrier, Part::Control, case));
        }
    }
    findings
}

/// The rules that slot `number` of a program breaks on `sm`.
///
/// Instructions other than TEX and TLDS are not checked.
pub fn check_slot(number: usize, slot: &Slot, sm: Sm) -> Vec<Diagnostic> {
    let Op::Texture(instruction) = &slot.op else { return Vec::new() };
    let mut findings = check(instruction, sm);
    findings.extend(check_control(&slot.control));
    if slot.control.pairs() && number % BUNDLE_SLOTS == BUNDLE_SLOTS - 1 {
        findings.push(Diagnostic::new(Rule::PairLast, Part::Control, "?yield without a stall"));
    }
    findings
}
