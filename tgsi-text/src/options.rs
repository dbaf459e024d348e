//! Options for parsing and printing.

use tgsi_ir::{Dialect, Limits};

/// The accepted language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// A superset of Mesa 21.2's language: comments, any line ends, a byte-order mark, attributes in any order, opcodes
    /// and files of every release, more notations for numbers, and everything that [`Style::Lossless`] prints.
    #[default]
    Extended,
    /// Exactly Mesa 21.2's language, with Mesa's own error messages; see [`mesa`](crate::mesa).
    Mesa,
}

/// Options for parsing.
///
/// ```
/// use tgsi_text::{Language, ParseOptions};
///
/// let options = ParseOptions::default().language(Language::Mesa);
/// assert_eq!(options.dialect, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The accepted language.
    pub language: Language,
    /// The dialect, which determines operands and attributes where they changed over time. `None` uses the dialect
    /// stated in a comment before the header (`# dialect: 2012`), or else today's. Mesa's language ignores it and is
    /// always that of 21.2.
    pub dialect: Option<Dialect>,
    /// Limits on the size of the shader.
    pub limits: Limits,
}

impl ParseOptions {
    /// The same options with another language.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The same options with another dialect.
    #[must_use]
    pub fn dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// The same options with other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl From<Dialect> for ParseOptions {
    fn from(dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..Self::default() }
    }
}

impl From<Language> for ParseOptions {
    fn from(language: Language) -> Self {
        Self { language, ..Self::default() }
    }
}

/// How much of a shader its text shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// Mesa 21.2's dump format, byte for byte: floats with four decimals.
    Mesa,
    /// Mesa's dump format with the bits of floats in hexadecimal.
    MesaHex,
    /// Lossless. Prints like Mesa if that loses nothing, and otherwise uses the extended language: floats have as many
    /// digits as they need, numbers without a name are written `SEMANTIC(47)`, and words usually implied by the opcode
    /// are written out if the instruction has others.
    #[default]
    Lossless,
    /// Lossless, with the bits of 32-bit floats in hexadecimal.
    LosslessHex,
}

impl Style {
    /// Whether the printed text reads back to an equal shader.
    pub(crate) fn is_lossless(self) -> bool {
        matches!(self, Self::Lossless | Self::LosslessHex)
    }

    /// Whether 32-bit floats are in hexadecimal.
    pub(crate) fn is_hex(self) -> bool {
        matches!(self, Self::MesaHex | Self::LosslessHex)
    }
}

/// Options for printing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PrintOptions {
    /// The style.
    pub style: Style,
    /// The dialect that the text will be read as.
    pub dialect: Dialect,
}

impl PrintOptions {
    /// The same options with another style.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The same options with another dialect.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }
}

impl From<Style> for PrintOptions {
    fn from(style: Style) -> Self {
        Self { style, ..Self::default() }
    }
}
