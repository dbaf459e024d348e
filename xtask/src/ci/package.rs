//! Every crate that is meant for others packs: complete metadata, and files of its own only.

use anyhow::Result;

use super::Scope;
use super::cargo::Cargo;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let mut args = Vec::new();
    for package in scope.packages().filter(|package| package.is_published()) {
        args.extend(["-p", package.name.as_str()]);
    }
    if args.is_empty() {
        return Ok(());
    }
    // Building what was packed is what `alone` does; here it is the packing that counts.
    let pack = ["package", "--quiet", "--no-verify", "--allow-dirty"];
    Cargo::new(scope, &pack).args(&args).run()
}
