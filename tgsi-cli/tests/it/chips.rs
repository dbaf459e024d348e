//! `tgsi run --chip` and `tgsi diff`: compiled code beside the interpreter, and beside other code.

use crate::common;

use std::fs;

use common::{tgsi, tgsi_with};
use serde_json::{Value, json};

const CHIPS: [&str; 5] = ["rv610", "rv770", "latte", "cedar", "cayman"];

const INPUTS: &str = r#"{
    "inputs": [[[1, 2, 3, 4], [0, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0, 1]],
               [[0.5, 0.25, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 1]]],
    "consts": [[1, 0.5, 2, 0], [0.5, 3, 4, 5], [0.1, 0.1, 0.1, 0], [0.6, 0.5, 0.4, 0], [1, 1, 1, 0], [8, 0, 0, 0],
               [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
}"#;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the answer is JSON")
}

#[test]
fn examples_agree_with_the_interpreter_on_every_generation() {
    for shader in ["loop.frag", "textured.frag", "phong.frag", "textured.vert", "phong.vert"] {
        let shader = format!("examples/{shader}.tgsi");
        for chip in CHIPS {
            let args = ["run", &shader, "--chip", chip, "--compare", "--inputs", "-"];
            let ran = tgsi_with(&args, INPUTS.as_bytes());
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shader} on {chip}: {}", ran.out);
            let want = format!("{chip} agrees with the interpreter: ");
            assert!(ran.out.starts_with(&want), "{}", ran.out);
            assert!(!ran.out.contains(": 0 exact"), "{}", ran.out);
        }
    }
}

#[test]
fn results_of_code_have_the_form_of_the_interpreters() {
    let shader = "examples/textured.frag.tgsi";
    let plain = tgsi_with(&["run", shader, "--inputs", "-"], INPUTS.as_bytes());
    let args = ["run", shader, "--chip", "rv770", "--inputs", "-"];
    assert_eq!(tgsi_with(&args, INPUTS.as_bytes()), plain);
    let json = tgsi_with(&[&args[..], &["--json"]].concat(), INPUTS.as_bytes());
    let json = parsed(&json.out);
    assert_eq!(json["kill_mask"], "0x0");
    assert_eq!(json["counters"]["tex"], 1);
    let traced = tgsi_with(&[&args[..], &["--trace"]].concat(), INPUTS.as_bytes());
    assert!(traced.err.contains("SAMPLE R0.xyzw"), "{}", traced.err);
}

/// Level 0 leaves a product of 0 and infinity alone, and the interpreter says NaN: nothing can be said of the lane. The
/// minimum of 1 and a NaN is what the instruction says, on every side.
#[test]
fn what_infinities_leave_open_is_counted() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0].xxxx, IN[0].yyyy\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("a.tgsi");
    fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let lane = r#"[0, "0x7f800000", 1, 1]"#;
    let inputs = format!(r#"{{"inputs": [[[1, 2, 3, 4], [2, 3, 4, 5], {lane}, [1, 1, 1, 1]]]}}"#);
    let args = ["run", path, "--chip", "cedar", "--compare", "--json", "--inputs", "-"];
    let ran = tgsi_with(&args, inputs.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let json = parsed(&ran.out);
    let sum = ["exact", "near", "open"].map(|key| json[key].as_u64().expect("a number"));
    assert_eq!(sum.iter().sum::<u64>(), 16);
    assert_eq!(json["differences"], json!([]));
    assert_eq!(json["interpreter"]["outputs"]["OUT[0]"][0][0], "0x40000000");
    assert_eq!(json["compiled"]["outputs"]["OUT[0]"][1][0], "0x40c00000");
}

#[test]
fn buffers_and_positions_are_handled_as_by_hardware() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("the file can be written");
        path.to_str().expect("the path is UTF-8").to_owned()
    };
    let shader = file(
        "count.tgsi",
        "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL IN[1], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL BUFFER[0]\n\
         DCL TEMP[0]\nATOMUADD TEMP[0].x, BUFFER[0], IN[1], IN[1].yyyy\nMOV OUT[0], IN[0]\nEND\n",
    );
    let lane = r#"["0x0", "0x2", "0x0", "0x0"]"#;
    let inputs = file(
        "in.json",
        &format!(
            r#"{{"inputs": [[[0.5, 0.5, 0.25, 0.5], [1.5, 0.5, 0.25, 0.5], [0.5, 1.5, 0.25, 0.5], [1.5, 1.5, 0.25, 2]],
                [{lane}, {lane}, {lane}, {lane}]], "buffers": {{"0": ["5"]}}}}"#
        ),
    );
    for chip in ["cedar", "cayman"] {
        let args = ["run", &shader, "--inputs", &inputs, "--chip", chip];
        let ran = tgsi(&[&args[..], &["--compare"]].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let json = parsed(&tgsi(&[&args[..], &["--json"]].concat()).out);
        assert_eq!(json["buffers_after"]["0"][0], "0x0000000d");
        assert_eq!(
            json["outputs"]["OUT[0]"][3],
            json!(["0x3fc00000", "0x3fc00000", "0x3e800000", "0x40000000"])
        );
    }
}

#[test]
fn a_stage_between_others_says_that_it_does_not_run_by_itself() {
    let shader = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY \
                  GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] INT32 {0, 0, 0, \
                  0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    let ran = tgsi_with(&["run", "-", "--chip", "rv770"], shader.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("does not run by itself"), "{}", ran.err);
}

#[test]
fn a_picture_by_code_is_the_picture_of_the_interpreter() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let drawn = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let out = out.to_str().expect("the path is UTF-8").to_owned();
        let shader = "examples/textured.frag.tgsi";
        let args =
            ["run", shader, "--image", &out, "--size", "9x7", "--constant", "0=1,0.5,0.25,1"];
        let ran = tgsi(&[&args[..], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        fs::read(out).expect("the picture is there")
    };
    let want = drawn("want.png", &[]);
    for chip in ["rv770", "cayman"] {
        assert!(drawn("got.png", &["--chip", chip]) == want, "{chip}");
    }
}

#[test]
fn shaders_and_their_code_stand_side_by_side() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = |name: &str, body: &str| {
        let path = folder.path().join(name);
        let text = format!("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n{body}END\n");
        fs::write(&path, text).expect("the file can be written");
        path.to_str().expect("the path is UTF-8").to_owned()
    };
    let a = file("a.tgsi", "MOV OUT[0], IN[0]\n");
    let b = file("b.tgsi", "ADD OUT[0], IN[0], IN[0].yzwx\n");
    let same = tgsi(&["diff", &a, &a, "--chip", "rv770"]);
    assert_eq!((same.code, same.err.as_str()), (0, ""));
    for title in ["--- text: the same", "--- figures: the same", "--- listing: the same"] {
        assert!(same.out.contains(title), "{}", same.out);
    }
    let text = tgsi(&["diff", &a, &b]);
    assert_eq!((text.code, text.err.as_str()), (1, ""));
    let row = text.out.lines().find(|line| line.contains(" | ")).expect("a line differs");
    assert!(
        row.starts_with("  0: MOV OUT[0], IN[0]") && row.ends_with("ADD OUT[0], IN[0], IN[0].yzwx"),
        "{row}"
    );
    let code = tgsi(&["diff", &a, &b, "--chip", "rv770", "--show", "figures,words"]);
    assert_eq!(code.code, 1);
    assert!(code.out.contains("\ngroups             0       1      +1\n"), "{}", code.out);
    assert!(!code.out.contains("--- text"), "{}", code.out);
    assert_eq!(tgsi(&["diff", &a, &b, "--show", "words"]).code, 2);
}

/// The same instructions in one group or in four are other code.
#[test]
fn listings_differ_where_groups_begin() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\n\
                  MUL OUT[0], IN[0], CONST[0]\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("a.tgsi");
    fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let args = ["diff", path, path, "--chip", "rv770", "-O0", "--show", "listing"];
    let ran = tgsi(&[&args[..], &["--other-level", "1"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("--- listing: different"), "{}", ran.out);
    assert_eq!(tgsi(&args).code, 0);
}

/// Shared memory of a chip ends where it ends: words beyond would come back as zeros.
#[test]
fn memory_beyond_that_of_any_chip_is_refused() {
    let shader = b"FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    for (count, code) in [(8192, 0), (8193, 1)] {
        let inputs = json!({ "memory": vec!["1"; count] }).to_string();
        fs::write(&path, inputs).expect("the file can be written");
        let path = path.to_str().expect("the path is UTF-8");
        let args = ["run", "-", "--chip", "rv770", "--inputs", path];
        for more in [&["--compare"][..], &[]] {
            let ran = tgsi_with(&[&args[..], more].concat(), shader);
            assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
            let is_reported = ran.err.contains("`memory` has 8193 words, the chip has 8192");
            assert_eq!(is_reported, code == 1, "{}", ran.err);
        }
    }
}

const SAMPLED: &str = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL SAMP[0]\nDCL \
                       SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nIMM[0] INT32 {1, 0, 0, 0}\nTEX OUT[0], IN[0], SAMP[0], 2D\nTXF \
                       OUT[1], IMM[0], SAMP[0], 2D\nEND\n";

/// A texture of two texels, filtered and fetched, at four places.
fn sampled_inputs(filter: &str) -> String {
    format!(
        r#"{{"inputs": [[[0.25, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0.75, 0.5, 0, 0], [0.625, 0.5, 0, 0]]],
            "textures": {{"0": {{"size": [2, 1], "texels": [[0, 1, 2, 3], [4, 5, 6, 7]]}}}},
            "samplers": {{"0": {{"filter": "{filter}", "wrap": "clamp-to-edge"}}}}}}"#
    )
}

#[test]
fn textures_of_the_inputs_are_sampled_by_interpreter_and_code() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("a.tgsi");
    fs::write(&path, SAMPLED).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let floats = |json: &Value, register: &str| -> Vec<f32> {
        let lanes = json["outputs"][register].as_array().expect("lanes");
        let first =
            lanes.iter().map(|lane| lane[0].as_str().expect("a word").trim_start_matches("0x"));
        first.map(|bits| f32::from_bits(u32::from_str_radix(bits, 16).expect("bits"))).collect()
    };
    for (filter, want) in [("linear", [0.0, 2.0, 4.0, 3.0]), ("nearest", [0.0, 4.0, 4.0, 4.0])] {
        let inputs = sampled_inputs(filter);
        let args = ["run", path, "--json", "--inputs", "-"];
        let ran = tgsi_with(&args, inputs.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let json = parsed(&ran.out);
        assert_eq!(floats(&json, "OUT[0]"), want, "{filter}");
        assert_eq!(floats(&json, "OUT[1]"), [4.0; 4]);
        for chip in CHIPS {
            let ran =
                tgsi_with(&[&args[..], &["--chip", chip, "--compare"]].concat(), inputs.as_bytes());
            assert_eq!(ran.code, 0, "{filter} on {chip}: {}{}", ran.out, ran.err);
            assert_eq!(floats(&parsed(&ran.out)["compiled"], "OUT[0]"), want, "{filter} on {chip}");
        }
    }
}

#[test]
fn textures_of_the_inputs_serve_machine_code() {
    let listing = "00 TEX:\n      0 SAMPLE R0.xyzw, R0.xy__, t18, s0\n01 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    let inputs = sampled_inputs("linear").replace("\"textures\": {\"0\"", "\"textures\": {\"18\"");
    fs::write(&path, inputs).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let ran =
        tgsi_with(&["sim", "-", "--asm", "--chip", "rv770", "--inputs", path], listing.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(parsed(&ran.out)["outputs"]["PIXEL[0]"][1][0], "0x40000000");
}

#[test]
fn interpreter_and_code_return_changed_images() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL \
                  TEMP[0]\nIMM[0] UINT32 {7, 1, 0, 0}\nLOAD TEMP[0], IMAGE[0], IN[0], 2D, PIPE_FORMAT_R32_UINT\nSTORE IMAGE[0], \
                  IN[0], IMM[0].xyzw, 2D, PIPE_FORMAT_R32_UINT\nMOV OUT[0], TEMP[0]\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("a.tgsi");
    fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let place = |x: u32, y: u32| format!(r#"["{x}", "{y}", "0", "0"]"#);
    let inputs = format!(
        r#"{{"inputs": [[{}, {}, {}, {}]], "images": {{"0": {{"size": [2, 2], "texels":
            [["1", 0, 0, 0], ["2", 0, 0, 0], ["3", 0, 0, 0], ["4", 0, 0, 0]]}}}}}}"#,
        place(0, 0),
        place(1, 0),
        place(0, 1),
        place(1, 1)
    );
    let args = ["run", path, "--json", "--inputs", "-"];
    let plain = parsed(&tgsi_with(&args, inputs.as_bytes()).out);
    assert_eq!(plain["outputs"]["OUT[0]"][3][0], "0x00000004");
    assert_eq!(plain["images_after"]["0"][0], "0x00000007");
    let ran =
        tgsi_with(&[&args[..], &["--chip", "cedar", "--compare"]].concat(), inputs.as_bytes());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(parsed(&ran.out)["compiled"]["images_after"]["0"][0], "0x00000007");
}

#[test]
fn files_of_textures_are_read_and_missed_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [shader, picture] = ["a.tgsi", "red.png"]
        .map(|name| folder.path().join(name).to_str().expect("the path is UTF-8").to_owned());
    let red =
        "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\nMOV OUT[0], IMM[0]\nEND\n";
    let drawn = tgsi_with(&["run", "-", "--image", &picture, "--size", "2x2"], red.as_bytes());
    assert_eq!((drawn.code, drawn.err.as_str()), (0, ""));
    fs::write(&shader, SAMPLED).expect("the file can be written");
    let inputs = |file: &str| format!(r#"{{"textures": {{"0": {{"file": "{file}"}}}}}}"#);
    let args = ["run", &shader, "--inputs", "-"];
    let ran = tgsi_with(&args, inputs(&picture).as_bytes());
    assert!(ran.out.starts_with("OUT[0] lane 0: 1.0 0.0 0.0 1.0"), "{}{}", ran.out, ran.err);
    let missing = tgsi_with(&args, inputs("no/such.png").as_bytes());
    assert_eq!(missing.code, 1);
    assert!(
        missing.err.contains("no/such.png") && missing.err.contains("no such file"),
        "{}",
        missing.err
    );
}

#[test]
fn the_page_on_inputs_has_every_key_of_the_schema() {
    let schema = tgsi(&["schema", "inputs"]);
    assert_eq!((schema.code, schema.err.as_str()), (0, ""));
    let schema = parsed(&schema.out);
    let page =
        fs::read_to_string(common::root().join("docs/inputs.md")).expect("the page is there");
    let types =
        schema["$defs"].as_object().expect("the schema has `$defs`").values().chain([&schema]);
    let mut keys = 0;
    for properties in types.filter_map(|kind| kind["properties"].as_object()) {
        for (key, about) in properties {
            assert!(page.contains(&format!("`{key}`")), "{key}");
            assert!(about["description"].is_string(), "{key}");
            keys += 1;
        }
    }
    assert!(keys > 20, "{keys}");
}
