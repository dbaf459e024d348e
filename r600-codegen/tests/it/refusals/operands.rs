//! Operands that mean nothing, or are out of range.

use r600_codegen::abi::{ShaderKey, Uniforms};
use r600_isa::Chip;

use super::{Met, in_fragment_shader};

pub(crate) fn operands_out_of_range(met: &mut Met) {
    let chip = Chip::Rv770;
    let want = "instruction 0: texture offset: an offset must be an immediate from -8 to 7";
    met.refuses(chip, "TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].www", want);
    let want = "instruction 0: TG4: the component must be an immediate from 0 to 3";
    met.refuses(Chip::Cedar, "TG4 TEMP[0], IN[0], IMM[1].wwww, SAMP[0], 2D", want);
    let want = "instruction 0: CONST: constant buffers are numbered 0 to 15";
    met.refuses(chip, "MOV OUT[0], CONST[16][0]", want);
    let want = "instruction 0: CONST: a constant buffer has registers 0 to 4095";
    met.refuses(chip, "MOV OUT[0], CONST[0][4096]", want);
    let want = "instruction 0: SAMP: samplers are numbered 0 to 17";
    met.refuses(chip, "TEX TEMP[0], IN[0], SAMP[18], 2D", want);
    let want = "instruction 0: IMM: no immediate has this number";
    met.refuses(chip, "MOV OUT[0], IMM[9]", want);
    let want = "instruction 0: IN: the register is not declared";
    met.refuses(chip, "MOV OUT[0], IN[9]", want);
    let want = "instruction 0: SV: the register is not declared";
    met.refuses(chip, "MOV OUT[0], SV[9]", want);
    let want = "instruction 0: IN[…][…]: inputs of this stage have one subscript";
    met.refuses(chip, "MOV OUT[0], IN[0][0]", want);
    let want = "instruction 0: U64ADD: a 64-bit integer result cannot be saturated";
    met.refuses(chip, "U64ADD_SAT TEMP[0], IN[0], IN[0]", &want.replace("U64ADD", "_SAT"));
}

/// The buffer is the shader's own where the driver has nothing to tell.
pub(crate) fn constants_where_the_driver_has_its_own(met: &mut Met) {
    let text = |fetch: &str| {
        format!(
            "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\nDCL CONST[15][0..3]\nDCL TEMP[0]\n\
             MOV TEMP[0], CONST[15][2]\n{fetch}\nMOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    let fetch = "TXF TEMP[0], TEMP[0].xxxx, SAMP[0], BUFFER";
    let want =
        "CONST[15]: constant buffer 15 holds the driver's constants for this shader; use 0 to 14";
    met.refuses_text(Chip::Rv610, &text(fetch), want);
    met.refuses_text(Chip::Latte, &text(fetch), want);
    let by_bytes = text(fetch).replace("DCL CONST[15][0..3]", "DCL CONSTBUF[14..15]");
    let by_bytes =
        by_bytes.replace("MOV TEMP[0], CONST[15][2]", "LOAD TEMP[0], CONSTBUF[14], TEMP[0]");
    met.refuses_text(Chip::Rv610, &by_bytes, want);
    met.takes(Chip::Rv610, &text(""));
    met.takes(Chip::Cedar, &text(fetch));
    // No sample's place matters to a flat input.
    let flat = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL CONST[15][0..3]\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                IMM[0] UINT32 {0, 1, 2, 3}\nINTERP_SAMPLE TEMP[0], IN[0], IMM[0].yyyy\n\
                ADD OUT[0], TEMP[0], CONST[15][0]\nEND\n";
    met.takes(Chip::Cayman, flat);
}

pub(crate) fn constants_that_the_file_does_not_hold(met: &mut Met) {
    let key = ShaderKey::default().uniforms(Uniforms::Registers);
    let mut refuses = |chip, code: &str, want: &str| {
        let text = format!(
            "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\nDCL CONST[0..300]\nDCL CONST[1][0..3]\n\
             DCL TEMP[0]\nDCL ADDR[0]\nIMM[0] UINT32 {{0, 0, 0, 0}}\n{code}\nMOV OUT[0], TEMP[0]\nEND\n"
        );
        met.refuses_with(key.clone(), chip, &tgsi_text::parse(&text).shader, want);
    };
    let plain = "MOV TEMP[0], CONST[0]";
    let want = "instruction 0: CONST: this chip has no constant file; constants are in buffers";
    refuses(Chip::Cedar, plain, want);
    let want = "instruction 0: CONST: a program reads the constant file or buffers: only CONST[0] is in registers";
    refuses(Chip::Latte, "MOV TEMP[0], CONST[1][0]", want);
    refuses(
        Chip::Latte,
        "LOAD TEMP[0], CONSTBUF[0], IMM[0].xxxx",
        &want.replace("CONST:", "LOAD:"),
    );
    let want = "instruction 0: CONST: the constant file has registers 0 to 255";
    refuses(Chip::Latte, "MOV TEMP[0], CONST[256]", want);
    let want = "instruction 0: CONST: constants in registers are not indexed; put them in a buffer";
    refuses(Chip::Rv770, "MOV TEMP[0], CONST[ADDR[0].x+1]", want);
    let want = "CONST: a program that reads the constant file cannot read the driver's constants";
    refuses(Chip::Rv610, "TXF TEMP[0], IMM[0].xxxx, SAMP[0], BUFFER", want);
    let geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                    DCL CONST[0]\nADD OUT[0], IN[0][0], CONST[0]\nEND\n";
    let want = "instruction 0: CONST: geometry shaders of this chip have no constant file; put constants in buffers";
    met.refuses_with(key, Chip::Latte, &tgsi_text::parse(geometry).shader, want);
}

pub(crate) fn registers_that_nothing_declares(met: &mut Met) {
    let chip = Chip::Rv770;
    let text = |code: &str| format!("FRAG\nDCL OUT[0], COLOR\nDCL ADDR[0]\n{code}\nEND\n");
    let want = "instruction 0: IN[…]: the index reaches no declared input";
    met.refuses_unchecked(chip, &text("MOV OUT[0], IN[ADDR[0].x]"), want);
    let want = "TEMP[ADDR[…]]: the index may leave every declared array";
    met.refuses_unchecked(chip, &text("MOV OUT[0], TEMP[ADDR[0].x]"), want);
    let want = "instruction 0: CONST[ADDR[…]][…]: no constant buffer is declared";
    met.refuses_unchecked(chip, &text("MOV OUT[0], CONST[ADDR[0].x][0]"), want);
    let want = "instruction 0: SAMP[…]: no sampler is declared";
    met.refuses_unchecked(chip, &text("TEX OUT[0], OUT[0], SAMP[ADDR[0].x], 2D"), want);
    let want = "instruction 0: SVIEW[…]: no sampler view is declared";
    let sample =
        "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nSAMPLE OUT[0], OUT[0], SVIEW[ADDR[0].x](2), SAMP[0]";
    met.refuses_unchecked(chip, &text(sample), want);
    let want =
        "TEMP[ADDR[…]]: arrays in scratch memory have at most 4096 vec4 each, and 8191 together";
    let all = "DCL TEMP[0..65535]\nUARL ADDR[0].x, OUT[0].xxxx\nMOV TEMP[ADDR[0].x], OUT[0]";
    met.refuses_unchecked(chip, &text(all), want);
    let immediates = "IMM FLT32 {1.0, 2.0, 3.0, 4.0}\n".repeat(4097);
    let immediates = format!("{immediates}UARL ADDR[0].x, OUT[0].xxxx\nMOV OUT[0], IMM[ADDR[0].x]");
    met.refuses_unchecked(chip, &text(&immediates), &want.replace("TEMP", "IMM"));
    let want = "IN[0]: the register is declared twice";
    let twice = "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[0], GENERIC[1], PERSPECTIVE\nNOP";
    met.refuses_unchecked(chip, &text(twice), want);
}

pub(crate) fn registers_that_are_named_directly_only(met: &mut Met) {
    let chip = Chip::Rv770;
    let text = "VERT\nDCL SV[0], INSTANCEID\nDCL OUT[0], POSITION\nDCL ADDR[0]\nMOV OUT[0], SV[ADDR[0].x]\nEND\n";
    let want = "instruction 0: SV[…]: system values cannot be indexed";
    met.refuses_unchecked(chip, text, want);
    let want = "instruction 0: TEMP[…] with a run-time or second subscript: unsupported form of addressing";
    met.refuses_unchecked(chip, &in_fragment_shader("MOV OUT[0], TEMP[0][1]"), want);
    met.refuses_unchecked(chip, &in_fragment_shader("MOV OUT[0], TEMP[7][ADDR[0].x+1]"), want);
    met.refuses_unchecked(chip, &in_fragment_shader("MOV TEMP[7][ADDR[0].x+1], IN[0]"), want);
    let want = want.replace("TEMP", "OUT");
    met.refuses_unchecked(chip, &in_fragment_shader("MOV OUT[5][ADDR[0].x], IN[0]"), &want);
}

pub(crate) fn files_that_are_no_operands(met: &mut Met) {
    let chip = Chip::Cedar;
    let want = "instruction 0: SAMP: this register file cannot be read as an operand";
    met.refuses_unchecked(chip, &in_fragment_shader("MOV OUT[0], SAMP[0]"), want);
    let want = "instruction 0: CONST: this register cannot be written";
    met.refuses_unchecked(chip, &in_fragment_shader("MOV CONST[0], IN[0]"), want);
}
