//! A checker inside a crate may use the data that it checks, but none of the code that produced it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::Scope;

/// The files of each checker, by path prefix, with the modules of the crate that it may use.
const JUDGES: &[(&str, &[&str])] = &[("r600-sched/src/check", &["check", "schedule"])];

pub(super) fn check(scope: &Scope) -> Result<()> {
    let mut faults = Vec::new();
    for (start, allowed) in JUDGES {
        let files = files(&scope.root, start)?;
        if files.is_empty() {
            faults.push(format!("there is no checker in `{start}`"));
        }
        for file in files {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            for module in foreign(&text, allowed) {
                faults
                    .push(format!("{}: a checker must not use `crate::{module}`", file.display()));
            }
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// `START.rs`, and the files in the folder `START`.
fn files(root: &Path, start: &str) -> Result<Vec<PathBuf>> {
    let folder = root.join(start);
    let mut files = vec![folder.with_extension("rs")];
    files.retain(|file| file.exists());
    if folder.exists() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            files.push(entry?.path());
        }
    }
    files.sort();
    Ok(files)
}

/// The modules of its crate that a text names and that are not `allowed`.
fn foreign<'a>(text: &'a str, allowed: &[&str]) -> Vec<&'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let named = code.flat_map(|line| line.split("crate::").skip(1));
    let module = |rest: &'a str| {
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
    };
    // A type from the crate root is an error or an option.
    let is_module = |name: &&str| name.is_empty() || name.starts_with(char::is_lowercase);
    named.map(module).filter(is_module).filter(|name| !allowed.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn only_listed_modules_pass() {
        let text = "use crate::schedule::Group;\n//! `crate::deps`\nlet x = crate::deps::of(crate::SchedError);";
        assert_eq!(foreign(text, &["schedule"]), ["deps"]);
        assert_eq!(foreign(text, &["schedule", "deps"]), [""; 0]);
        // A list names several modules at once and must be split.
        assert_eq!(foreign("use crate::{deps, schedule};", &["schedule"]), [""]);
    }
}
