//! Reading inputs: files or standard input, text or words.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use clap::Args;

use crate::limits;
use crate::problem::{Finding, Place, Problems};

/// Bytes with the name that messages use for them.
#[derive(Debug)]
pub(crate) struct Input {
    /// The path as given, or `<stdin>`.
    pub(crate) name: String,
    /// The contents.
    pub(crate) bytes: Vec<u8>,
}

/// Text with the name that messages use for it.
#[derive(Debug)]
pub(crate) struct TextInput {
    /// The path as given, or `<stdin>`.
    pub(crate) name: String,
    /// The contents.
    pub(crate) text: String,
}

impl TextInput {
    /// Reads a text file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Problems> {
        Input::read(path)?.into_text()
    }

    /// `finding` about this text.
    pub(crate) fn problem(self, finding: Finding) -> Problems {
        self.problems(vec![finding])
    }

    /// `findings` about this text.
    pub(crate) fn problems(self, findings: Vec<Finding>) -> Problems {
        Problems { name: self.name, text: Some(self.text), findings }
    }
}

/// Whether `path` means standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file has this extension, in upper or lower case.
pub(crate) fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// The name of `path` in messages and results.
pub(crate) fn display_name(path: &Path) -> String {
    if is_dash(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Problems> {
        let name = display_name(path);
        let limit = limits::max_input();
        let bytes = if is_dash(path) {
            read_limited(io::stdin().lock(), limit, 0)
        } else {
            read_file(path, limit)
        };
        match bytes {
            Ok(bytes) => Ok(Self { name, bytes }),
            Err(error) => Err(cannot_read(&name, &error)),
        }
    }

    /// The contents as text, without a byte-order mark.
    pub(crate) fn into_text(self) -> Result<TextInput, Problems> {
        if let Some(encoding) = utf16(&self.bytes) {
            let finding = Finding::error(format!("is text in {encoding}"), Place::Whole)
                .with_help("save it as UTF-8");
            return Err(Problems::one(&self.name, None, finding));
        }
        let bytes = match self.bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => rest.to_vec(),
            None => self.bytes,
        };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(TextInput { name: self.name, text }),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                Err(not_text(&self.name, error.as_bytes(), at))
            }
        }
    }
}

/// Hexadecimal and binary words.
impl Input {
    /// The contents as hexadecimal text.
    fn into_hex(self) -> Result<TextInput, Problems> {
        // Text has no zero bytes, except in UTF-16. Programs do.
        if utf16(&self.bytes).is_none() && self.bytes.contains(&0) {
            let finding = Finding::error("is binary, not hexadecimal text", Place::Whole)
                .with_help("leave out `--hex`");
            return Err(Problems::one(&self.name, None, finding));
        }
        self.into_text()
    }

    /// Whether the contents are hexadecimal words, as for `--hex`.
    pub(crate) fn is_hex(&self) -> bool {
        let is_hex = |&byte: &u8| {
            byte.is_ascii_hexdigit()
                || byte.is_ascii_whitespace()
                || matches!(byte, b'x' | b'X' | b',')
        };
        !self.bytes.trim_ascii().is_empty() && self.bytes.iter().all(is_hex)
    }

    /// Rejects text in place of binary words. Each of its words could be listed, but the result would be meaningless.
    pub(crate) fn check_is_binary(&self) -> Result<(), Problems> {
        let is_text = self.bytes.iter().all(|&byte| is_printable(byte));
        if self.bytes.is_empty() || !is_text {
            return Ok(());
        }
        let (message, help) = match self.is_hex() {
            true => ("is text of hexadecimal digits, not binary words", "`--hex` reads it"),
            false => (
                "is text, not binary words",
                "`tgsi asm` reads listings, `tgsi compile` reads shaders",
            ),
        };
        let finding = Finding::error(message, Place::Whole).with_help(help);
        Err(Problems::one(&self.name, None, finding))
    }
}

/// The byte-order mark in UTF-8. It marks only the encoding.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The UTF-16 encoding of text, from its byte-order mark or from the zeros in its first characters.
fn utf16(bytes: &[u8]) -> Option<&'static str> {
    match *bytes {
        [0xff, 0xfe, ..] => Some("UTF-16, little-endian"),
        [0xfe, 0xff, ..] => Some("UTF-16, big-endian"),
        [a, 0, b, 0, ..] if is_printable(a) && is_printable(b) => Some("UTF-16, little-endian"),
        [0, a, 0, b, ..] if is_printable(a) && is_printable(b) => Some("UTF-16, big-endian"),
        _ => None,
    }
}

fn is_printable(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// Why an input was not read.
#[derive(Debug)]
enum ReadError {
    /// An error of the system.
    Io(io::Error),
    /// It is longer than this limit in bytes.
    TooLong(u64),
    /// It was written to while it was read.
    Changed,
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_steady(&File::open(path)?, limit, |file, len| read_limited(file, limit, len))
}

/// Reads with `read`, which gets the length of the file. Rejects a file that changed meanwhile, since the result could
/// mix two versions.
fn read_steady(
    file: &File,
    limit: u64,
    read: impl FnOnce(&File, u64) -> Result<Vec<u8>, ReadError>,
) -> Result<Vec<u8>, ReadError> {
    let before = file.metadata()?;
    if before.is_file() && before.len() > limit {
        return Err(ReadError::TooLong(limit));
    }
    let bytes = read(file, before.len())?;
    let after = file.metadata()?;
    let is_same = before.len() == after.len() && before.modified().ok() == after.modified().ok();
    if before.is_file() && !is_same {
        return Err(ReadError::Changed);
    }
    Ok(bytes)
}

/// Reads at most one byte beyond the limit, to detect a longer input. Allocates `expected` bytes at once.
fn read_limited(reader: impl Read, limit: u64, expected: u64) -> Result<Vec<u8>, ReadError> {
    // One more byte of capacity, so that the end is detected without growing the buffer.
    let expected = expected.min(limit).saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLong(limit)) } else { Ok(bytes) }
}

fn cannot_read(name: &str, error: &ReadError) -> Problems {
    let (message, help) = match error {
        ReadError::TooLong(limit) => {
            (format!("is longer than {limit} bytes"), Some("`--max-input` raises the limit"))
        }
        ReadError::Changed => {
            ("changed while it was read".to_owned(), Some("try again when it is finished"))
        }
        ReadError::Io(error) => match error.kind() {
            io::ErrorKind::NotFound => ("there is no such file".to_owned(), None),
            io::ErrorKind::IsADirectory => {
                ("is a directory".to_owned(), Some("name the files in it"))
            }
            _ => (format!("cannot be read: {error}"), None),
        },
    };
    let finding =
        Finding { help: help.map(str::to_owned), ..Finding::error(message, Place::Whole) };
    Problems::one(name, None, finding)
}

/// Points at the first byte that is not UTF-8. The text has replacement characters for such bytes.
fn not_text(name: &str, bytes: &[u8], at: usize) -> Problems {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let message = format!("byte {at} is not UTF-8 text");
    let width = text[at..].chars().next().map_or(0, char::len_utf8);
    let finding =
        Finding::error(message, Place::Span(at..at + width)).with_help(reader_of_binary(bytes));
    Problems::one(name, Some(text), finding)
}

/// The bytes with which the Wii U's shader files begin.
pub(crate) const SHADER_FILE: &[u8] = b"Gfx2";

/// Advice on what reads a binary input that is not text.
fn reader_of_binary(bytes: &[u8]) -> &'static str {
    match bytes.starts_with(SHADER_FILE) {
        true => "it is a shader file of the Wii U: `tgsi unlink` lists its shaders",
        false => "binary shaders are read by `tgsi decode` and `tgsi disasm`",
    }
}

/// The form of words in a file.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct WordFormat {
    /// Reads words as hexadecimal text, separated by white space or commas, `0x` optional; default: little-endian
    /// binary.
    #[arg(long)]
    pub(crate) hex: bool,
}

/// The byte order of binary words.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ByteOrder {
    /// Reads binary words as big-endian, as in memory dumps of a console.
    #[arg(long, conflicts_with = "hex")]
    big_endian: bool,
}

/// Reads 32-bit words.
pub(crate) fn read_words(
    path: &Path,
    (format, order): (WordFormat, ByteOrder),
) -> Result<Vec<u32>, Problems> {
    let input = Input::read(path)?;
    if format.hex {
        return hex_words(input);
    }
    input.check_is_binary()?;
    let (chunks, rest) = input.bytes.as_chunks::<4>();
    check_whole_words(&input.name, rest, 4)?;
    let read = if order.big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    Ok(chunks.iter().map(|&bytes| read(bytes)).collect())
}

/// 64-bit words of an input.
pub(crate) struct LongWords {
    /// The name of the input.
    pub(crate) name: String,
    /// The text of the input, for words in hexadecimal.
    pub(crate) text: Option<String>,
    /// The words, with their places in the text.
    pub(crate) words: Vec<(u64, Range<usize>)>,
}

/// Reads 64-bit words.
pub(crate) fn read_long_words(
    path: &Path,
    (format, order): (WordFormat, ByteOrder),
) -> Result<LongWords, Problems> {
    let input = Input::read(path)?;
    if format.hex {
        let input = input.into_hex()?;
        return match parse_hex(&input, 16) {
            Ok(words) => Ok(LongWords { name: input.name, text: Some(input.text), words }),
            Err(finding) => Err(input.problem(*finding)),
        };
    }
    input.check_is_binary()?;
    let (chunks, rest) = input.bytes.as_chunks::<8>();
    check_whole_words(&input.name, rest, 8)?;
    let read = if order.big_endian { u64::from_be_bytes } else { u64::from_le_bytes };
    let words = chunks.iter().map(|&bytes| (read(bytes), 0..0)).collect();
    Ok(LongWords { name: input.name, text: None, words })
}

/// The 32-bit words of hexadecimal text.
pub(crate) fn hex_words(input: Input) -> Result<Vec<u32>, Problems> {
    let input = input.into_hex()?;
    let words = parse_hex(&input, 8).map_err(|finding| input.problem(*finding))?;
    Ok(words.into_iter().map(|(word, _)| word as u32).collect())
}

fn check_whole_words(name: &str, rest: &[u8], size: usize) -> Result<(), Problems> {
    if rest.is_empty() {
        return Ok(());
    }
    let message = format!("ends {} bytes into a word of {size}", rest.len());
    let finding = Finding::error(message, Place::Whole);
    Err(Problems::one(name, None, finding.with_help("`--hex` reads words as text")))
}

/// Parses words of up to `digits` hexadecimal digits, separated by white space or commas. Returns them with their
/// places.
fn parse_hex(input: &TextInput, digits: usize) -> Result<Vec<(u64, Range<usize>)>, Box<Finding>> {
    let mut words = Vec::new();
    let is_between = |c: char| c.is_ascii_whitespace() || c == ',';
    for word in input.text.split(is_between).filter(|word| !word.is_empty()) {
        let plain = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
        let is_hex = plain.bytes().all(|byte| byte.is_ascii_hexdigit());
        // The word is a slice of the text, so its place is the difference of the pointers.
        let start = word.as_ptr() as usize - input.text.as_ptr() as usize;
        let span = start..start + word.len();
        if plain.is_empty() || !is_hex || plain.len() > digits {
            let message = format!("`{}` is not a word of up to {digits} hex digits", clip(word));
            return Err(Finding::error(message, Place::Span(span)).into());
        }
        words.extend(u64::from_str_radix(plain, 16).ok().map(|value| (value, span)));
    }
    Ok(words)
}

/// The start of a word, which may be megabytes long.
fn clip(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.to_owned();
    }
    word.chars().take(40).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write as _;

    use super::{ReadError, TextInput, parse_hex, read_limited, read_steady};

    fn hex(text: &str) -> Result<Vec<u64>, String> {
        let input = TextInput { name: "x".to_owned(), text: text.to_owned() };
        let words = parse_hex(&input, 8).map_err(|finding| input.problem(*finding).headline())?;
        Ok(words.into_iter().map(|(word, _)| word).collect())
    }

    #[test]
    fn hex_words_take_an_optional_prefix() {
        assert_eq!(hex("0x10 ff\n\t0XDEADBEEF"), Ok(vec![0x10, 0xff, 0xdead_beef]));
        assert_eq!(hex(""), Ok(vec![]));
    }

    #[test]
    fn bad_hex_is_named_with_its_place() {
        assert_eq!(hex("1\n 0xg"), Err("2:2: `0xg` is not a word of up to 8 hex digits".into()));
        assert!(hex("123456789").is_err());
        assert!(hex("0x").is_err());
        assert!(hex("+1").is_err());
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shader");
        fs::write(&path, "FRAG\nEND\n").unwrap();
        let read = |change: &dyn Fn()| {
            read_steady(&File::open(&path).unwrap(), 1000, |file, len| {
                change();
                read_limited(file, 1000, len)
            })
        };
        assert_eq!(read(&|| ()).unwrap(), b"FRAG\nEND\n");
        let append = || {
            let mut file = File::options().append(true).open(&path).unwrap();
            file.write_all(b"\n").unwrap();
        };
        assert!(matches!(read(&append), Err(ReadError::Changed)));
        assert!(matches!(
            read(&|| File::options().write(true).open(&path).unwrap().set_len(3).unwrap()),
            Err(ReadError::Changed)
        ));
    }

    #[test]
    fn an_input_as_long_as_the_limit_is_read() {
        assert_eq!(read_limited(&b"1234"[..], 4, 0).unwrap(), b"1234");
        assert!(matches!(read_limited(&b"12345"[..], 4, 9), Err(ReadError::TooLong(4))));
    }
}
