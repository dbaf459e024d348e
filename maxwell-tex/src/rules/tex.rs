//! Rules about TEX.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Part};
use crate::generated::enums::Sm;
use crate::generated::packing::TEX_EXCLUDED;
use crate::generated::rules::Rule;
use crate::tables::Exclusion;
use crate::tex::{Tex, Texture};

use super::vector::Vector;

pub(super) fn check(tex: &Tex, sm: Sm, findings: &mut Vec<Diagnostic>) {
    check_combination(tex, findings);
    check_generation(tex, sm, findings);
    check_sources(tex, findings);
    check_result(tex, findings);
}

fn check_combination(tex: &Tex, findings: &mut Vec<Diagnostic>) {
    let param = tex.param;
    if param.is_reserved() {
        findings.push(Diagnostic::new(Rule::ParamReserved, Part::ParamA, param.text()));
    }
    if tex.lod.is_reserved() {
        let case = format!("level-of-detail mode {}", tex.lod.code());
        findings.push(Diagnostic::new(Rule::LodReserved, Part::Modifiers, case));
    }
    for Exclusion { rule, modifier, written, params } in &TEX_EXCLUDED {
        if modifier.holds(&tex.modes()) && params.contains(&param) {
            let case = format!("{written} with {}", param.text());
            findings.push(Diagnostic::new(*rule, Part::Modifiers, case));
        }
    }
    if let Texture::Bindless { ignored: 1.. } = tex.texture {
        findings.push(Diagnostic::new(Rule::BIndex, Part::Index, "bits at the place of an index"));
    }
}

fn check_generation(tex: &Tex, sm: Sm, findings: &mut Vec<Diagnostic>) {
    if sm.has_sparse() {
        return;
    }
    if tex.lc {
        findings.push(Diagnostic::new(Rule::Spa52, Part::Modifiers, ".LC"));
    }
    if !tex.ps.is_pt() {
        findings.push(Diagnostic::new(Rule::Spa52, Part::Ps, format!("{} for the status", tex.ps)));
    }
}

fn check_sources(tex: &Tex, findings: &mut Vec<Diagnostic>) {
    let (ra, rb) = (tex.modes().ra_values(), tex.modes().rb_values());
    Vector { part: Part::Ra, first: tex.ra, count: ra.len(), align: Rule::RaAlign }
        .check_source(Rule::RaRz, findings);
    Vector { part: Part::Rb, first: tex.rb, count: rb.len(), align: Rule::RbAlign }
        .check_source(Rule::RbRz, findings);
    if rb.is_empty() && !tex.rb.is_rz() {
        findings.push(Diagnostic::new(Rule::RbUnused, Part::Rb, format!("{}", tex.rb)));
    }
}

fn check_result(tex: &Tex, findings: &mut Vec<Diagnostic>) {
    if tex.wmsk.is_empty() {
        findings.push(Diagnostic::new(Rule::WmskEmpty, Part::Mask, "0x0"));
    }
    let count = tex.wmsk.len().into();
    Vector { part: Part::Rd, first: tex.rd, count, align: Rule::RdAlign }.check_place(findings);
}
