//! Flags and words of Maxwell's instruction set, shared by several commands.

use std::path::Path;

use clap::{Args, ValueEnum};
use maxwell_tex::{Bundle, Sm};

use crate::failure::Failure;
use crate::input::{ByteOrder, LongWords, WordFormat, read_long_words};
use crate::problem::{Finding, Place, Problems};

/// The generation of Maxwell, and the layout of words.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct MaxwellFlags {
    /// Generation: 50, 52 or 53 (the Switch); default: 53.
    #[arg(long, help_heading = "Maxwell")]
    sm: Option<SmName>,
    /// Layout of the words; default: bundles in binary, bare in hexadecimal.
    #[arg(long, help_heading = "Maxwell")]
    layout: Option<Layout>,
}

/// Names of generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SmName {
    /// First Maxwell: no .LC, no sparse status, no .F16.
    #[value(name = "50")]
    Sm50,
    /// Second Maxwell.
    #[value(name = "52")]
    Sm52,
    /// Tegra X1.
    #[value(name = "53")]
    Sm53,
}

/// Layouts of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// Only instructions, without control words.
    Bare,
    /// A control word, then three instructions.
    Bundles,
}

impl MaxwellFlags {
    /// The generation.
    pub(crate) fn sm(self) -> Sm {
        match self.sm {
            Some(SmName::Sm50) => Sm::Sm50,
            Some(SmName::Sm52) => Sm::Sm52,
            Some(SmName::Sm53) | None => Sm::Sm53,
        }
    }

    /// Rejects the flags if the words are not Maxwell's.
    pub(crate) fn check_not_given(self) -> Result<(), Failure> {
        let flag = match (self.sm, self.layout) {
            (Some(_), _) => "--sm",
            (None, Some(_)) => "--layout",
            (None, None) => return Ok(()),
        };
        Err(Failure::Usage(format!("`{flag}` is for Maxwell")))
    }

    /// The layout of words in hexadecimal text or in binary.
    pub(crate) fn layout(self, is_hex: bool) -> Layout {
        self.layout.unwrap_or(if is_hex { Layout::Bare } else { Layout::Bundles })
    }
}

/// Words of a program.
pub(crate) struct Words(LongWords);

impl Words {
    pub(crate) fn read(path: &Path, form: (WordFormat, ByteOrder)) -> Result<Self, Problems> {
        read_long_words(path, form).map(Self)
    }

    /// The words alone.
    pub(crate) fn bare(&self) -> impl Iterator<Item = u64> {
        self.0.words.iter().map(|(word, _)| *word)
    }

    /// The words in groups of four.
    pub(crate) fn bundles(&self) -> Result<Vec<Bundle>, Problems> {
        let words: Vec<u64> = self.bare().collect();
        let (bundles, rest) = words.as_chunks::<{ Bundle::WORDS }>();
        if rest.is_empty() {
            return Ok(bundles.iter().copied().map(Bundle::from_words).collect());
        }
        let message = format!("ends {} words into a bundle of {}", rest.len(), Bundle::WORDS);
        let finding = Finding::error(message, Place::Whole)
            .with_help("`--layout bare` reads words without control words");
        Err(Problems::one(&self.0.name, None, finding))
    }

    /// The place of word `number`.
    pub(crate) fn place(&self, number: usize) -> Place {
        let span = self.0.words.get(number).filter(|_| self.0.text.is_some());
        span.map_or(Place::Whole, |(_, span)| Place::Span(span.clone()))
    }

    /// Findings about these words.
    pub(crate) fn problems(self, findings: Vec<Finding>) -> Problems {
        Problems { name: self.0.name, text: self.0.text, findings }
    }
}

/// Words in hexadecimal, one bundle or one bare word per line.
pub(crate) fn long_hex_text(words: &[u64], layout: Layout) -> String {
    let per_line = if layout == Layout::Bare { 1 } else { Bundle::WORDS };
    let mut text = String::with_capacity(17 * words.len());
    for line in words.chunks(per_line) {
        let line: Vec<_> = line.iter().map(|word| format!("{word:016x}")).collect();
        text.push_str(&line.join(" "));
        text.push('\n');
    }
    text
}

/// Words as little-endian bytes.
pub(crate) fn long_word_bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
