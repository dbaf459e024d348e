//! Every rule, broken alone: exactly that rule is found, and its diagnostic names section and remedy.

use std::collections::BTreeSet;

use maxwell_tex::asm::{AsmErrorKind, parse};
use maxwell_tex::pack::{Access, Data, LodArg, PackError, Request, pack};
use maxwell_tex::{Offsets, ParamA, Rule, Severity, Sm, TexIndex};

/// A text for SM 5.2 that breaks one rule, and where the finding points.
const BREACHES: &[(&str, Rule, &str)] = &[
    ("TEX R0, R4, 0x0, ARRAY_3D, 0xf;", Rule::ParamReserved, "ARRAY_3D"),
    ("TEX.INVALIDBLOD4 R0, R4, 0x0, 2D, 0xf;", Rule::LodReserved, "TEX.INVALIDBLOD4"),
    ("TEX.INVALIDBLOD5 R0, R4, 0x0, 2D, 0xf;", Rule::LodReserved, "TEX.INVALIDBLOD5"),
    ("TEX.AOFFI R0, R4, R8, 0x0, CUBE, 0xf;", Rule::AoffiCube, "TEX.AOFFI"),
    ("TEX.AOFFI R0, R4, R8, 0x0, ARRAY_CUBE, 0xf;", Rule::AoffiCube, "TEX.AOFFI"),
    ("TEX.DC R0, R4, R8, 0x0, 3D, 0x1;", Rule::Dc3d, "TEX.DC"),
    ("TEX R0, RZ, 0x0, 1D, 0xf;", Rule::RaRz, "RZ"),
    ("TLDS.LZ RZ, R0, RZ, 0x0, 1D, R;", Rule::RaRz, "RZ"),
    ("TEX.LB R0, R4, 0x0, 2D, 0xf;", Rule::RbRz, "TEX.LB R0, R4, 0x0, 2D, 0xf;"),
    ("TEX.B R0, R4, RZ, 0x0, 2D, 0xf;", Rule::RbRz, "RZ"),
    ("TLDS.LL RZ, R0, R1, 0x0, 1D, R;", Rule::RbRz, "TLDS.LL RZ, R0, R1, 0x0, 1D, R;"),
    ("TEX R0, R4, R8, 0x0, 2D, 0xf;", Rule::RbUnused, "R8"),
    ("TLDS.LZ RZ, R0, R1, R2, 0x0, 1D, R;", Rule::RbMustBeRz, "R2"),
    ("TEX R0, R5, 0x0, 2D, 0xf;", Rule::RaAlign, "R5"),
    ("TEX R0, R6, 0x0, 3D, 0xf;", Rule::RaAlign, "R6"),
    ("TEX.LC R0, R6, 0x0, 2D, 0xf;", Rule::RaAlign, "R6"),
    ("TLDS.LL RZ, R0, R1, R2, 0x0, 2D, R;", Rule::RaAlign, "R1"),
    ("TEX.LB.DC R0, R4, R9, 0x0, 2D, 0x1;", Rule::RbAlign, "R9"),
    ("TEX.B.LB.DC R0, R4, R10, 0x0, 2D, 0x1;", Rule::RbAlign, "R10"),
    ("TLDS.LZ RZ, R0, R1, R3, 0x0, ARRAY_2D, R;", Rule::RbAlign, "R3"),
    ("TEX R1, R4, 0x0, 2D, 0x3;", Rule::RdAlign, "R1"),
    ("TEX R2, R4, 0x0, 2D, 0x7;", Rule::RdAlign, "R2"),
    ("TLDS.LZ RZ, R1, R4, R5, 0x0, 2D, RG;", Rule::Rd0Align, "R1"),
    ("TLDS.LZ R9, R2, R4, R5, 0x0, 2D, RGBA;", Rule::Rd1Align, "R9"),
    ("TEX R252, R4, 0x0, 2D, 0xf;", Rule::VecRange, "R252"),
    ("TEX R0, R254, 0x0, 2D, 0xf;", Rule::VecRange, "R254"),
    ("TLDS.LZ RZ, R254, R4, R5, 0x0, 2D, RG;", Rule::VecRange, "R254"),
    ("TEX R0, R4, 0x0, 2D, 0x0;", Rule::WmskEmpty, "0x0"),
    ("TEX.B R0, R4, R8, 0x5, 2D, 0xf;", Rule::BIndex, "0x5"),
    ("TEX R0, R4, 0x2000, 2D, 0xf;", Rule::IndexRange, "0x2000"),
    ("TEX R0, R4, 256, 0, 2D, 0xf;", Rule::IndexRange, "256"),
    ("TEX R0, R4, 0, 32, 2D, 0xf;", Rule::IndexRange, "0"),
    ("TEX.INVALIDPHASE3 R0, R4, 0x0, 2D, 0xf;", Rule::PhaseReserved, "TEX.INVALIDPHASE3"),
    ("TEX R0, R4, 0x0, 2D, 0xf &wr6;", Rule::Barrier, "&wr6"),
    ("TEX R0, R4, 0x0, 2D, 0xf &rd6 ?stall1;", Rule::Barrier, "&rd6 ?stall1"),
    ("TLDS RZ, R0, R1, R2, 0x0, 2D, R;", Rule::LodNeeded, "TLDS"),
    ("TLDS.LB RZ, R0, R2, R4, 0x0, 2D, R;", Rule::LodNeeded, "TLDS.LB"),
    ("TLDS.LL.MS RZ, R0, R2, R4, 0x0, 2D, R;", Rule::Ms, "TLDS.LL.MS"),
    ("TLDS.LZ.MS RZ, R0, R2, R4, 0x0, ARRAY_2D, R;", Rule::Ms, "TLDS.LZ.MS"),
    ("TLDS.LZ.AOFFI.MS RZ, R0, R2, R4, 0x0, 2D, R;", Rule::Ms, "TLDS.LZ.AOFFI.MS"),
    ("TLDS.LZ RZ, R0, R2, R4, 0x0, CUBE, R;", Rule::Form, "TLDS.LZ"),
    ("TLDS.LL RZ, R0, R2, R4, 0x0, 3D, R;", Rule::Form, "TLDS.LL"),
    (".quad 0xda60005ff0470200;", Rule::Form, ".quad"),
    ("TLDS.LZ RZ, R0, R2, R4, 0x0, 2D;", Rule::MaskDefault, ""),
    ("TLDS.LZ RZ, R0, R2, R4, 0x0, 2D, RGBA;", Rule::Rd1Mask, "RGBA"),
    ("TLDS.LZ R6, R0, R2, R4, 0x0, 2D, RG;", Rule::Rd1Mask, "RG"),
    ("TLDS.LZ R6, R0, R2, R4, 0x0, 2D, INVALID6;", Rule::MaskReserved, "INVALID6"),
    ("TLDS.LZ R1, R0, R2, R4, 0x0, 2D, RGB;", Rule::RdOverlap, "R1"),
    ("TLDS.F16.LZ R0, R0, R2, R4, 0x0, 2D, RGB;", Rule::RdOverlap, "R0"),
];

/// The rules that a text breaks, and where.
fn broken(text: &str, sm: Sm) -> Vec<(Rule, String)> {
    let assembly = parse(text);
    let mut found = Vec::new();
    for error in &assembly.errors {
        if let AsmErrorKind::Rule(finding) = &error.kind {
            assert_eq!(error.help(), Some(finding.rule.remedy()));
            found.push((finding.rule, text[error.span.clone()].to_owned()));
        }
    }
    for (span, finding) in assembly.check(sm) {
        found.push((finding.rule, text[span].to_owned()));
    }
    found
}

#[test]
fn each_rule_is_found_alone_and_at_its_place() {
    let mut seen = BTreeSet::from([Rule::Spa52, Rule::PairLast, Rule::F16Int, Rule::OffsetRange]);
    for &(text, rule, place) in BREACHES {
        assert_eq!(broken(text, Sm::Sm52), [(rule, place.to_owned())], "{text}");
        seen.insert(rule);
    }
    let all: BTreeSet<_> = Rule::ALL.into_iter().collect();
    assert_eq!(seen, all, "not every rule has a test that breaks it");
}

#[test]
fn older_processors_lack_later_features() {
    for text in [
        "TEX.LC R0, R4, 0x0, 1D, 0xf;",
        "TEX P1, R0, R4, 0x0, 2D, 0xf;",
        "TLDS.F16.LZ RZ, R0, R4, R5, 0x0, 2D, R;",
    ] {
        assert_eq!(broken(text, Sm::Sm53), [], "{text}");
        let rules: Vec<_> = broken(text, Sm::Sm50).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, [Rule::Spa52], "{text}");
    }
}

#[test]
fn the_last_of_a_bundle_pairs_with_nothing() {
    let one = "TEX R0, R4, 0x0, 2D, 0xf ?yield;\n";
    assert_eq!(broken(&one.repeat(2), Sm::Sm52), []);
    let rules: Vec<_> =
        broken(&one.repeat(3), Sm::Sm52).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, [Rule::PairLast]);
}

#[test]
fn packing_reports_what_words_do_not_show() {
    let mut request = Request::new(ParamA::D2, TexIndex::default(), vec!["x", "y"]);
    request.access = Access::Load;
    request.lod = LodArg::Zero;
    request.data = Data::HalfOfInteger;
    let Err(PackError::Rules(findings)) = pack(&request, Sm::Sm52) else {
        panic!("no rule is broken")
    };
    assert_eq!(findings.iter().map(|finding| finding.rule).collect::<Vec<_>>(), [Rule::F16Int]);
    assert_eq!(Offsets::new(8, 0, 0).map_err(|finding| finding.rule), Err(Rule::OffsetRange));
}

#[test]
fn diagnostics_name_case_rule_section_and_remedy() {
    let assembly = parse("TEX R0, R5, 0x0, 2D, 0xf;");
    let [(_, finding)] = &assembly.check(Sm::Sm50)[..] else {
        panic!("there is not exactly one finding")
    };
    assert_eq!(
        finding.to_string(),
        "R5 starts 2 registers, no multiple of 2: Ra must be a multiple of the size of its vector \
         (TEX and TLDS, register rule 2)"
    );
    assert_eq!(
        finding.rule.remedy(),
        "start the vector at a multiple of 2 for two values, of 4 for three or four"
    );
    assert_eq!((finding.rule.text(), finding.rule.severity()), ("ra-align", Severity::Error));
}

#[test]
fn warnings_are_what_the_documents_only_advise_against() {
    let warnings: Vec<_> =
        Rule::ALL.into_iter().filter(|rule| rule.severity() == Severity::Warning).collect();
    assert_eq!(warnings, [Rule::RbUnused, Rule::WmskEmpty, Rule::BIndex, Rule::Barrier]);
}
