//! From an older dialect to today's.

use super::{Note, Translation};
use crate::modernise::rewriter::Rewriter;
use crate::modernise::{Inexpressible, Reason, modernise};
use crate::validate::Place;
use crate::{Dialect, Dst, Instruction, InstructionId, Opcode, Saturate, Shader, Src};

/// Rewrites what changed its meaning, then what is gone.
pub(super) fn to_today(shader: &Shader, from: Dialect) -> Result<Translation, Vec<Inexpressible>> {
    if from == Dialect::Y2021 {
        return Ok(Translation { shader: shader.clone(), notes: Vec::new() });
    }
    let mut rewriter = Rewriter::new(shader);
    let mut notes = Vec::new();
    for (index, instruction) in shader.instructions.iter().enumerate() {
        let id = InstructionId::from_index(index);
        rewriter.begin(id);
        notes.extend(
            difference(instruction).map(|message| Note { place: Place::Instruction(id), message }),
        );
        rewrite(&mut rewriter, instruction);
    }
    let reworded = rewriter.finish_keeping_files()?;
    Ok(Translation { shader: modernise(&reworded)?, notes })
}

fn rewrite(rw: &mut Rewriter<'_>, one: &Instruction) {
    let mut one = one.clone();
    match one.opcode {
        Opcode::Rsq | Opcode::Recipsqrt => {
            if let Some(src) = one.src.first_mut() {
                *src = src.abs();
            }
        }
        // It tested the bits: −0 counted as true.
        Opcode::If => one.opcode = Opcode::Uif,
        Opcode::Round => return round_half_up(rw, &one),
        Opcode::Emit | Opcode::Endprim if one.src.is_empty() => {
            let stream = rw.u32(0);
            one.src.push(stream);
        }
        Opcode::SampleIMs if one.src.len() == 2 => {
            let sample = one.src[0].w();
            one.src.push(sample);
        }
        // Its level of detail had no operand.
        Opcode::SampleL if one.src.len() == 3 => return rw.problem(Reason::OperandCount),
        _ => {}
    }
    rw.push(one);
}

/// `floor(s + 0.5)`.
fn round_half_up(rw: &mut Rewriter<'_>, one: &Instruction) {
    let (Some(&dst), Some(&src)) = (one.dst.first(), one.src.first()) else {
        return rw.problem(Reason::OperandCount);
    };
    let half = rw.f32(0.5);
    let sum = rw.scratch();
    rw.op(Opcode::Add, Some(Dst::new(sum).masked(dst.mask)), &[src, half]);
    let mut floor = one.clone();
    floor.opcode = Opcode::Flr;
    floor.src[0] = Src::new(sum);
    rw.push(floor);
}

/// What an instruction did differently for unusual values.
fn difference(one: &Instruction) -> Option<&'static str> {
    if one.saturate == Saturate::ZeroOne {
        return Some("saturating a NaN kept it; today it gives 0");
    }
    match one.opcode {
        Opcode::Min | Opcode::Max => {
            Some("with a NaN the second source came out; today the other one does")
        }
        Opcode::Shl | Opcode::Ishr | Opcode::Ushr | Opcode::Shr => {
            Some("counts above 31 were not reduced; today they are taken modulo 32")
        }
        Opcode::Kil | Opcode::KillIf | Opcode::Texkill => {
            Some("the test ignored the blocks around it in the interpreter; today it does not")
        }
        _ => None,
    }
}
