//! What the compiler refuses, one shader for each reason.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use pass_manager::RunError;
use r600_codegen::abi::{ShaderKey, VertexAs};
use r600_codegen::{CompileError, Compiler, Options};
use r600_isa::Chip;

/// Checks that `body`, in a fragment shader with the usual declarations, is refused for `chip` with `want`.
#[track_caller]
fn refuses(chip: Chip, body: &str, want: &str) {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL SAMP[0]\n\
         DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] FLT32 {{0.5, 1.0, 2.0, 20.0}}\n\
         IMM[1] UINT32 {{0, 1, 2, 20}}\n{body}\nEND\n"
    );
    refuses_text(chip, &text, want);
}

#[track_caller]
fn refuses_text(chip: Chip, text: &str, want: &str) {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let compiler = Compiler::new(Options::default()).unwrap();
    let error = compiler.compile(&parsed.shader, chip).map(|_| ()).unwrap_err();
    let RunError::Pass { error, .. } = error else { panic!("{error}") };
    assert!(matches!(error, CompileError::Lower(_) | CompileError::Legacy(_)), "{error}");
    assert_eq!(error.to_string(), want);
}

const ALL: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];
const OLD: [Chip; 2] = [Chip::Rv610, Chip::Rv770];

#[test]
fn stages_that_chips_lack() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nEND\n";
    for chip in OLD {
        refuses_text(chip, text, "COMP: this chip has no compute shaders");
        for name in ["TESS_CTRL", "TESS_EVAL"] {
            let want = format!("{name}: this chip has no stages of tessellation");
            refuses_text(chip, &format!("{name}\nEND\n"), &want);
        }
    }
}

#[test]
fn stages_before_what_a_chip_lacks() {
    let parsed = tgsi_text::parse("VERT\nDCL OUT[0], POSITION\nEND\n");
    let key = ShaderKey { vertex_as: VertexAs::Local, ..ShaderKey::default() };
    let compiler = Compiler::new(Options { key, ..Options::default() }).unwrap();
    let error = compiler.compile(&parsed.shader, Chip::Latte).map(|_| ()).unwrap_err();
    let RunError::Pass { error, .. } = error else { panic!("{error}") };
    assert_eq!(error.to_string(), "VERT: this chip has no stages of tessellation");
    let want = "instruction 0: EMIT: only geometry shaders make vertices";
    refuses(Chip::Cedar, "EMIT IMM[1].xxxx", want);
}

#[test]
fn what_patches_have_no_place_for() {
    let text = |body: &str| {
        format!(
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], COLOR\nDCL IN[][1], POSITION\nDCL OUT[][0], POSITION\n\
             DCL OUT[1], PATCH[0]\nIMM[0] UINT32 {{0, 1, 2, 3}}\nDCL TEMP[0]\n{body}\nEND\n"
        )
    };
    let chip = Chip::Cayman;
    let want = "instruction 0: COLOR: what this means has no place beside a patch; use GENERIC";
    refuses_text(chip, &text("MOV OUT[1], IN[0][0]"), want);
    let want = "instruction 0: IN: what vertices have names its vertex";
    refuses_text(chip, &text("MOV OUT[1], IN[1]"), want);
    let want = "instruction 0: IN: the register is not declared";
    refuses_text(chip, &text("MOV OUT[1], IN[0][7]"), want);
    let text = text("MOV OUT[1], IN[0][0]").replace("[0], COLOR", "[0]");
    let want = "instruction 0: IN: what a patch has needs a semantic to be found";
    refuses_text(chip, &text, want);
    let text = "TESS_EVAL\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nBARRIER\nMOV OUT[0], IN[0][0]\nEND\n";
    let want = "instruction 0: BARRIER: invocations of this stage do not wait for others";
    refuses_text(chip, text, want);
}

const GEOMETRY: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
     PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL OUT[0], POSITION\n\
     IMM[0] UINT32 {0, 1, 4, 0}\n";

#[test]
fn what_geometry_shaders_cannot_name() {
    let text = |body: &str| format!("{GEOMETRY}{body}\nEND\n");
    for chip in OLD {
        let want =
            "instruction 0: INVOCATIONID: this chip runs a geometry shader once for each primitive";
        refuses_text(chip, &text("MOV OUT[0], SV[0]"), want);
        let want = "instruction 0: EMIT: this chip has one stream of vertices, number 0";
        refuses_text(chip, &text("EMIT IMM[0].yyyy"), want);
    }
    let want = "instruction 0: EMIT: streams of vertices are numbered 0 to 3";
    refuses_text(Chip::Cedar, &text("EMIT IMM[0].zzzz"), want);
    let want = "instruction 0: ENDPRIM: the stream must be an immediate";
    refuses_text(Chip::Cedar, &text("ENDPRIM IN[0][0].xxxx"), want);
    let want = "instruction 0: IN[…][…]: the primitive has no such vertex";
    refuses_text(Chip::Rv770, &text("MOV OUT[0], IN[2][0]"), want);
    let want = "instruction 0: IN: the register is not declared";
    refuses_text(Chip::Rv770, &text("MOV OUT[0], IN[0][3]"), want);
    let want = "instruction 0: IN: an input of a geometry shader names its vertex";
    refuses_text(Chip::Rv770, &text("MOV OUT[0], IN[0]"), want);
    let text = text("EMIT IMM[0].xxxx").replace("INPUT_PRIMITIVE LINES", "INPUT_PRIMITIVE QUADS");
    let want = "GS_INPUT_PRIMITIVE: geometry shaders do not take this primitive";
    refuses_text(Chip::Rv770, &text, want);
}

#[test]
fn what_work_groups_do_not_share() {
    let text = |memory: &str, body: &str| {
        format!(
            "COMP\nDCL MEMORY[0..1]{memory}\nDCL IN[0]\nDCL TEMP[0]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n{body}\nEND\n"
        )
    };
    let chip = Chip::Cayman;
    let load = "LOAD TEMP[0], MEMORY[0], IMM[0].xxxx";
    let want = "instruction 0: MEMORY: an invocation has temporaries instead of private memory";
    refuses_text(chip, &text(", PRIVATE", load), want);
    let want = "instruction 0: MEMORY: memory of the whole grid is reached through BUFFER";
    refuses_text(chip, &text(", GLOBAL", load), want);
    let want = "instruction 0: MEMORY: a group has one shared memory, MEMORY[0]";
    refuses_text(chip, &text(", SHARED", &load.replace("MEMORY[0]", "MEMORY[1]")), want);
    let want = "instruction 0: ATOMFADD: shared memory adds no floats; use ATOMCAS";
    refuses_text(
        chip,
        &text(", SHARED", "ATOMFADD TEMP[0], MEMORY[0], IMM[0].xxxx, IMM[0].yyyy"),
        want,
    );
    let want = "instruction 0: RESQ: the size of shared memory is not told";
    refuses_text(chip, &text(", SHARED", "RESQ TEMP[0], MEMORY[0]"), want);
    let want = "instruction 0: IN: this stage has no inputs";
    refuses_text(chip, &text(", SHARED", "MOV TEMP[0], IN[0]"), want);
}

#[test]
fn what_chips_lack() {
    for chip in [Chip::Rv770, Chip::Cedar] {
        let want = "instruction 0: FMA: this chip multiplies and adds with two roundings; use MAD";
        refuses(chip, "FMA OUT[0], IN[0], IN[0], IN[0]", want);
        let want =
            "instruction 0: DADD: doubles are compiled for Cypress, Hemlock, Cayman and Aruba";
        refuses(chip, "DADD TEMP[0], IN[0], IN[0]", want);
    }
    for chip in OLD {
        let want = "instruction 0: TG4: this chip has no gathers; fetch the four texels";
        refuses(chip, "TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[0], 2D", want);
        let want = "instruction 0: LODQ: this chip does not tell the level of detail";
        refuses(chip, "LODQ TEMP[0], IN[0], SAMP[0], 2D", want);
        let want = "instruction 0: DDX_FINE: this chip has one derivative for the whole quad";
        refuses(chip, "DDX_FINE TEMP[0], IN[0]", want);
        let want =
            "instruction 0: INTERP_CENTROID: this chip interpolates before the shader starts";
        refuses(chip, "INTERP_CENTROID TEMP[0], IN[0]", want);
    }
}

#[test]
fn what_no_chip_of_the_family_can() {
    for chip in ALL {
        let want = "instruction 0: VOTE_ANY: lanes do not see what others hold";
        refuses(chip, "VOTE_ANY TEMP[0], IN[0]", want);
        let want =
            "instruction 0: READ_HELPER: the hardware does not tell helper lanes from others";
        refuses(chip, "READ_HELPER TEMP[0]", want);
        let want = "instruction 0: FBFETCH: the colour buffers cannot be read";
        refuses(chip, "FBFETCH TEMP[0], OUT[0]", want);
        let want = "instruction 0: SAMPLE_POS: the hardware does not tell where the samples of a \
                    texture lie";
        refuses(chip, "SAMPLE_POS TEMP[0], SVIEW[0], IMM[1].xxxx", want);
        let want = "instruction 0: SAMP2HND: resources are numbered, they have no handles";
        refuses(chip, "SAMP2HND TEMP[0], SAMP[0], 2D", want);
    }
}

#[test]
fn operands_out_of_range() {
    let chip = Chip::Rv770;
    let want = "instruction 0: texture offset: an offset must be an immediate from -8 to 7";
    refuses(chip, "TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].www", want);
    let want = "instruction 0: TG4: the component must be an immediate from 0 to 3";
    refuses(Chip::Cedar, "TG4 TEMP[0], IN[0], IMM[1].wwww, SAMP[0], 2D", want);
    let want = "instruction 0: CONST: constant buffers are numbered 0 to 15";
    refuses(chip, "MOV OUT[0], CONST[16][0]", want);
    let want = "instruction 0: CONST: a constant buffer has registers 0 to 4095";
    refuses(chip, "MOV OUT[0], CONST[0][4096]", want);
    let want = "instruction 0: SAMP: samplers are numbered 0 to 17";
    refuses(chip, "TEX TEMP[0], IN[0], SAMP[18], 2D", want);
    let want = "instruction 0: IMM: no immediate has this number";
    refuses(chip, "MOV OUT[0], IMM[9]", want);
    let want = "instruction 0: IN: the register is not declared";
    refuses(chip, "MOV OUT[0], IN[9]", want);
    let want = "instruction 0: SV: the register is not declared";
    refuses(chip, "MOV OUT[0], SV[9]", want);
    let want = "instruction 0: CONST[ADDR[…]][…]: no buffer is declared";
    refuses(chip, "MOV OUT[0], CONST[ADDR[0].x][0]", want);
    let want = "instruction 0: IN[…][…]: inputs of this stage have one subscript";
    refuses(chip, "MOV OUT[0], IN[0][0]", want);
    let want = "instruction 0: U64ADD: an integer of 64 bits is not clamped";
    refuses(chip, "U64ADD_SAT TEMP[0], IN[0], IN[0]", &want.replace("U64ADD", "_SAT"));
}

#[test]
fn control_flow_that_does_not_nest() {
    let chip = Chip::Rv770;
    let want = "the call of instruction 3 leads back into the subroutine of instruction 2: control flow \
                does not nest";
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nCAL :2\nEND\nBGNSUB\nCAL :2\n\
                MOV OUT[0], IN[0]\nENDSUB\n";
    refuses_text(chip, text, want);
    let parsed = tgsi_text::parse("FRAG\nDCL OUT[0], COLOR\nIF OUT[0].xxxx\nEND\n");
    let compiler = Compiler::new(Options::default()).unwrap();
    let error = compiler.compile(&parsed.shader, chip).map(|_| ()).unwrap_err();
    let RunError::Pass { error, .. } = error else { panic!("{error}") };
    assert!(error.to_string().ends_with(": control flow does not nest"), "{error}");
}

#[test]
fn arrays_that_do_not_fit() {
    let text = |count: u32| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..{count}], ARRAY(1)\n\
             DCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\n\
             MOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    let want =
        "TEMP[ADDR[…]]: the arrays do not fit in the scratch memory of a lane, which has 8192 vec4";
    refuses_text(Chip::Rv770, &text(9000), want);
}

#[test]
fn system_values_that_nobody_tells() {
    let text = |stage: &str, name: &str| {
        format!("{stage}\nDCL SV[0], {name}\nDCL OUT[0], POSITION\nMOV OUT[0], SV[0]\nEND\n")
    };
    let want = "instruction 0: BASEVERTEX: the hardware adds the base before the shader starts";
    refuses_text(Chip::Rv770, &text("VERT", "BASEVERTEX"), want);
    let want = "instruction 0: DRAWID: this system value is not compiled for this stage";
    refuses_text(Chip::Rv770, &text("VERT", "DRAWID"), want);
    let want =
        "instruction 0: HELPER_INVOCATION: the hardware does not tell helper lanes from others";
    refuses_text(Chip::Rv770, &text("FRAG", "HELPER_INVOCATION"), want);
}

#[test]
fn outputs_that_a_stage_lacks() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], IN[0]\nEND\n";
    refuses_text(Chip::Rv770, text, "GENERIC: a fragment shader has no such output");
    let outputs: String = (0..33).map(|n| format!("DCL OUT[{n}], GENERIC[{n}]\n")).collect();
    let text = format!("VERT\nDCL IN[0]\n{outputs}MOV OUT[0], IN[0]\nEND\n");
    refuses_text(Chip::Rv770, &text, "OUT: a vertex shader exports at most 32 parameters");
}

#[test]
fn images_and_buffers_that_cannot_be_reached() {
    let text = |stage: &str, code: &str| {
        format!(
            "{stage}\nDCL OUT[0], POSITION\nDCL BUFFER[0..12]\nDCL IMAGE[0], 2D_MSAA, PIPE_FORMAT_R32_UINT, WR\n\
             DCL TEMP[0]\nIMM[0] UINT32 {{0, 0, 0, 0}}\n{code}\nMOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    let load = "LOAD TEMP[0], BUFFER[0], IMM[0].xxxx";
    let want = "instruction 0: LOAD: this chip has no random access to images and buffers";
    refuses_text(Chip::Rv770, &text("FRAG", load), want);
    let want = "instruction 0: LOAD: only fragment and compute shaders have images and buffers";
    refuses_text(Chip::Cedar, &text("VERT", load), want);
    let far = "LOAD TEMP[0], BUFFER[12], IMM[0].xxxx";
    let want = "instruction 0: LOAD: the chip has 8 images and buffers, and 12 targets with colour buffers";
    refuses_text(Chip::Cedar, &text("FRAG", far), want);
    let add = "ATOMFADD TEMP[0], BUFFER[0], IMM[0].xxxx, IMM[0].xxxx";
    let want = "instruction 0: ATOMFADD: the memory units do not add floats";
    refuses_text(Chip::Cedar, &text("FRAG", add), want);
    let samples = "LOAD TEMP[0], IMAGE[0], IMM[0].xxxx, 2D_MSAA";
    let want = "instruction 0: LOAD: an image is no shadow map and has one sample a texel";
    refuses_text(Chip::Cedar, &text("FRAG", samples), want);
    let want = "instruction 0: CLOCK: this chip has no clock that shaders can read";
    refuses_text(Chip::Rv670, &text("FRAG", "CLOCK TEMP[0]"), want);
}
