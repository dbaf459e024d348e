//! The compiler against the interpreter: the input is the seed of a shader.

use difftest::case::{OurCompiler, Target as Chosen};
use difftest::generate::{Shape, shader};
use difftest::harness::Harness;
use r600_isa::Chip;

use crate::target::{Form, Target};
use crate::words::words;

pub(super) const TARGET: Target =
    Target { name: "compare", form: Form::Words, seeds, check, needs: Target::NOTHING };

fn seeds(_: &[String]) -> Vec<Vec<u8>> {
    (0..16u32).map(|seed| seed.to_le_bytes().to_vec()).collect()
}

fn check(input: &[u8]) -> Option<String> {
    let words = words(input);
    let seed = words.iter().fold(0u64, |seed, &word| seed.rotate_left(32) ^ u64::from(word));
    let shader = match shader(seed, Shape::of(seed)) {
        Ok(shader) => shader,
        Err(error) => return Some(format!("seed {seed}: {error}")),
    };
    let targets = Chosen::all(&[Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman]);
    // One of them for each shader: a campaign meets them all.
    let target = targets[(seed >> 7) as usize % targets.len()];
    let harness =
        Harness { compiler: &OurCompiler, targets: vec![target], seed, must_compile: false };
    harness.check(&shader).err().map(|report| report.to_string())
}
