//! Writing results: standard output, or a file that appears whole or not at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;
use crate::input::is_dash;
use crate::interrupt::Unfinished;

/// The destination of a result.
#[derive(Args, Clone, Debug)]
pub(crate) struct Destination {
    /// Writes to this file instead of standard output; the file appears whole or not at all.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

impl Destination {
    /// Writes a complete result.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut sink = self.open()?;
        sink.write(bytes)?;
        sink.commit()
    }

    /// Starts writing a result in several parts.
    pub(crate) fn open(&self) -> Result<Sink, Failure> {
        match self.file() {
            Some(path) => Sink::file(path),
            None => Ok(Sink::stdout()),
        }
    }

    /// The file, unless the result goes to standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_dash(path))
    }

    /// Rejects a destination that is an input, which would be lost.
    pub(crate) fn check_spares<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<(), Failure> {
        self.file().map_or(Ok(()), |out| check_spares(out, inputs))
    }

    /// Rejects binary output to a terminal.
    pub(crate) fn check_takes_binary(&self) -> Result<(), Failure> {
        if self.file().is_none() && io::stdout().is_terminal() {
            return Err(Failure::Usage("binary does not go to a terminal: give `-o OUT`".into()));
        }
        Ok(())
    }
}

/// A result in progress. A file appears only after [`commit`](Self::commit).
pub(crate) struct Sink {
    name: String,
    to: To,
}

enum To {
    Stdout(BufWriter<Stdout>),
    /// A device or a pipe, written in place.
    Device(File),
    /// A temporary file next to `path`, to be renamed, so that no reader sees a partial file.
    File {
        temporary: BufWriter<NamedTempFile>,
        path: PathBuf,
        watch: Unfinished,
    },
}

/// Size of the write buffer in bytes. Results of many inputs take hundreds of megabytes.
const BUFFER: usize = 1 << 20;

impl Sink {
    /// Standard output.
    pub(crate) fn stdout() -> Self {
        Self { name: "<stdout>".to_owned(), to: To::Stdout(BufWriter::new(io::stdout())) }
    }

    /// The file at `path`, which is replaced in one step.
    pub(crate) fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let to = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => {
                File::options().write(true).open(path).map(To::Device)
            }
            // If this is a link, its target is replaced, not the link.
            Ok(_) => fs::canonicalize(path).and_then(To::beside),
            Err(_) => To::beside(path.to_owned()),
        };
        match to {
            Ok(to) => Ok(Self { name, to }),
            Err(error) => Err(Failure::write(&name, &error)),
        }
    }

    /// Writes a part.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.to {
            To::Stdout(stdout) => stdout.write_all(bytes),
            To::Device(file) => file.write_all(bytes),
            To::File { temporary, .. } => temporary.write_all(bytes),
        };
        written.map_err(|error| Failure::write(&self.name, &error))
    }

    /// Flushes what was written so far. A file stays invisible.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.to {
            To::Stdout(stdout) => {
                stdout.flush().map_err(|error| Failure::write(&self.name, &error))
            }
            To::Device(_) | To::File { .. } => Ok(()),
        }
    }

    /// Completes the result. A file appears.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        self.flush()?;
        if let To::File { temporary, path, watch } = self.to {
            let file = temporary.into_inner().map_err(io::IntoInnerError::into_error);
            let moved = file.and_then(|file| file.persist(path).map_err(|error| error.error));
            moved.map_err(|error| Failure::write(&self.name, &error))?;
            drop(watch);
        }
        Ok(())
    }
}

impl To {
    /// A temporary file in the folder of `path`.
    fn beside(path: PathBuf) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".tgsi-");
        readable_by_all(&mut builder);
        let folder = folder.unwrap_or(Path::new("."));
        let (file, watch) = Unfinished::create(|| builder.tempfile_in(folder))
            .map_err(|error| without_temporary_name(&error))?;
        Ok(Self::File { temporary: BufWriter::with_capacity(BUFFER, file), path, watch })
    }
}

/// Rejects `out` if it is one of `inputs`, even under another name.
pub(crate) fn check_spares<'a>(
    out: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    match existing(out) {
        Some(file) => Spared::new(inputs).check(&file),
        None => Ok(()),
    }
}

/// The canonical name of an existing file that a result would replace. `None` for a file that does not exist, since it
/// cannot be an input, and for a device, which is not replaced.
pub(crate) fn existing(out: &Path) -> Option<PathBuf> {
    fs::canonicalize(out).ok().filter(|file| file.is_file())
}

/// Inputs by the canonical names of their files, for checks of many results.
pub(crate) struct Spared<'a>(BTreeMap<PathBuf, &'a Path>);

impl<'a> Spared<'a> {
    /// Looks up the canonical names of the inputs.
    pub(crate) fn new(inputs: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut input_by_file = BTreeMap::new();
        for input in inputs {
            if let Ok(file) = fs::canonicalize(input) {
                input_by_file.entry(file).or_insert(input);
            }
        }
        Self(input_by_file)
    }

    /// Rejects an [`existing`] file that is one of them.
    pub(crate) fn check(&self, file: &Path) -> Result<(), Failure> {
        match self.0.get(file) {
            Some(input) => Err(Failure::Usage(format!(
                "`{}` would be overwritten with the result: write elsewhere",
                input.display()
            ))),
            None => Ok(()),
        }
    }
}

/// Rejects a picture whose name has another extension than PNG, or that would go to a terminal.
pub(crate) fn check_takes_png(out: &Path) -> Result<(), Failure> {
    if is_dash(out) {
        return Destination { output: None }.check_takes_binary();
    }
    match out.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("png") => Err(Failure::Usage(format!(
            "`{}` would be a picture in PNG: give it a name that ends in `.png`",
            out.display()
        ))),
        _ => Ok(()),
    }
}

/// Creates a folder for results, and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::write(&folder.display().to_string(), &error))
}

/// Writes a whole file, or to standard output for `-`.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Destination { output: Some(path.to_owned()) }.write(bytes)
}

/// The cause of an error, without the name of a temporary file, which means nothing to the user.
fn without_temporary_name(error: &io::Error) -> io::Error {
    match error.raw_os_error().or_else(|| os_error_within(error)) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}

/// The system error inside an error that names a path.
fn os_error_within(error: &io::Error) -> Option<i32> {
    let source = std::error::Error::source(error.get_ref()?)?;
    source.downcast_ref::<io::Error>()?.raw_os_error()
}

/// Writes to standard output.
pub(crate) fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut sink = Sink::stdout();
    sink.write(bytes)?;
    sink.commit()
}

/// 32-bit words as text, two per line.
pub(crate) fn hex_text(words: &[u32]) -> String {
    let mut text = String::with_capacity(9 * words.len());
    for pair in words.chunks(2) {
        let line: Vec<_> = pair.iter().map(|word| format!("{word:08x}")).collect();
        text.push_str(&line.join(" "));
        text.push('\n');
    }
    text
}

/// 32-bit words as little-endian bytes.
pub(crate) fn word_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Temporary files are private by default, but results must have the permissions of any new file.
#[cfg(unix)]
fn readable_by_all(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable_by_all(_builder: &mut Builder<'_, '_>) {}
