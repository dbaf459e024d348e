//! Shaders of one feature each (`tests/features/*.tgsi`): every generation compiles them at every level, and
//! the code does what the interpreter does.

use std::fs;
use std::path::{Path, PathBuf};

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use r600_isa::Chip;

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
        assert_eq!(summary.unfinished(), 0, "{}: the interpreter stops", path.display());
        programs += summary.programs;
    }
    println!("{} shaders, {programs} runs of programs", paths.len());
    assert!(paths.len() >= 3);
}
