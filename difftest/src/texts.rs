//! The texts of a folder.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The shaders of a folder with their paths, in order.
pub(crate) fn texts(folder: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut files = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tgsi"));
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        Ok((file, text))
    };
    files.into_iter().map(read).collect()
}
