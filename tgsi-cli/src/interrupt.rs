//! Handles Ctrl-C and similar signals: unfinished files are removed before the program ends.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Temporary files that hold unfinished results.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The exit code by which shells report that Ctrl-C ended a program.
const EXIT_CODE: i32 = 130;

/// Installs the handler that cleans up after an interrupt. If that fails, an interrupt ends the program as usual.
pub(crate) fn install() {
    let handler = || {
        // The lock is held until the end, so that no file can be created after the cleanup.
        let files = unfinished();
        for path in files.iter() {
            let _ = fs::remove_file(path);
        }
        process::exit(EXIT_CODE);
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!(%error, "interrupts may leave temporary files");
    }
}

/// A temporary file that an interrupt removes during the lifetime of this value.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Creates a file and registers it for removal. The lock is held meanwhile, since an interrupt in between would not
    /// know of the file.
    pub(crate) fn create(
        make: impl FnOnce() -> io::Result<NamedTempFile>,
    ) -> io::Result<(NamedTempFile, Self)> {
        let mut files = unfinished();
        let file = make()?;
        files.insert(file.path().to_owned());
        let watch = Self(file.path().to_owned());
        Ok((file, watch))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
