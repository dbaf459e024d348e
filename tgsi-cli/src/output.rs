//! Writing results: standard output, or a file that appears whole or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::Builder;

use crate::failure::Failure;
use crate::input::is_dash;

/// Where a result goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Destination {
    /// Writes to this file instead of standard output; it appears only when all of it is good.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

impl Destination {
    /// Writes the whole result.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        match self.file() {
            Some(path) => write_file(path, bytes),
            None => write_stdout(bytes),
        }
    }

    /// The file, unless the result goes to standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_dash(path))
    }
}

/// Writes to standard output.
pub(crate) fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(|error| Failure::write("<stdout>", &error))
}

/// Replaces the file at `path` in one step; devices and pipes are written in place.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::write(&path.display().to_string(), &error);
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => fs::write(path, bytes).map_err(failed),
        Ok(_) => replace(&fs::canonicalize(path).map_err(failed)?, bytes).map_err(failed),
        Err(_) => replace(path, bytes).map_err(failed),
    }
}

/// Writes beside `path` and renames, so that no reader ever sees half a file.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(".tgsi-");
    readable_by_all(&mut builder);
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are private; results get the permissions of any other new file.
#[cfg(unix)]
fn readable_by_all(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable_by_all(_builder: &mut Builder<'_, '_>) {}
