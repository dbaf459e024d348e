//! The API documentation builds without a warning, so that no link in it is dead.

use anyhow::Result;

use super::Scope;
use super::cargo::Cargo;

pub(super) fn check(scope: &Scope) -> Result<()> {
    Cargo::new(scope, &["doc", "--lib", "--no-deps", "--all-features"])
        .args(&scope.cargo_args())
        .var("RUSTDOCFLAGS", "-D warnings")
        .run()
}
