//! The crates of the workspace, as cargo sees them.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A crate of the workspace.
#[derive(Default, Deserialize)]
pub(super) struct Package {
    /// Its name.
    pub(super) name: String,
    /// The path of its manifest.
    manifest_path: PathBuf,
    /// Its dependencies of all kinds.
    pub(super) dependencies: Vec<Dependency>,
    /// Its features.
    pub(super) features: BTreeMap<String, Vec<String>>,
    /// Its targets.
    targets: Vec<Target>,
    /// The oldest compiler that builds it.
    pub(super) rust_version: Option<String>,
    /// Registries that it may be published to; `None` for any, empty for none.
    publish: Option<Vec<String>>,
}

/// A target of a crate.
#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

impl Package {
    /// Its folder.
    pub(super) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// Whether others may use it as a library.
    pub(super) fn is_published_library(&self) -> bool {
        let is_library = self.targets.iter().any(|target| target.kind.iter().any(|k| k == "lib"));
        is_library && self.is_published()
    }

    /// Whether it may be published.
    pub(super) fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }
}

/// One dependency of a crate.
#[derive(Deserialize)]
pub(super) struct Dependency {
    /// The crate depended on.
    pub(super) name: String,
    /// `None` for a normal dependency, else `dev` or `build`.
    pub(super) kind: Option<String>,
    /// The folder of a dependency inside the workspace.
    pub(super) path: Option<String>,
}

/// Every crate of the workspace under `root`, by name.
pub(super) fn packages(root: &Path) -> Result<Vec<Package>> {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cargo cannot be started")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let mut metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    metadata.packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(metadata.packages)
}
