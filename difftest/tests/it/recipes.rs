//! The reference knows the recipes that code has for what the hardware approximates: results are equal to the last bit.
//! Where a recipe changes and the reference does not, they are merely near, and what depends on them is left open.

use r600_isa::Chip;

use crate::support::agrees;

/// One chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cedar, Chip::Cayman];

#[test]
fn approximations_are_those_of_the_reference_to_the_last_bit() {
    for opcode in ["SIN", "COS", "EX2", "LG2", "RCP", "RSQ", "SQRT"] {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n{opcode} OUT[0], IN[0].xxxx\nEND\n"
        );
        let tally = agrees(&text, &CHIPS);
        assert_eq!(tally.near, 0, "{opcode}: {tally:?}");
    }
}
