//! Ways to a reader that has not waited for a fetch. `order.rs` has the readers, and the ways of branches and loops.

use super::*;

/// Checks that only the instruction at `at` needs a wait, and that none does if it waits.
fn late(text: &str, at: usize) {
    let mut program = listing(text);
    breaks(Rule::MissingBarrier, &program);
    assert_eq!(program.verify()[0].place.cf, Some(at), "{text}");
    match &mut program.cf[at] {
        Cf::Alu(alu) => alu.barrier = true,
        other => panic!("{other:?} is no clause of groups"),
    }
    obeys(&program);
}

/// A predicate that may leave no lane.
const NARROWS: &str = "x: PRED_SETGT_INT ____, R0.x, 5 UPDATE_EXEC_MASK UPDATE_PRED\n";
const READS: &str = "ALU: NO_BARRIER\nx: MOV R5.x, R1.x\nEXP_DONE: PIX0, R5.xyzw\nEND_OF_PROGRAM\n";

/// A wave without lanes skips an uncounted loop and what waits in it. The end of the branch wakes its lanes.
#[test]
fn lanes_that_sleep_beside_a_loop_have_not_waited_in_it() {
    let text = |pop: &str| {
        format!(
            "TEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nALU_PUSH_BEFORE: NO_BARRIER\n{NARROWS}\
             LOOP_START_DX10 L1 NO_BARRIER\nL0:\nLOOP_BREAK L2\nL2:\nLOOP_END L0\nL1:\n\
             POP L3 POP_CNT(1){pop}\nL3:\n{READS}"
        )
    };
    late(&text(" NO_BARRIER"), 6);
    obeys(&listing(&text("")));
    // Until then it reads nothing.
    let inside = "L1:\nALU: NO_BARRIER\nx: MOV R5.x, R1.x\n";
    obeys(&listing(&text("").replace("L1:\n", inside)));
}

#[test]
fn a_pop_goes_past_what_waits_before_its_target() {
    let text = format!(
        "TEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nPUSH L1 NO_BARRIER\nL1:\n\
         POP L3 POP_CNT(1) NO_BARRIER\nNOP\nL3:\n{READS}"
    );
    late(&text, 4);
}

#[test]
fn a_subroutine_reads_what_was_fetched_before_its_call() {
    late(
        "TEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nCALL SUB NO_BARRIER\nEXP_DONE: PIX0, R2.xyzw EOP\n\
         SUB:\nALU: NO_BARRIER\nx: MOV R2.x, R1.x\nRET\nNOP\nEND_OF_PROGRAM\n",
        3,
    );
}

#[test]
fn what_a_subroutine_fetches_is_read_after_its_call() {
    let text = |ret: &str| {
        format!(
            "CALL SUB\nALU: NO_BARRIER\nx: MOV R2.x, R1.x\nEXP_DONE: PIX0, R2.xyzw EOP\n\
             SUB:\nTEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nRET{ret}\nNOP\nEND_OF_PROGRAM\n"
        )
    };
    late(&text(" NO_BARRIER"), 1);
    obeys(&listing(&text("")));
}

/// Lanes leave an uncounted loop only where they break. Clauses that break do not jump, so what stands after them
/// counts.
#[test]
fn what_an_uncounted_loop_fetches_after_its_break_does_not_leave_it() {
    let text = |leave: &str, fetch: &str, end: &str| {
        format!(
            "LOOP_START_DX10 L1\nL0:\n{leave}TEX:{fetch}\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\n{end}\
             LOOP_END L0 NO_BARRIER\nL1:\n{READS}"
        )
    };
    let [jumps, end] = ["LOOP_BREAK L2", "L2:\n"];
    obeys(&listing(&text(&format!("{jumps}\n"), "", end)));
    late(&text(&format!("{jumps} NO_BARRIER\n"), "", end), 4);
    let clause = format!("ALU_BREAK: NO_BARRIER\n{NARROWS}");
    late(&text(&clause, " NO_BARRIER", ""), 4);
    obeys(&listing(&text(&clause, "", "")));
}

/// A wave without lanes jumps from an exit to the end of the loop, past what waits before it.
#[test]
fn a_wave_without_lanes_jumps_to_the_end_of_a_loop() {
    let fetch = "TEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\n";
    let text = |exit: &str| {
        format!(
            "LOOP_START_DX10 L1\nL0:\n{fetch}ALU_BREAK: NO_BARRIER\n{NARROWS}{exit} L2 NO_BARRIER\nNOP\n\
             L2:\nLOOP_END L0 NO_BARRIER\nL1:\n{READS}"
        )
    };
    late(&text("LOOP_CONTINUE"), 6);
    let inner = "LOOP_START_DX10 L4 NO_BARRIER\nL3:\nNOP\nLOOP_BREAK L5\nL5:\nLOOP_END L3 NO_BARRIER\nL4:\nLOOP_BREAK";
    late(&text(inner), 10);
}

/// Emitting vertices leaves the lanes as they are: those that fetched wait in the loop.
#[test]
fn lanes_that_emit_a_vertex_stay_awake() {
    let text = |between: &str| {
        format!(
            "ALU_PUSH_BEFORE:\n{NARROWS}JUMP L9 POP_CNT(1)\nTEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\n\
             {between}LOOP_START_DX10 L1 NO_BARRIER\nL0:\nALU:\n{NARROWS}LOOP_BREAK L2\nL2:\nLOOP_END L0\n\
             L1:\nPOP L9 POP_CNT(1) NO_BARRIER\nL9:\n{READS}"
        )
    };
    for between in ["", "EMIT_VERTEX NO_BARRIER\n", "CUT_VERTEX NO_BARRIER\n"] {
        let findings = listing(&text(between)).verify();
        assert!(findings.iter().all(|finding| finding.rule != Rule::MissingBarrier), "{between}");
    }
}

/// Each end of a loop brings one more register to the instructions before, which share a clause of many fetches.
#[test]
fn results_that_arrive_one_by_one_take_no_time_for_each_fetch() {
    let shared = "SAMPLE R[AL+0].x___, R0.xyzw, t0, s0\n".repeat(16);
    let mut text = format!("NOP NO_BARRIER\nL0:\nTEX: NO_BARRIER\n{shared}");
    for n in 0..360 {
        let (gpr, chan) = (n % 120, ["_x__", "__x_", "___x"][n / 120]);
        text += &format!(
            "TEX: NO_BARRIER\nSAMPLE R{gpr}.{chan}, R0.xyzw, t0, s0\nLOOP_END L0 NO_BARRIER\n"
        );
    }
    let mut program = listing(&format!("{text}EXP_DONE: PIX0, R5.xyzw\nEND_OF_PROGRAM\n"));
    let again = program.cf[1];
    program.cf.splice(1..1, std::iter::repeat_n(again, 4000));
    assert!(!program.verify().is_empty());
}

/// The second arm's lanes have fetched nothing in the first.
#[test]
fn the_second_arm_waits_only_for_its_own_fetches() {
    let text = |before: &str, in_second: &str, after: &str| {
        format!(
            "{before}ALU_PUSH_BEFORE: NO_BARRIER\n{NARROWS}JUMP L1 NO_BARRIER\n\
             TEX: NO_BARRIER\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nL1:\nELSE L2 POP_CNT(1) NO_BARRIER\n\
             ALU_POP_AFTER: NO_BARRIER\nx: MOV R5.x, {in_second}.x\nL2:\n\
             ALU: NO_BARRIER\nx: MOV R6.x, {after}.x\nEXP_DONE: PIX0, R5.xyzw\nEND_OF_PROGRAM\n"
        )
    };
    obeys(&listing(&text("", "R1", "R5")));
    // After the branch, the lanes of the first arm are back.
    late(&text("", "R1", "R1"), 5);
    // Before it, the lanes of both have fetched.
    late(&text("TEX:\nSAMPLE R2.xyzw, R0.xyzw, t0, s0\n", "R2", "R5"), 5);
}

/// Without a jump, the lanes of the second arm have waited at the push.
#[test]
fn what_the_push_waits_for_is_there_in_the_second_arm() {
    let text = |push: &str| {
        format!(
            "TEX:\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nALU_PUSH_BEFORE:{push}\n{NARROWS}\
             ALU: NO_BARRIER\nx: MOV R6.x, R0.x\nELSE L2 POP_CNT(1) NO_BARRIER\n\
             ALU_POP_AFTER: NO_BARRIER\nx: MOV R5.x, R1.x\nL2:\nEXP_DONE: PIX0, R5.xyzw\n\
             END_OF_PROGRAM\n"
        )
    };
    obeys(&listing(&text("")));
    late(&text(" NO_BARRIER"), 4);
    // Without a jump, every wave waits in the first arm, too.
    obeys(&listing(&text(" NO_BARRIER").replace("ALU: NO_BARRIER\nx: MOV R6", "ALU:\nx: MOV R6")));
}

#[test]
fn the_second_arm_waits_for_nothing_of_the_first_after_a_branch_in_it() {
    let text = |last: &str| {
        format!(
            "ALU_PUSH_BEFORE:\n{NARROWS}JUMP L1 NO_BARRIER\n\
             TEX: NO_BARRIER\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nL1:\nELSE L2 POP_CNT(1) NO_BARRIER\n\
             ALU_PUSH_BEFORE: NO_BARRIER\n{NARROWS}JUMP L3 POP_CNT(1) NO_BARRIER\n\
             ALU_POP_AFTER: NO_BARRIER\nx: MOV R5.x, R0.x\nL3:\n\
             ALU_POP_AFTER: NO_BARRIER\nx: MOV R5.x, R1.x\nL2:\n\
             ALU: NO_BARRIER\nx: MOV R6.x, {last}.x\nEXP_DONE: PIX0, R5.xyzw\nEND_OF_PROGRAM\n"
        )
    };
    obeys(&listing(&text("R0")));
    late(&text("R1"), 8);
}

/// A second arm that some lanes reach through the first.
#[test]
fn the_second_arm_waits_if_lanes_of_the_first_run_it_too() {
    late(
        &format!(
            "ALU_PUSH_BEFORE:\n{NARROWS}JUMP L1 NO_BARRIER\n\
             TEX: NO_BARRIER\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nALU: NO_BARRIER\n{NARROWS}L1:\n\
             ELSE L2 POP_CNT(1) NO_BARRIER\nALU_POP_AFTER: NO_BARRIER\nx: MOV R5.x, R1.x\nL2:\n\
             EXP_DONE: PIX0, R5.xyzw\nEND_OF_PROGRAM\n"
        ),
        5,
    );
}

#[test]
fn reads_of_scratch_memory_on_r600_are_fetches() {
    let mut load = listing(&format!("MEM_SCRATCH: WRITE_ACK 0, R1.x___\n{READS}"));
    obeys(&load);
    load.generation = Generation::R600;
    breaks(Rule::MissingBarrier, &load);
    // A fetch shader waits before it returns.
    obeys(&listing(&format!("CALL_FS\n{READS}")));
}
