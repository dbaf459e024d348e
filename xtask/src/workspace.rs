//! Where the workspace lies.

use std::path::PathBuf;

/// The root folder of the workspace: the parent of this crate's folder.
pub(crate) fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}
