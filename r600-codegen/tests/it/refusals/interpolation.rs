//! What cannot be interpolated at another place.

use r600_codegen::abi::ShaderKey;
use r600_isa::Chip;

use super::Met;

pub(crate) fn positions_that_do_not_come_from_the_centre(met: &mut Met) {
    let text = |declared: &str, op: &str| {
        format!(
            "FRAG\nDCL IN[0], POSITION{declared}\nDCL OUT[0], COLOR\nIMM[0] FLT32 {{0.25, 0.5, 0.0, 0.0}}\n{op}\nEND\n"
        )
    };
    let offset = "INTERP_OFFSET OUT[0], IN[0], IMM[0]";
    let (sample, centroid) =
        ("INTERP_SAMPLE OUT[0], IN[0], IMM[0].zzzz", "INTERP_CENTROID OUT[0], IN[0]");
    let want = |op: &str| {
        let name = op.split(' ').next().unwrap_or_default();
        format!(
            "instruction 0: {name}: the position can be moved only where it is that of the pixel's centre"
        )
    };
    for (declared, op) in [
        (", LINEAR, SAMPLE", offset),
        (", LINEAR, CENTROID", offset),
        (", LINEAR, SAMPLE", sample),
        (", LINEAR, SAMPLE", centroid),
        (", LINEAR", centroid),
        ("", centroid),
    ] {
        met.refuses_text(Chip::Cypress, &text(declared, op), &want(op));
    }
    for (declared, op) in
        [("", offset), (", LINEAR", offset), (", LINEAR", sample), (", LINEAR, CENTROID", centroid)]
    {
        met.takes(Chip::Cypress, &text(declared, op));
    }
    let key = ShaderKey::default().sample_shading(true);
    let shader = tgsi_text::parse(&text("", offset)).shader;
    met.refuses_with(key, Chip::Cypress, &shader, &want(offset));
}

pub(crate) fn colours_whose_sides_are_interpolated_apart(met: &mut Met) {
    let text = |back: &str| {
        format!(
            "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL IN[1], BCOLOR, {back}\nDCL OUT[0], COLOR\n\
             IMM[0] FLT32 {{0.25, 0.5, 0.0, 0.0}}\nINTERP_OFFSET OUT[0], IN[0], IMM[0]\nEND\n"
        )
    };
    let want = "instruction 0: INTERP_OFFSET: front and back colour can be moved only where both are interpolated alike";
    for back in ["PERSPECTIVE", "CONSTANT"] {
        let key = ShaderKey::default().two_sided_color(true);
        met.refuses_with(key, Chip::Cypress, &tgsi_text::parse(&text(back)).shader, want);
        met.takes(Chip::Cypress, &text(back));
    }
}
