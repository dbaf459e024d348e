//! A sample of nested exits; `cargo xtask difftest --flow 1000000` compares all of them.

use difftest::case::{OurCompiler, Target};
use difftest::flow::{Flow, spread};
use difftest::harness::Harness;
use r600_codegen::OptLevel;
use r600_isa::Chip;

use crate::support::agrees;

/// Cases that are compared.
const CASES: u64 = 100;

#[test]
fn nested_exits_agree() {
    let target = |(chip, level)| Target { chip, level, precise: true };
    let targets = [
        (Chip::Rv670, OptLevel::O2),
        (Chip::Rv770, OptLevel::O1),
        (Chip::Cypress, OptLevel::O2),
        (Chip::Cayman, OptLevel::O0),
    ];
    let targets = targets.into_iter().map(target).collect();
    let harness = Harness { compiler: &OurCompiler, targets, seed: 1, must_compile: true };
    for number in spread(CASES) {
        let shader = Flow::nth(number).shader();
        if let Err(report) = harness.check_on(&shader, 1) {
            panic!("flow {number}: {report}");
        }
    }
}

/// Lanes that enter the inner loop never come out, so that none gets to the end of the outer one; here none enters.
#[test]
fn loops_around_an_endless_one_agree() {
    let start = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 2, 0, 0}\n\
                 MOV OUT[0], IN[0]\nAND TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nUSEQ TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n";
    let alone = "UIF TEMP[0].xxxx\nBGNLOOP\nBGNLOOP\nENDLOOP\nENDLOOP\nENDIF\nEND\n";
    let beside_an_exit =
        "BGNLOOP\nUIF TEMP[0].xxxx\nBGNLOOP\nKILL\nENDLOOP\nELSE\nBRK\nENDIF\nENDLOOP\nEND\n";
    let in_a_subroutine = "BGNLOOP\nUIF TEMP[0].xxxx\nCAL :11\nELSE\nBRK\nENDIF\nENDLOOP\nEND\n\
                           BGNSUB\nBGNLOOP\nENDLOOP\nENDSUB\n";
    for body in [alone, beside_an_exit, in_a_subroutine] {
        agrees(&format!("{start}{body}"), &[Chip::Rv770, Chip::Cayman]);
    }
}

/// Both subroutines write what the loops carry, and one of them calls the other.
#[test]
fn loops_that_call_the_same_subroutines_agree() {
    let calls = |limit: char| {
        let limit = String::from(limit).repeat(4);
        format!(
            "BGNLOOP\nCAL :18\nCAL :22\nUSGE TEMP[1].x, TEMP[0].xxxx, IMM[0].{limit}\nUIF TEMP[1].xxxx\nBRK\nENDIF\nENDLOOP\n"
        )
    };
    let text = format!(
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] UINT32 {{1, 0, 3, 6}}\n{}{}U2F OUT[0], TEMP[0]\nEND\n\
         BGNSUB\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nCAL :22\nENDSUB\n\
         BGNSUB\nUADD TEMP[0].y, TEMP[0].yyyy, TEMP[0].xxxx\nENDSUB\n",
        calls('z'),
        calls('w')
    );
    agrees(&text, &[Chip::Rv770, Chip::Cayman]);
}
