//! The registers that an instruction reads and writes, and their contents.

use alloc::vec::Vec;

use crate::component::Component;
use crate::generated::packing::Value;
use crate::instruction::Instruction;
use crate::register::Reg;

/// A register that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    /// The register; RZ if a vector would pass R254.
    pub reg: Reg,
    /// The operand value that it holds.
    pub value: Value,
}

/// A register that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// The register; RZ if a vector would pass R254.
    pub reg: Reg,
    /// What it holds afterwards.
    pub result: Written,
}

/// The content of a register after an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {
    /// A component of 32 bits.
    Word(Component),
    /// Halves: the lower one, and the upper one (0 if there is none). The whole register is written.
    Halves(Component, Option<Component>),
}

/// The registers that an instruction reads, those of Ra first. The guard is not among them.
pub fn reads(instruction: &Instruction) -> Vec<Read> {
    let vector = |first: Reg, values: &[Value]| -> Vec<_> {
        let read = |(at, &value)| Read { reg: step(first, at), value };
        values.iter().enumerate().map(read).collect()
    };
    let mut all = vector(instruction.ra(), &instruction.ra_values());
    all.extend(vector(instruction.rb(), &instruction.rb_values()));
    all
}

/// The registers that an instruction writes, in component order. RZ discards writes.
///
/// The sparse predicate is not among them.
pub fn writes(instruction: &Instruction) -> Vec<Write> {
    match instruction {
        Instruction::Tex(tex) => words(tex.rd, tex.wmsk.iter()),
        Instruction::Tlds(tlds) => {
            let vector =
                if tlds.f16 { halves } else { |reg, list: &[_]| words(reg, list.iter().copied()) };
            let mut all = vector(tlds.rd0, tlds.mask.rd0_components());
            all.extend(vector(tlds.rd1, tlds.mask.rd1_components()));
            all
        }
    }
}

fn words(first: Reg, components: impl Iterator<Item = Component>) -> Vec<Write> {
    let write = |(at, component)| Write { reg: step(first, at), result: Written::Word(component) };
    components.enumerate().map(write).collect()
}

fn halves(first: Reg, components: &[Component]) -> Vec<Write> {
    let pairs = components.chunks(2).enumerate();
    pairs
        .map(|(at, pair)| Write {
            reg: step(first, at),
            result: Written::Halves(pair[0], pair.get(1).copied()),
        })
        .collect()
}

/// The register `count` after `first`.
fn step(first: Reg, count: usize) -> Reg {
    u8::try_from(count).ok().and_then(|count| first.checked_add(count)).unwrap_or(Reg::RZ)
}
