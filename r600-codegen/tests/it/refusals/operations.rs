//! What chips cannot compute.

use r600_isa::Chip;

use super::Met;

pub(crate) fn what_chips_lack(met: &mut Met) {
    for chip in [Chip::Rv770, Chip::Cedar] {
        let want = "instruction 0: FMA: this chip has no fused multiply-add; use MAD";
        met.refuses(chip, "FMA OUT[0], IN[0], IN[0], IN[0]", want);
        let want = "instruction 0: DADD: only Cypress, Hemlock, Cayman and Aruba have doubles";
        met.refuses(chip, "DADD TEMP[0], IN[0], IN[0]", want);
    }
    for chip in super::OLD {
        let want = "instruction 0: TG4: FETCH4 of this chip does not compare; sample the four texels one by one";
        met.refuses(chip, "TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[1], SHADOW2D", want);
        let want = "instruction 0: TG4: FETCH4 of this chip gathers the first component; put the wanted one there \
                    by the view's swizzle";
        met.refuses(chip, "TG4 TEMP[0], IN[0], IMM[1].yyyy, SAMP[0], 2D", want);
        let want = "instruction 0: TG4: FETCH4 of this chip supports only two-dimensional textures and cubes";
        met.refuses(chip, "TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[1], 3D", want);
        let want = "instruction 0: LODQ: this chip cannot query the level of detail";
        met.refuses(chip, "LODQ TEMP[0], IN[0], SAMP[0], 2D", want);
        let want = "instruction 0: DDX_FINE: this chip has one derivative per quad";
        met.refuses(chip, "DDX_FINE TEMP[0], IN[0]", want);
        let want =
            "instruction 0: INTERP_CENTROID: this chip interpolates before the shader starts";
        met.refuses(chip, "INTERP_CENTROID TEMP[0], IN[0]", want);
    }
}

pub(crate) fn what_no_chip_of_the_family_can(met: &mut Met) {
    for chip in super::ALL {
        let want = "instruction 0: VOTE_ANY: lanes cannot read each other's values";
        met.refuses(chip, "VOTE_ANY TEMP[0], IN[0]", want);
        let want = "instruction 0: READ_HELPER: the hardware cannot query demoted lanes";
        met.refuses(chip, "READ_HELPER TEMP[0]", want);
        let want = "instruction 0: FBFETCH: colour buffers cannot be read";
        met.refuses(chip, "FBFETCH TEMP[0], OUT[0]", want);
        let want = "instruction 0: SAMPLE_POS: the hardware cannot query the sample positions of a texture";
        met.refuses(chip, "SAMPLE_POS TEMP[0], SVIEW[0], IMM[1].xxxx", want);
        let want = "instruction 0: SAMP2HND: bindless resources are unsupported";
        met.refuses(chip, "SAMP2HND TEMP[0], SAMP[0], 2D", want);
    }
}
