//! No lint of the workspace finds anything, in products, tests and examples.

use anyhow::Result;

use super::Scope;
use super::cargo::Cargo;

pub(super) fn check(scope: &Scope) -> Result<()> {
    Cargo::new(scope, &["clippy", "--all-targets", "--all-features"])
        .args(&scope.cargo_args())
        .args(&["--", "-D", "warnings"])
        .run()
}
