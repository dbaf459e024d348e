//! Mesa releases, and the generations of TGSI, which differ in numbers and layout.

pub(crate) mod wording;

use std::fmt;
use std::str::FromStr;

use crate::generated::dialects::{
    CHANNEL_RULES, Feature, INSTEAD, MEANINGS, SEMANTIC_RULES, STAGE_RULES, TARGET_RULES,
};
use crate::{File, Opcode, Processor, Semantic, TextureTarget, WriteMask};

use wording::Wording;

/// A release of Mesa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
}

impl Release {
    /// `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A generation of the language, chosen by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Dialect {
    /// `2010`: the TGSI of Mesa 7.8.
    #[cfg_attr(feature = "serde", serde(rename = "2010"))]
    Y2010,
    /// `2012`: the TGSI of Mesa 9.0.
    #[cfg_attr(feature = "serde", serde(rename = "2012"))]
    Y2012,
    /// `21.2`: the TGSI of Mesa 21.2.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "21.2"))]
    Y2021,
}

impl Dialect {
    /// The dialects, oldest first.
    pub const ALL: [Self; 3] = [Self::Y2010, Self::Y2012, Self::Y2021];

    /// Position in [`Dialect::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Y2010 => "2010",
            Self::Y2012 => "2012",
            Self::Y2021 => "21.2",
        }
    }

    /// Whether it has a language feature.
    pub const fn has(self, feature: Feature) -> bool {
        feature.dialects()[self.index()]
    }

    /// Whether a document defines it. If so, the document's rules and meanings apply.
    pub const fn is_documented(self) -> bool {
        !matches!(self, Self::Y2021)
    }

    /// The release that it follows.
    pub const fn release(self) -> Release {
        match self {
            Self::Y2010 => Release::new(7, 8),
            Self::Y2012 => Release::new(9, 0),
            Self::Y2021 => Release::new(21, 2),
        }
    }
}

/// The authority where a document and the releases of its time differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Authority {
    /// The document's.
    #[default]
    Document,
    /// Mesa's.
    Mesa,
}

impl Authority {
    /// The name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Mesa => "mesa",
        }
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Authority {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Document, Self::Mesa]
            .into_iter()
            .find(|authority| authority.name() == text)
            .ok_or_else(|| format!("unknown meaning `{text}`: expected `document` or `mesa`"))
    }
}

/// Opcodes that a document names without a number, and their replacements.
#[derive(Debug)]
pub(crate) struct WrittenInstead {
    pub(crate) opcodes: &'static [Opcode],
    pub(crate) dialects: [bool; 3],
    pub(crate) write: &'static str,
}

/// Opcodes whose meaning has changed.
#[derive(Debug)]
pub(crate) struct MeaningRow {
    pub(crate) opcodes: &'static [Opcode],
    pub(crate) dialects: [bool; 3],
    pub(crate) document: Wording,
    pub(crate) mesa: Wording,
    pub(crate) note: Option<&'static str>,
}

/// Where a document allows semantics.
#[derive(Debug)]
pub(crate) struct SemanticRule {
    pub(crate) names: &'static [Semantic],
    pub(crate) dialects: [bool; 3],
    pub(crate) places: &'static [(Processor, File)],
}

/// The channels of an output that a document allows a stage to write.
#[derive(Debug)]
pub(crate) struct ChannelRule {
    pub(crate) semantic: Semantic,
    pub(crate) stage: Processor,
    pub(crate) dialects: [bool; 3],
    pub(crate) mask: WriteMask,
}

/// Kinds of textures that a document allows opcodes to read.
#[derive(Debug)]
pub(crate) struct TargetRule {
    pub(crate) opcodes: &'static [Opcode],
    pub(crate) dialects: [bool; 3],
    /// The only ones allowed, unless empty.
    pub(crate) only: &'static [TextureTarget],
    /// The ones not allowed.
    pub(crate) not: &'static [TextureTarget],
    pub(crate) why: &'static str,
    pub(crate) help: &'static str,
}

/// Opcodes that a document allows in one stage.
#[derive(Debug)]
pub(crate) struct StageRule {
    pub(crate) opcodes: &'static [Opcode],
    pub(crate) dialects: [bool; 3],
    pub(crate) stage: Processor,
}

impl Dialect {
    /// The replacement for an opcode that the dialect's document names, but that has no number in any release of its
    /// time.
    pub fn written_instead(self, opcode: Opcode) -> Option<&'static str> {
        let is_it =
            |row: &&WrittenInstead| row.dialects[self.index()] && row.opcodes.contains(&opcode);
        INSTEAD.iter().find(is_it).map(|row| row.write)
    }

    /// The meaning of an opcode in the dialect, if it differs from today's.
    pub(crate) fn meaning(self, opcode: Opcode) -> Option<&'static MeaningRow> {
        MEANINGS.iter().find(|row| row.dialects[self.index()] && row.opcodes.contains(&opcode))
    }

    /// How to express the dialect's meaning of an opcode in today's TGSI.
    pub(crate) fn wording(self, opcode: Opcode, authority: Authority) -> Wording {
        self.meaning(opcode).map_or(Wording::Today, |row| match authority {
            Authority::Document => row.document,
            Authority::Mesa => row.mesa,
        })
    }

    /// Where its document allows a semantic, if it says so.
    pub(crate) fn semantic_places(self, name: Semantic) -> Option<&'static [(Processor, File)]> {
        let is_it = |row: &&SemanticRule| row.dialects[self.index()] && row.names.contains(&name);
        SEMANTIC_RULES.iter().find(is_it).map(|row| row.places)
    }

    /// The channels of an output with this semantic that its document allows a stage to write, if it says so.
    pub(crate) fn written_channels(self, name: Semantic, stage: Processor) -> Option<WriteMask> {
        let is_it = |row: &&ChannelRule| {
            row.dialects[self.index()] && row.semantic == name && row.stage == stage
        };
        CHANNEL_RULES.iter().find(is_it).map(|row| row.mask)
    }

    /// Why its document forbids an opcode to read this kind of texture, if so, and which opcodes can.
    pub(crate) fn refused_target(
        self,
        opcode: Opcode,
        target: TextureTarget,
    ) -> Option<(&'static str, &'static str)> {
        let is_it = |row: &&TargetRule| row.dialects[self.index()] && row.opcodes.contains(&opcode);
        let row = TARGET_RULES.iter().find(is_it)?;
        let is_refused =
            row.not.contains(&target) || !row.only.is_empty() && !row.only.contains(&target);
        is_refused.then_some((row.why, row.help))
    }

    /// The one stage in which its document allows an opcode, if it says so.
    pub(crate) fn only_stage(self, opcode: Opcode) -> Option<Processor> {
        let is_it = |row: &&StageRule| row.dialects[self.index()] && row.opcodes.contains(&opcode);
        STAGE_RULES.iter().find(is_it).map(|row| row.stage)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown dialect name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(pub String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown TGSI dialect `{}`: expected 2010, 2012 or 21.2", self.0)
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    /// Accepts the name, or the release that the dialect follows.
    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == text || dialect.release().to_string() == text)
            .ok_or_else(|| UnknownDialect(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_chosen_by_name_or_release() {
        assert_eq!("2010".parse(), Ok(Dialect::Y2010));
        assert_eq!("9.0".parse(), Ok(Dialect::Y2012));
        let error = "2011".parse::<Dialect>().unwrap_err();
        assert_eq!(error.to_string(), "unknown TGSI dialect `2011`: expected 2010, 2012 or 21.2");
    }
}
