//! The compiler: whatever is valid compiles for each generation, or is refused with a reason of the shader.

use difftest::attack;

use super::as_they_are;
use crate::target::{Form, Target};

pub(super) const TARGET: Target =
    Target { name: "compile", form: Form::Text, seeds: as_they_are, check, needs: Target::NOTHING };

/// Chips, levels and strictness that are tried with each shader, of all that there are.
const CHOICES: u64 = 3;

fn check(input: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    // The input decides, so that a finding comes back.
    let first =
        input.iter().fold(0u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    (0..CHOICES).find_map(|choice| attack::text(&text, first.wrapping_add(choice * 7) % 24))
}
