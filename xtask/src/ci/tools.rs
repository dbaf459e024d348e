//! External tools, which do these checks better than we could. Each runs if it is installed.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Scope;

/// An external program.
struct Tool {
    /// Its name, which is also that of its package.
    program: &'static str,
    /// Its arguments. For cargo subcommands, the name of the command comes first.
    args: &'static [&'static str],
    /// Whether it compares with the last release.
    compares: bool,
}

const TOOLS: &[Tool] = &[
    // Unused dependencies.
    Tool { program: "cargo-machete", args: &["machete"], compares: false },
    // Licences, sources, duplicate crates. Advisories change while the code does not, so the server checks them.
    Tool {
        program: "cargo-deny",
        args: &["deny", "check", "bans", "licenses", "sources"],
        compares: false,
    },
    // Each feature by itself. The check `alone` builds none and all of them.
    Tool {
        program: "cargo-hack",
        args: &[
            "hack",
            "check",
            "--quiet",
            "--workspace",
            "--each-feature",
            "--exclude-no-default-features",
            "--exclude-all-features",
        ],
        compares: false,
    },
    // Breaking changes of the libraries.
    Tool {
        program: "cargo-semver-checks",
        args: &["semver-checks", "--workspace", "--baseline-rev"],
        compares: true,
    },
    // Headings that links name. The check `links` covers the files.
    Tool {
        program: "lychee",
        args: &[
            "--offline",
            "--no-progress",
            "--include-fragments",
            "--exclude-path",
            "target",
            "./**/*.md",
        ],
        compares: false,
    },
];

/// Result of running a tool.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Good,
    Bad,
    NotInstalled,
    NothingToCompare,
}

pub(super) fn check(scope: &Scope) -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut failed = Vec::new();
    for tool in TOOLS {
        let program = tool.program;
        match tool.run(&path, &scope.root)? {
            Outcome::Good => println!("ci: {program} finds nothing"),
            Outcome::Bad => failed.push(program),
            Outcome::NotInstalled => {
                println!("ci: {program} is not installed: `cargo install --locked {program}`");
            }
            Outcome::NothingToCompare => println!("ci: {program} has no release to compare with"),
        }
    }
    if !failed.is_empty() {
        bail!("{} found something", failed.join(", "));
    }
    Ok(())
}

impl Tool {
    /// Runs it in `root` if one of the folders of `path` has it.
    fn run(&self, path: &OsStr, root: &Path) -> Result<Outcome> {
        let Some(program) = find(self.program, path) else { return Ok(Outcome::NotInstalled) };
        let mut command = Command::new(&program);
        command.args(self.args).current_dir(root);
        if self.compares {
            let Some(release) = last_release(root) else { return Ok(Outcome::NothingToCompare) };
            command.arg(release);
        }
        let status = command.status();
        let status = status.with_context(|| format!("{} cannot be started", program.display()))?;
        Ok(if status.success() { Outcome::Good } else { Outcome::Bad })
    }
}

/// The program with this name in the first folder of `path` that has one.
fn find(program: &str, path: &OsStr) -> Option<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// The tag of the last release before the current commit.
fn last_release(root: &Path) -> Option<String> {
    let args = ["describe", "--tags", "--abbrev=0", "--match", "v*"];
    let output = Command::new("git").args(args).current_dir(root).output().ok()?;
    let tag = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| tag.trim().to_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A folder with a program that exits as `script` says.
    fn folder_with(program: &str, script: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(program);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn outcome(script: &str, compares: bool) -> Outcome {
        let folder = folder_with("cargo-some-tool", script);
        let tool = Tool { program: "cargo-some-tool", args: &["some-tool", "all"], compares };
        tool.run(folder.path().as_os_str(), folder.path()).unwrap()
    }

    #[test]
    fn a_tool_is_good_or_bad_as_it_ends() {
        assert_eq!(outcome("test \"$*\" = 'some-tool all'", false), Outcome::Good);
        assert_eq!(outcome("exit 3", false), Outcome::Bad);
    }

    #[test]
    fn nothing_is_compared_where_there_is_no_release() {
        assert_eq!(outcome("exit 3", true), Outcome::NothingToCompare);
    }

    #[test]
    fn a_missing_tool_is_distinguished_from_a_failing_one() {
        let folder = folder_with("cargo-some-tool", "exit 3");
        let tool = Tool { program: "cargo-other", args: &[], compares: false };
        let outcome = tool.run(folder.path().as_os_str(), folder.path()).unwrap();
        assert_eq!(outcome, Outcome::NotInstalled);
    }
}
