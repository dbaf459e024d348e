//! From an older dialect to today's.

use super::{Note, Origins, Translation, meaning};
use crate::entry::with_main;
use crate::modernise::rewriter::Rewriter;
use crate::modernise::{Inexpressible, Reason, modernise_with_origins};
use crate::place::Place;
use crate::{Authority, Dialect, Instruction, InstructionId, Opcode, Saturate, Shader};

/// Rewrites opcodes whose meaning has changed, then removed constructs.
pub(super) fn to_today(
    shader: &Shader,
    from: Dialect,
    authority: Authority,
) -> Result<Translation, Vec<Inexpressible>> {
    if from == Dialect::Y2021 {
        let (shader, origins) = (shader.clone(), Origins::same(shader));
        return Ok(Translation { shader, notes: Vec::new(), origins });
    }
    if let Some((whole, first)) = with_main(shader, from) {
        let rest =
            to_today(&whole, from, authority).map_err(|problems| at_origins(problems, &first))?;
        let own =
            |note: Note| Note { place: first.place(note.place).unwrap_or(Place::Shader), ..note };
        return Ok(Translation {
            shader: rest.shader,
            notes: rest.notes.into_iter().map(own).collect(),
            origins: first.then(&rest.origins),
        });
    }
    let mut rewriter = Rewriter::new(shader);
    let mut notes = Vec::new();
    for (index, instruction) in shader.instructions.iter().enumerate() {
        let id = InstructionId::from_index(index);
        rewriter.begin(id);
        notes.extend(difference(id, instruction, from, authority));
        rewrite(&mut rewriter, instruction, from, authority);
    }
    let (reworded, first) = rewriter.finish_keeping_files()?;
    let (shader, second) =
        modernise_with_origins(&reworded).map_err(|problems| at_origins(problems, &first))?;
    Ok(Translation { shader, notes, origins: first.then(&second) })
}

fn at_origins(problems: Vec<Inexpressible>, origins: &Origins) -> Vec<Inexpressible> {
    let to_origin = |one: Inexpressible| Inexpressible {
        place: origins.place(one.place).unwrap_or(Place::Shader),
        ..one
    };
    problems.into_iter().map(to_origin).collect()
}

fn rewrite(rw: &mut Rewriter<'_>, one: &Instruction, from: Dialect, authority: Authority) {
    // The level of detail has no operand in the table of the time.
    if one.opcode == Opcode::SampleL && one.src.len() == 3 {
        return rw.problem(Reason::OperandCount);
    }
    meaning::put(rw, one, from.wording(one.opcode, authority));
}

/// The former difference of an instruction for unusual values, or a note about its meaning.
fn difference(
    id: InstructionId,
    one: &Instruction,
    from: Dialect,
    authority: Authority,
) -> Option<Note> {
    let place = Place::Instruction(id);
    if one.saturate == Saturate::ZeroOne {
        let message = "saturating a NaN kept it; today it gives 0";
        return Some(Note { place, message, is_of_document: false });
    }
    let row = from.meaning(one.opcode)?;
    let message = row.note?;
    let is_of_document = row.document != row.mesa;
    // Who takes Mesa's meaning knows it.
    let needs_note = !is_of_document || authority == Authority::Document;
    needs_note.then_some(Note { place, message, is_of_document })
}
