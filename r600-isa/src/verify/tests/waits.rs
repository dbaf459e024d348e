//! The rule that scratch writes must be acknowledged before scratch memory is read.

use super::order::{ALL, sample};
use super::*;

/// A write that `WAIT_ACK` covers.
fn acknowledged(generation: Generation, op: CfOp) -> Cf {
    let mark = generation >= Evergreen;
    Cf::Memory(CfMemory { kind: MemoryType::WriteAck, mark, ..CfMemory::new(op, 0) })
}

/// A write of `op`, `between`, then a clause of `fetch`.
fn scratch_program(generation: Generation, op: CfOp, between: &[Cf], fetch: FetchOp) -> Program {
    let mut program = Program::new(generation);
    let fetches = vec![sample(1, ALL), FetchInst::new(fetch)];
    let clause = program.add_clause(Clause::Fetch(fetches));
    program.cf.push(acknowledged(generation, op));
    program.cf.extend_from_slice(between);
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
    finish(&mut program);
    program
}

#[test]
fn scratch_memory_is_read_after_an_acknowledge() {
    let program = |op, between: &[Cf], fetch| scratch_program(R700, op, between, fetch);
    let (write, read) = (CfOp::MemScratch, FetchOp::ReadScratch);
    breaks(Rule::ScratchWait, &program(write, &[], read));
    breaks(Rule::ScratchWait, &program(write, &[flow(CfOp::Nop)], read));
    obeys(&program(write, &[flow(CfOp::WaitAck)], read));
    obeys(&program(write, &[], FetchOp::Sample));
    obeys(&program(CfOp::MemRing, &[], read));
    let again = [flow(CfOp::WaitAck), acknowledged(R700, write)];
    breaks(Rule::ScratchWait, &program(write, &again, read));
    // A write to other memory does not change that.
    let ring = [Cf::Memory(CfMemory::new(CfOp::MemRing, 0))];
    breaks(Rule::ScratchWait, &program(write, &ring, read));
}

#[test]
fn a_wait_waits_for_what_asks_for_it() {
    let wait = flow(CfOp::WaitAck);
    let plain = Cf::Memory(CfMemory::new(CfOp::MemScratch, 0));
    let unmarked = CfMemory { kind: MemoryType::WriteAck, ..CfMemory::new(CfOp::MemScratch, 0) };
    for generation in [R700, Evergreen, Cayman] {
        let program = |between: &[Cf]| {
            scratch_program(generation, CfOp::MemScratch, between, FetchOp::ReadScratch)
        };
        obeys(&program(&[wait]));
        breaks(Rule::ScratchWait, &program(&[wait, plain, wait]));
        let marks = generation >= Evergreen;
        let unmarked = program(&[wait, Cf::Memory(unmarked), wait]);
        if marks { breaks(Rule::ScratchWait, &unmarked) } else { obeys(&unmarked) }
    }
}

#[test]
fn r600_has_no_acknowledge() {
    let program = scratch_program(R600, CfOp::MemScratch, &[], FetchOp::ReadScratch);
    assert!(program.verify().iter().all(|finding| finding.rule != Rule::ScratchWait));
}

/// A wait that some lanes skip does not cover them. Likewise for a load of an index register.
#[test]
fn a_wait_in_a_branch_does_not_cover_lanes_that_skip_it() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let pop = Cf::Flow(CfFlow { target: 5, pop_count: 1, ..CfFlow::new(CfOp::Pop) });
    let (push, wait) = (to(CfOp::Push, 2), flow(CfOp::WaitAck));
    // 0: the write, 1: PUSH, 2: JUMP, 3: the skipped instruction, 4: POP, 5: the fetches.
    let program = |inside, after| {
        let between = [push, to(CfOp::Jump, 4), inside, pop, after];
        scratch_program(R700, CfOp::MemScratch, &between, FetchOp::ReadScratch)
    };
    breaks(Rule::ScratchWait, &program(wait, flow(CfOp::Nop)));
    obeys(&program(wait, wait));
    obeys(&program(flow(CfOp::Nop), wait));
}

/// A write at the end of a loop is pending at its start.
#[test]
fn a_write_is_pending_in_the_next_iteration() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let program = |last: Cf| {
        let mut program = Program::new(R700);
        let fetches = vec![sample(1, ALL), FetchInst::new(FetchOp::ReadScratch)];
        let clause = program.add_clause(Clause::Fetch(fetches));
        program.cf.push(to(CfOp::LoopStartDx10, 5));
        program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
        program.cf.push(acknowledged(R700, CfOp::MemScratch));
        program.cf.push(last);
        program.cf.push(to(CfOp::LoopEnd, 1));
        finish(&mut program);
        program
    };
    obeys(&program(flow(CfOp::WaitAck)));
    breaks(Rule::ScratchWait, &program(flow(CfOp::Nop)));
}

/// A write, `open`, a loop that begins with a wait, `close`, a read.
fn wait_in_a_loop(start: CfOp, open: &[Cf], close: &[Cf]) -> Program {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let body = 2 + open.len() as u32;
    let inner = [to(start, body + 2), flow(CfOp::WaitAck), to(CfOp::LoopEnd, body)];
    let between = [open, &inner, close].concat();
    let mut program = scratch_program(R700, CfOp::MemScratch, &between, FetchOp::ReadScratch);
    // A clause that removes lanes from the mask.
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let groups = vec![group(&[AluInst { update_exec_mask: true, ..set }])];
    assert_eq!(program.add_clause(Clause::Alu(groups)), NARROWING);
    program
}

const NARROWING: crate::ClauseId = crate::ClauseId(1);

/// Only a wave without lanes skips an uncounted loop, and it reads nothing until lanes wake.
#[test]
fn what_the_first_iteration_waits_for_has_arrived_after_the_loop() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let pop = |target| Cf::Flow(CfFlow { target, pop_count: 1, ..CfFlow::new(CfOp::Pop) });
    let endless = CfOp::LoopStartDx10;
    obeys(&wait_in_a_loop(endless, &[], &[]));
    // A counted loop may have no iterations.
    for counted in [CfOp::LoopStart, CfOp::LoopStartNoAl] {
        breaks(Rule::ScratchWait, &wait_in_a_loop(counted, &[], &[]));
    }
    // Lanes that are inactive around the loop wake at the end or the else of a branch, or at the end of a loop.
    let narrow = |op| Cf::Alu(CfAlu::new(op, NARROWING));
    let push = narrow(CfOp::AluPushBefore);
    breaks(Rule::ScratchWait, &wait_in_a_loop(endless, &[push], &[pop(6)]));
    obeys(&wait_in_a_loop(endless, &[push], &[flow(CfOp::WaitAck), pop(7)]));
    obeys(&wait_in_a_loop(endless, &[push], &[pop(6), flow(CfOp::WaitAck)]));
    breaks(Rule::ScratchWait, &wait_in_a_loop(endless, &[push], &[to(CfOp::Else, 6), pop(7)]));
    let outer = [to(endless, 7), narrow(CfOp::AluBreak)];
    breaks(Rule::ScratchWait, &wait_in_a_loop(endless, &outer, &[to(CfOp::LoopEnd, 2)]));
    // No lane is inactive after a closed loop, and killed lanes never wake.
    let closed = [to(endless, 4), narrow(CfOp::AluBreak), to(CfOp::LoopEnd, 2)];
    obeys(&wait_in_a_loop(endless, &closed, &[]));
    obeys(&wait_in_a_loop(endless, &[flow(CfOp::Kill)], &[]));
}

/// If a branch without lanes is skipped, a loop in it always has lanes.
#[test]
fn a_loop_in_a_branch_waits_for_what_the_branch_has_written() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let pop = Cf::Flow(CfFlow { target: 9, pop_count: 1, ..CfFlow::new(CfOp::Pop) });
    let push = Cf::Alu(CfAlu::new(CfOp::AluPushBefore, NARROWING));
    // 0: the write, 1: a wait, 2: PUSH, 3: JUMP, 4: another write, 5: the loop, 8: POP, 9: the fetches.
    let program = |start, jump| {
        let write = acknowledged(R700, CfOp::MemScratch);
        wait_in_a_loop(start, &[flow(CfOp::WaitAck), push, jump, write], &[pop])
    };
    let jump = to(CfOp::Jump, 8);
    obeys(&program(CfOp::LoopStartDx10, jump));
    breaks(Rule::ScratchWait, &program(CfOp::LoopStart, jump));
    // Without the jump the loop may have no lanes, but then the branch has written nothing.
    obeys(&program(CfOp::LoopStartDx10, flow(CfOp::Nop)));
}

/// Scratch memory is private to lanes, and those that run the second arm of a branch have written nothing in the first.
#[test]
fn the_second_arm_reads_what_lanes_of_the_first_have_not_written() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let program = |before: &[Cf], reads_after: bool| {
        let mut program = Program::new(R700);
        let fetches = vec![sample(1, ALL), FetchInst::new(FetchOp::ReadScratch)];
        let clause = program.add_clause(Clause::Fetch(fetches));
        let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
        let groups = vec![group(&[AluInst { update_exec_mask: true, ..set }])];
        let narrowing = program.add_clause(Clause::Alu(groups));
        let read = Cf::Fetch(CfFetch::new(CfOp::Tex, clause));
        let at = before.len() as u32;
        program.cf.extend_from_slice(before);
        program.cf.push(Cf::Alu(CfAlu::new(CfOp::AluPushBefore, narrowing)));
        program.cf.push(to(CfOp::Jump, at + 3));
        program.cf.push(acknowledged(R700, CfOp::MemScratch));
        let pops = |op, target| Cf::Flow(CfFlow { target, pop_count: 1, ..CfFlow::new(op) });
        program.cf.push(to(CfOp::Else, at + 5));
        program.cf.push(read);
        program.cf.push(pops(CfOp::Pop, at + 6));
        program.cf.extend(reads_after.then_some(read));
        finish(&mut program);
        program
    };
    obeys(&program(&[], false));
    // Lanes of both arms continue after the branch, and both may have written before it.
    breaks(Rule::ScratchWait, &program(&[], true));
    breaks(Rule::ScratchWait, &program(&[acknowledged(R700, CfOp::MemScratch)], false));
}

/// Clauses other than that of the fetches: `NARROWING` removes lanes from the mask, one kills, one does neither.
const KILLING: crate::ClauseId = crate::ClauseId(2);
const PLAIN: crate::ClauseId = crate::ClauseId(3);

/// `before`, then a branch with or without a jump over its first arm. The first arm writes and then runs `inside`. The
/// second arm begins with `turn` and reads.
fn two_arms(before: &[Cf], jumps: bool, inside: &[Cf], turn: CfOp) -> Program {
    let mut program = Program::new(R700);
    let fetches = vec![sample(1, ALL), FetchInst::new(FetchOp::ReadScratch)];
    let read = program.add_clause(Clause::Fetch(fetches));
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let kill = AluInst { op: AluOp::Kille, ..set };
    for one in [AluInst { update_exec_mask: true, ..set }, kill, mov(9, X, gpr(0, X))] {
        program.add_clause(Clause::Alu(vec![group(&[one])]));
    }
    let to = |op, target| CfFlow { target, ..CfFlow::new(op) };
    let first = (before.len() + 1 + usize::from(jumps)) as u32;
    let second = first + 1 + inside.len() as u32;
    program.cf.extend_from_slice(before);
    program.cf.push(Cf::Alu(CfAlu::new(CfOp::AluPushBefore, NARROWING)));
    program.cf.extend(jumps.then(|| Cf::Flow(to(CfOp::Jump, second))));
    program.cf.push(acknowledged(R700, CfOp::MemScratch));
    program.cf.extend_from_slice(inside);
    program.cf.push(match turn {
        CfOp::AluElseAfter => Cf::Alu(CfAlu::new(turn, PLAIN)),
        _ => Cf::Flow(to(turn, second + 2)),
    });
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, read)));
    program.cf.push(Cf::Flow(CfFlow { pop_count: 1, ..to(CfOp::Pop, second + 3) }));
    finish(&mut program);
    program
}

/// The second arm wakes lanes that left the first one, and those have written.
#[test]
fn lanes_that_leave_the_first_arm_read_in_the_second_what_they_have_written() {
    let run = |op, clause| Cf::Alu(CfAlu::new(op, clause));
    let rule = Rule::ScratchWait;
    for (jumps, turn) in [
        (true, CfOp::Else),
        (false, CfOp::Else),
        (true, CfOp::AluElseAfter),
        (false, CfOp::AluElseAfter),
    ] {
        let program = |inside: &[Cf]| two_arms(&[], jumps, inside, turn);
        obeys(&program(&[]));
        breaks(rule, &program(&[run(CfOp::Alu, NARROWING)]));
        // Killed lanes never wake. Lanes removed by an inner branch have returned by its end.
        obeys(&program(&[run(CfOp::Alu, KILLING)]));
        let inner = [run(CfOp::AluPushBefore, NARROWING), run(CfOp::AluPopAfter, PLAIN)];
        obeys(&program(&inner));
        // The lanes that run the branch may have written before it.
        let early = [acknowledged(R700, CfOp::MemScratch)];
        breaks(rule, &two_arms(&early, jumps, &[], turn));
    }
}

/// A branch that ends where the first arm does brings no lanes to the second arm.
#[test]
fn skipping_a_branch_in_the_first_arm_does_not_reach_the_second() {
    let run = |op, clause| Cf::Alu(CfAlu::new(op, clause));
    let jump = Cf::Flow(CfFlow { target: 6, pop_count: 1, ..CfFlow::new(CfOp::Jump) });
    let inner = [run(CfOp::AluPushBefore, NARROWING), jump, run(CfOp::AluPopAfter, PLAIN)];
    obeys(&two_arms(&[], true, &inner, CfOp::Else));
}

/// Without a jump, a wave that reaches the second arm has run all of the first.
#[test]
fn every_wave_waits_in_a_first_arm_that_nothing_skips() {
    let text = "MEM_SCRATCH: WRITE_ACK 0, R0.xyzw ELEM_SIZE(3)\nALU_PUSH_BEFORE:\n\
                x: PRED_SETGT_INT ____, R0.x, 5 UPDATE_EXEC_MASK UPDATE_PRED\nWAIT_ACK\n\
                ELSE L2 POP_CNT(1)\nTEX:\nREAD_SCRATCH R5.xyzw, R0.x, 0 UNCACHED ELEM_SIZE(3)\n\
                POP L2 POP_CNT(1)\nL2:\nEXP_DONE: PIX0, R5.xyzw\nEND_OF_PROGRAM\n";
    obeys(&listing(text));
    breaks(Rule::ScratchWait, &listing(&text.replace("WAIT_ACK\n", "NOP\n")));
}
