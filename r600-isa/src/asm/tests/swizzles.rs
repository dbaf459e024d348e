//! Bank swizzles that the assembler chooses.

use super::words;
use crate::Generation::{Cayman, Evergreen};
use crate::{Generation, Program};

/// A clause of `group` after two reads of local memory, which fill the queue that it pops.
fn text(group: &str) -> String {
    format!("ALU:\n0 x: LDS_READ_RET 0\n1 x: LDS_READ_RET 4\n{group}\n")
}

/// Checks that `open`, without swizzles, reads as `chosen`, which gives them, and that the listing of the result does
/// too.
fn chooses(generation: Generation, open: &str, chosen: &str) {
    let given = words(&text(chosen), generation);
    assert_eq!(words(&text(open), generation), given, "{open}");
    let listing = Program::decode(&given, generation).to_string();
    assert_eq!(words(&listing, generation), given, "{listing}");
}

#[test]
fn queues_of_local_memory_are_read_in_the_first_cycle() {
    for generation in [Evergreen, Cayman] {
        for (group, swizzle) in [
            ("2 x: ADD R1.x, LDS_OQ_A_POP, R2.x", "VEC_012"),
            ("2 x: ADD R1.x, R2.x, LDS_OQ_A_POP", "VEC_102"),
            ("2 x: ADD R1.x, 1.0, LDS_OQ_B_POP", "VEC_102"),
            ("2 x: MULADD R1.x, R2.x, R3.x, LDS_OQ_A_POP", "VEC_120"),
        ] {
            chooses(generation, group, &format!("{group} {swizzle}"));
        }
        let beside = "\n  y: ADD R1.y, R3.x, R4.x";
        let first = "2 x: ADD R1.x, R2.x, LDS_OQ_A_POP";
        let chosen = format!("{first} VEC_102{beside} VEC_021");
        chooses(generation, &format!("{first}{beside}"), &chosen);
    }
}

/// The verifier reports these; the assembler accepts them.
#[test]
fn queues_that_are_read_too_late_are_read_back() {
    for group in [
        "2 x: ADD R1.x, R2.x, LDS_OQ_A_POP VEC_012",
        "2 x: ADD R1.x, LDS_OQ_A_POP, LDS_OQ_B_POP VEC_012",
        "2 x: ADD R1.x, LDS_OQ_A_POP, LDS_OQ_B_POP",
    ] {
        chooses(Evergreen, group, group);
    }
}
