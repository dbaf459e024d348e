//! How to read and how to print.

use tgsi_ir::{Dialect, Limits};

/// Which texts are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// What Mesa 21.2 accepts and much more: comments, any line ends, a byte-order mark, attributes in any order, opcodes
    /// and files of every release, numbers in more notations, and all that [`Style::Lossless`] prints.
    #[default]
    Extended,
    /// What Mesa 21.2 accepts, with its own messages for the rest; see [`mesa`](crate::mesa).
    Mesa,
}

/// How to read a text.
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
    /// Which texts are accepted.
    pub language: Language,
    /// The dialect: it decides which operands and attributes there are, where that changed. `None` for the one that
    /// the text states in a comment before its header (`# dialect: 2012`), or else today's. Of no effect on Mesa's
    /// language, which is that of 21.2.
    pub dialect: Option<Dialect>,
    /// How large the shader may be.
    pub limits: Limits,
}

impl ParseOptions {
    /// The same for another language.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The same for another dialect.
    #[must_use]
    pub fn dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// The same with other limits.
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

/// What a text shows of a shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// As Mesa 21.2 dumps shaders, byte for byte: floats with four decimals.
    Mesa,
    /// As Mesa's dumps with the bits of floats in hexadecimal.
    MesaHex,
    /// Everything: like Mesa where that says all, and else in a way that only the extended language knows.
    /// Floats that four decimals do not give back have as many digits as they need, numbers without a name
    /// are written `SEMANTIC(47)`, and words that text leaves to the opcode are named where the instruction
    /// has others.
    #[default]
    Lossless,
    /// The same with the bits of 32-bit floats in hexadecimal.
    LosslessHex,
}

impl Style {
    /// Whether what it prints reads back to an equal shader.
    pub(crate) fn is_lossless(self) -> bool {
        matches!(self, Self::Lossless | Self::LosslessHex)
    }

    /// Whether 32-bit floats are in hexadecimal.
    pub(crate) fn is_hex(self) -> bool {
        matches!(self, Self::MesaHex | Self::LosslessHex)
    }
}

/// How to print a shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PrintOptions {
    /// What the text shows.
    pub style: Style,
    /// The dialect that the text will be read as.
    pub dialect: Dialect,
}

impl PrintOptions {
    /// The same in another style.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The same for another dialect.
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
