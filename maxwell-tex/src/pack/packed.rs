//! An instruction with the contents of its registers.

use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Severity};
use crate::effects::{Write, writes};
use crate::generated::enums::Sm;
use crate::generated::packing::Value;
use crate::instruction::Instruction;
use crate::register::Reg;
use crate::rules::check;
use crate::tables::alignment;

/// The result of packing a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed<T> {
    /// The required contents of the registers from Ra on.
    pub ra: Vec<Source<T>>,
    /// The required contents of the registers from Rb on; empty if Rb is RZ.
    pub rb: Vec<Source<T>>,
    /// The instruction, in the lowest registers that fit.
    pub instruction: Instruction,
}

/// The required content of one register.
#[derive(Clone, Debug, PartialEq)]
pub struct Source<T> {
    /// Its meaning for the instruction.
    pub value: Value,
    /// Where it comes from.
    pub content: Content<T>,
}

/// Where the content of a register comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Content<T> {
    /// The caller's value as it is.
    Whole(T),
    /// Two of the caller's values, see [`ArrayClamp`](crate::ArrayClamp).
    ArrayClamp {
        /// The layer; 0 when there is none.
        array: Option<T>,
        /// The clamp.
        clamp: T,
    },
}

/// First registers chosen by an allocator. Registers that the instruction does not use are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Of the result, or the first of two.
    pub rd: Reg,
    /// Of the second result of TLDS.
    pub rd1: Reg,
    /// Of the first source.
    pub ra: Reg,
    /// Of the second source.
    pub rb: Reg,
}

impl<T> Packed<T> {
    /// The same in the lowest registers: results first, then sources, nothing shared.
    pub(super) fn in_lowest(
        ra: Vec<Source<T>>,
        rb: Vec<Source<T>>,
        instruction: Instruction,
    ) -> Self {
        let (len0, len1) = result_lengths(&instruction);
        let mut next = 0;
        let mut take = |count: usize| {
            let first = next_multiple(next, alignment(count));
            next = first + count as u8;
            if count == 0 { Reg::RZ } else { Reg::from_code(first) }
        };
        let placement =
            Placement { rd: take(len0), rd1: take(len1), ra: take(ra.len()), rb: take(rb.len()) };
        let mut packed = Self { ra, rb, instruction };
        packed.set(placement);
        packed
    }

    /// The instruction in other registers.
    ///
    /// # Errors
    /// The rules that the registers break.
    pub fn place(&self, placement: Placement, sm: Sm) -> Result<Instruction, Vec<Diagnostic>>
    where
        T: Clone,
    {
        let mut placed = self.clone();
        placed.set(placement);
        let mut broken = check(&placed.instruction, sm);
        broken.retain(|finding| finding.rule.severity() == Severity::Error);
        if broken.is_empty() { Ok(placed.instruction) } else { Err(broken) }
    }

    /// What the instruction writes.
    pub fn writes(&self) -> Vec<Write> {
        writes(&self.instruction)
    }

    /// Registers that the source and result vectors take, including alignment gaps.
    pub(super) fn size(&self) -> usize {
        let (len0, len1) = result_lengths(&self.instruction);
        let lengths = [len0, len1, self.ra.len(), self.rb.len()];
        lengths.iter().map(|&len| len.next_multiple_of(alignment(len).into())).sum()
    }

    fn set(&mut self, placement: Placement) {
        let or_rz = |reg, is_used: bool| if is_used { reg } else { Reg::RZ };
        let rb = or_rz(placement.rb, !self.rb.is_empty());
        match &mut self.instruction {
            Instruction::Tex(tex) => {
                (tex.rd, tex.ra, tex.rb) = (placement.rd, placement.ra, rb);
            }
            Instruction::Tlds(tlds) => {
                let rd1 = or_rz(placement.rd1, tlds.mask.needs_rd1());
                (tlds.rd0, tlds.rd1, tlds.ra, tlds.rb) = (placement.rd, rd1, placement.ra, rb);
            }
        }
    }
}

/// Registers of both results.
fn result_lengths(instruction: &Instruction) -> (usize, usize) {
    match instruction {
        Instruction::Tex(tex) => (tex.wmsk.len().into(), 0),
        Instruction::Tlds(tlds) => (
            tlds.num_registers(tlds.mask.rd0_components()),
            tlds.num_registers(tlds.mask.rd1_components()),
        ),
    }
}

fn next_multiple(number: u8, multiple: u8) -> u8 {
    number.next_multiple_of(multiple)
}
