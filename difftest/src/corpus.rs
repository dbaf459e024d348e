//! The shaders of a folder.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tgsi_ir::{Authority, Shader};
use tgsi_text::{Severity, line_and_column};

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct Text {
    /// The path of the file.
    pub path: PathBuf,
    /// The contents of the file.
    pub text: String,
}

/// A file with a syntax error. The part that can be parsed would be a different shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The file.
    pub path: PathBuf,
    /// Line and column of the first error, counted from 1.
    pub place: (usize, usize),
    /// The message.
    pub message: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.place;
        write!(f, "{}:{line}:{column}: not read: {}", self.path.display(), self.message)
    }
}

/// The `.tgsi` files of `folder`, in order.
///
/// # Errors
/// If the folder or a file cannot be read, or if there is no such file, since then nothing would be compared.
pub fn texts(folder: &Path) -> anyhow::Result<Vec<Text>> {
    let mut files = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tgsi"));
    files.sort();
    ensure!(!files.is_empty(), "{} holds no `.tgsi` file", folder.display());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(Text { path, text })
    };
    files.into_iter().map(read).collect()
}

impl Text {
    /// The shader, converted to the current dialect. If a construct has no equivalent today, the shader stays as it is,
    /// for the compiler to refuse.
    ///
    /// # Errors
    /// At the first syntax error.
    pub fn shader(&self) -> Result<Shader, Unread> {
        let parsed = tgsi_text::parse(&self.text);
        if let Some(error) = parsed.mistakes().find(|one| one.severity == Severity::Error) {
            let place = line_and_column(&self.text, error.primary.span.start as usize);
            return Err(Unread { path: self.path.clone(), place, message: error.message });
        }
        let today = parsed.to_today(&self.text, Authority::Document).map(|today| today.shader);
        Ok(today.unwrap_or(parsed.shader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text { path: PathBuf::from("shader.tgsi"), text: text.to_owned() }
    }

    #[test]
    fn a_syntax_error_is_reported_with_its_position() {
        let broken = text("FRAG\nDCL OUT[0], COLOR\nMVO OUT[0], IN[0]\nEND\n");
        let error = broken.shader().expect_err("there is no MVO");
        assert_eq!(error.place, (3, 1));
        assert!(error.to_string().starts_with("shader.tgsi:3:1: not read: "), "{error}");
    }

    #[test]
    fn a_text_without_errors_is_a_shader() {
        let whole =
            text("FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n");
        assert_eq!(whole.shader().map(|shader| shader.instructions.len()), Ok(2));
    }

    #[test]
    fn a_folder_without_shaders_is_refused() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let error = texts(&folder).expect_err("there are no shaders among the sources");
        assert!(error.to_string().ends_with("holds no `.tgsi` file"), "{error}");
        let findings = texts(&folder.with_file_name("tests").join("findings"));
        assert!(findings.is_ok_and(|texts| texts.iter().all(|text| text.shader().is_ok())));
    }
}
