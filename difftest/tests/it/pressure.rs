//! Shaders that need more registers than there are: what does not fit goes to scratch memory, and the code does
//! what the interpreter does.

use crate::support;

use std::fmt::Write as _;

use difftest::case::{Compile, OurCompiler, Target};
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
    support::agrees(text, &CHIPS);
    Target::all(&CHIPS)
        .iter()
        .map(|&target| OurCompiler.compile(&parsed.shader, target).unwrap().scratch_size())
        .collect()
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
        let target = Target { chip, level: OptLevel::O2, precise: true };
        assert!(OurCompiler.compile(&parsed.shader, target).unwrap().scratch_size() > 0);
        support::agrees(&text, &[chip]);
    }
}

/// A shader around an array of `len` vec4, which `code` writes and reads by `ADDR[0].x` from 0 to 7.
fn array(len: usize, code: &str) -> String {
    format!(
        "{HEADER}DCL TEMP[0..3]\nDCL TEMP[4..{}], ARRAY(1)\nDCL ADDR[0]\n\
         IMM[0] FLT32 {{0.0, 1.0, 7.0, 0.25}}\nIMM[1] UINT32 {{0, 1, 20, 3}}\n\
         MIN TEMP[0].x, |IN[0].xxxx|, IMM[0].zzzz\nMAX TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n\
         ARL ADDR[0].x, TEMP[0].xxxx\n{code}END\n",
        len + 3
    )
}

#[test]
fn arrays_longer_than_the_register_file() {
    let plain = "MOV TEMP[4], IN[1]\nMOV TEMP[ADDR[0].x+9](1), IN[0]\nMOV TEMP[ADDR[0].x+150](1).yz, IN[1]\n\
                 MOV TEMP[12].x, IN[1].wwww\nADD TEMP[1], TEMP[ADDR[0].x+8](1), TEMP[ADDR[0].x+9](1).wzyx\n\
                 ADD TEMP[1], TEMP[1], TEMP[ADDR[0].x+150](1)\nADD TEMP[1], TEMP[1], TEMP[11]\n\
                 ADD TEMP[1], TEMP[1], TEMP[12]\nMOV OUT[0], TEMP[1]\n";
    spills("an array", &array(200, plain));
    spills("a very long array", &array(1000, plain));
    let looped = "BGNLOOP\nUSGE TEMP[2].x, TEMP[2].yyyy, IMM[1].zzzz\nUIF TEMP[2].xxxx\nBRK\nENDIF\n\
                  UADD TEMP[2].y, TEMP[2].yyyy, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[2].yyyy\n\
                  SLT TEMP[2].z, IN[0].xxxx, IN[1].xxxx\nIF TEMP[2].zzzz\n\
                  ADD TEMP[ADDR[0].x+5](1), TEMP[ADDR[0].x+4](1), IN[0]\nELSE\n\
                  MAD TEMP[ADDR[0].x+5](1).xyw, TEMP[ADDR[0].x+3](1), IN[1], TEMP[6]\n\
                  MOV TEMP[6], TEMP[ADDR[0].x+5](1).yxwz\nENDIF\nENDLOOP\n\
                  ADD TEMP[1], TEMP[ADDR[0].x+5](1), TEMP[9]\nADD OUT[0], TEMP[1], TEMP[6]\n";
    spills("an array in a loop", &array(130, looped));
}

#[test]
fn arrays_of_which_some_stay_in_registers() {
    let text = "DCL TEMP[0..3]\nDCL TEMP[4..73], ARRAY(1)\nDCL TEMP[74..143], ARRAY(2)\nDCL ADDR[0]\n\
                IMM[0] FLT32 {0.0, 1.0, 7.0, 0.25}\nMIN TEMP[0].x, |IN[0].xxxx|, IMM[0].zzzz\n\
                MAX TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nARL ADDR[0].x, TEMP[0].xxxx\n\
                MOV TEMP[ADDR[0].x+9](1), IN[0]\nMOV TEMP[ADDR[0].x+80](2), IN[1]\n\
                ADD TEMP[1], TEMP[ADDR[0].x+80](2), TEMP[ADDR[0].x+9](1)\nADD TEMP[1], TEMP[1], TEMP[12]\n\
                ADD OUT[0], TEMP[1], TEMP[82]\nEND\n";
    let used = check("two arrays", &format!("{HEADER}{text}"));
    assert!(used.iter().all(|&used| used == 70), "{used:?}");
}

#[test]
fn an_array_that_leaves_too_few_registers_for_the_rest() {
    let mut code = String::from("MOV TEMP[ADDR[0].x+9](1), IN[0]\n");
    for n in 0..60 {
        let _ = writeln!(code, "MAD TEMP[{}], IN[0], CONST[{n}], IN[1]", n + 94);
        let _ = writeln!(code, "ADD TEMP[1], TEMP[1], TEMP[{}]", n + 94);
    }
    for n in 0..60 {
        let _ = writeln!(code, "MAD TEMP[2], TEMP[{}], TEMP[1], TEMP[2]", n + 94);
    }
    code += "ADD OUT[0], TEMP[2], TEMP[ADDR[0].x+9](1)\n";
    let text = array(90, &code).replace("DCL ADDR[0]\n", "DCL TEMP[94..154]\nDCL ADDR[0]\n");
    spills("an array and much else", &text);
}
