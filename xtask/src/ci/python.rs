//! The Python module builds, its types check, and its tests pass, in a separate environment.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Scope;

/// The environment's folder. It has maturin, mypy, numpy and pytest.
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
    // The stub matches the compiled module.
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
