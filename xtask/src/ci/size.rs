//! Files and functions of hand-written code, tests included, stay short enough to read in one go.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::Scope;
use super::metadata::Package;

/// Maximum lines of a file.
const MAX_FILE: usize = 450;

/// Maximum lines of a function, from its signature to its closing brace.
const MAX_FUNCTION: usize = 60;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let mut faults = Vec::new();
    for package in scope.packages() {
        for file in all_sources(package)? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let path = file.strip_prefix(&scope.root).unwrap_or(&file);
            // A test may be one long list of cases.
            let found = if is_test(path) { long_file(&text) } else { long_parts(&text) };
            faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", path.display())));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The Rust files of a crate, without generated ones.
pub(super) fn all_sources(package: &Package) -> Result<Vec<PathBuf>> {
    let folders = ["src", "tests", "benches"].map(|name| package.folder().join(name));
    let files = folders.iter().filter(|folder| folder.exists()).map(|folder| sources(folder));
    Ok(files.collect::<Result<Vec<_>>>()?.concat())
}

/// Whether a file contains only tests.
pub(super) fn is_test(path: &Path) -> bool {
    let names = path.iter().map(|name| name.to_string_lossy());
    names.into_iter().any(|name| ["tests", "tests.rs", "benches"].contains(&&*name))
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default();
        if stem == "generated" {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a text is too long.
fn long_file(text: &str) -> Vec<String> {
    let len = text.lines().count();
    if len <= MAX_FILE {
        return Vec::new();
    }
    vec![format!("{len} lines, at most {MAX_FILE}: split it along its ideas")]
}

/// The parts of a text that are too long.
fn long_parts(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut faults = long_file(text);
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let len = function_len(&lines[at..]);
        if len > MAX_FUNCTION {
            faults.push(format!("function `{name}` has {len} lines, at most {MAX_FUNCTION}"));
        }
    }
    faults
}

/// The name of the function whose signature begins on `line`.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_signature = before.split_whitespace().all(|word| {
        word.starts_with("pub") || ["const", "async", "unsafe", "extern"].contains(&word)
    });
    let end = rest.find(['(', '<']).filter(|_| is_signature)?;
    Some(&rest[..end])
}

/// The length of the function that starts at the first line: up to the brace, or the semicolon, in its column.
fn function_len(lines: &[&str]) -> usize {
    let column = lines[0].len() - lines[0].trim_start().len();
    let is_end = |line: &&str| {
        let own = line.len() - line.trim_start().len() == column;
        own && (line.trim_start().starts_with('}') || line.ends_with([';', '}']))
    };
    lines.iter().position(is_end).map_or(lines.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{MAX_FUNCTION, function_name, is_test, long_parts};

    #[test]
    fn long_functions_are_named() {
        let body = "        x();\n".repeat(MAX_FUNCTION);
        let text = format!(
            "impl A {{\n    fn short(&self) {{}}\n\n    pub fn long(\n        &self,\n    ) {{\n{body}    }}\n}}\n"
        );
        assert_eq!(long_parts(&text), ["function `long` has 64 lines, at most 60"]);
        assert_eq!(long_parts(&"\n".repeat(451)).len(), 1);
    }

    #[test]
    fn tests_are_distinguished_from_the_product() {
        assert!(is_test(Path::new("a/tests/it/b.rs")) && is_test(Path::new("a/src/b/tests.rs")));
        assert!(!is_test(Path::new("a/src/ci/tests_of.rs")));
    }

    #[test]
    fn only_signatures_begin_functions() {
        assert_eq!(function_name("    pub(crate) const fn f<T>(x: T) {"), Some("f"));
        assert_eq!(function_name("let f: fn (u8) = g;"), None);
        assert_eq!(function_name("// what fn f() does"), None);
    }
}
