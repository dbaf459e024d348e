//! Listings of the libraries' public API in `docs/api/<crate>.txt`, so that review shows every change of it.

mod file;
mod krate;
mod paths;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use self::krate::Crate;

/// Writes the listing of each crate, or fails in `check` mode if one differs.
pub(crate) fn sync(root: &Path, crates: &[String], is_check: bool) -> Result<()> {
    for name in crates {
        let want = Crate::read(&root.join(name).join("src"), &name.replace('-', "_"))?.listing();
        let path = root.join("docs/api").join(name).with_extension("txt");
        if fs::read_to_string(&path).is_ok_and(|have| have == want) {
            continue;
        }
        if is_check {
            bail!(
                "{} is out of date: run `cargo xtask api` and look at the difference",
                path.display()
            );
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, want).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
