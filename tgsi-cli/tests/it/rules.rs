//! The rules of `tgsi check`: each breaks with its example, and all are in `docs/manual/tgsi-rules.md`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it rules` rewrites the page.

use crate::common;

use std::fmt::Write as _;

use common::{check_golden, root, tgsi, tgsi_with};
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

/// The shader is of 2012 and breaks two rules of today; who allows these hears of no other dialect.
#[test]
fn a_shader_whose_errors_are_allowed_fits_its_dialect() {
    let path = root().join("tgsi-cli/tests/old/kernel_of_one_subroutine.tgsi");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let text = text.replace("# dialect: 2012\n", "");
    let check = &["check", "-", "--deny-warnings"][..];
    let ran = tgsi_with(check, text.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("it is a good shader of dialect `2012`"), "{}", ran.err);
    let allowed = [check, &["--allow", "missing-end", "--allow", "uncalled-subroutine"]].concat();
    let ran = tgsi_with(&allowed, text.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    // What the user alone takes for an error fits no other dialect.
    let denied = ["--allow", "missing-end", "--deny", "uncalled-subroutine"];
    let ran = tgsi_with(&[check, &denied].concat(), text.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(!ran.err.contains("good shader"), "{}", ran.err);
}

/// A program that reads lines of JSON gets them all: what is raised to an error may be the last.
#[test]
fn no_line_for_programs_is_left_out() {
    let temporaries = (0..70).map(|n| format!("DCL TEMP[{n}]\n")).collect::<String>();
    let text = format!("FRAG\nDCL OUT[0], COLOR\n{temporaries}MOV OUT[0], TEMP[69]\nEND\n");
    let args = ["check", "-", "--deny", "read-before-write", "--message-format", "json"];
    let ran = tgsi_with(&args, text.as_bytes());
    assert_eq!(ran.code, 1);
    assert_eq!(ran.err.lines().count(), 70, "{}", ran.err);
    let errors: Vec<_> =
        ran.err.lines().filter(|line| line.contains(r#""severity":"error""#)).collect();
    assert!(matches!(errors[..], [one] if one.contains("read-before-write")), "{}", ran.err);
}
