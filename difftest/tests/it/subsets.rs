//! Leaving out optional passes, or stopping them after some changes, never ends in an error of the compiler.

use std::path::{Path, PathBuf};

use difftest::random::Random;
use difftest::subsets::{Choice, Count, Subsets, choices, optional_passes};
use r600_codegen::OptLevel;
use r600_isa::Chip;

const CHIPS: [Chip; 3] = [Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// The shaders of a folder of this repository.
fn shaders(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tgsi"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} has shaders");
    files
}

#[test]
fn every_choice_of_passes_compiles() {
    let mut files = shaders("examples");
    files.extend(shaders("difftest/tests/features"));
    files.extend(shaders("difftest/tests/findings").into_iter().step_by(6));
    let mut count = Count::default();
    for level in OptLevel::ALL {
        let subsets = Subsets::new(level, choices(level, 3, &mut Random::new(1))).unwrap();
        for file in &files {
            let parsed = tgsi_text::parse(&std::fs::read_to_string(file).unwrap());
            assert_eq!(parsed.diagnostics, [], "{}", file.display());
            for chip in CHIPS {
                if let Err(finding) = subsets.check(&parsed.shader, chip, &mut count) {
                    panic!("{}: {finding}", file.display());
                }
            }
        }
    }
    assert!(count.compiled > 10 * count.refused, "{count:?}");
}

#[test]
fn what_selection_needs_is_required() {
    let optional = optional_passes(OptLevel::O2);
    assert!(optional.contains(&"simplify") && !optional.contains(&"expand-dots"), "{optional:?}");
    assert!(Subsets::new(OptLevel::O2, vec![Choice::Without(vec!["expand-dots"])]).is_err());
}
