//! A short campaign of broken input: what the repository holds, and the corpus where it is present.

use std::path::{Path, PathBuf};

use difftest::broken::Plan;

/// The texts of all shaders in a folder; none where it is not present.
fn texts(folder: PathBuf) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("{} is not present", folder.display());
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tgsi"));
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn broken_input_is_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut shaders = texts(root.join("tests/findings"));
    assert!(!shaders.is_empty(), "there are findings");
    shaders.extend(texts(root.join("../../shared/corpus/tgsi")));
    let plan = Plan { texts: shaders, mutated: 300, streams: 4000, seed: 11, threads: 2 };
    let report = plan.run();
    println!("{report}");
    assert!(report.is_clean(), "{report}");
}
