//! The files that a source includes, from the dependency file that glslang writes.

use std::path::{Path, PathBuf};

use super::{FrontEnd, Job, display_name, uses_include};
use crate::problem::Problems;

/// The files that the source at `path` includes, directly and indirectly.
pub(in crate::frontend) fn included(
    path: &Path,
    options: &FrontEnd,
) -> Result<Vec<PathBuf>, Problems> {
    let failed = |why: String| {
        let message = format!("its includes cannot be listed: {why}");
        Problems::whole(&display_name(path), message)
    };
    let failed_to_read = |error: std::io::Error| failed(error.to_string());
    let text = std::fs::read(path).map_err(failed_to_read)?;
    if !uses_include(&String::from_utf8_lossy(&text)) {
        return Ok(Vec::new());
    }
    let folder = tempfile::tempdir().map_err(failed_to_read)?;
    let depfile = folder.path().join("module.d");
    let job = Job { depfile: Some(&depfile), ..Job::new(path, folder.path()) };
    job.run(options).map_err(|failure| failed(failure.to_string()))?;
    let rule = std::fs::read_to_string(&depfile).map_err(failed_to_read)?;
    let mut files: Vec<PathBuf> = prerequisites(&rule).into_iter().map(PathBuf::from).collect();
    // Leaves out the source itself, or the copy of it that enables `#include`.
    files.retain(|file| file != path && !file.starts_with(folder.path()));
    Ok(files)
}

/// The prerequisites of a rule, parsed as make does.
fn prerequisites(rule: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = rule.chars();
    while let Some(letter) = letters.next() {
        let letter = match letter {
            // The target ends here. Colons in names are escaped.
            ':' => {
                words = vec![String::new()];
                continue;
            }
            '\\' | '$' => letters.next(),
            _ if letter.is_whitespace() => None,
            _ => Some(letter),
        };
        match (letter, words.last_mut()) {
            // A line end can be escaped, too.
            (Some(letter), Some(word)) if letter != '\n' => word.push(letter),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::prerequisites;

    #[test]
    fn names_in_a_rule_lose_their_escapes() {
        let rule = "/tmp/a.spv: x.frag ./inc/a\\ b.h C\\:/c$$d\\#.h \\\n e.h\n";
        assert_eq!(prerequisites(rule), ["x.frag", "./inc/a b.h", "C:/c$d#.h", "e.h"]);
        assert_eq!(prerequisites(""), [] as [&str; 0]);
    }
}
