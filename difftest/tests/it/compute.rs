//! Work groups, compared with the interpreter: shared memory, barriers, atomic operations and places in the grid.

use crate::support;

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use difftest::uncompared::Cause;
use r600_isa::Chip;

/// Compares the body of a shader of 16 invocations, each with its number in `TEMP[0].x` and four times that in y.
#[track_caller]
fn compare(body: &str) {
    let text = format!(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\n\
         PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], BLOCK_SIZE\n\
         DCL SV[3], GRID_SIZE\nDCL MEMORY[0], SHARED\nDCL CONST[0..3]\nDCL TEMP[0..7]\n\
         IMM[0] UINT32 {{0, 4, 8, 16}}\nIMM[1] UINT32 {{1, 2, 7, 15}}\n\
         UMAD TEMP[0].x, SV[0].yyyy, IMM[0].zzzz, SV[0].xxxx\nUMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n\
         UMUL TEMP[0].z, TEMP[0].xxxx, IMM[0].wwww\n{body}END\n"
    );
    support::agrees(&text, &[Chip::Cedar, Chip::Cypress, Chip::Cayman]);
}

#[test]
fn a_group_knows_its_place() {
    compare(
        "UADD TEMP[1].x, SV[1].xxxx, SV[2].yyyy\nUMAD TEMP[1].y, SV[3].xxxx, IMM[1].zzzz, SV[3].yyyy\n\
         MOV TEMP[1].zw, SV[0].xxyz\nSTORE MEMORY[0].xyzw, TEMP[0].zzzz, TEMP[1]\n",
    );
}

#[test]
fn a_group_computes_a_sum_by_halving() {
    let step = |n: &str| {
        format!(
            "BARRIER\nUSLT TEMP[2].x, TEMP[0].xxxx, {n}\nUIF TEMP[2].xxxx\n\
             UMAD TEMP[2].y, {n}, IMM[0].yyyy, TEMP[0].yyyy\nLOAD TEMP[3].x, MEMORY[0], TEMP[2].yyyy\n\
             LOAD TEMP[3].y, MEMORY[0], TEMP[0].yyyy\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[3].yyyy\n\
             STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[3].xxxx\nENDIF\n"
        )
    };
    let halves = ["IMM[0].zzzz", "IMM[0].yyyy", "IMM[1].yyyy", "IMM[1].xxxx"].map(step);
    let first = "UMUL TEMP[1].x, TEMP[0].xxxx, IMM[1].zzzz\nSTORE MEMORY[0].x, TEMP[0].yyyy, TEMP[1].xxxx\n";
    compare(&format!("{first}{}", halves.concat()));
}

#[test]
fn vectors_move_from_one_invocation_to_another() {
    compare(
        "U2F TEMP[1].x, TEMP[0].xxxx\nMUL TEMP[1], TEMP[1].xxxx, CONST[1]\n\
         STORE MEMORY[0].xyzw, TEMP[0].zzzz, TEMP[1]\nBARRIER\nXOR TEMP[2].x, TEMP[0].zzzz, IMM[0].wwww\n\
         LOAD TEMP[3].xz, MEMORY[0], TEMP[2].xxxx\nBARRIER\nADD TEMP[3].xz, TEMP[3], CONST[0]\n\
         STORE MEMORY[0].xz, TEMP[0].zzzz, TEMP[3].zyxw\n",
    );
}

#[test]
fn atomic_operations_return_the_old_value() {
    for op in
        ["UADD", "XCHG", "AND", "OR", "XOR", "UMIN", "UMAX", "IMIN", "IMAX", "INC_WRAP", "DEC_WRAP"]
    {
        compare(&format!(
            "UADD TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nATOM{op} TEMP[2].x, MEMORY[0], IMM[0].xxxx, TEMP[1].xxxx\n\
             BARRIER\nSTORE MEMORY[0].y, TEMP[0].zzzz, TEMP[2].xxxx\n"
        ));
    }
    compare(
        "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].xxxx\n\
         ATOMCAS TEMP[2].x, MEMORY[0], IMM[0].xxxx, TEMP[1].xxxx, TEMP[0].xxxx\n\
         STORE MEMORY[0].w, TEMP[0].zzzz, TEMP[2].xxxx\n",
    );
}

#[test]
fn memory_is_read_and_written_in_loops_and_branches() {
    compare(
        "STORE MEMORY[0].xy, TEMP[0].zzzz, TEMP[0].xxxx\nBARRIER\nMOV TEMP[1].xy, IMM[0].xxxx\nBGNLOOP\n\
         USGE TEMP[2].x, TEMP[1].xxxx, TEMP[0].xxxx\nUIF TEMP[2].xxxx\nBRK\nENDIF\n\
         UMUL TEMP[2].y, TEMP[1].xxxx, IMM[0].wwww\nLOAD TEMP[2].z, MEMORY[0], TEMP[2].yyyy\n\
         LOAD TEMP[2].w, MEMORY[0], TEMP[2].yyyy\nUADD TEMP[1].y, TEMP[1].yyyy, TEMP[2].wwww\n\
         UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].xxxx\nENDLOOP\nBARRIER\n\
         USLT TEMP[3].x, TEMP[1].yyyy, IMM[0].wwww\nUIF TEMP[3].xxxx\n\
         STORE MEMORY[0].z, TEMP[0].zzzz, TEMP[1].yyyy\nELSE\nSTORE MEMORY[0].w, TEMP[0].zzzz, TEMP[1].yyyy\n\
         ENDIF\n",
    );
}

/// Shaders that write a buffer and an image where each invocation of the grid has its own element, and add to one.
#[test]
fn writes_of_large_groups_are_compared() {
    let head = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 8\n\
                PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\n\
                DCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_UINT, WR\nDCL TEMP[0..1]\nIMM[0] UINT32 {8, 64, 4, 1}\n\
                UMAD TEMP[0].xy, SV[1], IMM[0].xxxx, SV[0]\nUMAD TEMP[1].x, SV[0].yyyy, IMM[0].xxxx, SV[0].xxxx\n\
                UMAD TEMP[1].y, SV[1].xxxx, IMM[0].yyyy, TEMP[1].xxxx\nUMUL TEMP[1].z, TEMP[1].yyyy, IMM[0].zzzz\n";
    for (body, fewest) in [
        ("STORE BUFFER[0].x, TEMP[1].zzzz, TEMP[1].xxxx\n", 40),
        ("STORE IMAGE[0], TEMP[0], TEMP[1], 2D, PIPE_FORMAT_R32G32B32A32_UINT\n", 100),
        ("ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].zzzz, TEMP[1].xxxx\n", 1),
    ] {
        let chips = [Chip::Cypress, Chip::Cayman];
        let tally = support::agrees(&format!("{head}{body}END\n"), &chips);
        let programs = Target::all(&chips).len() as u64;
        assert!(tally.exact >= fewest * programs, "{body}{tally:?}");
    }
}

/// What depends on the order of quads is not compared, and is told.
#[test]
fn an_observable_order_of_quads_is_counted() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
                PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 4, 1, 0}\n\
                ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[0].xxxx\nEND\n";
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let targets = Target::all(&[Chip::Cypress]);
    let harness = Harness { compiler: &OurCompiler, targets, seed: 5, must_compile: true };
    let summary = harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{report}"));
    let open = summary.tally.open;
    assert_eq!((open.count(Cause::Unordered), open.count(Cause::Nothing)), (1, 1));
}
