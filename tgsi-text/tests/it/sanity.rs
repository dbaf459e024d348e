//! Compares the validator with Mesa's sanity checker, and judges every shader of the corpus.

use std::collections::BTreeMap;

use test_support::{files, read, shared, shared_text};
use tgsi_ir::validate::{Diagnostic, Profile, Severity, is_valid, validate};
use tgsi_text::parse;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    text: String,
    accepted: bool,
    errors: Vec<String>,
    warnings: Vec<String>,
}

fn messages(findings: &[Diagnostic], severity: Severity) -> Vec<String> {
    findings
        .iter()
        .filter(|finding| finding.severity() == severity)
        .map(|finding| finding.message.clone())
        .collect()
}

#[test]
fn the_mesa_profile_finds_what_mesa_finds() {
    let Some(text) = shared_text("vectors/tgsi-sanity.jsonl") else { return };
    let mut count = 0;
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let parsed = parse(&case.text);
        assert_eq!(parsed.diagnostics, [], "{}", case.name);
        let findings = validate(&parsed.shader, Profile::Mesa);
        let mut warnings = messages(&findings, Severity::Warning);
        warnings.sort();
        assert_eq!(messages(&findings, Severity::Error), case.errors, "{}", case.name);
        assert_eq!(warnings, case.warnings, "{}", case.name);
        assert_eq!(is_valid(&findings), case.accepted, "{}", case.name);
        count += 1;
    }
    println!("{count} cases agree with Mesa");
    assert_eq!(count, 34);
}

#[test]
fn real_shaders_have_no_errors() {
    let Some(folder) = shared("corpus/tgsi") else { return };
    let mut warnings = BTreeMap::new();
    let mut count = 0;
    for path in files(&folder, "tgsi") {
        let shader = parse(&read(&path)).shader;
        for profile in [Profile::Mesa, Profile::Full] {
            for finding in validate(&shader, profile) {
                assert_ne!(finding.severity(), Severity::Error, "{}: {finding}", path.display());
                if profile == Profile::Full {
                    *warnings.entry(finding.code.name()).or_insert(0) += 1;
                }
            }
        }
        count += 1;
    }
    println!("{count} shaders without an error; warnings: {warnings:?}");
    assert_eq!(count, 437);
}
