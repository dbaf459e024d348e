//! `docs/architecture.md` names every crate, and every crate and path that it names exists.

use std::fs;

use anyhow::{Context, Result, bail};

use super::Scope;

const PAGE: &str = "docs/architecture.md";

pub(super) fn check(scope: &Scope) -> Result<()> {
    let text = fs::read_to_string(scope.root.join(PAGE)).context(PAGE)?;
    let crates: Vec<&str> = scope.all.iter().map(|package| package.name.as_str()).collect();
    let mut faults = Vec::new();
    for name in code_spans(&text) {
        if looks_like_path(name) && !scope.root.join(name).exists() {
            faults.push(format!("{PAGE}: there is no `{name}`"));
        } else if looks_like_crate(name) && !crates.contains(&name) {
            faults.push(format!("{PAGE}: no crate is called `{name}`"));
        }
    }
    for name in crates {
        if !code_spans(&text).any(|span| span == name) {
            faults.push(format!("{PAGE}: crate `{name}` is not described"));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The text between single backticks, outside fenced blocks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    let prose = text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    prose.flat_map(|line| line.split('`').skip(1).step_by(2))
}

fn looks_like_path(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-_.".contains(c);
    let is_file = [".rs", ".ron", ".md", ".toml"].iter().any(|end| name.ends_with(end));
    name.chars().all(is_plain) && (name.contains('/') || is_file)
}

/// Only names of this workspace's crates are lower-case words with one of these prefixes.
fn looks_like_crate(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = ["tgsi-", "r600-", "maxwell-", "pass-"].iter().any(|head| name.starts_with(head));
    name.chars().all(is_plain) && begins
}

#[cfg(test)]
mod tests {
    use super::{code_spans, looks_like_crate, looks_like_path};

    #[test]
    fn names_are_distinguished_from_other_code() {
        let text = "The `tgsi-ir` crate, `src/a.rs`.\n```\n`no/path`\n```\n`Shader` and `a b/c`";
        assert_eq!(
            code_spans(text).collect::<Vec<_>>(),
            ["tgsi-ir", "src/a.rs", "Shader", "a b/c"]
        );
        assert!(looks_like_path("tgsi-ir/spec/") && looks_like_path("lib.rs"));
        assert!(!looks_like_path("a b/c") && !looks_like_path("Shader"));
        assert!(looks_like_crate("tgsi-ir") && !looks_like_crate("drop-zeros"));
    }
}
