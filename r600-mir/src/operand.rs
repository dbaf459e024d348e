//! Operands of operations.

use r600_isa::{AluSel, Chan, selectors};

use crate::{Array, VReg};

/// One channel of an array element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The array.
    pub array: Array,
    /// Element, before the index is added.
    pub offset: u8,
    /// Channel of the GPR.
    pub chan: Chan,
    /// Whether the address register is added ([`Alu::index`](crate::Alu::index)).
    pub relative: bool,
}

/// The kind of a source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcKind {
    /// A virtual register.
    VReg(VReg),
    /// A constant: an inline constant if one fits (possibly negated), else a literal.
    Const(u32),
    /// Channel `chan` of vec4 `index` of constant buffer `bank`, read through the constant cache.
    Uniform {
        /// Constant buffer, 0 to 15.
        bank: u8,
        /// Vec4 in the buffer, 0 to 4095.
        index: u16,
        /// Channel.
        chan: Chan,
    },
    /// An element of an indexed array.
    Element(Element),
    /// Any other selector (interpolation parameters, LDS queues, counters) with its channel field.
    Special(AluSel, Chan),
}

impl SrcKind {
    /// The pair of constant channels that this operand adds to its group: buffer (0 for the constant file), vec4, and
    /// whether it is the last two channels. A group can read two such pairs.
    pub fn constant_pair(&self) -> Option<(u8, u16, bool)> {
        let pair = |bank, index, chan| (bank, index, matches!(chan, Chan::Z | Chan::W));
        match *self {
            Self::Uniform { bank, index, chan } => Some(pair(bank, index, chan)),
            Self::Special(AluSel::ConstFile(index), chan) => Some(pair(0, index.into(), chan)),
            Self::VReg(_) | Self::Const(_) | Self::Element(_) | Self::Special(..) => None,
        }
    }
}

/// An operand of an ALU operation. The absolute value is taken before the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    /// The value that is read.
    pub kind: SrcKind,
    /// Negation.
    pub neg: bool,
    /// Absolute value; not for three-source operations.
    pub abs: bool,
}

impl Src {
    /// `kind`, unmodified.
    pub const fn new(kind: SrcKind) -> Self {
        Self { kind, neg: false, abs: false }
    }
}

/// The destination of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dst {
    /// Nowhere: the operation has another effect, or its result is unused.
    #[default]
    None,
    /// A virtual register.
    VReg(VReg),
    /// An element of an indexed array.
    Element(Element),
}

/// One component of a fetch address or an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Component {
    /// Not used (masked).
    #[default]
    Unused,
    /// A member of the operand's vector.
    VReg(VReg),
    /// 0.0.
    Zero,
    /// 1.0.
    One,
}

/// The selector that pops the oldest value of the LDS queue.
pub const LDS_QUEUE_A_POP: AluSel = AluSel::Other(selectors::LDS_OQ_A_POP);

/// The low half of the clock.
pub const TIME_LO: AluSel = AluSel::Other(selectors::TIME_LO);
/// The high half of the clock.
pub const TIME_HI: AluSel = AluSel::Other(selectors::TIME_HI);
/// The wave's number on its engine.
pub const HW_WAVE_ID: AluSel = AluSel::Other(231);
/// The number of the shader engine.
pub const SE_ID: AluSel = AluSel::Other(233);
