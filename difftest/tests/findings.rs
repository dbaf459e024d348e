//! Shaders that once were miscompiled, or not at all, on every target: `tests/findings/NAME.tgsi`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::path::Path;

use difftest::case::{OurCompiler, Target};
use difftest::generate::{Shape, shader};
use difftest::harness::Harness;
use r600_isa::Chip;

/// Seeds of generated shaders that showed mistakes: merges behind arms that end, clauses with a unit too many,
/// zeros and NaN in projected coordinates.
const SEEDS: [u64; 8] = [147, 214, 431, 467, 1198, 1497, 5668, 7158];

#[test]
fn seeds_of_past_findings_pass() {
    for seed in SEEDS {
        let harness = Harness {
            compiler: &OurCompiler,
            targets: Target::all(&[Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman]),
            seed,
            must_compile: true,
        };
        let shader = shader(seed, Shape::of(seed)).unwrap();
        if let Err(report) = harness.check(&shader) {
            panic!("seed {seed}: {report}");
        }
    }
}

#[test]
fn past_findings_stay_fixed() {
    let harness = Harness {
        compiler: &OurCompiler,
        targets: Target::all(&[Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman]),
        seed: 1,
        must_compile: true,
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/findings");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "there are findings");
    for file in files {
        let parsed = tgsi_text::parse(&std::fs::read_to_string(&file).unwrap());
        assert_eq!(parsed.diagnostics, [], "{}", file.display());
        if let Err(report) = harness.check(&parsed.shader) {
            panic!("{}: {report}", file.display());
        }
    }
}
