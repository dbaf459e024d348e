//! Rewrites removed opcodes and register files of old shaders to today's.
//!
//! [`modernise`] lowers legacy opcodes, register predication, the saturation to −1…1, counted loops and the files
//! `LOOP`, `PRED`, `TEMPX`, `IMMX` and `RES`. Results are bit-identical, in the evaluation order of the interpreter of
//! the time. Scratch values live in new temporaries. Every construct that was never defined, or has no counterpart
//! today, is reported as [`Inexpressible`].
//!
//! Opcodes that still exist but have changed meaning (`RSQ`, `IF`, `ROUND`) are handled by
//! [`translate`](crate::translate), which knows the dialect of a shader.

mod arithmetic;
pub(crate) mod branches;
mod control;
mod error;
mod files;
mod immediate_arrays;
mod labels;
mod legacy;
pub(crate) mod predicates;
pub(crate) mod rewriter;
mod saturate;
mod textures;

use crate::origins::Origins;
use crate::place::Place;
use crate::{Instruction, InstructionId, Opcode, Shader};

pub use error::{Inexpressible, Reason};

use control::Blocks;
use labels::Labels;
use rewriter::Rewriter;

/// The same shader without legacy constructs.
///
/// # Errors
/// Every construct without a counterpart today.
pub fn modernise(shader: &Shader) -> Result<Shader, Vec<Inexpressible>> {
    modernise_with_origins(shader).map(|(modern, _)| modern)
}

/// As [`modernise`], with the origin of each part of the new shader.
///
/// # Errors
/// As [`modernise`].
pub fn modernise_with_origins(shader: &Shader) -> Result<(Shader, Origins), Vec<Inexpressible>> {
    if !branches::has_branches(shader) {
        return rewrite(shader);
    }
    let (structured, first) = branches::structure(shader)?;
    let (modern, second) = rewrite(&structured).map_err(|problems| {
        let to_origin = |one: Inexpressible| Inexpressible {
            place: first.place(one.place).unwrap_or(Place::Shader),
            ..one
        };
        problems.into_iter().map(to_origin).collect::<Vec<_>>()
    })?;
    Ok((modern, first.then(&second)))
}

fn rewrite(shader: &Shader) -> Result<(Shader, Origins), Vec<Inexpressible>> {
    let mut rewriter = Rewriter::new(shader);
    rewriter.check_declarations();
    files::declare_picked(&mut rewriter);
    immediate_arrays::fill(&mut rewriter);
    let mut blocks = Blocks::default();
    let mut labels = Labels::new(shader);
    for (index, instruction) in shader.instructions.iter().enumerate() {
        let id = InstructionId::from_index(index);
        rewriter.begin(id);
        blocks.enter(&mut rewriter, instruction);
        labels.read(&mut rewriter, index);
        let instruction = labels
            .apply(index, instruction)
            .unwrap_or_else(|| files::rewrite_operands(&mut rewriter, instruction));
        predicates::lower(&mut rewriter, instruction, |rewriter, instruction| {
            saturate::lower(rewriter, instruction, |rewriter, instruction| {
                lower(rewriter, instruction, &mut blocks);
            });
        });
    }
    rewriter.finish()
}

/// Lowers one instruction, by the form of its replacement.
fn lower(rw: &mut Rewriter<'_>, mut instruction: Instruction, blocks: &mut Blocks) {
    instruction.opcode = instruction.opcode.modern_name();
    if !instruction.opcode.is_legacy() {
        return rw.push(instruction);
    }
    if !has_operands(&instruction) {
        return rw.problem(Reason::OperandCount);
    }
    match instruction.opcode {
        Opcode::Sub
        | Opcode::Abs
        | Opcode::Cnd
        | Opcode::Cnd0
        | Opcode::Clamp
        | Opcode::Sad
        | Opcode::Sfl
        | Opcode::Str => arithmetic::lower_componentwise(rw, &instruction),
        Opcode::Dp2a | Opcode::Dph | Opcode::Rcc => arithmetic::lower_scalar(rw, &instruction),
        Opcode::Xpd | Opcode::Rfl | Opcode::X2d | Opcode::Scs | Opcode::Nrm | Opcode::Nrm4 => {
            arithmetic::lower_vector(rw, &instruction)
        }
        Opcode::Bgnfor | Opcode::Endfor | Opcode::Callnz | Opcode::Breakc => {
            control::lower(rw, &instruction, blocks);
        }
        Opcode::Pusha | Opcode::Popa => blocks.lower_stack(rw, &instruction),
        Opcode::TxqLz | Opcode::LoadMs | Opcode::Mfence | Opcode::Lfence | Opcode::Sfence => {
            textures::lower(rw, &instruction);
        }
        Opcode::Bra => rw.problem(Reason::Branch),
        opcode => rw.problem(Reason::Undefined { opcode }),
    }
}

fn has_operands(instruction: &Instruction) -> bool {
    let info = instruction.opcode.info();
    instruction.dst.len() == usize::from(info.num_dst)
        && instruction.opcode.takes_sources(instruction.src.len())
}

#[cfg(test)]
mod tests;
