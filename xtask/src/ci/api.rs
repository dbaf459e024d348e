//! The public API of each library is the reviewed one.

use anyhow::Result;

use super::Scope;
use super::metadata::Package;

pub(super) fn check(scope: &Scope) -> Result<()> {
    crate::api::sync(&scope.root, &libraries(scope.packages()), true)
}

/// The names of the published libraries.
pub(super) fn libraries<'a>(packages: impl Iterator<Item = &'a Package>) -> Vec<String> {
    packages.filter(|package| package.is_published_library()).map(|p| p.name.clone()).collect()
}
