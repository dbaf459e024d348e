//! Manual pages.

use crate::common;

use common::tgsi;

/// The line of `--help` that says how to call it.
fn usage(args: &[&str]) -> String {
    let help = tgsi(args).out;
    let line = help.lines().find_map(|line| line.strip_prefix("Usage: "));
    line.expect("help has a usage line").to_owned()
}

#[test]
fn the_synopsis_is_the_usage() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().to_str().expect("the path is UTF-8");
    assert_eq!(tgsi(&["man", path]).err, "");
    for command in ["", "asm", "compile", "link", "man", "sim"] {
        let words: Vec<_> =
            [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let name = ["tgsi", command].join("-");
        let page = folder.path().join(format!("{}.1", name.trim_end_matches('-')));
        let page = std::fs::read_to_string(page).expect("there is a page for each command");
        let (_, rest) = page.split_once(".SH SYNOPSIS\n").expect("the page has a synopsis");
        let (synopsis, _) = rest.split_once(".SH DESCRIPTION").expect("a description follows");
        let synopsis = synopsis.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-");
        assert_eq!(synopsis.trim(), usage(&words), "{name}");
    }
}
