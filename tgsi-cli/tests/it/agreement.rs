//! `tgsi run --chip CHIP --compare` on what code sees otherwise than the language: both get the same.

use crate::common::tgsi_with;

use std::fs;

const CHIPS: [&str; 5] = ["rv610", "rv770", "latte", "cedar", "cayman"];
/// Chips with random access targets.
const WITH_TARGETS: [&str; 2] = ["cedar", "cayman"];

/// Demands that the code does on each chip what the interpreter does, with as many exact values.
fn agrees(shader: &str, inputs: &str, chips: &[&str], exact: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("a.tgsi");
    fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    for chip in chips {
        let args = ["run", path, "--chip", chip, "--compare", "--inputs", "-"];
        let ran = tgsi_with(&args, inputs.as_bytes());
        let want = format!("{chip} agrees with the interpreter: {exact} exact, ");
        assert!(ran.out.starts_with(&want), "{}{}", ran.out, ran.err);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
}

const TWO_LAYERS: &str = r#"{"images": {"0": {"shape": "1d", "size": [2], "layers": 2, "texels":
    [["1", "1", "1", "1"], ["2", "2", "2", "2"], ["3", "3", "3", "3"], ["4", "4", "4", "4"]]}}}"#;

#[test]
fn layers_of_lines_are_found_by_every_access() {
    let shader = "FRAG\nDCL IMAGE[0], 1D_ARRAY, PIPE_FORMAT_R32_UINT, WR\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 1, \
                  0, 7}\nLOAD OUT[0], IMAGE[0], IMM[0], 1D_ARRAY, PIPE_FORMAT_R32_UINT\nSTORE IMAGE[0].xyzw, IMM[0].zxzz, \
                  IMM[0].wwww, 1D_ARRAY, PIPE_FORMAT_R32_UINT\nATOMUMAX TEMP[0].x, IMAGE[0], IMM[0].xzzz, IMM[0].wwww, \
                  1D_ARRAY, PIPE_FORMAT_R32_UINT\nEND\n";
    agrees(shader, TWO_LAYERS, &WITH_TARGETS, 32);
}

#[test]
fn buffer_images_report_their_size() {
    let shader = "FRAG\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\nDCL OUT[0], COLOR\nRESQ OUT[0], IMAGE[0], BUFFER, \
                  PIPE_FORMAT_R32_UINT\nEND\n";
    let given = r#"{"images": {"0": {"shape": "buffer", "size": [2], "texels":
        [["1", "1", "1", "1"], ["2", "2", "2", "2"]]}}}"#;
    agrees(shader, given, &WITH_TARGETS, 24);
    // The rule for images that are not given has more than a buffer can have.
    agrees(&shader.replace("RESQ OUT[0]", "RESQ OUT[0].x"), "{}", &WITH_TARGETS, 16);
}

/// The index picks from all views, buffers or images that were declared together.
#[test]
fn resources_of_2012_are_picked() {
    let shader = |declared: &str, code: &str| {
        format!(
            "# dialect: 2012\nFRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL RES[0..2], {declared}\n\
             DCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\n{code}\nEND\n"
        )
    };
    let lanes = |picks: [u32; 4]| picks.map(|n| format!(r#"["{n}", "0", "0", "0"]"#)).join(", ");
    let texels = r#"{"0": {"size": [1, 1], "texels": [[1, 2, 3, 4]]}, "1": {"size": [1, 1], "texels": [[5, 6, 7, 8]]},
        "2": {"size": [1, 1], "texels": [[9, 10, 11, 12]]}}"#;
    let buffers =
        r#"{"0": ["1", "2", "3", "4"], "1": ["5", "6", "7", "8"], "2": ["9", "10", "11", "12"]}"#;
    let given = |picks, kind: &str, what: &str| {
        format!(r#"{{"inputs": [[{}]], "{kind}": {what}}}"#, lanes(picks))
    };
    let sample = shader("2D\nDCL SAMP[0]", "SAMPLE OUT[0], IN[0].yyyy, RES[ADDR[0].x], SAMP[0]");
    agrees(&sample, &given([0, 1, 2, 1], "textures", texels), &CHIPS, 16);
    let load = "LOAD OUT[0], RES[ADDR[0].x], IN[0].yyyy";
    agrees(&shader("2D", load), &given([2; 4], "images", texels), &WITH_TARGETS, 28);
    let raw = shader("BUFFER, RAW, WR", load);
    agrees(&raw, &given([2; 4], "buffers", buffers), &WITH_TARGETS, 28);
}

#[test]
fn sample_numbers_are_not_levels() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL SAMP[0]\nDCL SVIEW[0], 2D_ARRAY_MSAA, FLOAT\nDCL OUT[0], \
                  COLOR\nTXF OUT[0], IN[0], SAMP[0], 2D_ARRAY_MSAA\nEND\n";
    let inputs = r#"{"inputs": [[["0", "0", "0", "0"], ["1", "0", "0", "1"], ["0", "1", "1", "2"], ["1", "1", "1", "3"]]],
        "textures": {"0": {"size": [2, 2], "layers": 2, "texels":
            [[1, 0, 0, 1], [2, 0, 0, 1], [3, 0, 0, 1], [4, 0, 0, 1], [5, 0, 0, 1], [6, 0, 0, 1], [7, 0, 0, 1], [8, 0, 0, 1]]}}}"#;
    agrees(shader, inputs, &["rv770", "cedar", "cayman"], 16);
}

#[test]
fn inputs_that_a_vertex_shader_lacks_go_nowhere() {
    let shader = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    let quad = "[[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4], [1, 2, 3, 4]]";
    let inputs = format!(r#"{{"inputs": [{quad}, {quad}, {quad}]}}"#);
    agrees(shader, &inputs, &CHIPS, 16);
}

/// Neither can tell more than the place of a sample: lanes of one sample have the same.
#[test]
fn samples_have_their_places_whether_or_not_their_numbers_are_asked_for() {
    let places = "[[0.25, 0.25, 0, 0], [0.75, 0.25, 0, 0], [0.25, 0.75, 0, 0], [0.75, 0.75, 0, 0]]";
    let numbers = r#"[["3", 0, 0, 0], ["1", 0, 0, 0], ["3", 0, 0, 0], ["99", 0, 0, 0]]"#;
    let shader = "FRAG\nDCL SV[0], SAMPLEPOS\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0].xyxy\nEND\n";
    let chips = ["rv770", "cedar", "cayman"];
    agrees(shader, &format!(r#"{{"sysvals": [{places}]}}"#), &chips, 16);
    agrees(shader, "{}", &chips, 16);
    let numbered = shader.replace("DCL OUT", "DCL SV[1], SAMPLEID\nDCL SV[2], SAMPLEMASK\nDCL OUT");
    let numbered =
        numbered.replace("END", "MOV OUT[0].z, SV[1].xxxx\nMOV OUT[0].w, SV[2].xxxx\nEND");
    let mask = r#"[["15", 0, 0, 0], ["15", 0, 0, 0], ["7", 0, 0, 0], ["7", 0, 0, 0]]"#;
    agrees(&numbered, &format!(r#"{{"sysvals": [{places}, {numbers}, {mask}]}}"#), &chips, 16);
    agrees(&numbered, &format!(r#"{{"sysvals": [{places}]}}"#), &chips, 16);
}

#[test]
fn buffers_of_texels_that_are_not_given_answer_by_rule() {
    let shader = "FRAG\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL OUT[2], \
                  COLOR[2]\nIMM[0] UINT32 {0, 63, 64, 3}\nTXQ OUT[0].x, IMM[0].xxxx, SAMP[0], BUFFER\nTXF OUT[1], \
                  IMM[0].yyyy, SAMP[0], BUFFER\nTXF OUT[2], IMM[0].zzzz, SAMP[0], BUFFER\nEND\n";
    agrees(shader, "{}", &["rv770", "cedar", "cayman"], 48);
    let given = r#"{"textures": {"0": {"shape": "buffer", "size": [2], "texels": [[1, 2, 3, 4], [5, 6, 7, 8]]}}}"#;
    let whole = shader.replace("OUT[0].x, IMM[0].xxxx", "OUT[0], IMM[0].wwww");
    agrees(&whole, given, &["rv770", "cedar", "cayman"], 48);
}

#[test]
fn shared_memory_is_compared_without_being_given() {
    let shader = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH \
                  1\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL TEMP[0]\nIMM[0] UINT32 {4, 8, 3, 0}\nUMAD TEMP[0].x, \
                  SV[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\nSTORE MEMORY[0].x, TEMP[0].xxxx, IMM[0].zzzz\nEND\n";
    let ids = r#"{"sysvals": [[["0", 0, 0, 0], ["1", 0, 0, 0], ["2", 0, 0, 0], ["3", 0, 0, 0]]]}"#;
    agrees(shader, ids, &WITH_TARGETS, 6);
}

/// Code hands the texture unit a place on a face: of how long directions are, and of their last bits, the unit sees
/// nothing.
#[test]
fn levels_of_cubes_are_those_of_places_on_faces() {
    let texels: Vec<String> =
        (0..6 * 8 * 8).map(|n| format!("[{}, 0, 0, 1]", n as f32 / 384.0)).collect();
    let textures = format!(
        r#"{{"0": {{"shape": "cube", "size": [8], "mipmaps": true, "texels": [{}]}}}}"#,
        texels.join(", ")
    );
    let samplers = r#"{"0": {"filter": "linear", "mip": "linear"}}"#;
    let changes = "[[0.1, 0.2, 0.3, 0], [0.4, 0, -0.2, 0], [0, 0.7, 0.1, 0], [0.9, -0.3, 0, 0]]";
    let one_face = "[[1, 0, 0, 0], [2, 0.6, 0, 0], [3, 0, 0.9, 0], [4, 1.2, 1.2, 0]]";
    let several = "[[1, 0.3, -0.7, 0], [-0.2, 5, 0.3, 0], [0.1, 0.7, -0.71, 0], [2, 2, 2, 0]]";
    for (opcode, chips) in [
        ("TEX OUT[0], IN[0], SAMP[0], CUBE", &CHIPS[..]),
        ("TXL OUT[0], IN[0], SAMP[0], CUBE", &CHIPS),
        ("TXB OUT[0], IN[0], SAMP[0], CUBE", &CHIPS),
        ("TXD OUT[0], IN[0], IN[1], IN[1].yzxx, SAMP[0], CUBE", &CHIPS),
        ("LODQ OUT[0], IN[0], SAMP[0], CUBE", &WITH_TARGETS),
    ] {
        let shader = format!(
            "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[1], LINEAR\nDCL SAMP[0]\nDCL SVIEW[0], CUBE, FLOAT\nDCL \
             OUT[0], COLOR\n{opcode}\nEND\n"
        );
        for directions in [one_face, several] {
            let inputs = format!(
                r#"{{"inputs": [{directions}, {changes}], "textures": {textures}, "samplers": {samplers}}}"#
            );
            agrees(&shader, &inputs, chips, 16);
        }
    }
}

/// A shader may read what no file gives; the hardware delivers none of these as zeros.
#[test]
fn faces_and_sizes_of_groups_that_are_not_given_are_the_same_for_both() {
    let shader = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH \
                  1\nDCL SV[0], BLOCK_SIZE\nDCL SV[1], GRID_SIZE\nDCL MEMORY[0], SHARED\nIMM[0] UINT32 {4, 8, 3, 0}\n\
                  STORE MEMORY[0].xyz, IMM[0].wwww, SV[0]\nSTORE MEMORY[0].x, IMM[0].yyyy, SV[1].zzzz\nEND\n";
    agrees(shader, "{}", &WITH_TARGETS, 3);
    let unfixed = shader.replace("FIXED_BLOCK_WIDTH 4", "FIXED_BLOCK_WIDTH 0");
    agrees(
        &unfixed,
        r#"{"sysvals": [[["7", 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]}"#,
        &WITH_TARGETS,
        3,
    );
    let shader = "FRAG\nDCL SV[0], FACE\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0].xxxx\nEND\n";
    agrees(shader, "{}", &CHIPS, 16);
    let old = shader.replace("SV[0], FACE", "IN[0], FACE, CONSTANT").replace("SV[0]", "IN[0]");
    agrees(&old, "{}", &CHIPS, 16);
}

/// What each counter ends with is compared, though no lane shows it.
#[test]
fn counters_are_compared() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nDCL HWATOMIC[1][1..2]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 5, 0, 0}\n\
                  ATOMUADD TEMP[0].x, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0], IMM[0].xxxx\nEND\n";
    agrees(shader, "{}", &WITH_TARGETS, 16 + 3);
}

#[test]
fn buffers_that_are_not_given_have_a_length_only() {
    let texels = "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                  TXQ OUT[0], IMM[0].xxxx, SAMP[0], BUFFER\nEND\n";
    agrees(texels, "{}", &["rv770", "cedar", "cayman"], 16);
    let image = "FRAG\nDCL OUT[0], COLOR\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_FLOAT, WR\n\
                 RESQ OUT[0], IMAGE[0], BUFFER, PIPE_FORMAT_R32_FLOAT\nEND\n";
    agrees(image, "{}", &WITH_TARGETS, 16);
}

#[test]
fn positions_from_corners_are_rounded_as_the_chip_rounds() {
    let shader = "FRAG\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n\
                  MOV OUT[0].xy, IN[0]\nMOV OUT[0].zw, IN[0].xyxy\nEND\n";
    let inputs = r#"{"inputs": [[[0.1, 0.3, 0, 1], [1.1, 0.7, 0, 1], [-0.4999, 1, 0, 1], [99.3, 7, 0, 1]]]}"#;
    agrees(shader, inputs, &CHIPS, 16);
}

#[test]
fn positions_have_the_reciprocal_of_the_reciprocal_in_w() {
    let shader = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL SV[0], POSITION\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n\
                  MOV OUT[0], IN[0]\nMOV OUT[1], SV[0]\nEND\n";
    let quad = |x: f32| {
        let w = ["0.4896563", "1.9896196", "0.74290586", "0.76951295"];
        format!("[{}]", w.map(|w| format!("[{x}, 0.5, 0.3, {w}]")).join(", "))
    };
    // Input and system value are one position, whichever of them a launch has.
    let both = format!(r#"{{"inputs": [{}], "sysvals": [{}]}}"#, quad(0.5), quad(10.5));
    agrees(shader, &both, &CHIPS, 32);
    let value = shader.replace("DCL IN[0], POSITION, LINEAR\n", "").replace("IN[0]", "SV[0]");
    agrees(&value, &format!(r#"{{"sysvals": [{}]}}"#, quad(10.5)), &CHIPS, 32);
}

/// An input that is interpolated elsewhere, too, changes as the quad does, and loses its last bits by that.
#[test]
fn inputs_that_are_interpolated_anew_have_the_values_of_the_hardware() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[1], CONSTANT\nDCL IN[2], GENERIC[2], PERSPECTIVE\n\
                  DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL OUT[2], COLOR[2]\nDCL OUT[3], COLOR[3]\n\
                  IMM[0] FLT32 {0.3, -0.21, 0, 0}\nMOV OUT[0], IN[0]\nINTERP_OFFSET OUT[1], IN[0].wzyx, IMM[0]\n\
                  INTERP_OFFSET OUT[2], -IN[1], IMM[0].yxxx\nINTERP_CENTROID OUT[3].xy, IN[0]\nMOV OUT[3].zw, IN[2]\nEND\n";
    let quad =
        "[[1.1, 2.2, 0.3, 4], [100.3, -3.7, 0.1, 5], [0.7, 12.3, 0.9, 6], [33.3, 0.1, -0.2, 7]]";
    let inputs = format!(r#"{{"inputs": [{quad}, {quad}, {quad}]}}"#);
    agrees(shader, &inputs, &WITH_TARGETS, 64);
    // Places within a point change as well, unless they are declared not to.
    let points = shader.replace("GENERIC[0]", "PCOORD");
    agrees(&points, &inputs, &WITH_TARGETS, 64);
    agrees(&points.replace("LINEAR", "CONSTANT"), &inputs, &WITH_TARGETS, 64);
}

/// Whether a loop ends may depend on the sign of a zero, which a reduction of another order, or an atomic operation on
/// its bits, would not leave as it is.
#[test]
fn loops_end_by_the_sign_of_a_zero() {
    let sum = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL TEMP[0..2]\nIMM[0] FLT32 {1.0, 0.0, 0.5, 2.0}\n\
               MOV TEMP[0], IN[0]\nMOV TEMP[2], IMM[0].yyyy\nBGNLOOP\nDP3 TEMP[1].x, TEMP[0], IN[1]\n\
               RCP TEMP[1].x, TEMP[1].xxxx\nFSLT TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx\nUIF TEMP[1].yyyy\nBRK\nENDIF\n\
               ADD TEMP[2], TEMP[2], IMM[0].xxxx\nMOV TEMP[0], TEMP[0].yzxw\nENDLOOP\nMOV OUT[0], TEMP[2]\nEND\n";
    let quad =
        |value: &str| format!("[{}]", vec![format!("[{}]", [value; 4].join(", ")); 4].join(", "));
    let inputs = format!(r#"{{"inputs": [{}, {}]}}"#, quad(r#""0x80000000""#), quad("1"));
    agrees(sum, &inputs, &CHIPS, 16);
    let atomic = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\nDCL BUFFER[1]\nDCL TEMP[0..3]\n\
                  IMM[0] FLT32 {1.0, 0.0, 0.5, 2.0}\nIMM[1] UINT32 {0, 4, 8, 1}\nMOV TEMP[2].x, IMM[0].yyyy\nBGNLOOP\n\
                  ADD TEMP[0].x, CONST[0][0].xxxx, IMM[0].yyyy\nSTORE BUFFER[1].x, IMM[1].xxxx, IMM[0].xxxx\n\
                  ATOMUMAX TEMP[3].x, BUFFER[1], IMM[1].xxxx, TEMP[0].xxxx\nLOAD TEMP[1].x, BUFFER[1], IMM[1].xxxx\n\
                  FSGE TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx\nUIF TEMP[1].yyyy\nBRK\nENDIF\n\
                  ADD TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\nENDLOOP\nADD TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\n\
                  MOV OUT[0], TEMP[2].xxxx\nEND\n";
    let inputs = r#"{"const_buffers": {"0": [["0x80000000", 0, 0, 0]]}, "buffers": {"1": ["0", "0", "0", "0"]}}"#;
    agrees(atomic, inputs, &WITH_TARGETS, 20);
}

/// Each texel of such a gather is one of the chip's own, also where there is no texture.
#[test]
fn gathers_with_four_offsets_answer_by_rule() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL OUT[0], COLOR\n\
                  IMM[0] INT32 {0, 1, 2, 3}\nTG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xyz, IMM[0].yzw, \
                  IMM[0].zwx, IMM[0].wxy\nEND\n";
    let quad = "[[0.5, 0.5, 0, 1], [0.5, 0.5, 0, 1], [0.5, 0.5, 0, 1], [0.5, 0.5, 0, 1]]";
    agrees(shader, &format!(r#"{{"inputs": [{quad}]}}"#), &WITH_TARGETS, 16);
}

/// The position arrives without barycentric coordinates: it moves along its own derivatives.
#[test]
fn the_position_is_interpolated_anew() {
    let shader = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n\
                  IMM[0] FLT32 {0.25, -0.125, 0, 0}\nINTERP_OFFSET OUT[0], -IN[0].yxwz, IMM[0]\n\
                  MOV OUT[1], IN[0]\nEND\n";
    let quad =
        "[[8.5, 4.5, 0.5, 1], [9.5, 4.5, 0.625, 2], [8.5, 5.5, 0.25, 4], [9.5, 5.5, 0.375, 0.5]]";
    for declared in ["POSITION, LINEAR", "POSITION"] {
        let shader = shader.replace("POSITION, LINEAR", declared);
        agrees(&shader, &format!(r#"{{"inputs": [{quad}]}}"#), &WITH_TARGETS, 32);
    }
}

#[test]
fn places_of_invocations_have_three_coordinates() {
    let shader = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL \
                  TEMP[0]\nIMM[0] UINT32 {4, 0, 0, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n\
                  UADD TEMP[0].y, SV[0].wwww, SV[1].wwww\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nEND\n";
    let inputs = r#"{"sysvals": [[["0", "0", "0", "9"], ["1", "0", "0", "8"], ["2", "0", "0", "7"], ["3", "0", "0", "6"]],
        [["5", "6", "7", "8"], ["5", "6", "7", "8"], ["5", "6", "7", "8"], ["5", "6", "7", "8"]]],
        "buffers": {"0": ["9", "9", "9", "9"]}}"#;
    agrees(shader, inputs, &WITH_TARGETS, 4);
}

/// By the rule for images that are not given, and by texels of which only the first channel is stored.
#[test]
fn old_words_of_images_are_the_same_in_all_channels() {
    let shader = "FRAG\nDCL IMAGE[1], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL OUT[0], COLOR\nIMM[0] UINT32 {0, 1, 2, 4}\n\
                  ATOMINC_WRAP OUT[0], IMAGE[1], IMM[0].xxxx, IMM[0].wwww\nEND\n";
    agrees(shader, "{}", &WITH_TARGETS, 16);
    let given = r#"{"images": {"1": {"size": [1, 1], "texels": [["3", "0", "0", "1"]]}}}"#;
    agrees(shader, given, &WITH_TARGETS, 20);
}

/// Where resources of old dialects lie follows from what they become.
#[test]
fn legacy_resources_are_those_that_were_given() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nDCL RES[1], BUFFER, RAW, WR\nDCL RES[2], 2D, WR\nIMM[0] UINT32 {0, 4, 8, 1}\n\
                  LOAD OUT[0].xy, RES[1], IMM[0].xxxx\nLOAD OUT[0].zw, RES[2], IMM[0].xxxx\n\
                  STORE RES[1].x, IMM[0].yyyy, IMM[0].wwww\nEND\n";
    let given = r#"{"buffers": {"1": ["5", "6", "7", "8"]},
        "images": {"2": {"size": [1, 1], "texels": [[0.5, 0.25, 1, 0]]}}}"#;
    agrees(shader, given, &WITH_TARGETS, 24);
}

#[test]
fn numbers_of_the_system_are_the_same_in_all_channels() {
    let shader = "VERT\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL OUT[0], POSITION\nMOV OUT[0].xy, SV[0]\n\
                  MOV OUT[0].zw, SV[1]\nEND\n";
    let quad = r#"[["7", "1", "2", "3"], ["8", "0", "0", "0"], ["9", "9", "9", "9"], ["1", "2", "3", "4"]]"#;
    agrees(shader, &format!(r#"{{"sysvals": [{quad}, {quad}]}}"#), &CHIPS, 16);
}

#[test]
fn helpers_write_no_memory() {
    let shader = "FRAG\nDCL SV[0], HELPER_INVOCATION\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 4, 5, 0}\n\
                  ATOMUADD OUT[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\nMOV OUT[0], SV[0].xxxx\nEND\n";
    let inputs = r#"{"sysvals": [[["0", 0, 0, 0], ["-1", 0, 0, 0], ["0", 0, 0, 0], ["-1", 0, 0, 0]]],
        "buffers": {"0": ["0", "0"]}}"#;
    agrees(shader, inputs, &WITH_TARGETS, 18);
}

#[test]
fn inputs_of_one_name_are_one_parameter() {
    let shader = "FRAG\nDCL IN[0].xy, GENERIC[0], PERSPECTIVE\nDCL IN[1].zw, GENERIC[0], PERSPECTIVE\n\
                  DCL OUT[0], COLOR\nMOV OUT[0].xy, IN[0]\nMOV OUT[0].zw, IN[1]\nEND\n";
    let quad = |first: f32| {
        let lane = |n: f32| format!("[{}, {}, {}, {}]", n, n + 1.0, n + 2.0, n + 3.0);
        format!("[{}, {}, {}, {}]", lane(first), lane(first + 10.0), lane(2.0), lane(1.5))
    };
    let inputs = format!(r#"{{"inputs": [{}, {}]}}"#, quad(1.25), quad(100.0));
    agrees(shader, &inputs, &CHIPS, 16);
}

/// A group has one shared memory, whatever the numbers that it is declared with.
#[test]
fn shared_memories_of_any_number_are_the_one_of_the_group() {
    let shader = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL MEMORY[1..2], SHARED\nDCL MEMORY[5], SHARED\n\
                  DCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 {4, 3, 0, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n\
                  ATOMUADD TEMP[1].x, MEMORY[1], TEMP[0].xxxx, IMM[0].yyyy\nLOAD TEMP[1].y, MEMORY[5], TEMP[0].xxxx\n\
                  STORE MEMORY[2].x, TEMP[0].xxxx, SV[0].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n\
                  STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";
    let inputs = r#"{"sysvals": [[["0", 0, 0, 0], ["1", 0, 0, 0], ["2", 0, 0, 0], ["3", 0, 0, 0]]],
        "buffers": {"0": ["9", "9", "9", "9"]}, "memory": ["7", "7", "7", "7"]}"#;
    agrees(shader, inputs, &WITH_TARGETS, 8);
}

#[test]
fn a_comparison_of_nothing_says_so() {
    let shader = "COMP\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n";
    let args = ["run", "-", "--chip", "cedar", "--compare"];
    let ran = tgsi_with(&args, shader.as_bytes());
    let want = "cedar and the interpreter have no value that can be compared\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, want, ""));
}

/// Code takes some declared buffer then: nothing can be compared.
#[test]
fn an_index_to_a_buffer_that_is_not_declared_stops_a_comparison() {
    let shader = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[1][0..3]\nDCL ADDR[0]\n\
                  UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x+1][1]\nEND\n";
    agrees(shader, "{}", &CHIPS, 16);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("a.tgsi");
    fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let inputs =
        r#"{"inputs": [[["0", 0, 0, 0], ["0", 0, 0, 0], ["2", 0, 0, 0], ["0", 0, 0, 0]]]}"#;
    let args = ["run", path, "--chip", "cedar", "--compare", "--inputs", "-"];
    let ran = tgsi_with(&args, inputs.as_bytes());
    let want = "instruction 1, lane 2: the index leads to CONST[3], which is not declared";
    assert!(ran.code != 0 && ran.err.contains(want), "{}", ran.err);
}

/// The rasteriser gets an integer, of which nothing but the first channel is there.
#[test]
fn edge_flags_are_compared() {
    let shader = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], EDGEFLAG\nMOV OUT[0], IN[0]\n\
                  MOV OUT[1].x, IN[1].xxxx\nEND\n";
    let inputs = r#"{"inputs": [[[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]],
        [[0.5, 0, 0, 0], [1, 0, 0, 0], [-3, 0, 0, 0], [0.75, 0, 0, 0]]]}"#;
    agrees(shader, inputs, &CHIPS, 20);
}

/// Lanes find different texels in a buffer that is not given, also through the vertex cache of these chips.
#[test]
fn texel_buffers_without_data_differ_by_lane() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\nIMM[0] UINT32 {0, 1, 2, 3}\n\
                  TXF OUT[0], IMM[0].xxxx, SAMP[0], BUFFER\nEND\n";
    agrees(shader, "{}", &["cypress", "hemlock", "juniper", "redwood", "cedar"], 16);
}

/// Each buffer gets a colour for all, and the next stage gets what the rasteriser heeds, too.
#[test]
fn outputs_are_compared_in_every_place() {
    let color = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n\
                 MOV OUT[0], IN[0]\nEND\n";
    agrees(color, "{}", &CHIPS, 2 * 16);
    let vertex = "VERT\nPROPERTY NUM_CLIPDIST_ENABLED 2\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\n\
                  DCL OUT[2], CLIPDIST\nDCL OUT[3], FOG\nDCL OUT[4], EDGEFLAG\nMOV OUT[0], IN[0]\nMOV OUT[1].x, IN[0].yyyy\n\
                  MOV OUT[2].x, IN[0]\nMOV OUT[3].x, IN[0]\nMOV OUT[4].x, IN[0]\nEND\n";
    agrees(vertex, "{}", &CHIPS, 16 + (4 + 16) + (8 + 16) + 4 + 4);
}
