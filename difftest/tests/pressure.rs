//! Shaders that need more registers than there are: what does not fit goes to scratch memory, and the code does
//! what the interpreter does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::fmt::Write as _;

use difftest::case::{Compile, OurCompiler, Target};
use difftest::harness::Harness;
use r600_codegen::OptLevel;
use r600_isa::Chip;

/// One chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

const HEADER: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\n\
                      DCL OUT[0], COLOR\nDCL CONST[0..511]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n";

/// Compares on every generation at every level; gives the vec4 of scratch memory of each program.
fn check(name: &str, text: &str) -> Vec<usize> {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{name}");
    let targets = Target::all(&CHIPS);
    let used = targets
        .iter()
        .map(|&target| OurCompiler.compile(&parsed.shader, target).unwrap().scratch_size)
        .collect();
    let harness = Harness { compiler: &OurCompiler, targets, seed: 3, must_compile: true };
    let summary = harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{name}: {report}"));
    assert_eq!(summary.unfinished, 0, "{name}: the interpreter stops");
    assert!(summary.tally.exact + summary.tally.near > 0, "{name}: something is compared");
    used
}

fn spills(name: &str, text: &str) {
    let used = check(name, text);
    assert!(used.iter().all(|&used| used > 0), "{name}: scratch memory is used: {used:?}");
}

/// `count` values that all live until their sum is known.
fn values(count: usize, between: &str) -> String {
    let mut text = format!("{HEADER}DCL TEMP[0..{}]\n", count + 3);
    text += "IMM[0] FLT32 {0.0, 1.0, 3.0, 0.25}\n";
    for n in 0..count {
        let _ = writeln!(text, "MAD TEMP[{}], IN[0], CONST[{n}], IN[1]", n + 4);
    }
    for n in 0..count {
        let _ = writeln!(text, "ADD TEMP[0], TEMP[0], TEMP[{}]", n + 4);
    }
    text += between;
    for n in (0..count).rev() {
        let _ = writeln!(text, "MAD TEMP[1], TEMP[{}].wzyx, TEMP[0], TEMP[1]", n + 4);
    }
    text + "MOV OUT[0], TEMP[1]\nEND\n"
}

#[test]
fn few_values_stay_in_registers() {
    let used = check("80 values", &values(80, ""));
    assert!(used.iter().all(|&used| used == 0), "{used:?}");
}

#[test]
fn more_values_than_registers() {
    for count in [130, 200, 300] {
        spills(&format!("{count} values"), &values(count, ""));
    }
}

#[test]
fn values_live_through_branches_and_loops() {
    let branch = "SLT TEMP[2].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[2].xxxx\nADD TEMP[8], TEMP[8], TEMP[90]\n\
                  MUL TEMP[170], TEMP[9], IN[0]\nELSE\nADD TEMP[9], TEMP[8], TEMP[91]\n\
                  MOV TEMP[8].xy, TEMP[120]\nENDIF\n";
    spills("a branch", &values(200, branch));
    let mut body = String::new();
    for n in (4..190).step_by(7) {
        let _ =
            writeln!(body, "MAD TEMP[{n}], TEMP[{}], IMM[0].wwww, TEMP[{}].yxwz", n + 3, n + 11);
    }
    let looped = format!(
        "MOV TEMP[2].x, IMM[0].xxxx\nBGNLOOP\nSGE TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz\nIF TEMP[2].yyyy\nBRK\n\
         ENDIF\nADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\n{body}SLT TEMP[2].z, TEMP[4].xxxx, IN[0].yyyy\n\
         IF TEMP[2].zzzz\nADD TEMP[5], TEMP[5], TEMP[60]\nCONT\nENDIF\nADD TEMP[6], TEMP[150], TEMP[6]\n\
         ENDLOOP\n"
    );
    spills("a loop", &values(200, &looped));
}

#[test]
fn results_of_fetches_and_coordinates_in_memory() {
    let mut text = format!("{HEADER}DCL TEMP[0..299]\n");
    for n in 0..150 {
        let _ = writeln!(text, "MAD TEMP[{}], IN[0], CONST[{n}], IN[1]", n + 2);
    }
    for n in 0..150 {
        let _ = writeln!(text, "ADD TEMP[0], TEMP[0], TEMP[{}]", n + 2);
    }
    for n in 0..140 {
        let _ = writeln!(text, "TEX TEMP[{}], TEMP[{}].zwxy, SAMP[0], 2D", n + 152, n + 2);
    }
    for n in 0..290 {
        let _ = writeln!(text, "MAD TEMP[1], TEMP[{}], TEMP[0], TEMP[1]", n + 2);
    }
    text += "MOV OUT[0], TEMP[1]\nEND\n";
    spills("fetches", &text);
}

#[test]
fn attributes_in_memory() {
    let mut text =
        String::from("VERT\nDCL IN[0..15]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n");
    let _ = writeln!(text, "DCL CONST[0..199]\nDCL TEMP[0..202]");
    for n in 0..199 {
        let _ = writeln!(text, "MAD TEMP[{}], IN[{}], CONST[{n}], IN[0]", n + 2, n % 16);
    }
    for n in 0..199 {
        let _ = writeln!(text, "ADD TEMP[0], TEMP[0], TEMP[{}]", n + 2);
    }
    for n in 0..199 {
        let _ = writeln!(text, "MAD TEMP[1], TEMP[{}], TEMP[0], IN[{}]", n + 2, n % 16);
        let _ = writeln!(text, "ADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].yyyy");
    }
    text += "MOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]\nEND\n";
    // Better schedules need less.
    let used = check("attributes", &text);
    assert!(used.iter().any(|&used| used > 0), "{used:?}");
}

#[test]
fn doubles_in_memory() {
    let mut text = format!("{HEADER}DCL TEMP[0..302]\n");
    for n in 0..260 {
        let _ = writeln!(text, "F2D TEMP[{}], CONST[{n}].xyxy", n + 2);
        let _ = writeln!(text, "DADD TEMP[0], TEMP[0], TEMP[{}]", n + 2);
    }
    for n in 0..260 {
        let _ = writeln!(text, "DMAX TEMP[1], TEMP[1], TEMP[{}]", n + 2);
        let _ = writeln!(text, "DADD TEMP[1], TEMP[1], TEMP[0]");
    }
    text += "D2F TEMP[1].x, TEMP[1]\nMOV OUT[0], TEMP[1].xxxx\nEND\n";
    let parsed = tgsi_text::parse(&text);
    for chip in [Chip::Cypress, Chip::Cayman] {
        let targets = Target::all(&[chip]);
        let target = Target { chip, level: OptLevel::O2, precise: true };
        assert!(OurCompiler.compile(&parsed.shader, target).unwrap().scratch_size > 0);
        let harness = Harness { compiler: &OurCompiler, targets, seed: 3, must_compile: true };
        harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{report}"));
    }
}
