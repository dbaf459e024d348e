//! Scheduling information of instructions: the 21-bit groups of a bundle's control word.

use core::fmt;

use crate::field::{Decoder, Encoder, FieldIo, bits_of_codes};
use crate::generated::enums::Phase;
use crate::generated::words::{NO_BARRIER, NUM_BARRIERS, control_group};

bits_of_codes!(Phase, Barrier, BarrierSet, Stall, Reuse);

/// Scheduling of one instruction (`&req`, `&rd`, `&wr`, `?sched`), and the phase of a texture instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Control {
    /// Cycles before the next instruction.
    pub stall: Stall,
    /// The flag that public notes call yield; with a stall of 0 it pairs the instruction with the next.
    pub yields: bool,
    /// The barrier that is released when the results are written (`&wr`).
    pub wr: Barrier,
    /// The barrier that is released when the operands are read (`&rd`).
    pub rd: Barrier,
    /// The barriers to wait for (`&req`).
    pub req: BarrierSet,
    /// The treatment of the texture hash (`.T`, `.P`). Other instructions have reuse flags here.
    pub phase: Phase,
    /// Reuse flags of other instructions; without effect in texture instructions.
    pub reuse: Reuse,
}

impl Control {
    /// No stall, no barrier, no phase.
    pub const NONE: Self = Self {
        stall: Stall(0),
        yields: false,
        wr: Barrier::NONE,
        rd: Barrier::NONE,
        req: BarrierSet::NONE,
        phase: Phase::None,
        reuse: Reuse(0),
    };

    /// Reads a group; bits above the 21st are ignored.
    pub fn from_group(group: u32) -> Self {
        let mut control = Self::NONE;
        control.describe(&mut Decoder { word: group.into() });
        control
    }

    /// The group.
    pub fn to_group(mut self) -> u32 {
        let mut encoder = Encoder { word: 0 };
        self.describe(&mut encoder);
        encoder.word as u32
    }

    /// Whether the instruction is issued together with the next one.
    pub fn pairs(&self) -> bool {
        self.yields && self.stall == Stall(0)
    }

    fn describe(&mut self, io: &mut impl FieldIo) {
        io.field(control_group::STALL, &mut self.stall);
        io.field(control_group::YIELD, &mut self.yields);
        io.field(control_group::WR, &mut self.wr);
        io.field(control_group::RD, &mut self.rd);
        io.field(control_group::REQ, &mut self.req);
        io.field(control_group::PHASE, &mut self.phase);
        io.field(control_group::REUSE_HIGH, &mut self.reuse);
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::NONE
    }
}

/// The documents' scheduling operands after an instruction, each after a blank; the phase is not an operand.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.req != BarrierSet::NONE {
            write!(f, " &req={:#x}", self.req.0)?;
        }
        if self.rd != Barrier::NONE {
            write!(f, " &rd{}", self.rd.0)?;
        }
        if self.wr != Barrier::NONE {
            write!(f, " &wr{}", self.wr.0)?;
        }
        match (self.stall.0, self.yields) {
            (0, false) => Ok(()),
            (stall, false) => write!(f, " ?stall{stall}"),
            (0, true) => f.write_str(" ?yield"),
            (stall, true) => write!(f, " ?stall{stall}_yield"),
        }?;
        if self.reuse != Reuse(0) {
            write!(f, " ?reuse{}", self.reuse.0)?;
        }
        Ok(())
    }
}

/// A small number that fills its field.
macro_rules! bounded {
    ($(#[$doc:meta])* $name:ident, $field:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
        pub struct $name(u8);

        impl $name {
            /// The value with this code, if it fits the field.
            pub const fn new(code: u8) -> Option<Self> {
                if code as u64 <= $field.max() { Some(Self(code)) } else { None }
            }

            /// The value with this code; bits above the field are ignored.
            pub const fn from_code(code: u8) -> Self {
                Self(code & $field.max() as u8)
            }

            /// Its code in a group.
            pub const fn code(self) -> u8 {
                self.0
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> Self {
                value.code()
            }
        }

        impl TryFrom<u8> for $name {
            type Error = &'static str;

            fn try_from(code: u8) -> Result<Self, Self::Error> {
                Self::new(code).ok_or("the value does not fit its field")
            }
        }
    };
}

bounded!(
    /// Cycles from 0 to 15.
    Stall,
    control_group::STALL
);
bounded!(
    /// A barrier by number, or none.
    Barrier,
    control_group::WR
);
bounded!(
    /// A set of barriers, barrier 0 in the lowest bit.
    BarrierSet,
    control_group::REQ
);
bounded!(
    /// Two flags.
    Reuse,
    control_group::REUSE_HIGH
);

impl Barrier {
    /// No barrier.
    pub const NONE: Self = Self(NO_BARRIER);

    /// Whether it is no barrier or one that is known to exist. The vendor's disassembler accepts code 6, but its
    /// meaning is unknown.
    pub fn is_known(self) -> bool {
        self.0 < NUM_BARRIERS || self == Self::NONE
    }
}

impl BarrierSet {
    /// No barrier.
    pub const NONE: Self = Self(0);
}
