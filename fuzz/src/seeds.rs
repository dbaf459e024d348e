//! Where inputs to start from lie.

use std::fs;
use std::path::{Path, PathBuf};

/// Shaders longer than this are no seeds: small ones are checked more often.
const MAX_SEED: usize = 4000;

/// The texts of the small shaders in a folder, by name.
#[must_use]
pub fn shader_texts(folder: &Path) -> Vec<String> {
    let is_shader = |path: &PathBuf| path.extension().is_some_and(|end| end == "tgsi");
    let texts = paths(folder)
        .into_iter()
        .filter(is_shader)
        .filter_map(|path| fs::read_to_string(path).ok());
    texts.filter(|text| text.len() <= MAX_SEED).collect()
}

/// The files in a folder as they are, by name; none where there is no such folder.
#[must_use]
pub fn files(folder: &Path) -> Vec<Vec<u8>> {
    paths(folder).into_iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}
