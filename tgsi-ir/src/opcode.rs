//! Properties of opcodes.

use std::fmt;

use crate::generated::dialects::documented_sources;
use crate::generated::opcode::{OPCODE_INFO, OPCODE_NAMES, OPCODES_BY_NUMBER};
use crate::{Dialect, Opcode, OpcodeType, OutputMode, Processor, Release, WriteMask};

/// The effect of an instruction on control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlowRole {
    /// Nothing: the next instruction follows.
    None,
    /// Opens a conditional block.
    If,
    /// Divides a conditional block.
    Else,
    /// Closes a conditional block.
    EndIf,
    /// Opens a loop.
    LoopBegin,
    /// Closes a loop.
    LoopEnd,
    /// Leaves the innermost loop or switch, possibly conditionally.
    Break,
    /// Goes to the next iteration of the innermost loop.
    Continue,
    /// Opens a switch block.
    SwitchBegin,
    /// Labels a place in a switch block.
    Case,
    /// Labels the default place in a switch block.
    Default,
    /// Closes a switch block.
    SwitchEnd,
    /// Opens a subroutine.
    SubBegin,
    /// Closes a subroutine.
    SubEnd,
    /// Calls a subroutine, possibly conditionally.
    Call,
    /// Leaves a subroutine or the shader.
    Return,
    /// Goes to a label.
    Branch,
    /// Ends the main program.
    End,
    /// Discards the fragment.
    Kill,
    /// Discards the fragment on a condition.
    KillIf,
    /// Turns the invocation into a helper.
    Demote,
    /// Emits a vertex or ends a primitive.
    Emit,
    /// Waits for other invocations, or orders accesses against theirs.
    Barrier,
}

/// Whether text shows the label of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelUse {
    /// Neither printed nor read.
    None,
    /// Printed, though not read back by Mesa.
    Printed,
    /// Printed and read.
    Read,
}

/// The role of a source. It determines the channels that are read and the files that make sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SrcRole {
    /// A value. The channels that the result needs are read.
    Value,
    /// A value. These channels are read whatever the write mask.
    Channels(WriteMask),
    /// A value. These channels are read for x, y, z and w of the result.
    ByChannel([WriteMask; 4]),
    /// A value that is tested as an integer, whatever its type.
    Test,
    /// Integers for 64-bit pairs: x for the pair xy, z for the pair zw.
    PairCounts,
    /// Never read.
    Unused,
    /// Texture coordinates, as many as the target has.
    Coordinates,
    /// Texture coordinates, and also w.
    CoordinatesAndW,
    /// Derivatives of the coordinates.
    Derivatives,
    /// A sampler, or a bindless handle of one.
    Sampler,
    /// A sampler view.
    View,
    /// A buffer, image or memory, or a bindless handle of one.
    Resource,
    /// The address within a resource: a byte offset, or image coordinates.
    Address,
    /// An input of a fragment shader, to be re-interpolated.
    Input,
    /// An output whose current value is fetched.
    Output,
}

/// The number format of a source. It determines the effect of its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// Floats, also used for untyped sources: modifiers change the sign bit of each channel.
    Float,
    /// Integers in two's complement.
    Integer,
    /// Doubles: modifiers change the sign bit of the high half of each pair.
    Double,
    /// Integers of 64 bits in two's complement, a pair of channels each.
    Integer64,
}

/// The properties of an opcode.
#[derive(Debug)]
pub struct OpcodeInfo {
    /// Mnemonic, upper case.
    pub name: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// Number of destinations.
    pub num_dst: u8,
    /// Number of sources, without the texture target.
    pub num_src: u8,
    /// Number of sources up to and including a release, where there were fewer.
    pub fewer_src: Option<(u8, Release)>,
    /// Types of the destinations.
    pub dst_types: &'static [OpcodeType],
    /// Types of the sources.
    pub src_types: &'static [OpcodeType],
    /// Role of each source.
    pub src_roles: &'static [SrcRole],
    /// Stages that may use it; empty if all may.
    pub stages: &'static [Processor],
    /// Whether a texture target is its last operand.
    pub is_tex: bool,
    /// Whether it has a texture word whose target is left to the sampler view: the `SAMPLE` family.
    pub has_view_word: bool,
    /// Whether it has a memory word in text.
    pub has_memory_word: bool,
    /// Whether it may carry a label.
    pub is_branch: bool,
    /// Whether it writes memory.
    pub is_store: bool,
    /// Whether text shows its label.
    pub label: LabelUse,
    /// Its effect on control flow.
    pub flow: FlowRole,
    /// Whether text dedents before it.
    pub pre_dedent: bool,
    /// Whether text indents after it.
    pub post_indent: bool,
    /// How the channels of the result depend on the sources.
    pub output_mode: OutputMode,
    /// Number in each dialect.
    pub numbers: [Option<u8>; 3],
    /// First release that had it.
    pub first_release: Release,
    /// Last release that had it; 21.2 stands for today.
    pub last_release: Release,
    /// Whether Mesa's reference interpreter executes it.
    pub is_executed: bool,
    /// The opcode that does the same today, operand for operand.
    pub same_as: Option<Opcode>,
}

impl OpcodeInfo {
    /// Whether a texture word follows the instruction's head.
    #[inline]
    pub const fn has_texture_word(&self) -> bool {
        self.is_tex || self.has_view_word
    }

    /// The number format that the modifiers of source `n` act on.
    pub fn src_numbers(&self, n: usize) -> Numbers {
        if matches!(self.src_roles.get(n), Some(SrcRole::Test | SrcRole::PairCounts)) {
            return Numbers::Integer;
        }
        match self.src_types.get(n) {
            Some(OpcodeType::Unsigned | OpcodeType::Signed) => Numbers::Integer,
            Some(OpcodeType::Double) => Numbers::Double,
            Some(OpcodeType::Unsigned64 | OpcodeType::Signed64) => Numbers::Integer64,
            Some(OpcodeType::Untyped | OpcodeType::Void | OpcodeType::Float) | None => {
                Numbers::Float
            }
        }
    }
}

impl Opcode {
    /// The properties of this opcode.
    #[inline]
    pub fn info(self) -> &'static OpcodeInfo {
        &OPCODE_INFO[self as usize]
    }

    /// The mnemonic, upper case.
    #[inline]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The opcode with a number in Mesa 21.2; `None` above the last one.
    #[inline]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::from_number_in(Dialect::Y2021, number)
    }

    /// The opcode with a number in a dialect.
    #[inline]
    pub fn from_number_in(dialect: Dialect, number: u8) -> Option<Self> {
        OPCODES_BY_NUMBER[dialect.index()][usize::from(number)]
    }

    /// The number in a dialect; `None` where the dialect lacks the opcode.
    #[inline]
    pub fn number_in(self, dialect: Dialect) -> Option<u8> {
        self.info().numbers[dialect.index()]
    }

    /// The opcode of a mnemonic, in upper or lower case.
    #[inline]
    pub fn from_name(word: &str) -> Option<Self> {
        Self::from_name_bytes(word.as_bytes())
    }

    /// The opcode of a mnemonic, in upper or lower case.
    #[inline]
    pub fn from_name_bytes(word: &[u8]) -> Option<Self> {
        OPCODE_NAMES.find(word)
    }

    /// Whether Mesa 21.2 lacks it.
    #[inline]
    pub fn is_legacy(self) -> bool {
        self.number_in(Dialect::Y2021).is_none()
    }

    /// Number of sources in a dialect: from its document, or else from the table of its release.
    pub fn num_src_in(self, dialect: Dialect) -> u8 {
        documented_sources(self)[dialect.index()].unwrap_or_else(|| self.num_src_of_table(dialect))
    }

    /// Numbers of sources allowed in text and streams of a dialect: those of its document and of the table of its
    /// release, the smaller one first.
    pub fn src_counts_in(self, dialect: Dialect) -> (u8, u8) {
        let (document, table) = (self.num_src_in(dialect), self.num_src_of_table(dialect));
        (document.min(table), document.max(table))
    }

    /// Whether an instruction of some dialect can have this number of sources.
    pub fn takes_sources(self, count: usize) -> bool {
        Dialect::ALL.iter().any(|&dialect| {
            let (least, most) = self.src_counts_in(dialect);
            count == usize::from(least) || count == usize::from(most)
        })
    }

    fn num_src_of_table(self, dialect: Dialect) -> u8 {
        let info = self.info();
        match info.fewer_src {
            Some((count, last)) if dialect.release() <= last => count,
            _ => info.num_src,
        }
    }

    /// Today's opcode with the same meaning, for second and former names.
    pub fn modern_name(self) -> Self {
        let mut opcode = self;
        while let Some(next) = opcode.info().same_as {
            opcode = next;
        }
        opcode
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discriminants_are_todays_numbers() {
        let today = Opcode::ALL.into_iter().filter(|opcode| !opcode.is_legacy()).count();
        for number in 0..=255u8 {
            let found = Opcode::from_number(number);
            let is_used = usize::from(number) < today;
            assert_eq!(found.map(|opcode| opcode as u16), is_used.then_some(number.into()));
        }
        assert_eq!(Opcode::Mov as u16, 1);
        assert_eq!(Opcode::Unk165 as u16, 165);
        assert_eq!(Opcode::AtomdecWrap as u16, 251);
    }

    #[test]
    fn every_opcode_is_found_by_name() {
        for opcode in Opcode::ALL {
            assert_eq!(Opcode::from_name(opcode.name()), Some(opcode));
            assert_eq!(Opcode::from_name(&opcode.name().to_lowercase()), Some(opcode));
        }
        assert_eq!(Opcode::from_name("MO"), None);
        assert_eq!(Opcode::from_name("MOVE"), None);
    }

    #[test]
    fn dialects_number_their_own_opcodes() {
        for dialect in Dialect::ALL {
            for opcode in Opcode::ALL {
                if let Some(number) = opcode.number_in(dialect) {
                    assert_eq!(Opcode::from_number_in(dialect, number), Some(opcode));
                }
            }
        }
        assert_eq!(Opcode::from_number_in(Dialect::Y2010, 39), Some(Opcode::Kilp));
        assert_eq!(Opcode::from_number_in(Dialect::Y2012, 39), Some(Opcode::Kilp));
        assert_eq!(Opcode::from_number_in(Dialect::Y2021, 39), Some(Opcode::Kill));
        assert_eq!(Opcode::from_number_in(Dialect::Y2010, 17), Some(Opcode::Sub));
        assert_eq!(Opcode::from_number_in(Dialect::Y2010, 118), None);
        assert_eq!(Opcode::Emit.num_src_in(Dialect::Y2012), 0);
        assert_eq!(Opcode::Emit.num_src_in(Dialect::Y2021), 1);
    }

    #[test]
    fn second_names_end_at_a_first_one() {
        assert_eq!(Opcode::Crossproduct.modern_name(), Opcode::Xpd);
        assert_eq!(Opcode::Texkill.modern_name(), Opcode::KillIf);
        assert_eq!(Opcode::Mov.modern_name(), Opcode::Mov);
    }
}
