//! Runs the built program.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) use test_support::{check_golden, root};

/// What a run left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// Runs `tgsi` with `args` in the root of the workspace, `input` on standard input.
pub(crate) fn tgsi_with(args: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tgsi"))
        .args(args)
        .current_dir(root())
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that stops before it has read everything is fine.
    let _ = child.stdin.take().expect("stdin is piped").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    Ran {
        code: output.status.code().expect("no signal ended the program"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs `tgsi` with nothing on standard input.
pub(crate) fn tgsi(args: &[&str]) -> Ran {
    tgsi_with(args, b"")
}

/// Every file in `folder` (from the root) whose name ends in `suffix`, sorted.
pub(crate) fn files(folder: &str, suffix: &str) -> Vec<PathBuf> {
    let entries = root().join(folder).read_dir().expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<_> = paths.filter(|path| path.to_string_lossy().ends_with(suffix)).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no {suffix} in {folder}");
    paths
}
