//! Every test passes, doc tests included.

use anyhow::Result;

use super::Scope;
use super::cargo::Cargo;

pub(super) fn check(scope: &Scope) -> Result<()> {
    Cargo::new(scope, &["test"]).args(&scope.cargo_args()).run()
}
