//! Lanes for which a predicate keeps a slot from running: they read nothing there, and change nothing.

use crate::support::{entry, run_text};

use r600_isa::Chip;
use r600_sim::{ExportKind, Outcome};

/// Passes in lane 2 alone.
const TEST: &str = "ALU:\n0 x: PRED_SETGT ____, R1.x, 0.0 UPDATE_PRED\n";

/// Runs the groups after the test; R2.x has the address of each lane's dword, R3.x `index` in the lanes that fail.
fn run(groups: &str, index: u32) -> Outcome {
    let mut entry = entry(&[]);
    for lane in 0..4 {
        let test = if lane == 2 { 1.0_f32 } else { -1.0 };
        entry.set_gpr(1, 0, lane, test.to_bits());
        entry.set_gpr(2, 0, lane, 4 * lane as u32);
        entry.set_gpr(3, 0, lane, if lane == 2 { 0 } else { index });
    }
    let outcome = run_text(Chip::Cypress, &format!("{TEST}{groups}"), &entry);
    outcome.unwrap_or_else(|error| panic!("{groups}: {error}"))
}

/// What the lanes have in R4.x.
fn results(outcome: &Outcome) -> Vec<u32> {
    let lanes = &outcome.export(ExportKind::Pixel, 0).unwrap().lanes;
    lanes.iter().take(4).map(|lane| lane[0].unwrap()).collect()
}

#[test]
fn local_memory_is_accessed_by_the_lanes_that_run() {
    let outcome = run("1 x: LDS_WRITE R2.x, 0x77 PRED_SEL_ONE\n", 0);
    assert_eq!(outcome.local_memory[..4], [0, 0, 0x77, 0]);
    let outcome = run("1 x: LDS_WRITE R2.x, 0x77 PRED_SEL_ZERO\n", 0);
    assert_eq!(outcome.local_memory[..4], [0x77, 0x77, 0, 0x77]);
}

/// Each lane takes its value once.
#[test]
fn queues_are_popped_by_the_lanes_that_run() {
    let read = "1 x: LDS_WRITE R2.x, R2.x\n2 x: LDS_READ_RET R2.x\n";
    let pops = "3 x: ADD_INT R4.x, LDS_OQ_A_POP, 7 PRED_SEL_ONE\n4 x: MOV R4.x, LDS_OQ_A_POP PRED_SEL_ZERO\n";
    assert_eq!(results(&run(&format!("{read}{pops}"), 0)), [0, 4, 15, 12]);
    // Nothing waits for the lanes that the predicate leaves out.
    let own = "1 x: LDS_READ_RET R2.x PRED_SEL_ONE\n2 x: MOV R4.x, LDS_OQ_A_POP PRED_SEL_ONE\n";
    assert_eq!(results(&run(own, 0)), [0; 4]);
}

#[test]
fn indices_of_lanes_that_do_not_run_reach_nothing() {
    let read = "1 x: MOVA_INT ____, R3.x\n2 x: MOV R4.x, R[AR.x+2].x PRED_SEL_ONE\n";
    assert_eq!(results(&run(read, 5000)), [0, 0, 8, 0]);
}

/// Where it does not run, the first slot would write what the second does.
#[test]
fn slots_meet_only_in_lanes_that_run() {
    let both = "1 x: MOVA_INT ____, R3.x\n\
                2 x: MOV R[AR.x+4].x, R2.x PRED_SEL_ONE\n  t: MOV R5.x, R2.x PRED_SEL_ONE\n";
    assert_eq!(results(&run(both, 1)), [0, 0, 8, 0]);
}
