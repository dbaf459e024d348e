//! Each row of the rewrites is met by a shader that is made from it, and does what the interpreter does.

use difftest::case::{OurCompiler, Target};
use difftest::fired::Fired;
use difftest::harness::Harness;
use difftest::rows::{ROWS, RowShape, SCENES};
use r600_codegen::OptLevel;
use r600_isa::Chip;

/// The forms of `row` up to the first that has it used, compared; whether one does.
fn is_met(harness: &Harness<'_>, row: &RowShape) -> bool {
    let mut fired = Fired::default();
    row.forms().iter().any(|form| {
        let shader = row.shader(form).unwrap();
        let summary = harness.check_on(&shader, SCENES).unwrap_or_else(|report| panic!("{report}"));
        fired += &summary.fired;
        fired.rows().any(|(name, count)| name == row.name && count > 0)
    })
}

/// What is compiled for: each generation, with every freedom, and one without.
fn targets() -> Vec<Target> {
    let target = |chip, precise| Target { chip, level: OptLevel::O2, precise };
    let chips = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];
    let mut targets: Vec<Target> = chips.into_iter().map(|chip| target(chip, false)).collect();
    targets.push(target(Chip::Cypress, true));
    targets
}

#[test]
fn every_row_matches_the_shader_made_from_it() {
    let harness =
        Harness { compiler: &OurCompiler, targets: targets(), seed: 1, must_compile: true };
    let idle: Vec<&str> =
        ROWS.iter().filter(|row| !is_met(&harness, row)).map(|row| row.name).collect();
    assert_eq!(idle, [""; 0], "no shader triggers these rows, so they are not compared");
}

#[test]
fn the_shapes_are_those_of_the_compiler() {
    let names: Vec<&str> = Fired::default().rows().map(|(name, _)| name).collect();
    assert_eq!(ROWS.iter().map(|row| row.name).collect::<Vec<_>>(), names);
}
