//! The rules of `tgsi check`: each breaks with its example, and all are in `docs/manual/tgsi-rules.md`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it rules` rewrites the page.

use crate::common;

use std::fmt::Write as _;

use common::{check_golden, root, tgsi};
use tgsi_ir::validate::{Code, Severity};

#[test]
fn the_page_of_the_rules_explains_each_as_the_program_does() {
    let mut page = "\
# The rules of the validator
`tgsi check` asks these of a shader; `tgsi check --explain RULE` prints what stands here. Warnings are marked as such.
This page is made by a test of `tgsi-cli`.
"
    .to_owned();
    for &code in Code::ALL {
        let ran = tgsi(&["check", "--explain", code.number()]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{code}");
        let (_, body) = ran.out.split_once('\n').expect("there is a line that names the rule");
        let mark = if code.severity() == Severity::Warning { " (warning)" } else { "" };
        let _ = write!(page, "\n## {code} {}{mark}\n{}", code.name(), in_markdown(body));
    }
    check_golden(&root().join("docs/manual/tgsi-rules.md"), &page).expect("the page is up to date");
}

/// An explanation with its shader and its diagnostics in blocks.
fn in_markdown(explanation: &str) -> String {
    let mut parts = explanation.trim_end().split("\n\n");
    let rule = parts.next().unwrap_or_default();
    let Some(lead) = parts.next() else { return format!("{rule}\n") };
    let rest: Vec<&str> = parts.collect();
    match rest.is_empty() {
        true => format!("{rule}\n\n{lead}\n"),
        false => format!("{rule}\n\n```text\n{}\n```\n", rest.join("\n\n")),
    }
}

#[test]
fn every_example_breaks_its_rule_at_a_place_and_with_a_remedy() {
    let mut examples = 0;
    for &code in Code::ALL {
        let Some(text) = code.example() else { continue };
        let said = tgsi(&["check", "--explain", code.name()]).out;
        let place = format!("{}[{}]: ", code.severity(), code.name());
        let start = said.find(&place).unwrap_or_else(|| panic!("{code} is not broken: {said}"));
        let finding = said[start..].split("\n\n").next().unwrap_or_default();
        assert!(finding.contains("┌─ shader.tgsi:"), "{code} has no place: {finding}");
        assert!(finding.contains("= help: "), "{code} has no remedy: {finding}");
        assert!(said.contains(text), "{code} does not show its shader");
        examples += 1;
    }
    assert!(examples >= 50, "{examples} examples");
    println!("{examples} rules of {} with an example", Code::ALL.len());
}

#[test]
fn rules_that_do_not_exist_are_refused() {
    let ran = tgsi(&["check", "--explain", "no-such-rule"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the validator has no such rule"), "{}", ran.err);
}
