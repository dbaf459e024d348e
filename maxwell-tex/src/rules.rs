//! What the documents demand of an instruction beyond its word: registers, combinations, generations.
//!
//! The rules are the rows of `spec/rules.ron`; [`Rule`] lists them. Nothing here stops an instruction from
//! being encoded, since the vendor's tools print and run more than the documents allow.

mod tex;
mod tlds;
mod vector;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::bundle::{Op, Slot};
use crate::control::Control;
use crate::generated::enums::Sm;
use crate::generated::rules::{RULES, Rule};
use crate::generated::words::BUNDLE_SLOTS;
use crate::instruction::Instruction;

pub(crate) struct RuleInfo {
    pub(crate) severity: Severity,
    pub(crate) section: &'static str,
    pub(crate) says: &'static str,
    pub(crate) remedy: &'static str,
}

/// How bad it is to break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The documents forbid it.
    Error,
    /// It has an effect that is probably not meant.
    Warning,
}

impl Rule {
    fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    /// How bad it is to break it.
    pub fn severity(self) -> Severity {
        self.info().severity
    }

    /// Where the documents say so.
    pub fn section(self) -> &'static str {
        self.info().section
    }

    /// What it says.
    pub fn statement(self) -> &'static str {
        self.info().says
    }

    /// What to do about a breach.
    pub fn remedy(self) -> &'static str {
        self.info().remedy
    }
}

/// A part of an instruction that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The modifiers behind the name.
    Modifiers,
    /// The sparse predicate.
    Ps,
    /// The result, Rd or Rd0.
    Rd,
    /// The second result of TLDS.
    Rd1,
    /// The first source.
    Ra,
    /// The second source.
    Rb,
    /// The index of the texture.
    Index,
    /// The shape.
    ParamA,
    /// The components that are written.
    Mask,
    /// The scheduling operands.
    Control,
}

/// A rule that an instruction breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule.
    pub rule: Rule,
    /// What breaks it.
    pub part: Part,
    /// The case at hand, such as ``R3 holds 2 values``.
    pub case: String,
}

impl Diagnostic {
    pub(crate) fn new(rule: Rule, part: Part, case: impl Into<String>) -> Self {
        Self { rule, part, case: case.into() }
    }
}

/// The case, the rule and its section; the remedy is [`Rule::remedy`].
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.case, self.rule.statement(), self.rule.section())
    }
}

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

/// The rules that the slot with this number among all slots of a program breaks on `sm`.
///
/// Instructions other than TEX and TLDS are not judged.
pub fn check_slot(number: usize, slot: &Slot, sm: Sm) -> Vec<Diagnostic> {
    let Op::Texture(instruction) = &slot.op else { return Vec::new() };
    let mut findings = check(instruction, sm);
    findings.extend(check_control(&slot.control));
    if slot.control.pairs() && number % BUNDLE_SLOTS == BUNDLE_SLOTS - 1 {
        findings.push(Diagnostic::new(Rule::PairLast, Part::Control, "?yield without a stall"));
    }
    findings
}
