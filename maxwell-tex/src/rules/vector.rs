//! Rules about vectors of registers.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Part};
use crate::generated::rules::Rule;
use crate::register::Reg;
use crate::tables::alignment;

/// Consecutive registers that an instruction reads or writes.
pub(super) struct Vector {
    pub(super) part: Part,
    pub(super) first: Reg,
    pub(super) count: usize,
    /// The rule about its alignment.
    pub(super) align: Rule,
}

impl Vector {
    /// Checks a source: it must not be RZ if it has values.
    pub(super) fn check_source(&self, rz: Rule, findings: &mut Vec<Diagnostic>) {
        if self.first.is_rz() && self.count > 0 {
            let case = format!("{} values", self.count);
            findings.push(Diagnostic::new(rz, self.part, case));
        }
        self.check_place(findings);
    }

    /// Checks alignment and range. RZ and empty vectors have neither.
    pub(super) fn check_place(&self, findings: &mut Vec<Diagnostic>) {
        if self.first.is_rz() || self.count == 0 {
            return;
        }
        let multiple = alignment(self.count);
        if !self.first.code().is_multiple_of(multiple) {
            let case = format!(
                "{} starts {} registers, no multiple of {multiple}",
                self.first, self.count
            );
            findings.push(Diagnostic::new(self.align, self.part, case));
        } else if self.first.checked_add(self.count as u8 - 1).is_none() {
            let case = format!("{} starts {} registers", self.first, self.count);
            findings.push(Diagnostic::new(Rule::VecRange, self.part, case));
        }
    }

    /// Whether both have a register in common.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let numbers = |vector: &Self| {
            let first = usize::from(vector.first.code());
            first..first + vector.count
        };
        let (one, two) = (numbers(self), numbers(other));
        let is_real = !self.first.is_rz() && !other.first.is_rz();
        is_real && one.start < two.end && two.start < one.end
    }
}
