//! Programs of 2012 that consist only of subroutines. Then the caller chose the entry point. Here the entry point is
//! the subroutine that no other calls, and a main program is put before it.

use std::collections::BTreeSet;

use crate::origins::Origins;
use crate::place::Place;
use crate::{
    DeclarationId, Dialect, FlowRole, Instruction, InstructionId, Opcode, Processor, Shader,
};

/// Instructions of the main program: a call and the end.
const MAIN: u32 = 2;

/// Adds a main program to a kernel of 2012 that has none and has a single entry subroutine.
pub(crate) fn with_main(shader: &Shader, dialect: Dialect) -> Option<(Shader, Origins)> {
    let is_kernel = dialect == Dialect::Y2012 && shader.processor == Processor::Compute;
    let list = &shader.instructions;
    let role = |one: &Instruction| one.opcode.info().flow;
    let begins = list.first().is_some_and(|one| role(one) == FlowRole::SubBegin);
    if !is_kernel || !begins || list.iter().any(|one| one.opcode == Opcode::End) {
        return None;
    }
    let calls = list.iter().filter(|one| role(one) == FlowRole::Call);
    let called: BTreeSet<u32> = calls.filter_map(|one| one.label).collect();
    let subroutines = (0..list.len()).filter(|&at| role(&list[at]) == FlowRole::SubBegin);
    let is_called = |at: usize| u32::try_from(at).is_ok_and(|at| called.contains(&at));
    let mut roots = subroutines.filter(|&at| !is_called(at));
    let (entry, other) = (roots.next()?, roots.next());
    if other.is_some() {
        return None;
    }
    let mut call = Instruction::new(Opcode::Cal);
    call.label = Some(u32::try_from(entry).ok()?.checked_add(MAIN)?);
    let mut instructions = vec![call, Instruction::new(Opcode::End)];
    instructions.extend(list.iter().cloned().map(|one| Instruction {
        label: one.label.map(|label| label.saturating_add(MAIN)),
        ..one
    }));
    let first = Some(InstructionId::from_index(entry));
    let own = (0..list.len()).map(|at| Some(InstructionId::from_index(at)));
    let declarations = (0..shader.declarations.len()).map(|at| Some(DeclarationId::from_index(at)));
    let origins =
        Origins::new([first, first].into_iter().chain(own).collect(), declarations.collect());
    // Runs count instructions, and there are more now.
    Some((Shader { instructions, order: Vec::new(), ..shader.clone() }, origins))
}

/// Maps a place in the output of [`with_main`] to a place in its input.
pub(crate) fn own_place(place: Place, origins: &Origins) -> Place {
    let own = |id: InstructionId| origins.instruction(id).unwrap_or(id);
    match place {
        Place::Instruction(id) => Place::Instruction(own(id)),
        Place::Dst(id, operand) => Place::Dst(own(id), operand),
        Place::Src(id, operand) => Place::Src(own(id), operand),
        Place::Offset(id, operand) => Place::Offset(own(id), operand),
        Place::Shader | Place::Property(_) | Place::Declaration(_) | Place::Immediate(_) => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(ops: &[(Opcode, Option<u32>)]) -> Shader {
        let mut shader = Shader::new(Processor::Compute);
        shader.instructions.extend(ops.iter().map(|&(opcode, label)| {
            let mut one = Instruction::new(opcode);
            one.label = label;
            one
        }));
        shader
    }

    #[test]
    fn the_subroutine_that_no_other_calls_is_called() {
        use Opcode::{Bgnsub, Cal, Endsub, Ret};
        let helper = [(Bgnsub, None), (Ret, None), (Endsub, None)];
        let entry = [(Bgnsub, None), (Cal, Some(0)), (Endsub, None)];
        let shader = kernel(&[helper, entry].concat());
        let (with, origins) = with_main(&shader, Dialect::Y2012).expect("it has one entry");
        let labels: Vec<_> = with.instructions.iter().filter_map(|one| one.label).collect();
        assert_eq!(labels, [5, 2]);
        assert_eq!(with.instructions[5].opcode, Bgnsub);
        let of = |at| origins.instruction(InstructionId::from_index(at)).map(InstructionId::index);
        assert_eq!([of(0), of(1), of(2), of(6)], [Some(3), Some(3), Some(0), Some(4)]);
        assert_eq!(with_main(&shader, Dialect::Y2021), None);
        assert_eq!(with_main(&kernel(&[helper, helper].concat()), Dialect::Y2012), None);
    }
}
