//! Replaces TGSI's writable registers by the values they hold.

use tgsi_ir::{Component, File, Register, Shader};

use crate::abi::LAST_REGISTER;
use crate::refusal::Refusal;
use crate::ssa::Operand;

use crate::lower::error::LowerError;

/// A channel of a temporary, output or address register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Variable(u32);

/// The value of every variable at the current point, with a log for going back at branches.
#[derive(Debug)]
pub(super) struct Variables {
    files: [FileRange; 3],
    current: Vec<Operand>,
    log: Vec<(Variable, Operand)>,
    /// Marks variables while a list of distinct ones is built; all false at other times.
    seen: Vec<bool>,
}

/// The variables of one register file.
#[derive(Clone, Copy, Debug)]
struct FileRange {
    file: File,
    first: u32,
    registers: u32,
}

impl Variables {
    /// The variables that `shader` uses, all zero.
    pub(super) fn new(shader: &Shader) -> Result<Self, LowerError> {
        let range = |file| FileRange { file, first: 0, registers: 0 };
        let mut files = [File::Temporary, File::Output, File::Address].map(range);
        count_registers(shader, &mut files)?;
        let mut first = 0;
        for range in &mut files {
            range.first = first;
            first += 4 * range.registers;
        }
        let len = first as usize;
        Ok(Self {
            files,
            current: vec![Operand::ZERO; len],
            log: Vec::with_capacity(2 * shader.instructions.len()),
            seen: vec![false; len],
        })
    }

    /// The variable of a directly addressed register channel; `None` for other files.
    pub(super) fn find(&self, reg: &Register, component: Component) -> Option<Variable> {
        let range = self.files.iter().find(|range| range.file == reg.file)?;
        let index = u32::try_from(reg.index).ok().filter(|&index| index < range.registers)?;
        Some(Variable(range.first + 4 * index + component as u32))
    }

    /// The current value of `variable`.
    pub(super) fn read(&self, variable: Variable) -> Operand {
        self.current[variable.0 as usize]
    }

    /// Makes `variable` hold `operand` from here on.
    pub(super) fn write(&mut self, variable: Variable, operand: Operand) {
        let slot = &mut self.current[variable.0 as usize];
        self.log.push((variable, *slot));
        *slot = operand;
    }

    /// A variable that no register names, zero until it is written.
    pub(super) fn new_flag(&mut self) -> Variable {
        self.current.push(Operand::ZERO);
        self.seen.push(false);
        Variable(self.current.len() as u32 - 1)
    }

    /// The current point, for [`take_back`](Self::take_back).
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// The variables written since `mark`, each once, with their current values. Their values at `mark` are restored.
    pub(super) fn take_back(&mut self, mark: usize) -> Vec<(Variable, Operand)> {
        let mut written = Vec::new();
        for (variable, _) in &self.log[mark..] {
            if !std::mem::replace(&mut self.seen[variable.0 as usize], true) {
                written.push((*variable, self.current[variable.0 as usize]));
            }
        }
        for (variable, old) in self.log.drain(mark..).rev() {
            self.current[variable.0 as usize] = old;
        }
        for (variable, _) in &written {
            self.seen[variable.0 as usize] = false;
        }
        written
    }
}

/// Counts the registers of `files`: one more than the highest number that a declaration or an operand names. With an
/// index, the number that it starts from may be negative.
fn count_registers(shader: &Shader, files: &mut [FileRange; 3]) -> Result<(), LowerError> {
    let mut note = |file: File, index: i32, may_be_below: bool| {
        let Some(range) = files.iter_mut().find(|range| range.file == file) else { return Ok(()) };
        match u32::try_from(index) {
            Ok(index) => range.registers = range.registers.max(index + 1),
            Err(_) if may_be_below => {}
            Err(_) => {
                let reason = Refusal::NegativeRegister;
                return Err(LowerError::new("negative register number", reason));
            }
        }
        Ok(())
    };
    for inst in &shader.instructions {
        let regs = inst.dst.iter().map(|d| &d.reg).chain(inst.src.iter().map(|s| &s.reg));
        for reg in regs {
            note(reg.file, reg.index.into(), reg.indirect.is_some())?;
            if let Some(indirect) = reg.indirect {
                // A negative address register is refused where it is read.
                note(indirect.file, indirect.index.into(), true)?;
            }
        }
    }
    for declaration in &shader.declarations {
        note(declaration.file, declaration.range.last.min(LAST_REGISTER).into(), true)?;
    }
    Ok(())
}
