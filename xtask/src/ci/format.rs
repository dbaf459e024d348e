//! The source is formatted as `rustfmt.toml` says.

use anyhow::Result;

use super::Scope;
use super::cargo::Cargo;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let mut cargo = Cargo::new(scope, &["fmt", "--check"]);
    if scope.chosen.is_empty() {
        cargo = cargo.args(&["--all"]);
    } else {
        cargo = cargo.args(&scope.cargo_args());
    }
    cargo.run()
}
