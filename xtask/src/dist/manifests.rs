//! Metadata in the manifests of published crates.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

/// Prefix of a placeholder address: the host of examples.
const PLACEHOLDER: &str = "https://example.";

/// Files that every crate archive must contain.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The manifests of the workspace.
#[derive(Deserialize)]
pub(crate) struct Manifests {
    packages: Vec<Manifest>,
    #[serde(skip)]
    pub(super) version: String,
}

/// The metadata of one crate.
#[derive(Default, Deserialize)]
struct Manifest {
    name: String,
    version: String,
    description: Option<String>,
    repository: Option<String>,
    license: Option<String>,
    keywords: Vec<String>,
    categories: Vec<String>,
    manifest_path: String,
    publish: Option<Vec<String>>,
}

impl Manifests {
    /// The manifests of the workspace at `root`.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let metadata = ["metadata", "--no-deps", "--format-version", "1"];
        let printed = super::output(Command::new("cargo").args(metadata).current_dir(root))?;
        let mut manifests: Self = serde_json::from_slice(&printed)?;
        let program = manifests.packages.iter().find(|manifest| manifest.name == "tgsi-cli");
        manifests.version = program.context("there is no tgsi-cli")?.version.clone();
        Ok(manifests)
    }

    /// A line for each missing piece of metadata of a published crate.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.published().flat_map(Manifest::faults).collect()
    }

    /// The message if a repository address is a placeholder.
    pub(super) fn placeholder(&self) -> Option<String> {
        let placeholder = |manifest: &Manifest| {
            let repository = manifest.repository.as_deref().unwrap_or_default();
            let is_placeholder = repository.starts_with(PLACEHOLDER);
            is_placeholder.then(|| format!("`repository` is the placeholder {repository}: name the real one in the root's Cargo.toml, or make an archive for yourself with --local"))
        };
        self.published().find_map(placeholder)
    }

    fn published(&self) -> impl Iterator<Item = &Manifest> {
        let goes_out =
            |publish: &Option<Vec<String>>| publish.as_ref().is_none_or(|to| !to.is_empty());
        self.packages.iter().filter(move |manifest| goes_out(&manifest.publish))
    }
}

impl Manifest {
    fn faults(&self) -> Vec<String> {
        let is_given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        let folder = Path::new(&self.manifest_path).with_file_name("");
        let said = [
            ("description", is_given(&self.description)),
            ("repository", is_given(&self.repository)),
            ("license", is_given(&self.license)),
            ("keywords", (1..=5).contains(&self.keywords.len())),
            ("categories", (1..=5).contains(&self.categories.len())),
        ];
        let files = LICENCES.map(|file| (file, folder.join(file).is_file()));
        let lacking = said.into_iter().chain(files).filter(|(_, is_there)| !is_there);
        lacking.map(|(what, _)| format!("`{}` lacks {what}", self.name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Manifest, Manifests};

    fn manifests(repository: &str) -> Manifests {
        let manifest = Manifest {
            name: "tgsi".to_owned(),
            repository: Some(repository.to_owned()),
            keywords: vec!["shader".to_owned()],
            ..Manifest::default()
        };
        Manifests { packages: vec![manifest], version: String::new() }
    }

    #[test]
    fn what_is_lacking_is_named() {
        let lacking = ["description", "license", "categories", "LICENSE-APACHE", "LICENSE-MIT"];
        let lacking = lacking.map(|what| format!("`tgsi` lacks {what}"));
        assert_eq!(manifests("https://forge.test/tgsi").faults(), lacking);
    }

    #[test]
    fn a_placeholder_is_no_repository() {
        assert!(manifests("https://example.org/tgsi").placeholder().is_some());
        assert_eq!(manifests("https://forge.test/tgsi").placeholder(), None);
    }
}
