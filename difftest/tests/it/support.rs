//! Comparing the text of a shader that every chip has to take.

use difftest::case::{OurCompiler, Target};
use difftest::compare::Tally;
use difftest::harness::Harness;
use r600_isa::Chip;

/// Seed of the scenes.
const SEED: u64 = 5;

/// Compares a shader with the interpreter on `chips` at every level, and holds that something was compared. Gives what was.
#[track_caller]
pub(crate) fn agrees(text: &str, chips: &[Chip]) -> Tally {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let targets = Target::all(chips);
    let harness = Harness { compiler: &OurCompiler, targets, seed: SEED, must_compile: true };
    let summary = harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{report}"));
    println!("{} runs, {:?}", summary.programs, summary.tally);
    assert_eq!((summary.unfinished(), summary.is_not_interpreted()), (0, false), "{text}");
    assert!(summary.tally.exact > 0, "{text}");
    summary.tally
}
