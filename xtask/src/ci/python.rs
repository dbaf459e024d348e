//! The module of Python builds, its types hold, and its tests pass, in an environment of its own.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Scope;

/// Where the environment is; it has maturin, mypy, numpy and pytest.
const ENVIRONMENT: &str = "target/python";

pub(super) fn check(scope: &Scope) -> Result<()> {
    if !scope.packages().any(|package| package.name == "tgsi-python") {
        return Ok(());
    }
    let environment = scope.root.join(ENVIRONMENT);
    if !environment.join("bin/maturin").is_file() {
        println!(
            "ci: nothing is tested in Python: `python3 -m venv {ENVIRONMENT} && {ENVIRONMENT}/bin/pip install maturin mypy numpy pytest` first"
        );
        return Ok(());
    }
    let run = |program: &str, args: &[&str]| run(&scope.root, &environment, program, args);
    run("maturin", &["develop", "--quiet"])?;
    run("mypy", &["--no-error-summary"])?;
    // What the stub says of the compiled module is what it has.
    run("stubtest", &["tgsi._native"])?;
    run("python", &["-m", "pytest", "--quiet"])
}

fn run(root: &Path, environment: &Path, program: &str, args: &[&str]) -> Result<()> {
    let status = Command::new(environment.join("bin").join(program))
        .args(args)
        .env("VIRTUAL_ENV", environment)
        .current_dir(root)
        .status()
        .with_context(|| format!("{program} cannot be started"))?;
    if !status.success() {
        bail!("`{program} {}` failed", args.join(" "));
    }
    Ok(())
}
