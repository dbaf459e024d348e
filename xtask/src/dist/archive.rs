//! Archives of folders that depend only on the files: no dates, no owners, sorted names.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

/// Writes the files of `folder` to `path`, below a folder named `name`, and returns the size of the archive.
pub(super) fn write(folder: &Path, name: &str, path: &Path) -> Result<u64> {
    let file = File::create(path).with_context(|| path.display().to_string())?;
    let mut builder = Builder::new(GzEncoder::new(file, Compression::best()));
    for file in files(folder)? {
        let place = Path::new(name).join(file.strip_prefix(folder)?);
        let contents = fs::read(&file).with_context(|| file.display().to_string())?;
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(contents.len() as u64);
        let is_program = place.parent().is_some_and(|parent| parent.ends_with("bin"));
        header.set_mode(if is_program { 0o755 } else { 0o644 });
        builder.append_data(&mut header, place, contents.as_slice())?;
    }
    let file = builder.into_inner()?.finish()?;
    Ok(file.metadata()?.len())
}

/// The files below `folder`, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;

    #[test]
    fn an_archive_depends_on_its_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("bin")).unwrap();
        fs::write(root.join("bin/tgsi"), "program").unwrap();
        fs::write(root.join("README"), "page").unwrap();
        let paths = ["a.tar.gz", "b.tar.gz"].map(|name| folder.path().join(name));
        let sizes = paths.each_ref().map(|path| super::write(&root, "tgsi-1", path).unwrap());
        assert_eq!(sizes[0], sizes[1]);
        assert_eq!(fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap());
        let unpacked = flate2::read::GzDecoder::new(fs::File::open(&paths[0]).unwrap());
        let mut archive = tar::Archive::new(unpacked);
        let listed = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            (entry.path().unwrap().display().to_string(), entry.header().mode().unwrap())
        });
        let wanted = [("tgsi-1/README", 0o644), ("tgsi-1/bin/tgsi", 0o755)];
        assert_eq!(listed.collect::<Vec<_>>(), wanted.map(|(path, mode)| (path.to_owned(), mode)));
    }
}
