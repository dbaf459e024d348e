//! Every published crate packs: complete metadata, licences, and only its own files.

use anyhow::{Result, ensure};

use super::Scope;
use super::cargo::Cargo;
use crate::dist::Manifests;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let faults = Manifests::read(&scope.root)?.faults();
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    let mut args = Vec::new();
    for package in scope.packages().filter(|package| package.is_published()) {
        args.extend(["-p", package.name.as_str()]);
    }
    if args.is_empty() {
        return Ok(());
    }
    // The check `alone` builds the crates; this one only packs them.
    let pack = ["package", "--quiet", "--no-verify", "--allow-dirty"];
    Cargo::new(scope, &pack).args(&args).run()
}
