//! Ctrl-C and its kin: unfinished files are removed before the program ends.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Temporary files that hold unfinished results.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// As shells report a program that ended by the signal for Ctrl-C.
const EXIT_CODE: i32 = 130;

/// Has interrupts clean up; where that cannot be arranged, they end the program as they always do.
pub(crate) fn install() {
    let handler = || {
        // The lock stays taken until the end: nothing new appears after the cleaning.
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

/// A temporary file that an interrupt removes as long as this lives.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file and watches over it. An interrupt waits until both have happened: between them it would
    /// not know of the file.
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
