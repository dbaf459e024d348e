//! How shaders are read: as text or words, and in which dialect and byte order.

use clap::{Args, ValueEnum};
use tgsi_binary::{Host, TokenFormat};
use tgsi_ir::{Authority, Dialect};
use tgsi_text::{Language, ParseOptions};

use crate::input::WordFormat;
use crate::limits;

/// How a shader is read. The first byte distinguishes binary words from text.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Dialect of the shader: 2010, 2012 or 21.2; by default the one that the text states in a comment before its
    /// header (`# dialect: 2012`), or else 21.2.
    #[arg(long, value_name = "DIALECT", help_heading = "Reading")]
    pub(crate) dialect: Option<Dialect>,
    /// The dialect of words, and of a text that states none, if no option names one; default: today's.
    #[arg(skip)]
    pub(crate) unstated: Option<Dialect>,
    /// Whose meaning applies where the document of an old dialect and the Mesa of its time differ: `document` or
    /// `mesa`.
    #[arg(long, value_name = "WHOSE", default_value_t, help_heading = "Reading")]
    pub(crate) meaning: Authority,
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[command(flatten)]
    pub(crate) format: WordFormat,
    /// Accepts only text that Mesa 21.2 accepts.
    #[arg(long, help_heading = "Reading")]
    pub(crate) strict: bool,
}

impl Reading {
    /// The first flag that differs from its default. It has no effect on files that are always read in the same way.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let Self { dialect, unstated: _, meaning, machine, format, strict } = *self;
        let flags = [
            ("--dialect", dialect.is_some()),
            ("--meaning", meaning != Authority::default()),
            ("--host", machine.host != HostName::default()),
            ("--hex", format.hex),
            ("--strict", strict),
        ];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// The format of words.
    pub(crate) fn tokens(&self) -> TokenFormat {
        self.machine.tokens(self.dialect.or(self.unstated).unwrap_or_default())
    }

    /// The options for parsing a text.
    pub(crate) fn text(&self, text: &str) -> ParseOptions {
        let unstated = self.unstated.filter(|_| !tgsi_text::states_dialect(text));
        let language = if self.strict { Language::Mesa } else { Language::Extended };
        ParseOptions::default()
            .language(language)
            .dialect(self.dialect.or(unstated))
            .limits(limits::of_shaders())
    }
}

/// The machine that words come from or are for.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Machine {
    /// Byte order of the machine that the words are for; big-endian machines also reverse the bit fields of a word.
    #[arg(long, value_name = "HOST", default_value = "little", help_heading = "Reading")]
    host: HostName,
}

impl Machine {
    /// The format of words in a dialect.
    pub(crate) fn tokens(self, dialect: Dialect) -> TokenFormat {
        let host = match self.host {
            HostName::Little => Host::Little,
            HostName::Big => Host::Big,
        };
        TokenFormat { dialect, host }
    }
}

/// Kinds of machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum HostName {
    /// x86, ARM, and words in files.
    #[default]
    Little,
    /// PowerPC and others.
    Big,
}
