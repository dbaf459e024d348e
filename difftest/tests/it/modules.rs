//! Random SPIR-V modules do what their words say: translated, and a few of them compiled.

use std::process::Command;

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use difftest::modules;
use r600_codegen::OptLevel;
use r600_isa::Chip;

/// Modules that are translated, and between two that are compiled.
const MODULES: u64 = 300;
const STEP: usize = 20;

#[test]
fn translations_do_what_modules_say() {
    let target = |chip, level| Target { chip, level, precise: false };
    let targets = vec![target(Chip::Rv770, OptLevel::O2), target(Chip::Cayman, OptLevel::O1)];
    let harness = Harness { compiler: &OurCompiler, targets, seed: 1, must_compile: false };
    let mut lanes = 0;
    let mut shaders = Vec::new();
    for seed in 0..MODULES {
        let compared = modules::compare(seed).unwrap_or_else(|why| panic!("{why}"));
        lanes += compared.lanes;
        shaders.extend(compared.shader);
    }
    assert!(lanes > MODULES as usize * 3, "most lanes are compared: {lanes}");
    for shader in shaders.iter().step_by(STEP) {
        let summary = harness.check_on(shader, 1).unwrap_or_else(|report| panic!("{report}"));
        // The older chip refuses modules that compute with doubles, and has no tessellation.
        let is_known =
            |why: &String| why.contains("have doubles") || why.contains("no tessellation stages");
        assert!(summary.refusals.iter().all(is_known), "{:?}", summary.refusals);
    }
}

/// Where there is `spirv-val`.
#[test]
fn modules_are_valid() {
    if Command::new("spirv-val").arg("--version").output().is_err() {
        return;
    }
    let path = std::env::temp_dir().join(format!("difftest-{}.spv", std::process::id()));
    for seed in 0..MODULES / 10 {
        let bytes: Vec<u8> =
            modules::module(seed).iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&path, bytes).unwrap();
        let found = Command::new("spirv-val").arg(&path).output().unwrap();
        assert!(
            found.status.success(),
            "module {seed}: {}",
            String::from_utf8_lossy(&found.stderr)
        );
    }
    let _ = std::fs::remove_file(&path);
}
