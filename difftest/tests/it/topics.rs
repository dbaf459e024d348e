//! A sample of shaders that dwell on one thing; `cargo xtask difftest --topics 100000` compares as many as one likes.

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use difftest::topics::{Topic, shader};
use r600_codegen::OptLevel;
use r600_isa::Chip;

/// Shaders that are compared, some of each topic.
const SHADERS: u64 = 90;

#[test]
fn shaders_of_one_topic_agree() {
    let target = |(chip, precise)| Target { chip, level: OptLevel::O2, precise };
    let targets = [
        (Chip::Rv670, false),
        (Chip::Rv770, true),
        (Chip::Cypress, false),
        (Chip::Cayman, false),
        (Chip::Cayman, true),
    ];
    let targets = targets.into_iter().map(target).collect();
    // Doubles, and some textures, are refused where a chip lacks them.
    let harness = Harness { compiler: &OurCompiler, targets, seed: 1, must_compile: false };
    for seed in 0..SHADERS {
        match harness.check_on(&shader(seed), 1) {
            Ok(summary) => assert!(summary.programs > 0, "{:?} {seed}", Topic::of(seed)),
            Err(report) => panic!("{:?} {seed}: {report}", Topic::of(seed)),
        }
    }
}
