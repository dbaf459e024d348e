//! Results of earlier runs, on disk.
//!
//! The key of an entry is the hash of the input's text, the options and the program. An entry is written to a temporary
//! file and renamed. It begins with the hash of its contents, so any number of processes may share a folder, and a
//! damaged entry is a miss. Cache crates do more than is needed here: they bring an asynchronous runtime along, or
//! admit one process at a time.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use blake3::{Hash, Hasher};
use tempfile::NamedTempFile;
use tracing::warn;

use crate::interrupt::Unfinished;

/// A folder of cached results.
pub(crate) struct Cache {
    folder: PathBuf,
    /// A hasher that has read everything that determines results besides the input.
    setting: Hasher,
}

/// The name of an entry.
pub(crate) struct Key(Hash);

impl Cache {
    /// The cache in `folder` for runs with `options`.
    pub(crate) fn new(folder: &Path, options: &str) -> Self {
        let mut setting = Hasher::new();
        for part in [&program_version(), options] {
            setting.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        Self { folder: folder.to_owned(), setting }
    }

    /// The key of the entry for an input.
    pub(crate) fn key(&self, text: &str) -> Key {
        Key(self.setting.clone().update(text.as_bytes()).finalize())
    }

    /// The cached result, if there is one.
    pub(crate) fn find(&self, key: &Key) -> Option<Vec<u8>> {
        let mut entry = fs::read(self.path(key)).ok()?;
        let (hash, result) = entry.split_first_chunk::<{ blake3::OUT_LEN }>()?;
        if blake3::hash(result) != *hash {
            return None;
        }
        entry.drain(..blake3::OUT_LEN);
        Some(entry)
    }

    /// Stores a result. A failure only costs time later.
    pub(crate) fn store(&self, key: &Key, result: &[u8]) {
        if let Err(error) = write_entry(&self.path(key), result) {
            warn!(folder = %self.folder.display(), %error, "the cache cannot be written");
        }
    }

    /// Folders with a few hundred entries each stay fast on every file system.
    fn path(&self, key: &Key) -> PathBuf {
        let name = key.0.to_hex();
        let (folder, file) = name.split_at(2);
        self.folder.join(folder).join(file)
    }
}

fn write_entry(path: &Path, result: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let (mut file, _watch) = Unfinished::create(|| NamedTempFile::new_in(folder))?;
    file.write_all(blake3::hash(result).as_bytes())?;
    file.write_all(result)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Identifies the build of the program by its version and the size and time of its file.
fn program_version() -> String {
    let metadata = env::current_exe().and_then(|path| path.metadata()).ok();
    let time = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
    let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let size = metadata.map_or(0, |metadata| metadata.len());
    format!("{} {size} {}", env!("CARGO_PKG_VERSION"), time.as_nanos())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Cache;

    #[test]
    fn an_entry_is_found_by_text_and_options_only_while_intact() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), "rv770");
        let key = cache.key("FRAG");
        assert_eq!(cache.find(&key), None);
        cache.store(&key, b"words");
        assert_eq!(cache.find(&key).as_deref(), Some(&b"words"[..]));
        assert_eq!(cache.find(&cache.key("VERT")), None);
        assert_eq!(cache.find(&Cache::new(folder.path(), "cayman").key("FRAG")), None);
        let path = cache.path(&key);
        let mut entry = fs::read(&path).unwrap();
        entry.pop();
        fs::write(&path, entry).unwrap();
        assert_eq!(cache.find(&key), None);
    }
}
