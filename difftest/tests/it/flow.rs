//! A sample of nested exits; `cargo xtask difftest --flow 1000000` compares all of them.

use difftest::case::{OurCompiler, Target};
use difftest::flow::{Flow, spread};
use difftest::harness::Harness;
use r600_codegen::OptLevel;
use r600_isa::Chip;

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
