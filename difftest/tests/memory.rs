//! Shaders that read and change images and buffers, on the chips that have them: what they see is what the
//! interpreter says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use r600_isa::Chip;

const CHIPS: [Chip; 3] = [Chip::Cedar, Chip::Cypress, Chip::Cayman];

/// Compares a fragment shader of this code, which leaves integers in `TEMP[0]`.
fn check(code: &str) {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL BUFFER[0]\nDCL BUFFER[1]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_UINT, WR\n\
         DCL IMAGE[1], 1D_ARRAY, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0..7]\n\
         IMM[0] UINT32 {{0, 4, 8, 12}}\nIMM[1] UINT32 {{1, 3, 5, 1000}}\nIMM[2] FLT32 {{0.0, 3.0, 0.5, 1.0}}\n\
         IMM[3] UINT32 {{65535, 0, 0, 0}}\nMIN TEMP[7], |IN[0]|, IMM[2].yyyy\nMAX TEMP[7], TEMP[7], IMM[2].xxxx\nF2U TEMP[7], TEMP[7]\n\
         {code}AND TEMP[0], TEMP[0], IMM[3].xxxx\nU2F OUT[0], TEMP[0]\nEND\n"
    );
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let harness = Harness {
        compiler: &OurCompiler,
        targets: Target::all(&CHIPS),
        seed: 5,
        must_compile: true,
    };
    let summary = harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!((summary.unfinished, summary.not_interpreted), (0, false), "{text}");
    assert!(summary.tally.exact > 0, "{text}");
}

#[test]
fn words_of_buffers() {
    check("LOAD TEMP[0], BUFFER[0], IMM[0].zzzz\n");
    check("SHL TEMP[1].x, TEMP[7].xxxx, IMM[1].yyyy\nLOAD TEMP[0].xy, BUFFER[1], TEMP[1].xxxx\n");
    // Outside there are zeros.
    check("LOAD TEMP[0], BUFFER[0], IMM[1].wwww\n");
    check(
        "STORE BUFFER[0].xz, IMM[0].yyyy, TEMP[7]\nMEMBAR IMM[0].yyyy\nLOAD TEMP[0], BUFFER[0], IMM[0].yyyy\n",
    );
    check(
        "LOAD TEMP[1].x, BUFFER[0], IMM[0].yyyy\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[7].xxxx\n\
           LOAD TEMP[2].x, BUFFER[0], IMM[0].yyyy\nMOV TEMP[0], TEMP[1].xxxx\nMOV TEMP[0].y, TEMP[2].xxxx\n",
    );
    check("RESQ TEMP[0].x, BUFFER[0]\n");
}

#[test]
fn texels_of_images() {
    check("LOAD TEMP[0], IMAGE[0], TEMP[7], 2D\n");
    check(
        "STORE IMAGE[0].xyzw, TEMP[7].xxxx, TEMP[7].yzwx, 2D\nLOAD TEMP[0], IMAGE[0], TEMP[7].xxxx, 2D\n",
    );
    check(
        "STORE IMAGE[1].xyzw, TEMP[7].xyyy, TEMP[7].yzwx, 1D_ARRAY\n\
           LOAD TEMP[0], IMAGE[1], TEMP[7].xyyy, 1D_ARRAY\n",
    );
    check("RESQ TEMP[0].xyz, IMAGE[0], 2D\n");
}

#[test]
fn atomic_operations() {
    let both = [
        "ATOMUADD", "ATOMXCHG", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN", "ATOMUMAX", "ATOMIMIN",
        "ATOMIMAX",
    ];
    for op in both {
        check(&format!(
            "{op} TEMP[1].x, BUFFER[1], IMM[0].yyyy, TEMP[7].xxxx\n\
             {op} TEMP[2].x, IMAGE[0], TEMP[7].yyyy, TEMP[7].xxxx, 2D\nMOV TEMP[0], TEMP[1].xxxx\n\
             MOV TEMP[0].y, TEMP[2].xxxx\nLOAD TEMP[3].xy, BUFFER[1], IMM[0].yyyy\n\
             MOV TEMP[0].zw, TEMP[3].xxxy\n"
        ));
    }
    // The text of these takes no shape, so that they change buffers only.
    for op in ["ATOMINC_WRAP", "ATOMDEC_WRAP"] {
        check(&format!(
            "{op} TEMP[0], BUFFER[1], IMM[0].yyyy, TEMP[7].xxxx\n\
             LOAD TEMP[3].xy, BUFFER[1], IMM[0].yyyy\nMOV TEMP[0].zw, TEMP[3].xxxy\n"
        ));
    }
    check(
        "LOAD TEMP[4].x, BUFFER[1], IMM[0].zzzz\n\
           ATOMCAS TEMP[0], BUFFER[1], IMM[0].zzzz, TEMP[4].xxxx, TEMP[7].xxxx\n\
           ATOMCAS TEMP[1].x, BUFFER[1], IMM[0].wwww, IMM[1].yyyy, TEMP[7].xxxx\n\
           LOAD TEMP[2].xy, BUFFER[1], IMM[0].zzzz\nMOV TEMP[0].yz, TEMP[2].xxyy\n",
    );
}

#[test]
fn accesses_in_branches_and_loops_and_behind_kills() {
    check(
        "SLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\nATOMUADD TEMP[0], BUFFER[0], IMM[0].xxxx, \
           IMM[1].xxxx\nELSE\nSTORE BUFFER[0].x, IMM[0].zzzz, IMM[1].yyyy\nENDIF\n\
           LOAD TEMP[2].xyz, BUFFER[0], IMM[0].xxxx\nMOV TEMP[0].yzw, TEMP[2].xxyz\n",
    );
    check(
        "BGNLOOP\nUSGE TEMP[1].x, TEMP[1].yyyy, IMM[1].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\n\
           UADD TEMP[1].y, TEMP[1].yyyy, IMM[1].xxxx\nLOAD TEMP[2].x, BUFFER[0], IMM[0].yyyy\n\
           UADD TEMP[0], TEMP[0], TEMP[2].xxxx\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[1].yyyy\nENDLOOP\n",
    );
    check(
        "SLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\nKILL\nENDIF\n\
           ATOMUADD TEMP[0], BUFFER[0], IMM[0].xxxx, IMM[1].xxxx\n",
    );
}
