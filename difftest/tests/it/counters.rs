//! Shaders that read and change counters of the global data share, on the chips that have them: what they get,
//! and what the counters hold at the end, is what the interpreter says.

use crate::support;

use difftest::case::{Compile as _, OurCompiler, Target};
use r600_codegen::OptLevel;
use r600_isa::{Cf, CfOp, Chip, Program};

const CHIPS: [Chip; 3] = [Chip::Cedar, Chip::Cypress, Chip::Cayman];
/// Operations with one operand.
const OPERATIONS: [&str; 11] = [
    "ATOMUADD",
    "ATOMXCHG",
    "ATOMAND",
    "ATOMOR",
    "ATOMXOR",
    "ATOMUMIN",
    "ATOMUMAX",
    "ATOMIMIN",
    "ATOMIMAX",
    "ATOMINC_WRAP",
    "ATOMDEC_WRAP",
];

/// Counters in two buffers, registers, and numbers: in `TEMP[7]` small ones that differ by lane.
const DECLARED: &str = "DCL HWATOMIC[0][1..2]\nDCL HWATOMIC[3][0..3], ARRAY(1)\nDCL TEMP[0..7]\nDCL ADDR[0]\n\
     IMM[0] UINT32 {0, 4, 8, 12}\nIMM[1] UINT32 {1, 3, 7, 65535}\nIMM[2] FLT32 {0.0, 3.0, 0.5, 1.0}\n";
const NUMBERS: &str =
    "MIN TEMP[7], |IN[0]|, IMM[2].yyyy\nMAX TEMP[7], TEMP[7], IMM[2].xxxx\nF2U TEMP[7], TEMP[7]\n";
const RESULT: &str = "AND TEMP[0], TEMP[0], IMM[1].wwww\nU2F OUT[0], TEMP[0]\n";

/// Compares `text` on every chip; every channel and counter has the interpreter's bits.
#[track_caller]
fn compare(text: &str) {
    support::agrees(text, &CHIPS);
}

/// Compares fragment and vertex shaders of this code, which leaves integers in `TEMP[0]`.
fn check(code: &str) {
    compare(&format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n{DECLARED}{NUMBERS}{code}{RESULT}END\n"
    ));
    compare(&format!(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n{DECLARED}{NUMBERS}{code}{RESULT}END\n"
    ));
}

#[test]
fn counters_are_updated_and_return_their_old_value() {
    for op in OPERATIONS {
        check(&format!(
            "{op} TEMP[0], HWATOMIC[0][1], IMM[0].xxxx, TEMP[7].xxxx\n\
             {op} TEMP[0].y, HWATOMIC[3][2], IMM[0].xxxx, IMM[1].yyyy\n"
        ));
        // Nobody reads what it gives.
        check(&format!(
            "{op} TEMP[1].x, HWATOMIC[3][1], IMM[0].xxxx, TEMP[7].yyyy\nMOV TEMP[0], TEMP[7]\n"
        ));
    }
    check("ATOMCAS TEMP[0], HWATOMIC[3][3], IMM[0].xxxx, IMM[1].yyyy, TEMP[7].xxxx\n");
    check(
        "LOAD TEMP[1].x, HWATOMIC[3][3], IMM[0].xxxx\n\
         ATOMCAS TEMP[0], HWATOMIC[3][3], IMM[0].xxxx, TEMP[1].xxxx, TEMP[7].xxxx\n",
    );
}

#[test]
fn channels_have_counters_that_follow_each_other() {
    check("LOAD TEMP[0], HWATOMIC[3][0], IMM[0].xxxx\n");
    check("MOV TEMP[0], TEMP[7]\nLOAD TEMP[0].xz, HWATOMIC[3][1], IMM[0].xxxx\n");
    // An address counts bytes.
    check("MOV TEMP[0], TEMP[7]\nLOAD TEMP[0].xy, HWATOMIC[3][0], IMM[0].zzzz\n");
    check("ATOMUADD TEMP[0], HWATOMIC[0][1], IMM[0].yyyy, TEMP[7].xxxx\n");
}

#[test]
fn operations_keep_their_order() {
    check(
        "ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[1].xxxx\n\
         LOAD TEMP[0].y, HWATOMIC[0][1], IMM[0].xxxx\nLOAD TEMP[0].z, HWATOMIC[0][1], IMM[0].yyyy\n\
         ATOMXCHG TEMP[0].w, HWATOMIC[0][1], IMM[0].xxxx, TEMP[7].xxxx\n\
         MEMBAR IMM[0].yyyy\nLOAD TEMP[1].x, HWATOMIC[0][1], IMM[0].xxxx\n\
         UADD TEMP[0], TEMP[0], TEMP[1].xxxx\n",
    );
}

#[test]
fn only_active_lanes_count() {
    check(
        "MOV TEMP[0], IMM[0].xxxx\nUSLT TEMP[1].x, TEMP[7].xxxx, IMM[1].xxxx\nUIF TEMP[1].xxxx\n\
         ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[1].xxxx\nELSE\n\
         ATOMUADD TEMP[0].y, HWATOMIC[0][2], IMM[0].xxxx, IMM[1].yyyy\nENDIF\n\
         BGNLOOP\nUSGE TEMP[2].x, TEMP[0].zzzz, TEMP[7].yyyy\nUIF TEMP[2].xxxx\nBRK\nENDIF\n\
         UADD TEMP[0].z, TEMP[0].zzzz, IMM[1].xxxx\n\
         ATOMUADD TEMP[0].w, HWATOMIC[3][0], IMM[0].xxxx, TEMP[0].zzzz\nENDLOOP\n",
    );
    // Killed lanes count no more.
    compare(&format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n{DECLARED}{NUMBERS}KILL_IF IN[0].xxxx\n\
         ATOMUADD TEMP[0], HWATOMIC[0][1], IMM[0].xxxx, IMM[1].xxxx\n{RESULT}END\n"
    ));
}

#[test]
fn subscripts_that_differ_between_lanes() {
    for counter in ["HWATOMIC[3][ADDR[0].x]", "HWATOMIC[3][ADDR[0].x](1)"] {
        check(&format!(
            "UARL ADDR[0].x, TEMP[7].xxxx\nMOV TEMP[0], IMM[0].xxxx\n\
             ATOMUADD TEMP[0].y, {counter}, IMM[0].xxxx, TEMP[7].yyyy\nLOAD TEMP[0].x, {counter}, IMM[0].xxxx\n"
        ));
    }
    // Counters of a buffer that are declared apart.
    compare(&format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n{}{NUMBERS}UARL ADDR[0].x, TEMP[7].xxxx\n\
         ATOMUADD TEMP[0], HWATOMIC[3][ADDR[0].x+1], IMM[0].xxxx, TEMP[7].yyyy\n{RESULT}END\n",
        DECLARED
            .replace("[3][0..3], ARRAY(1)", "[3][0..1]\nDCL HWATOMIC[2][0]\nDCL HWATOMIC[3][2..4]")
    ));
}

#[test]
fn other_stages_count() {
    compare(&format!(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\n{DECLARED}{}\
         ATOMUADD TEMP[0], HWATOMIC[3][1], IMM[0].xxxx, TEMP[7].xxxx\n{RESULT}EMIT IMM[0].xxxx\nEND\n",
        NUMBERS.replace("IN[0]", "IN[0][0]")
    ));
    compare(&format!(
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\n\
         DCL OUT[0], GENERIC[0]\nDCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\n{DECLARED}{}\
         UARL ADDR[0].x, SV[0].xxxx\nATOMUADD TEMP[0], HWATOMIC[3][1], IMM[0].xxxx, TEMP[7].xxxx\n\
         AND TEMP[0], TEMP[0], IMM[1].wwww\nU2F OUT[ADDR[0].x][0], TEMP[0]\n\
         MOV OUT[1], IMM[2].wwww\nMOV OUT[2], IMM[2].wwww\nEND\n",
        NUMBERS.replace("IN[0]", "IN[0][0]")
    ));
    compare(&format!(
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\n{DECLARED}{}\
         ATOMUADD TEMP[0], HWATOMIC[3][1], IMM[0].xxxx, TEMP[7].xxxx\n{RESULT}END\n",
        NUMBERS.replace("IN[0]", "IN[0][0]")
    ));
    compare(&format!(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\n{DECLARED}\
         ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, SV[0].xxxx\nBARRIER\n\
         ATOMUADD TEMP[0].y, HWATOMIC[0][1], IMM[0].xxxx, IMM[1].xxxx\n\
         SHL TEMP[1].x, SV[0].xxxx, IMM[1].yyyy\nSTORE MEMORY[0].xy, TEMP[1].xxxx, TEMP[0]\nEND\n"
    ));
}

/// The clauses of the global data share in the code of a fragment shader for `chip`, whether each leaves helper
/// lanes out.
fn share_clauses(chip: Chip, code: &str) -> Vec<bool> {
    let text = format!("FRAG\nDCL OUT[0], COLOR\n{DECLARED}{code}{RESULT}END\n");
    let parsed = tgsi_text::parse(&text);
    let target = Target { chip, level: OptLevel::O2, precise: false };
    let words = OurCompiler.compile(&parsed.shader, target).unwrap().words;
    let program = Program::decode(&words, chip.generation());
    let of = |cf: &Cf| match cf {
        Cf::Fetch(fetch) if fetch.op == CfOp::Gds => Some(fetch.modes.valid_pixel_mode),
        _ => None,
    };
    program.cf.iter().filter_map(of).collect()
}

#[test]
fn helper_lanes_do_not_count() {
    for chip in CHIPS {
        let code = "ATOMUADD TEMP[0], HWATOMIC[0][1], IMM[0].xxxx, IMM[1].xxxx\n";
        assert_eq!(share_clauses(chip, code), [true], "{chip:?}");
    }
}

#[test]
fn a_counter_that_nobody_reads_is_not_loaded() {
    let code = "MOV TEMP[0], IMM[0]\nLOAD TEMP[1].x, HWATOMIC[0][1], IMM[0].xxxx\n";
    assert!(share_clauses(Chip::Cypress, code).is_empty());
}

/// The index, the address and the channel may each lead beyond what a buffer declares, where counters of others lie.
#[test]
fn reads_outside_a_counter_buffer_give_zero() {
    let index = "AND TEMP[6].x, TEMP[7].xxxx, IMM[1].xxxx\nUARL ADDR[0].x, TEMP[6].xxxx\n";
    check(&format!("{index}LOAD TEMP[0], HWATOMIC[0][ADDR[0].x+1], IMM[0].xxxx\n"));
    check(&format!("{index}LOAD TEMP[0], HWATOMIC[0][ADDR[0].x+1], IMM[0].yyyy\n"));
}

/// The lanes after the last point belong to no patch, and count nothing.
#[test]
fn as_many_points_count_as_a_patch_has() {
    for points in [1, 3, 5] {
        compare(&format!(
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT {points}\nDCL IN[][0], GENERIC[0]\n\
             DCL OUT[][0], GENERIC[0]\nDCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\n\
             DCL SV[0], INVOCATIONID\nDCL HWATOMIC[0]\nDCL TEMP[0]\nDCL ADDR[0]\n\
             IMM[0] UINT32 {{0, 1, 0, 0}}\nIMM[1] FLT32 {{1, 1, 1, 1}}\n\
             ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, SV[0].xxxx\n\
             MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[1], IMM[1]\nMOV OUT[2], IMM[1]\nEND\n"
        ));
    }
}
