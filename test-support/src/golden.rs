//! Golden files: the expected output of a test, in a file that the test can rewrite.

use std::path::Path;
use std::{env, fs};

/// Whether golden files are to be rewritten: `UPDATE_GOLDEN` is set, and `CI` is not.
pub fn is_update() -> bool {
    env::var_os("UPDATE_GOLDEN").is_some() && env::var_os("CI").is_none()
}

/// Compares `actual` with the golden file at `path`, or writes the file if [`is_update`] returns true.
///
/// # Errors
/// The file, the first line that differs, and both versions of it; or why the file cannot be written.
pub fn check_golden(path: &Path, actual: &str) -> Result<(), String> {
    let want = fs::read_to_string(path).unwrap_or_default();
    if want == actual {
        return Ok(());
    }
    if is_update() {
        return write(path, actual).map_err(|error| format!("{}: {error}", path.display()));
    }
    Err(format!("{} {}\nUPDATE_GOLDEN=1 rewrites it", path.display(), difference(&want, actual)))
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

/// The first line that differs between two texts; a missing line is `<end>`.
fn difference(want: &str, actual: &str) -> String {
    let first = want.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(first).unwrap_or("<end>").to_owned();
    format!("differs from line {} on:\n- {}\n+ {}", first + 1, line(want), line(actual))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_line_that_differs_is_shown() {
        assert_eq!(difference("a\nb\n", "a\nc\n"), "differs from line 2 on:\n- b\n+ c");
        assert_eq!(difference("a\n", "a\nc\n"), "differs from line 2 on:\n- <end>\n+ c");
    }
}
