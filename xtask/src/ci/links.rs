//! Relative links of every Markdown page resolve.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Scope;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let mut faults = Vec::new();
    for page in pages(&scope.root)? {
        let text = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
        let folder = page.parent().unwrap_or(&scope.root);
        let dead = relative_links(&text).filter(|link| !folder.join(link).exists());
        let name = page.strip_prefix(&scope.root).unwrap_or(&page).display();
        faults.extend(dead.map(|link| format!("{name}: `{link}` leads nowhere")));
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// Every Markdown file under `root` outside build output and hidden folders.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name == "target" || name.starts_with('.') {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if name.ends_with(".md") {
                pages.push(entry.path());
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Targets of `[text](target)`, without anchors. Addresses with a scheme are not checked. Text in code blocks or inline
/// code is no link.
fn relative_links(text: &str) -> impl Iterator<Item = &str> {
    let paragraphs = text.split("```").step_by(2).flat_map(|prose| prose.split("\n\n"));
    let prose = paragraphs.flat_map(|paragraph| paragraph.split('`').step_by(2));
    let pieces = prose.flat_map(|prose| prose.split("](").skip(1));
    let targets = pieces.filter_map(|rest| rest.split([')', ' ']).next());
    let paths = targets.filter_map(|target| target.split('#').next());
    paths.filter(|path| !path.is_empty() && !path.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::relative_links;

    #[test]
    fn only_relative_targets_are_checked() {
        let text = "[a](docs/x.md#part) [b](https://example.org) [c](#here) ![d](pic.png \"t\")";
        assert_eq!(relative_links(text).collect::<Vec<_>>(), ["docs/x.md", "pic.png"]);
    }

    #[test]
    fn code_has_no_links() {
        let text = "[a](x.md)\n```text\nTEMP[ADDR[0].x](1)\n```\n[`b`](y.md), `TEMP[ADDR[0].x](1)`";
        assert_eq!(relative_links(text).collect::<Vec<_>>(), ["x.md", "y.md"]);
    }
}
