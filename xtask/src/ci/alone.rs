//! Each crate builds by itself: with the features that it asks for, not with what the rest of the
//! workspace happens to switch on.

use anyhow::{Context, Result};

use super::Scope;
use super::cargo::Cargo;
use super::metadata::Package;

pub(super) fn check(scope: &Scope) -> Result<()> {
    for package in scope.packages() {
        for flags in feature_sets(package) {
            Cargo::new(scope, &["check", "--quiet", "-p", &package.name])
                .args(flags)
                .run()
                .with_context(|| format!("`{}` does not stand alone", package.name))?;
        }
        Cargo::new(scope, &["check", "--quiet", "--tests", "-p", &package.name])
            .run()
            .with_context(|| format!("the tests of `{}` do not stand alone", package.name))?;
    }
    Ok(())
}

/// The feature sets worth a build: the default one, and the extremes where there are features.
fn feature_sets(package: &Package) -> &'static [&'static [&'static str]] {
    if package.features.is_empty() {
        &[&[]]
    } else {
        &[&[], &["--no-default-features"], &["--all-features"]]
    }
}
