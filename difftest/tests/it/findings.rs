//! Shaders that once were miscompiled, or not at all, on every target: `tests/findings/NAME.tgsi`. The first
//! line may name the seed of the scenes, or chips, or say that no scene is finished.

use std::path::Path;

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use r600_isa::Chip;

/// What the first line says after `; KEY: `.
fn header<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().next()?.strip_prefix("; ")?.strip_prefix(key)?.strip_prefix(": ")
}

/// The harness for a shader: on the scenes and chips that its first line names.
fn harness(text: &str) -> Harness<'static> {
    let is_named = |chip: &Chip| {
        header(text, "chips").is_none_or(|names| names.split(' ').any(|name| name == chip.name()))
    };
    let chips = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman].into_iter();
    Harness {
        compiler: &OurCompiler,
        targets: Target::all(&chips.filter(is_named).collect::<Vec<_>>()),
        seed: header(text, "scenes").map_or(1, |number| number.parse().unwrap()),
        must_compile: true,
    }
}

#[test]
fn past_findings_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/findings");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "there are findings");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let harness = harness(&text);
        assert!(!harness.targets.is_empty(), "{}", file.display());
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{}", file.display());
        match harness.check(&parsed.shader) {
            Ok(summary) => {
                // What runs for ever is only compiled.
                let is_endless = header(&text, "unfinished") == Some("all");
                assert!(!summary.is_not_interpreted(), "{}", file.display());
                assert_eq!(summary.unfinished() > 0, is_endless, "{}", file.display());
                assert_eq!(summary.programs == 0, is_endless, "{}", file.display());
            }
            Err(report) => panic!("{}: {report}", file.display()),
        }
    }
}
