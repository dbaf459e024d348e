//! How many registers code takes.

use r600_codegen::{Options, compile};
use r600_isa::Chip;

fn num_gprs(text: &str, chip: Chip) -> u8 {
    let shader = tgsi_text::parse(text).shader;
    compile(&shader, chip, &Options::default()).expect("the shader compiles").num_gprs
}

/// Each operation reads a channel of the texel for the last time: its result may take that place, though two groups are
/// needed and what the second reads is still there.
#[test]
fn results_take_the_places_of_operands_that_end() {
    let text = "FRAG\n\
                DCL IN[0], GENERIC[0], PERSPECTIVE\n\
                DCL OUT[0], COLOR\n\
                DCL SAMP[0]\n\
                DCL SVIEW[0], 2D, FLOAT\n\
                DCL CONST[0][0..1]\n\
                DCL TEMP[0]\n\
                TEX TEMP[0], IN[0], SAMP[0], 2D\n\
                MAD OUT[0], TEMP[0], CONST[0][0], CONST[0][1]\n\
                END\n";
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        assert_eq!(num_gprs(text, chip), 1, "{}", chip.name());
    }
}
