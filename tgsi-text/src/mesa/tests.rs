//! Texts that Mesa accepts or rejects for subtle reasons.

use super::{judge, mesa_position};

fn check(text: &str, errors: &[&str]) {
    let verdict = judge(text);
    let got: Vec<&str> = verdict.errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(got, errors, "{text}");
    assert_eq!(verdict.is_accepted, errors.is_empty(), "{text}");
}

#[test]
fn numbers_end_where_the_c_library_ends_them() {
    let double = |value: &str| format!("VERT\nIMM FLT64 {{{value}, 0}}");
    for good in ["1", "-.5e3", "0x1.8p3", "inf", "-INFINITY", "nan", "nan(1f)", "5."] {
        check(&double(good), &[]);
    }
    for (bad, message) in [
        ("nan(", "Expected `,'"),
        ("1e", "Expected `,'"),
        ("0x", "Expected `,'"),
        (".", "Expected immediate constant"),
        ("--1", "Expected immediate constant"),
    ] {
        check(&double(bad), &[message, "Syntax error"]);
    }
    check("VERT\nIMM INT64 {-0x10, 017}", &[]);
    check("VERT\nIMM INT64 {08, 0}", &["Expected `,'", "Syntax error"]);
}

#[test]
fn what_the_end_cuts_short_is_accepted() {
    for text in ["VERT\nIMM FLT32 {1, 2, 3", "VERT\nIMM FLT32 {1, 2, 3 ", "VERT\nIMM FLT32 {1,"] {
        let verdict = judge(text);
        assert!(verdict.is_accepted && verdict.errors.len() == 1, "{text}: {verdict:?}");
    }
    check("VERT\nMOV TEMP[0]", &["Expected `,'"]);
    check("VERT\nMOV", &["Unknown register file"]);
}

#[test]
fn what_would_crash_is_refused() {
    let attribute = "Expected semantic, interpolate attribute, or invariant ";
    check("FRAG\nDCL IN[0], LINEAR", &[attribute]);
    check("FRAG\nDCL SVIEW[0], 2D, FOO", &["Expected type name"]);
    check("FRAG\nDCL TEMP[0], LOCAL, COLOR, LINEAR", &[]);
}

#[test]
fn a_text_ends_with_a_null() {
    check("VERT\nEND\n\0 rubbish", &[]);
}

#[test]
fn columns_count_the_end_of_the_line_before() {
    assert_eq!(mesa_position("ab\ncd", 1), (1, 2));
    assert_eq!(mesa_position("ab\ncd", 3), (2, 2));
    assert_eq!(mesa_position("ab\ncd", 99), (2, 4));
}
