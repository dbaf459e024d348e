//! The simulator.

use difftest::attack;
use r600_isa::Chip;

use super::machine_code;
use crate::target::{Form, Target};
use crate::words::words;

pub(super) const TARGET: Target = Target {
    name: "simulator",
    form: Form::Words,
    seeds: machine_code::seeds,
    check,
    needs: Target::NOTHING,
};

fn check(input: &[u8]) -> Option<String> {
    let words = words(input);
    let chips = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];
    chips.into_iter().find_map(|chip| attack::machine_code(&words, chip))
}
