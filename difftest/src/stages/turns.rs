//! Invocations in lockstep, as in a wavefront: accesses of one invocation to a shared word interleave with those of the
//! others.

use std::collections::BTreeSet;

use tgsi_exec::{ExecError, Kernel, Release};
use tgsi_ir::{File, FlowRole, Instruction, InstructionId, Opcode, Shader};

use super::dependence::registers;
use crate::compare::Run;

/// Runs the quads of a group in lockstep, with turns at each access to shared state: one access of each quad after the
/// other, whatever it is; quads that meet again after what only some of them run; and turns outside blocks only. None
/// covers all wavefronts: quads may make different numbers of accesses, and quads whose lanes all continue, or that
/// call subroutines, come to turns in another order. No runs for a single quad; runs in which some quads wait at a
/// barrier that others do not reach are left out.
pub(super) fn in_step(
    shader: &Shader,
    num_quads: usize,
    run: impl Fn(&Kernel) -> Result<Run, ExecError>,
) -> Vec<Result<Run, ExecError>> {
    if num_quads < 2 {
        return Vec::new();
    }
    let everywhere = accesses(shader, usize::MAX);
    let outside = accesses(shader, 0);
    let has_blocks = everywhere != outside;
    let ways = [(everywhere, Release::All), (places_to_meet(shader), Release::First)];
    let with_turns = |(places, release)| {
        let (shader, turns) = with_barriers(shader, &places);
        Some(Kernel::new(&shader).ok()?.with_turns(turns, release))
    };
    let by_turns = ways.into_iter().filter_map(with_turns);
    let meeting = Some(&outside).filter(|_| has_blocks);
    let kernel = |places| Kernel::new(&with_barriers(shader, places).0).ok();
    let runs = by_turns.chain(meeting.and_then(kernel)).map(|kernel| run(&kernel));
    runs.filter(|run| !matches!(run, Err(ExecError::Barrier { .. }))).collect()
}

/// The accesses to shared state at a nesting depth of at most `most`.
fn accesses(shader: &Shader, most: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut depth = 0_usize;
    for (at, inst) in shader.instructions.iter().enumerate() {
        match inst.opcode.info().flow {
            FlowRole::If | FlowRole::LoopBegin | FlowRole::SwitchBegin | FlowRole::SubBegin => {
                depth += 1;
            }
            FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd => {
                depth = depth.saturating_sub(1);
            }
            FlowRole::None if depth <= most && is_shared(inst) => found.extend([at]),
            _ => {}
        }
    }
    found
}

/// The accesses to shared state, and where quads meet again after blocks that only some of them enter.
fn places_to_meet(shader: &Shader) -> BTreeSet<usize> {
    let mut found = accesses(shader, usize::MAX);
    for (at, inst) in shader.instructions.iter().enumerate() {
        match inst.opcode.info().flow {
            FlowRole::EndIf | FlowRole::SwitchEnd => found.extend([at + 1]),
            FlowRole::LoopEnd => found.extend([at, at + 1]),
            _ => {}
        }
    }
    found
}

/// The shader with a barrier before each of these instructions, and the numbers of these barriers.
fn with_barriers(shader: &Shader, before: &BTreeSet<usize>) -> (Shader, Vec<InstructionId>) {
    let places: Vec<usize> = before.iter().copied().collect();
    let moved = |label: u32| {
        let before = places.partition_point(|&place| place <= label as usize);
        label + before as u32
    };
    let mut changed = shader.clone();
    changed.order.clear();
    changed.instructions.clear();
    let mut barriers = Vec::new();
    for (at, inst) in shader.instructions.iter().enumerate() {
        if before.contains(&at) {
            barriers.push(InstructionId::from_index(changed.instructions.len()));
            changed.instructions.push(Instruction::new(Opcode::Barrier));
        }
        let label = inst.label.map(moved);
        changed.instructions.push(Instruction { label, ..inst.clone() });
    }
    (changed, barriers)
}

/// Whether an instruction accesses state that invocations share, including outputs of a patch.
fn is_shared(inst: &Instruction) -> bool {
    registers(inst).any(|reg| {
        matches!(
            reg.file,
            File::Memory | File::Buffer | File::Image | File::HwAtomic | File::Output
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_are_inserted_before_accesses_and_labels_move() {
        let parsed = tgsi_text::parse(
            "COMP\nDCL MEMORY[0], SHARED\nDCL TEMP[0]\nIMM[0] UINT32 {0, 4, 0, 0}\n\
             ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\n\
             STORE MEMORY[0].x, IMM[0].xxxx, IMM[0].yyyy\nENDIF\nEND\n",
        );
        assert_eq!(parsed.diagnostics, []);
        let mut shader = parsed.shader;
        let mut call = Instruction::new(Opcode::Cal);
        call.label = Some(3);
        shader.instructions.insert(0, call);
        let barriers = |places: BTreeSet<usize>| {
            let (changed, barriers) = with_barriers(&shader, &places);
            let is_barrier = changed.instructions.iter().map(|inst| inst.opcode == Opcode::Barrier);
            let ids: Vec<_> =
                is_barrier.enumerate().filter(|(_, is)| *is).map(|(n, _)| n).collect();
            assert_eq!(barriers, ids.iter().map(|&n| InstructionId(n as u32)).collect::<Vec<_>>());
            (ids, changed.instructions[0].label)
        };
        assert_eq!(barriers(accesses(&shader, 0)), (vec![1], Some(4)));
        assert_eq!(barriers(accesses(&shader, 9)), (vec![1, 4], Some(5)));
        // The last one is where the quads meet again.
        assert_eq!(barriers(places_to_meet(&shader)), (vec![1, 4, 7], Some(5)));
    }
}
