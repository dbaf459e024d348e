//! Scheduled code: clauses of groups, before register allocation.

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::{AluOp, Chan, IndexMode, InlineConst, KcacheWindow, LdsAccess, Omod, Slot};

use r600_mir::{Block, Element, OpId, VReg};

/// The selector of a placed instruction's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedSel {
    /// A virtual register and its channel.
    VReg(VReg, Chan),
    /// The result of a vector slot of the previous group.
    Pv(Chan),
    /// The result of the trans slot of the previous group.
    Ps,
    /// A channel of a constant buffer, before the clause's windows are known.
    Uniform {
        /// Constant buffer.
        bank: u8,
        /// Vec4 in the buffer.
        index: u16,
        /// Channel.
        chan: Chan,
    },
    /// A vec4 of a constant cache window of the clause.
    Kcache {
        /// The window.
        set: u8,
        /// Vec4 within the window.
        index: u8,
        /// Channel.
        chan: Chan,
    },
    /// A constant: an inline constant if one fits, else a literal of the group.
    Const(u32),
    /// An element of an indexed array.
    Element(Element),
    /// Any other selector.
    Special(r600_isa::AluSel, Chan),
}

/// A source of a placed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedSrc {
    /// The selector.
    pub sel: PlacedSel,
    /// Negation.
    pub neg: bool,
    /// Absolute value.
    pub abs: bool,
}

/// The destination of a placed instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlacedDst {
    /// Only `PV` or `PS`.
    #[default]
    None,
    /// A virtual register.
    VReg(VReg),
    /// An element of an indexed array.
    Element(Element),
}

/// An instruction in a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The operation it belongs to; `None` if the scheduler added it.
    pub node: Option<OpId>,
    /// The opcode.
    pub op: AluOp,
    /// The destination.
    pub dst: PlacedDst,
    /// Channel of the destination field; in a vector slot, that of the slot.
    pub chan: Chan,
    /// Sources, as many as the operation reads.
    pub src: ArrayVec<PlacedSrc, 3>,
    /// Output multiplier.
    pub omod: Omod,
    /// Whether the result is clamped.
    pub clamp: bool,
    /// Whether lanes that fail the predicate become inactive.
    pub update_exec_mask: bool,
    /// Index of relative elements.
    pub index_mode: IndexMode,
    /// Whether bank swizzle `VEC_210` is required.
    pub vec_210: bool,
    /// The access of an `LDS_IDX_OP`.
    pub lds: Option<LdsAccess>,
}

/// One group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The instruction in each slot.
    pub slots: [Option<Placed>; 5],
}

impl Group {
    /// The filled slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Placed)> {
        Slot::ALL.into_iter().zip(&self.slots).filter_map(|(s, p)| Some((s, p.as_ref()?)))
    }
}

impl Group {
    /// 64-bit units that the group takes in its clause: one per slot and one per two literals.
    pub fn num_units(&self) -> usize {
        let mut literals: ArrayVec<u32, 15> = ArrayVec::new();
        for (_, placed) in self.iter() {
            for src in &placed.src {
                if let PlacedSel::Const(bits) = src.sel
                    && let Some(bits) = literal(placed, *src, bits)
                    && !literals.contains(&bits)
                {
                    literals.push(bits);
                }
            }
        }
        self.iter().count() + literals.len().div_ceil(2)
    }
}

/// An ALU clause.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AluClause {
    /// Its groups.
    pub groups: Vec<Group>,
    /// The constant cache windows that it locks.
    pub kcache: [KcacheWindow; 4],
}

/// A clause, or a control-flow instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// ALU groups.
    Alu(AluClause),
    /// Fetch operations, in order.
    Fetch(Vec<OpId>),
    /// An export, or a memory instruction.
    Export(OpId),
}

impl Clause {
    /// Number of groups.
    pub fn num_groups(&self) -> usize {
        match self {
            Self::Alu(alu) => alu.groups.len(),
            Self::Fetch(_) | Self::Export(_) => 0,
        }
    }

    /// 64-bit units of the clause, including the control-flow instruction that starts it.
    pub fn num_units(&self) -> usize {
        match self {
            Self::Alu(alu) => 1 + alu.groups.iter().map(Group::num_units).sum::<usize>(),
            Self::Fetch(ops) => 1 + 2 * ops.len(),
            Self::Export(_) => 1,
        }
    }
}

/// A scheduled function.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// Clauses of each block, in order.
    pub blocks: SecondaryMap<Block, Vec<Clause>>,
    /// The channel of each virtual register that is written or read.
    pub chans: SecondaryMap<VReg, Chan>,
    /// The lowest [`pressure`](crate::Options::pressure) limit that has no effect. Code scheduled without a limit comes
    /// out the same under this limit and every higher one.
    pub unreached_limit: u32,
}

impl Schedule {
    /// 64-bit units of the program, except its control flow and the last words of exports.
    pub fn num_units(&self) -> usize {
        self.blocks.values().flatten().map(Clause::num_units).sum()
    }

    /// Number of groups.
    pub fn num_groups(&self) -> usize {
        self.blocks.values().flatten().map(Clause::num_groups).sum()
    }

    /// Number of groups of a block.
    pub fn num_groups_of(&self, block: Block) -> usize {
        self.blocks[block].iter().map(Clause::num_groups).sum()
    }
}

/// The literal for a constant; `None` if an inline constant represents it, as it is or negated.
pub fn literal(placed: &Placed, src: PlacedSrc, bits: u32) -> Option<u32> {
    inline_constant(placed, src, bits).is_none().then_some(bits)
}

/// The inline constant for a constant operand, and whether the operand's negation must be flipped for it.
pub fn inline_constant(placed: &Placed, src: PlacedSrc, bits: u32) -> Option<(InlineConst, bool)> {
    inline_constant_of(placed.op, src.abs, bits)
}

/// As [`inline_constant`], for an operand of `op`; `abs` tells whether its absolute value is taken.
pub(crate) fn inline_constant_of(op: AluOp, abs: bool, bits: u32) -> Option<(InlineConst, bool)> {
    if let Some(constant) = InlineConst::from_bits(bits) {
        return Some((constant, false));
    }
    let can_negate = op.takes_negation() && !abs;
    let flipped = InlineConst::from_bits(bits ^ (1 << 31))?;
    let is_float = matches!(flipped, InlineConst::Zero | InlineConst::One | InlineConst::Half);
    (can_negate && is_float).then_some((flipped, true))
}
