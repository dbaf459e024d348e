//! Runs the built program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies in a folder").to_owned()
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

/// Compares `actual` with the golden file at `path`, or rewrites it on request.
pub(crate) fn check_golden(path: &Path, actual: &str) -> Result<(), String> {
    let want = std::fs::read_to_string(path).unwrap_or_default();
    if want == actual {
        return Ok(());
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() && std::env::var_os("CI").is_none() {
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .and_then(|()| std::fs::write(path, actual))
            .map_err(|error| error.to_string())?;
        return Ok(());
    }
    let first = want.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    Err(format!(
        "{} differs from line {} on:\n- {}\n+ {}\nUPDATE_GOLDEN=1 rewrites it",
        path.display(),
        first + 1,
        want.lines().nth(first).unwrap_or("<end>"),
        actual.lines().nth(first).unwrap_or("<end>"),
    ))
}
