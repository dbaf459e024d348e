//! Uniform blocks as uniform registers: the same program with its constants in the constant file.
//!
//! Both are read through the same ports by the same rules, so that the groups stay as they are.

use r600_codegen::Compiled;
use r600_isa::verify::Severity;
use r600_isa::{AluGroup, AluPart, AluSel, Cf, CfAlu, Clause, FetchInst, KcacheWindow, Program};

use crate::error::StageError;

/// Vectors of a line of the constant cache.
const LINE: u32 = 16;
/// Fetch resources of uniform blocks.
const BLOCKS: std::ops::Range<u8> = 128..144;

/// The words of a program that reads uniform registers where `compiled` reads block 0.
pub(crate) fn in_registers(compiled: &Compiled) -> Result<Vec<u32>, StageError> {
    let mut program = compiled.program.clone();
    let runs: Vec<CfAlu> = program.cf.iter().filter_map(alu).cloned().collect();
    for run in &runs {
        if let Some(clause) = program.clauses.get_mut(run.clause.0 as usize) {
            let mut groups: Vec<&mut AluGroup> = match clause {
                Clause::Alu(groups) => groups.iter_mut().collect(),
                Clause::Mixed(parts) => parts.iter_mut().filter_map(group).collect(),
                Clause::Fetch(_) => Vec::new(),
            };
            for group in &mut groups {
                move_sources(group, &run.kcache)?;
            }
        }
    }
    for cf in &mut program.cf {
        if let Cf::Alu(run) = cf {
            run.kcache = [KcacheWindow::default(); 4];
        }
    }
    if program.clauses.iter().any(fetches_block) {
        return Err(StageError::IndexedRegisters);
    }
    check(&program)?;
    Ok(program.encode()?)
}

fn alu(cf: &Cf) -> Option<&CfAlu> {
    match cf {
        Cf::Alu(run) => Some(run),
        _ => None,
    }
}

fn group(part: &mut AluPart) -> Option<&mut AluGroup> {
    match part {
        AluPart::Group(group) => Some(group),
        AluPart::Raw(_) => None,
    }
}

/// A vector of a window becomes that of the register of its number in the block.
fn move_sources(group: &mut AluGroup, windows: &[KcacheWindow; 4]) -> Result<(), StageError> {
    for src in group.insts.iter_mut().flat_map(|inst| &mut inst.src) {
        let AluSel::Kcache { set, index } = src.sel else { continue };
        let window = windows[usize::from(set & 3)];
        let vector = u32::from(window.line) * LINE + u32::from(index);
        let register = u8::try_from(vector).ok().filter(|_| window.bank == 0);
        src.sel = AluSel::ConstFile(register.ok_or(StageError::UniformRegisters(vector + 1))?);
    }
    Ok(())
}

fn fetches_block(clause: &Clause) -> bool {
    let is_block = |fetch: &FetchInst| match fetch {
        FetchInst::Vtx(fetch) => BLOCKS.contains(&fetch.buffer_id),
        _ => false,
    };
    matches!(clause, Clause::Fetch(fetches) if fetches.iter().any(is_block))
}

fn check(program: &Program) -> Result<(), StageError> {
    let mut broken = program.verify().into_iter();
    match broken.find(|finding| finding.rule.severity() == Severity::Error) {
        Some(finding) => Err(StageError::Rule(finding.to_string())),
        None => Ok(()),
    }
}
