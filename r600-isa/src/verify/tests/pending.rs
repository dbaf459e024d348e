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
