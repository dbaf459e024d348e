//! Running cargo as a check.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Scope;

/// A cargo command line with the variables it needs.
pub(super) struct Cargo<'a> {
    scope: &'a Scope,
    args: Vec<&'a str>,
    vars: Vec<(&'a str, &'a str)>,
    /// A rustup toolchain that replaces the current one.
    toolchain: Option<&'a str>,
}

impl<'a> Cargo<'a> {
    /// `cargo <args>` in the root of the workspace.
    pub(super) fn new(scope: &'a Scope, args: &[&'a str]) -> Self {
        Self { scope, args: args.to_vec(), vars: Vec::new(), toolchain: None }
    }

    /// More arguments.
    pub(super) fn args(mut self, args: &[&'a str]) -> Self {
        self.args.extend(args);
        self
    }

    /// An environment variable.
    pub(super) fn var(mut self, name: &'a str, value: &'a str) -> Self {
        self.vars.push((name, value));
        self
    }

    /// Uses another rustup toolchain.
    pub(super) fn with_toolchain(mut self, version: &'a str) -> Self {
        self.toolchain = Some(version);
        self
    }

    /// Runs it with its output passed through. Fails if it fails.
    pub(super) fn run(self) -> Result<()> {
        let mut command = match self.toolchain {
            Some(version) => {
                let mut command = Command::new("rustup");
                // The compiler of the current run must not override the requested one.
                command.args(["run", version, "cargo"]).env_remove("RUSTC").env_remove("CARGO");
                command
            }
            None => Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
        };
        let status = command
            .args(&self.args)
            .envs(self.vars)
            .current_dir(&self.scope.root)
            .status()
            .context("cargo cannot be started")?;
        if !status.success() {
            bail!("`cargo {}` failed", self.args.join(" "));
        }
        Ok(())
    }
}
