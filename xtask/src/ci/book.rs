//! Every page under `docs` is in the book.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::Scope;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let docs = scope.root.join("docs");
    let summary = docs.join("SUMMARY.md");
    let text = fs::read_to_string(&summary).with_context(|| summary.display().to_string())?;
    let mut pages = Vec::new();
    for folder in ["", "manual"] {
        pages.extend(pages_in(&docs, folder)?);
    }
    let missing: Vec<&String> =
        pages.iter().filter(|page| !text.contains(&format!("]({page})"))).collect();
    if !missing.is_empty() {
        bail!("docs/SUMMARY.md leaves out {missing:?}");
    }
    Ok(())
}

/// Pages in one folder of the book, as the summary names them.
fn pages_in(docs: &Path, folder: &str) -> Result<Vec<String>> {
    let mut pages = Vec::new();
    let path = docs.join(folder);
    for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            pages.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
        }
    }
    pages.sort();
    Ok(pages)
}
