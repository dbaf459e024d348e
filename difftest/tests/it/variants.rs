//! Variants of real shaders, and what their accidents ask of the comparison; `cargo xtask difftest --corpus DIR --variants 10`
//! compares as many as one likes.

use difftest::case::{Compile, Failure, NoProgram, OurCompiler, Program, Target};
use difftest::harness::Harness;
use difftest::uncompared::Cause;
use difftest::variants::variant;
use r600_codegen::OptLevel;
use r600_isa::Chip;
use test_support::{files, root};
use tgsi_ir::Shader;

/// Variants of each shader.
const VARIANTS: u64 = 2;
const TARGET: Target = Target { chip: Chip::Cedar, level: OptLevel::O2, precise: false };

#[test]
fn variants_agree() {
    let root = root();
    let precise = Target { chip: Chip::Rv770, level: OptLevel::O2, precise: true };
    let targets = vec![TARGET, precise];
    let harness = Harness { compiler: &OurCompiler, targets, seed: 1, must_compile: false };
    let mut programs = 0;
    for folder in ["examples", "difftest/tests/features", "difftest/tests/findings"] {
        for file in files(&root.join(folder), "tgsi") {
            let shader = tgsi_text::parse(&std::fs::read_to_string(&file).unwrap()).shader;
            for number in 0..VARIANTS {
                let Some(variant) = variant(&shader, number) else { continue };
                match harness.check_on(&variant, 1) {
                    Ok(summary) => programs += summary.programs,
                    Err(report) => panic!("{}, variant {number}: {report}", file.display()),
                }
            }
        }
    }
    assert!(programs > 1500, "{programs}");
}

/// Makes the program of another shader.
struct Mistaken(Shader);

impl Compile for Mistaken {
    fn compile(&self, _: &Shader, target: Target) -> Result<Program, NoProgram> {
        OurCompiler.compile(&self.0, target)
    }
}

fn shader(body: &str) -> Shader {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
         IMM FLT32 {{-1.0, -0.0000002, 0.0, 0.0}}\n{body}MOV OUT[0], IN[0]\nEND\n"
    );
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, []);
    parsed.shader
}

#[test]
fn endless_programs_are_allowed_if_termination_is_approximate() {
    let endless = Mistaken(shader("BGNLOOP\nENDLOOP\n"));
    let harness =
        Harness { compiler: &endless, targets: vec![TARGET], seed: 1, must_compile: true };
    // One minus one, as far as the reciprocal is exact: below the bound only with errors.
    let product = "RCP TEMP[0].x, IN[0].xxxx\nMAD TEMP[0].x, TEMP[0], IN[0], IMM[0].xxxx\n";
    let open = shader(&format!(
        "{product}FSLT TEMP[0].x, TEMP[0], IMM[0].yyyy\nUIF TEMP[0].xxxx\nBGNLOOP\nENDLOOP\nENDIF\n"
    ));
    let summary = harness.check_on(&open, 1).unwrap();
    assert!(
        summary.stops.is_empty() && summary.tally.open.count(Cause::StepLimit) > 0,
        "{summary:?}"
    );
    let ends = shader(product);
    let report = harness.check_on(&ends, 1).unwrap_err();
    assert!(matches!(&report.failure, Failure::Rule(why) if why.contains("steps")), "{report}");
}
