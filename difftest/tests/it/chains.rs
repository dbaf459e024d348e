//! Chains of small steps: the short ones agree, and a wrong rewrite of three of them is found among others.

use difftest::case::{Compile, NoProgram, OurCompiler, Program, Target};
use difftest::chains::{self, Bundles, Chain, STEPS};
use difftest::harness::Harness;
use r600_codegen::OptLevel;
use r600_isa::Chip;
use tgsi_ir::{Opcode, Shader};

/// One chain of so many is tried.
const STRIDE: usize = 8;

fn harness<'a>(compiler: &'a dyn Compile, chips: &[Chip]) -> Harness<'a> {
    let mut targets = Target::all(chips);
    targets.retain(|target| target.level == OptLevel::O2);
    Harness { compiler, targets, seed: 1, must_compile: true }
}

/// A sample: `--chains` of the program tries all of them, on every chip.
#[test]
fn chains_of_two_steps_agree() {
    let harnesses = [Chip::Rv770, Chip::Cayman].map(|chip| harness(&OurCompiler, &[chip]));
    let short = (STEPS.len() + STEPS.len().pow(2)) as u64;
    let mut bundles = [Bundles::default(), Bundles::default()];
    let (mut shaders, mut channels) = (0, 0);
    let mut check = |chip: usize, shader: Option<Shader>| {
        let Some(shader) = shader else { return };
        let summary = harnesses[chip]
            .check_on(&shader, chains::SCENES)
            .unwrap_or_else(|report| panic!("{report}"));
        assert_eq!((summary.unfinished(), summary.is_not_interpreted()), (0, false));
        shaders += 1;
        channels += summary.tally.exact;
    };
    for number in (0..short).step_by(STRIDE) {
        let chip = number as usize / STRIDE % 2;
        check(chip, bundles[chip].add(Chain::nth(number), harnesses[chip].seed));
    }
    for (chip, bundle) in bundles.iter_mut().enumerate() {
        check(chip, bundle.rest());
    }
    println!("1 of {STRIDE} of {short} chains in {shaders} shaders: {channels} channels exact");
}

/// Takes the half of a whole number for whole: `FLR` of it is left out.
struct HalvesAreWhole;

impl Compile for HalvesAreWhole {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        let mut shader = shader.clone();
        for at in 2..shader.instructions.len() {
            let opcodes = [at - 2, at - 1, at].map(|n| shader.instructions[n].opcode);
            if opcodes == [Opcode::I2f, Opcode::Mul, Opcode::Flr] {
                shader.instructions[at].opcode = Opcode::Mov;
            }
        }
        OurCompiler.compile(&shader, target)
    }
}

#[test]
fn a_wrong_rewrite_of_three_steps_is_found() {
    let harness = harness(&HalvesAreWhole, &[Chip::Rv770]);
    let step = |text: &str| STEPS.iter().position(|step| step.0 == text).unwrap() as u64;
    let n = STEPS.len() as u64;
    let wrong =
        n + n * n + step("I2F $, @") + n * step("MUL $, -@, 0.5") + n * n * step("FLR $, @");
    let check = |numbers: &[u64]| {
        let mut bundles = Bundles::default();
        for &number in numbers {
            assert!(
                bundles.add(Chain::nth(number), harness.seed).is_none(),
                "chain {number} makes a shader by itself"
            );
        }
        harness.check_on(&bundles.rest().unwrap(), chains::SCENES)
    };
    assert!(check(&[0, 1, 2]).is_ok(), "the neighbours of the wrong chain differ");
    assert!(check(&[0, 1, wrong, 2]).is_err(), "the wrong chain is not found");
    assert!(wrong < chains::count());
}
