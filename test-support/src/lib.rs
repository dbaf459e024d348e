//! Shared code of this workspace's tests: paths of their files, and golden files.
//!
//! Some tests need files that are not part of the repository: recorded programs, a corpus of shaders. They are in the
//! folder `shared` beside it. A test that does not find its files says so and passes; otherwise it reports how many
//! cases it ran.

#![expect(clippy::print_stdout, reason = "a test says what it did not check")]

mod golden;

pub use golden::{check_golden, is_update};

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// A file or folder of `../shared`. If it is missing, prints a note.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = root().join("../shared").join(path);
    if !found.exists() {
        println!("not present: ../shared/{path}, nothing checked");
        return None;
    }
    Some(found)
}

/// The text of a file of `../shared`. If it is missing, prints a note.
///
/// # Panics
/// If the file exists and cannot be read.
pub fn shared_text(path: &str) -> Option<String> {
    shared(path).map(|path| read(&path))
}

/// The text of a required file.
///
/// # Panics
/// If it cannot be read; the message names it.
#[track_caller]
#[expect(clippy::panic, reason = "a test stops at the first surprise")]
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder whose names end in `.EXTENSION`, sorted.
///
/// # Panics
/// If the folder cannot be read, or has no such file: a test of nothing proves nothing.
#[track_caller]
#[expect(clippy::panic, reason = "a test stops at the first surprise")]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|own| own == extension)).collect();
    assert!(!files.is_empty(), "no .{extension} in {}", folder.display());
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::{files, root, shared};

    #[test]
    fn files_come_in_order_and_by_their_extension() {
        let shaders = files(&root().join("examples"), "tgsi");
        assert!(shaders.is_sorted());
        assert!(shaders.iter().any(|path| path.ends_with("phong.frag.tgsi")));
    }

    #[test]
    #[should_panic(expected = "no .nothing in ")]
    fn a_folder_without_such_files_is_an_error() {
        files(&root().join("examples"), "nothing");
    }

    #[test]
    fn a_missing_file_is_none() {
        assert_eq!(shared("no/such/file"), None);
    }
}
