//! Reading inputs: files or standard input, text or words.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use clap::Args;

use crate::problem::{Finding, Place, Problems};

/// The longest input that is read. The token format cannot express a shader of a quarter of this.
const LIMIT: u64 = 256 << 20;

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
        Problems::one(&self.name, Some(self.text), finding)
    }
}

/// Whether `path` stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How messages and results call `path`.
pub(crate) fn display_name(path: &Path) -> String {
    if is_dash(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Problems> {
        let name = display_name(path);
        let bytes = if is_dash(path) { read_limited(io::stdin().lock()) } else { read_file(path) };
        let bytes = bytes.map_err(|error| cannot_read(&name, &error))?;
        if bytes.len() as u64 > LIMIT {
            return Err(Problems::whole(&name, format!("is longer than {} MiB", LIMIT >> 20)));
        }
        Ok(Self { name, bytes })
    }

    /// The contents as text.
    pub(crate) fn into_text(self) -> Result<TextInput, Problems> {
        match String::from_utf8(self.bytes) {
            Ok(text) => Ok(TextInput { name: self.name, text }),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                Err(not_text(&self.name, error.as_bytes(), at))
            }
        }
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_limited(File::open(path)?)
}

/// Reads one byte more than the limit at most, so that the caller can tell.
fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn cannot_read(name: &str, error: &io::Error) -> Problems {
    match error.kind() {
        io::ErrorKind::NotFound => Problems::whole(name, "there is no such file"),
        io::ErrorKind::IsADirectory => {
            let finding = Finding::error("is a directory", Place::Whole);
            Problems::one(name, None, finding.with_help("name the files in it"))
        }
        _ => Problems::whole(name, format!("cannot be read: {error}")),
    }
}

/// Points at the first byte that is not UTF-8, in the text with such bytes replaced.
fn not_text(name: &str, bytes: &[u8], at: usize) -> Problems {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let message = format!("byte {at} is not UTF-8 text");
    let width = text[at..].chars().next().map_or(0, char::len_utf8);
    let finding = Finding::error(message, Place::Span(at..at + width))
        .with_help("binary shaders are read by `tgsi decode` and `tgsi disasm`");
    Problems::one(name, Some(text), finding)
}

/// How words are written in a file.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct WordFormat {
    /// Words are hexadecimal text, separated by white space, `0x` optional; else little-endian binary.
    #[arg(long)]
    pub(crate) hex: bool,
}

/// Reads 32-bit words.
pub(crate) fn read_words(path: &Path, format: WordFormat) -> Result<Vec<u32>, Problems> {
    let input = Input::read(path)?;
    if format.hex {
        return hex_words(input);
    }
    let (chunks, rest) = input.bytes.as_chunks::<4>();
    check_whole_words(&input.name, rest, 4)?;
    Ok(chunks.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect())
}

/// 64-bit words of an input.
pub(crate) struct LongWords {
    /// The input's name.
    pub(crate) name: String,
    /// Its text, for words in hexadecimal.
    pub(crate) text: Option<String>,
    /// The words, with their places in the text.
    pub(crate) words: Vec<(u64, Range<usize>)>,
}

/// Reads 64-bit words.
pub(crate) fn read_long_words(path: &Path, format: WordFormat) -> Result<LongWords, Problems> {
    let input = Input::read(path)?;
    if format.hex {
        let input = input.into_text()?;
        return match parse_hex(&input, 16) {
            Ok(words) => Ok(LongWords { name: input.name, text: Some(input.text), words }),
            Err(finding) => Err(input.problem(*finding)),
        };
    }
    let (chunks, rest) = input.bytes.as_chunks::<8>();
    check_whole_words(&input.name, rest, 8)?;
    let words = chunks.iter().map(|&bytes| (u64::from_le_bytes(bytes), 0..0)).collect();
    Ok(LongWords { name: input.name, text: None, words })
}

/// The 32-bit words of hexadecimal text.
pub(crate) fn hex_words(input: Input) -> Result<Vec<u32>, Problems> {
    let input = input.into_text()?;
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

/// Words of up to `digits` hexadecimal digits, separated by white space, with their places.
fn parse_hex(input: &TextInput, digits: usize) -> Result<Vec<(u64, Range<usize>)>, Box<Finding>> {
    let mut words = Vec::new();
    for word in input.text.split_ascii_whitespace() {
        let plain = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
        let is_hex = plain.bytes().all(|byte| byte.is_ascii_hexdigit());
        // The word is a slice of the text, so the difference is its place there.
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

/// The beginning of a word that may be megabytes long.
fn clip(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.to_owned();
    }
    word.chars().take(40).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{TextInput, parse_hex};

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
}
