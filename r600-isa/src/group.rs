//! ALU groups.

use arrayvec::ArrayVec;

use crate::{AluInst, AluSel, FieldError, Generation, Slot, Slots};

/// Slots of an ALU clause: instructions, and literals in pairs.
pub const MAX_ALU_CLAUSE_SLOTS: usize = 128;

/// Instructions that execute together, in the order x, y, z, w, trans, and their literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AluGroup {
    /// The instructions.
    pub insts: ArrayVec<AluInst, 5>,
    /// The literals that the instructions use.
    pub literals: ArrayVec<u32, 4>,
}

impl AluGroup {
    /// 64-bit units in a clause: instructions, and literals in pairs.
    pub fn num_slots(&self) -> usize {
        self.insts.len() + self.literals.len().div_ceil(2)
    }

    /// The slot of each instruction, assigned as the hardware does in its vector-preferring mode; `None` if two need
    /// the same slot.
    pub fn slots(&self, generation: Generation) -> Option<ArrayVec<Slot, 5>> {
        let mut taken = [false; 5];
        let mut out = ArrayVec::new();
        for inst in &self.insts {
            let vector = Slot::vector(inst.dst.chan);
            let slot = match inst.op.slots(generation) {
                Some(Slots::Trans) => Slot::T,
                Some(Slots::Any) if taken[vector as usize] && generation.has_trans_slot() => {
                    Slot::T
                }
                _ => vector,
            };
            if std::mem::replace(&mut taken[slot as usize], true) {
                return None;
            }
            out.push(slot);
        }
        Some(out)
    }

    /// Appends the group's words.
    ///
    /// # Errors
    /// When an instruction cannot be encoded.
    pub fn encode(&self, generation: Generation, out: &mut Vec<u32>) -> Result<(), FieldError> {
        let last = self.insts.len().saturating_sub(1);
        for (n, inst) in self.insts.iter().enumerate() {
            out.extend(inst.encode(generation, n == last)?);
        }
        out.extend(&self.literals);
        if self.literals.len() % 2 == 1 {
            out.push(0);
        }
        Ok(())
    }

    /// Number of literals up to the highest one that an instruction reads. A source that its operation does not read
    /// takes none, whatever its field holds. `latte-assembler`'s decoder and both of Mesa's count in the same way.
    pub fn num_literals(&self) -> usize {
        let sources = self.insts.iter().flat_map(|inst| inst.src.iter().take(inst.num_src()));
        let literals = sources.filter(|src| src.sel == AluSel::Literal);
        literals.map(|src| src.chan as usize + 1).max().unwrap_or(0)
    }

    /// Whether any source of the group reads a literal.
    pub fn has_literal(&self) -> bool {
        self.insts.iter().flat_map(|inst| &inst.src).any(|src| src.sel == AluSel::Literal)
    }
}
