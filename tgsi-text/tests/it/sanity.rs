//! Compares the validator with Mesa's sanity checker, and judges every shader of the corpus.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use tgsi_ir::validate::{Diagnostic, Profile, Severity, is_valid, validate};
use tgsi_text::parse;

/// A file or folder of `../shared` beside the workspace; `None` where it is not.
fn shared(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent()?.parent()?.join("shared");
    Some(root.join(path)).filter(|path| path.exists())
}

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
    let Some(path) = shared("vectors/tgsi-sanity.jsonl") else {
        println!("not present: ../shared/vectors/tgsi-sanity.jsonl, no case checked");
        return;
    };
    let text = fs::read_to_string(path).unwrap();
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
    let Some(folder) = shared("corpus/tgsi") else {
        println!("not present: ../shared/corpus/tgsi, no shader checked");
        return;
    };
    let mut warnings = BTreeMap::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let shader = parse(&fs::read_to_string(&path).unwrap()).shader;
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
