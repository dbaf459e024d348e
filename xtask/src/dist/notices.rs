//! The licences of all dependencies of the program and the library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The distributed crates.
const GIVEN: [&str; 2] = ["tgsi-cli", "tgsi-capi"];

/// File names of licences, in lower case.
const NAMES: [&str; 8] =
    ["license", "licence", "copying", "copyright", "notice", "unlicense", "ofl", "ufl"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    repository: Option<String>,
    source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

/// `kind` is `None` for a normal dependency, else `dev` or `build`.
#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// A page with every crate, its licence, and each text once.
pub(super) fn collect(root: &Path) -> Result<String> {
    let host = super::host()?;
    let metadata =
        ["metadata", "--format-version", "1", "--locked", "--filter-platform", host.as_str()];
    let printed = super::output(Command::new("cargo").args(metadata).current_dir(root))?;
    let metadata: Metadata = serde_json::from_slice(&printed)?;
    let used = metadata.used();
    let mut crates: Vec<&Package> =
        metadata.packages.iter().filter(|package| used.contains(package.id.as_str())).collect();
    crates.retain(|package| package.source.is_some());
    crates.sort_by_key(|package| (&package.name, &package.version));
    page(&crates)
}

impl Metadata {
    /// The packages that become part of the distributed files.
    fn used(&self) -> BTreeSet<&str> {
        let given = self.packages.iter().filter(|package| GIVEN.contains(&package.name.as_str()));
        let mut waiting: Vec<&str> = given.map(|package| package.id.as_str()).collect();
        let nodes: BTreeMap<&str, &Node> =
            self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let mut used = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if !used.insert(id) {
                continue;
            }
            let edges = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let parts = edges.filter(|edge| edge.dep_kinds.iter().any(|kind| kind.kind.is_none()));
            waiting.extend(parts.map(|edge| edge.pkg.as_str()));
        }
        used
    }
}

fn page(crates: &[&Package]) -> Result<String> {
    let mut page = "# Works of others\nWhat `tgsi` and its library are built of, and under which licences.\n\n| crate | licence | texts |\n|---|---|---|\n".to_owned();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut texts = Vec::new();
    for package in crates {
        let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
        let mut found = BTreeSet::new();
        for text in licence_texts(folder, 2)? {
            let number = *numbers.entry(text.clone()).or_insert_with(|| {
                texts.push(text);
                texts.len()
            });
            found.insert(number);
        }
        let found: Vec<_> =
            found.iter().map(|number| format!("[{number}](#text-{number})")).collect();
        let found =
            if found.is_empty() { "none in the crate".to_owned() } else { found.join(", ") };
        let Package { name, version, license, repository, .. } = package;
        let name = repository.as_ref().map_or(name.clone(), |place| format!("[{name}]({place})"));
        let license = license.as_deref().unwrap_or("see the texts");
        page += &format!("| {name} {version} | {license} | {found} |\n");
    }
    for (number, text) in (1..).zip(&texts) {
        page += &format!("\n## Text {number}\n```text\n{}\n```\n", text.trim_end());
    }
    Ok(page)
}

/// The licence texts in a folder and, `depth` levels deep, below it.
fn licence_texts(folder: &Path, depth: usize) -> Result<Vec<String>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<_>>()?;
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_licence =
            NAMES.iter().any(|known| name.starts_with(known)) && !name.ends_with(".rs");
        if path.is_dir() {
            if depth > 0 {
                texts.extend(licence_texts(&path, depth - 1)?);
            }
        } else if is_licence {
            let text = fs::read(&path).with_context(|| path.display().to_string())?;
            texts.push(String::from_utf8_lossy(&text).replace("\r\n", "\n"));
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::Metadata;

    #[test]
    fn packages_used_only_by_tests_and_builds_need_no_notice() {
        let package = |name: &str| {
            format!(r#"{{"id":"{name}","name":"{name}","version":"1","manifest_path":"x"}}"#)
        };
        let packages = ["tgsi-cli", "part", "deep", "test"].map(package).join(",");
        let text = format!(
            r#"{{"packages":[{packages}],"resolve":{{"nodes":[
                {{"id":"tgsi-cli","deps":[{{"pkg":"part","dep_kinds":[{{"kind":null}}]}},{{"pkg":"test","dep_kinds":[{{"kind":"dev"}}]}}]}},
                {{"id":"part","deps":[{{"pkg":"deep","dep_kinds":[{{"kind":"build"}},{{"kind":null}}]}}]}}]}}}}"#
        );
        let metadata: Metadata = serde_json::from_str(&text).unwrap();
        let used: Vec<_> = metadata.used().into_iter().collect();
        assert_eq!(used, ["deep", "part", "tgsi-cli"]);
    }
}
