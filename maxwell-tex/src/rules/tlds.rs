//! Rules about TLDS.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Part};
use crate::generated::enums::Sm;
use crate::generated::rules::Rule;
use crate::tlds::Tlds;

use super::vector::Vector;

pub(super) fn check(tlds: &Tlds, sm: Sm, findings: &mut Vec<Diagnostic>) {
    if tlds.f16 && !sm.has_f16() {
        findings.push(Diagnostic::new(Rule::Spa52, Part::Modifiers, ".F16"));
    }
    check_sources(tlds, findings);
    check_results(tlds, findings);
}

fn check_sources(tlds: &Tlds, findings: &mut Vec<Diagnostic>) {
    if tlds.form.is_reserved() {
        let case = format!("form {}", tlds.form.code());
        findings.push(Diagnostic::new(Rule::Form, Part::Modifiers, case));
        return;
    }
    let (ra, rb) = (tlds.form.ra_values(), tlds.form.rb_values());
    Vector { part: Part::Ra, first: tlds.ra, count: ra.len(), align: Rule::RaAlign }
        .check_source(Rule::RaRz, findings);
    Vector { part: Part::Rb, first: tlds.rb, count: rb.len(), align: Rule::RbAlign }
        .check_source(Rule::RbRz, findings);
    if rb.is_empty() && !tlds.rb.is_rz() {
        findings.push(Diagnostic::new(Rule::RbMustBeRz, Part::Rb, format!("{}", tlds.rb)));
    }
}

fn check_results(tlds: &Tlds, findings: &mut Vec<Diagnostic>) {
    if !tlds.mask.fits(tlds.rd1) {
        let case = format!("{} with {} in Rd1", tlds.mask.text(), tlds.rd1);
        findings.push(Diagnostic::new(Rule::Rd1Mask, Part::Rd1, case));
        return;
    }
    if tlds.mask.is_reserved() {
        findings.push(Diagnostic::new(Rule::MaskReserved, Part::Mask, tlds.mask.text()));
    }
    let count = |components| tlds.num_registers(components);
    let (count0, count1) = (count(tlds.mask.rd0_components()), count(tlds.mask.rd1_components()));
    let rd0 = Vector { part: Part::Rd, first: tlds.rd0, count: count0, align: Rule::Rd0Align };
    let rd1 = Vector { part: Part::Rd1, first: tlds.rd1, count: count1, align: Rule::Rd1Align };
    rd0.check_place(findings);
    rd1.check_place(findings);
    if rd0.overlaps(&rd1) {
        let case = format!("{} and {}", tlds.rd0, tlds.rd1);
        findings.push(Diagnostic::new(Rule::RdOverlap, Part::Rd1, case));
    }
}
