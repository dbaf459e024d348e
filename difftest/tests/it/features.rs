//! Shaders of one feature each (`tests/features/*.tgsi`): every generation compiles them at every level, and
//! the code does what the interpreter does.

use std::fs;
use std::path::{Path, PathBuf};

use difftest::case::{Compile, NoProgram, OurCompiler, Program, Target};
use difftest::harness::Harness;
use r600_isa::Chip;
use tgsi_ir::Shader;

/// One chip of each generation, with doubles where some have them.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

#[test]
fn features_agree_with_the_interpreter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/features");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let harness = Harness {
        compiler: &OurCompiler,
        targets: Target::all(&CHIPS),
        seed: 1,
        must_compile: true,
    };
    let mut programs = 0;
    for path in &paths {
        let parsed = tgsi_text::parse(&fs::read_to_string(path).unwrap());
        assert_eq!(parsed.diagnostics, [], "{}", path.display());
        let summary = harness
            .check(&parsed.shader)
            .unwrap_or_else(|report| panic!("{}: {report}", path.display()));
        assert_eq!(summary.unfinished(), 0, "{}: the interpreter does not finish", path.display());
        programs += summary.programs;
    }
    println!("{} shaders, {programs} runs of programs", paths.len());
    assert!(paths.len() >= 3);
}

/// A compiler that takes another shader for the one that it is given.
struct Instead(Shader);

impl Compile for Instead {
    fn compile(&self, _: &Shader, target: Target) -> Result<Program, NoProgram> {
        OurCompiler.compile(&self.0, target)
    }
}

#[test]
fn a_wrong_edge_flag_is_noticed() {
    let of = |flag: &str| {
        let text = format!(
            "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], EDGEFLAG\n\
             IMM[0] FLT32 {{0, 1, 2, 0.75}}\nMOV OUT[0], IN[0]\nMOV OUT[1].x, {flag}\nEND\n"
        );
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        parsed.shader
    };
    let check = |given: &str, compiled: &str| {
        let compiler = Instead(of(compiled));
        let targets = Target::all(&CHIPS);
        let harness = Harness { compiler: &compiler, targets, seed: 1, must_compile: true };
        harness.check(&of(given)).map(|summary| summary.tally.exact)
    };
    assert!(check("IN[1].xxxx", "IN[1].xxxx").is_ok());
    assert!(check("IMM[0].zzzz", "IMM[0].yyyy").is_ok(), "both are clamped to 1");
    assert!(check("IMM[0].yyyy", "IMM[0].xxxx").is_err());
    assert!(check("IMM[0].xxxx", "IMM[0].yyyy").is_err());
    // Nothing says what becomes of a fraction.
    assert!(check("IMM[0].wwww", "IMM[0].xxxx").is_ok());
    assert!(check("IMM[0].wwww", "IMM[0].yyyy").is_ok());
}
