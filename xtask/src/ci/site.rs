//! The libraries build for WebAssembly, the module compiles a shader in node, and the static page passes its tests.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::Scope;
use super::cargo::Cargo;
use crate::site;

/// Compiles a shader with the module named by its argument.
const SCRIPT: &str = include_str!("compile.mjs");

pub(super) fn check(scope: &Scope) -> Result<()> {
    if !site::has_target() {
        println!(
            "ci: nothing is built for WebAssembly: `rustup target add wasm32-unknown-unknown` first"
        );
        return Ok(());
    }
    let folder = site::build()?;
    compile_in_node(&folder)?;
    let folder = folder.to_string_lossy();
    // Uses the features of the whole workspace, so that the tests' build is reused.
    let test = ["test", "--quiet", "--workspace", "--test", "browser"];
    Cargo::new(scope, &test).var("SITE", &folder).run()
}

/// Prints a note if there is no node.
fn compile_in_node(folder: &Path) -> Result<()> {
    let has_node = Command::new("node")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_node {
        println!("ci: nothing is compiled in node, as there is none here");
        return Ok(());
    }
    let status = Command::new("node")
        .args(["--input-type=module", "--eval", SCRIPT, "--"])
        .args([folder, &site::module(&crate::workspace::root())])
        .status()
        .context("node cannot be started")?;
    if !status.success() {
        bail!("the module does not compile in node what it should");
    }
    Ok(())
}
