//! Views and samplers by number, constant or from a register.

use r600_isa::AluOp;
use tgsi_ir::{File, Indirect, Instruction, Register, Src, SrcRole};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::{LowerError, Lowering, with_role};

/// Number of samplers, and of views, that a stage has.
const NUM_UNITS: u8 = 18;

/// A view and a sampler that an instruction can mean.
#[derive(Clone, Debug)]
pub(super) struct Units {
    pub(super) view: u8,
    pub(super) sampler: u8,
    /// The instruction means them if the numbers of each pair are equal.
    tests: Vec<[Operand; 2]>,
}

/// The numbers that one operand can mean.
struct Choice {
    numbers: Vec<u8>,
    /// The operand's own number, and what is added to it at run time.
    base: i32,
    indirect: Option<(Indirect, Operand)>,
}

impl Choice {
    /// The pair of numbers that must be equal if number `n` is meant; `None` if the number is constant.
    fn test(&self, n: u8) -> Option<[Operand; 2]> {
        let (_, index) = self.indirect?;
        Some([index, Operand::int(i32::from(n) - self.base)])
    }
}

impl Lowering<'_> {
    /// Every view that an instruction can mean with every sampler. An instruction without a view means the view of its
    /// sampler.
    pub(super) fn units(&mut self, inst: &Instruction) -> Result<Vec<Units>, LowerError> {
        let sampler = with_role(inst, SrcRole::Sampler);
        let sampler = sampler.map(|src| self.choice(src)).transpose()?;
        let Some(view) = with_role(inst, SrcRole::View) else {
            let name = inst.opcode.info().name;
            let both = sampler.ok_or_else(|| LowerError::new(name, Refusal::MissingSampler))?;
            let units =
                |&n: &u8| Units { view: n, sampler: n, tests: both.test(n).into_iter().collect() };
            return Ok(both.numbers.iter().map(units).collect());
        };
        let view = self.choice(view)?;
        let Some(sampler) = sampler else {
            let units =
                |&n: &u8| Units { view: n, sampler: 0, tests: view.test(n).into_iter().collect() };
            return Ok(view.numbers.iter().map(units).collect());
        };
        Ok(combined(&view, &sampler))
    }

    /// The numbers that a view or sampler operand can mean.
    fn choice(&mut self, src: &Src) -> Result<Choice, LowerError> {
        let name = src.reg.file.name().unwrap_or("SAMP");
        let base = i32::from(src.reg.index);
        let Some(indirect) = src.reg.indirect else {
            let number = u8::try_from(base).ok().filter(|unit| *unit < NUM_UNITS);
            let number = number.ok_or_else(|| LowerError::new(name, Refusal::SamplerNumber))?;
            return Ok(Choice { numbers: vec![number], base, indirect: None });
        };
        let numbers = self.declared_units(src.reg.file, indirect);
        if numbers.is_empty() {
            return Err(nothing_meant(&src.reg));
        }
        let index = self.index(&indirect)?;
        Ok(Choice { numbers, base, indirect: Some((indirect, index)) })
    }

    /// The numbers of the declared units of a file, or only of the array that the index names.
    fn declared_units(&self, file: File, indirect: Indirect) -> Vec<u8> {
        let declared = self.declarations.meant(file, indirect);
        let units = declared.flat_map(|d| d.range.first..=d.range.last.min(u16::from(NUM_UNITS)));
        let units = units.filter_map(|unit| u8::try_from(unit).ok());
        let mut units: Vec<u8> = units.filter(|unit| *unit < NUM_UNITS).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Nonzero if `units` are those that the instruction means.
    pub(super) fn are_meant(&mut self, units: &Units) -> Operand {
        let mut all = Operand::int(-1);
        for (n, test) in units.tests.iter().enumerate() {
            let is_it = self.alu(AluOp::SeteInt, test);
            all = if n == 0 { is_it } else { self.alu(AluOp::AndInt, &[all, is_it]) };
        }
        all
    }
}

/// Each view with each sampler. If both have the same index, only the combinations that are as far apart as the
/// operands' own numbers.
fn combined(view: &Choice, sampler: &Choice) -> Vec<Units> {
    let index = |choice: &Choice| choice.indirect.map(|(indirect, _)| indirect);
    let is_shared = index(view).is_some() && index(view) == index(sampler);
    let mut all = Vec::new();
    for &v in &view.numbers {
        for &s in &sampler.numbers {
            if is_shared && i32::from(v) - view.base != i32::from(s) - sampler.base {
                continue;
            }
            let second = sampler.test(s).filter(|_| !is_shared);
            let tests = view.test(v).into_iter().chain(second).collect();
            all.push(Units { view: v, sampler: s, tests });
        }
    }
    all
}

/// The refusal of an index that reaches no declared sampler or view.
pub(super) fn nothing_meant(reg: &Register) -> LowerError {
    let reason = match reg.file {
        File::SamplerView => Refusal::NoView,
        _ => Refusal::NoSampler,
    };
    LowerError::new(format!("{}[…]", reg.file.name().unwrap_or("SAMP")), reason)
}
