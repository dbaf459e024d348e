//! ALU instructions.

use crate::fields::{alu_word0, alu_word1_op2, alu_word1_op3};
use crate::{AluOp, FieldError, Generation, WordBuilder, selectors};

/// The first clause temporary. Clause temporaries live within one ALU clause and are not allocated registers.
pub(crate) const FIRST_TEMPORARY: u8 = 124;

/// A channel of a GPR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Chan {
    /// First.
    #[default]
    X,
    /// Second.
    Y,
    /// Third.
    Z,
    /// Fourth.
    W,
}

impl Chan {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::W];

    /// The letter.
    pub const fn letter(self) -> char {
        ['x', 'y', 'z', 'w'][self as usize]
    }
}

/// A slot of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Slot {
    /// Vector slot x.
    X,
    /// Vector slot y.
    Y,
    /// Vector slot z.
    Z,
    /// Vector slot w.
    W,
    /// The trans slot.
    T,
}

impl Slot {
    /// All five, in order.
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Z, Self::W, Self::T];

    /// The letter.
    pub const fn letter(self) -> char {
        ['x', 'y', 'z', 'w', 't'][self as usize]
    }

    /// The vector slot of a channel.
    pub const fn vector(chan: Chan) -> Self {
        match chan {
            Chan::X => Self::X,
            Chan::Y => Self::Y,
            Chan::Z => Self::Z,
            Chan::W => Self::W,
        }
    }
}

/// Output multiplier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Omod {
    /// Unchanged.
    #[default]
    None,
    /// Times 2.
    Times2,
    /// Times 4.
    Times4,
    /// Divided by 2.
    Half,
}

/// The index that a relative operand adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum IndexMode {
    /// The address register's x.
    #[default]
    ArX,
    /// Its y.
    ArY,
    /// Its z.
    ArZ,
    /// Its w.
    ArW,
    /// The loop index.
    Loop,
    /// The register is shared by all waves; R700 and later.
    Global,
    /// The same, plus the address register's x.
    GlobalArX,
}

/// Whether the predicate gates an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum PredSel {
    /// Not predicated.
    #[default]
    Off,
    /// Runs where the predicate is 0.
    Zero = 2,
    /// Runs where the predicate is 1.
    One = 3,
}

/// Read cycles of an instruction's operands: 0 to 5 for vector slots, 0 to 3 for the trans slot.
pub type BankSwizzle = u8;

/// Constants that need no literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InlineConst {
    /// 0 of any type.
    Zero,
    /// 1.0.
    One,
    /// Integer 1.
    IntOne,
    /// Integer −1.
    IntMinusOne,
    /// 0.5.
    Half,
}

impl InlineConst {
    const ALL: [(Self, u32); 5] = [
        (Self::Zero, 0),
        (Self::One, 0x3F80_0000),
        (Self::IntOne, 1),
        (Self::IntMinusOne, u32::MAX),
        (Self::Half, 0x3F00_0000),
    ];

    /// The constant with these bits.
    pub fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.iter().find(|(_, own)| *own == bits).map(|(constant, _)| *constant)
    }
}

/// The value that a source selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AluSel {
    /// A GPR; 124 to 127 are clause temporaries.
    Gpr(u8),
    /// A vec4 of a constant cache window.
    Kcache {
        /// The window, 0 to 3.
        set: u8,
        /// Vec4 within the window, 0 to 31.
        index: u8,
    },
    /// The constant file of R600 and R700.
    ConstFile(u8),
    /// A constant.
    Inline(InlineConst),
    /// A literal after the group; the channel picks the word.
    Literal,
    /// A vector result of the previous group.
    Pv,
    /// The trans result of the previous group.
    Ps,
    /// An interpolation parameter.
    Param(u8),
    /// Any other selector.
    Other(u16),
}

/// The first selector of each window of the constant cache.
const WINDOWS: [u16; 4] = [
    selectors::KCACHE0_FIRST,
    selectors::KCACHE1_FIRST,
    selectors::KCACHE2_FIRST,
    selectors::KCACHE3_FIRST,
];

impl AluSel {
    /// The selector's number.
    pub fn number(self) -> u32 {
        let number = match self {
            Self::Gpr(gpr) => selectors::GPR_FIRST + u16::from(gpr),
            Self::Kcache { set, index } => WINDOWS[usize::from(set & 3)] + u16::from(index),
            Self::ConstFile(index) => selectors::CONST_FILE_FIRST + u16::from(index),
            Self::Inline(InlineConst::Zero) => selectors::ZERO,
            Self::Inline(InlineConst::One) => selectors::ONE,
            Self::Inline(InlineConst::IntOne) => selectors::INT_ONE,
            Self::Inline(InlineConst::IntMinusOne) => selectors::INT_MINUS_ONE,
            Self::Inline(InlineConst::Half) => selectors::HALF,
            Self::Literal => selectors::LITERAL,
            Self::Pv => selectors::PV,
            Self::Ps => selectors::PS,
            Self::Param(param) => selectors::PARAM_FIRST + u16::from(param),
            Self::Other(number) => number,
        };
        u32::from(number)
    }
}

/// A source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AluSrc {
    /// The selected value.
    pub sel: AluSel,
    /// Channel.
    pub chan: Chan,
    /// Whether an index is added.
    pub rel: bool,
    /// Negation, after the absolute value.
    pub neg: bool,
    /// Absolute value; two-source operations only.
    pub abs: bool,
}

impl AluSrc {
    /// `sel.chan`, unmodified.
    pub const fn new(sel: AluSel, chan: Chan) -> Self {
        Self { sel, chan, rel: false, neg: false, abs: false }
    }
}

/// A destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AluDst {
    /// GPR.
    pub gpr: u8,
    /// Channel; in a vector slot, the slot's channel.
    pub chan: Chan,
    /// Whether an index is added.
    pub rel: bool,
    /// Whether the GPR is written; always true for three-source operations.
    pub write: bool,
    /// Clamping to 0…1.
    pub clamp: bool,
    /// Multiplication; two-source operations only.
    pub omod: Omod,
    /// Whether fog is merged into the result; two-source operations of R600. No compiler uses it.
    pub fog_merge: bool,
}

/// An ALU instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AluInst {
    /// The operation.
    pub op: AluOp,
    /// The destination.
    pub dst: AluDst,
    /// Sources; those that the operation does not read are zero.
    pub src: [AluSrc; 3],
    /// Index of relative operands.
    pub index_mode: IndexMode,
    /// Predication.
    pub pred_sel: PredSel,
    /// Read cycles.
    pub bank_swizzle: BankSwizzle,
    /// Whether lanes that fail the predicate become inactive.
    pub update_exec_mask: bool,
    /// Whether the predicate is written.
    pub update_pred: bool,
}

impl AluInst {
    /// Whether it writes a GPR. Three-source operations always do; local memory accesses never do.
    pub fn writes_gpr(&self) -> bool {
        (self.dst.write || self.op.is_op3()) && self.op != AluOp::LdsIdxOp
    }

    /// Whether its destination is indexed. Local memory accesses reuse that bit for their offset.
    pub fn has_indexed_dst(&self) -> bool {
        self.dst.rel && self.op != AluOp::LdsIdxOp
    }

    /// The two words, `last` set on the last instruction of a group.
    ///
    /// # Errors
    /// When the generation lacks the operation or a field, or a value does not fit.
    pub fn encode(&self, generation: Generation, last: bool) -> Result<[u32; 2], FieldError> {
        let opcode = self.op.opcode(generation).ok_or(FieldError::Absent {
            field: self.op.name(),
            generation,
            value: self.op as u32,
        })?;
        self.refuse_what_the_form_lacks(generation)?;
        let mut w0 = WordBuilder::new(generation);
        use alu_word0 as f;
        for (src, fields) in self.src.iter().zip([
            [&f::SRC0_SEL, &f::SRC0_REL, &f::SRC0_CHAN, &f::SRC0_NEG],
            [&f::SRC1_SEL, &f::SRC1_REL, &f::SRC1_CHAN, &f::SRC1_NEG],
        ]) {
            put_source(&mut w0, src, fields)?;
        }
        w0.put(&f::INDEX_MODE, self.index_mode as u32)?
            .put(&f::PRED_SEL, self.pred_sel as u32)?
            .put(&f::LAST, last)?;
        let w1 = if self.op.is_op3() {
            self.op3_word(generation, opcode)?
        } else {
            self.op2_word(generation, opcode)?
        };
        Ok([w0.word(), w1])
    }

    /// Refuses absolute values, multipliers and predicate updates, for which the three-source form has no bits.
    fn refuse_what_the_form_lacks(&self, generation: Generation) -> Result<(), FieldError> {
        if !self.op.is_op3() {
            return Ok(());
        }
        let absent = [
            ("absolute value of a three-source operation", self.src.iter().any(|src| src.abs)),
            ("multiplier of a three-source operation", self.dst.omod != Omod::None),
            ("fog of a three-source operation", self.dst.fog_merge),
            ("predicate update of a three-source operation", self.update_pred),
            ("mask update of a three-source operation", self.update_exec_mask),
        ];
        match absent.into_iter().find(|(_, asked)| *asked) {
            Some((field, _)) => Err(FieldError::Absent { field, generation, value: 1 }),
            None => Ok(()),
        }
    }

    fn op2_word(&self, generation: Generation, opcode: u16) -> Result<u32, FieldError> {
        use alu_word1_op2 as f;
        let mut word = WordBuilder::new(generation);
        word.put(&f::SRC0_ABS, self.src[0].abs)?
            .put(&f::SRC1_ABS, self.src[1].abs)?
            .put(&f::UPDATE_EXECUTE_MASK, self.update_exec_mask)?
            .put(&f::UPDATE_PRED, self.update_pred)?
            .put(&f::WRITE_MASK, self.dst.write)?
            .put(&f::FOG_MERGE, self.dst.fog_merge)?
            .put(&f::OMOD, self.dst.omod as u32)?
            .put(&f::ALU_INST, opcode)?
            .put(&f::BANK_SWIZZLE, self.bank_swizzle)?
            .put(&f::DST_GPR, self.dst.gpr)?
            .put(&f::DST_REL, self.dst.rel)?
            .put(&f::DST_CHAN, self.dst.chan as u32)?
            .put(&f::CLAMP, self.dst.clamp)?;
        Ok(word.word())
    }

    fn op3_word(&self, generation: Generation, opcode: u16) -> Result<u32, FieldError> {
        use alu_word1_op3 as f;
        let mut word = WordBuilder::new(generation);
        let fields = [&f::SRC2_SEL, &f::SRC2_REL, &f::SRC2_CHAN, &f::SRC2_NEG];
        put_source(&mut word, &self.src[2], fields)?;
        word.put(&f::ALU_INST, opcode)?
            .put(&f::BANK_SWIZZLE, self.bank_swizzle)?
            .put(&f::DST_GPR, self.dst.gpr)?
            .put(&f::DST_REL, self.dst.rel)?
            .put(&f::DST_CHAN, self.dst.chan as u32)?
            .put(&f::CLAMP, self.dst.clamp)?;
        Ok(word.word())
    }
}

fn put_source(
    word: &mut WordBuilder,
    src: &AluSrc,
    [sel, rel, chan, neg]: [&crate::FieldSet; 4],
) -> Result<(), FieldError> {
    word.put(sel, src.sel.number())?
        .put(rel, src.rel)?
        .put(chan, src.chan as u32)?
        .put(neg, src.neg)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_three_source_form_lacks_is_refused() {
        let src = AluSrc::new(AluSel::Gpr(1), Chan::X);
        let good = AluInst {
            op: AluOp::Muladd,
            dst: AluDst { write: true, ..AluDst::default() },
            src: [src; 3],
            index_mode: IndexMode::ArX,
            pred_sel: PredSel::Off,
            bank_swizzle: 0,
            update_exec_mask: false,
            update_pred: false,
        };
        assert!(good.encode(Generation::R700, true).is_ok());
        let absolute = AluInst { src: [AluSrc { abs: true, ..src }, src, src], ..good };
        let doubled = AluInst { dst: AluDst { omod: Omod::Times2, ..good.dst }, ..good };
        let updating = AluInst { update_pred: true, ..good };
        for bad in [absolute, doubled, updating] {
            let error = bad.encode(Generation::R700, true).unwrap_err().to_string();
            assert!(error.contains("three-source operation does not exist"), "{error}");
        }
    }
}
