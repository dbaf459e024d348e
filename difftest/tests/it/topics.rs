//! A sample of shaders that dwell on one thing; `cargo xtask difftest --topics 100000` compares as many as one likes.

use difftest::case::{Compile, OurCompiler, Target};
use difftest::harness::Harness;
use difftest::program::{NoProgram, Program};
use difftest::topics::{Topic, shader};
use r600_codegen::OptLevel;
use r600_isa::Chip;
use tgsi_ir::{File, Opcode, Shader, Src};

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

/// The compiler, but a sum with zero is the other term, also where that is -0.
struct KeepsNegativeZero;

impl Compile for KeepsNegativeZero {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        let mut wrong = shader.clone();
        for inst in wrong.instructions.iter_mut().filter(|inst| inst.opcode == Opcode::Add) {
            let is_zero = |src: &Src| {
                let immediate = shader.immediates.get(usize::try_from(src.reg.index).unwrap());
                src.reg.file == File::Immediate && immediate.unwrap().words[0] == 0
            };
            if let Some(at) = inst.src.iter().position(is_zero) {
                inst.src.remove(at);
                inst.opcode = Opcode::Mov;
            }
        }
        OurCompiler.compile(&wrong, target)
    }
}

#[test]
fn a_loop_that_never_ends_for_the_sign_of_a_zero_is_found() {
    let targets = vec![Target { chip: Chip::Cypress, level: OptLevel::O0, precise: false }];
    let harness = Harness { compiler: &KeepsNegativeZero, targets, seed: 1, must_compile: true };
    let seeds = (0..2100).filter(|&seed| Topic::of(seed) == Topic::Exits);
    let reports = seeds.filter_map(|seed| harness.check_on(&shader(seed), 1).err());
    let texts = reports.map(|report| report.to_string());
    let num_found = texts.filter(|text| text.contains("the limit of")).count();
    println!("{num_found} shaders find it");
    assert!(num_found > 0);
}
