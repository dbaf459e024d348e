//! `tgsi run` and `tgsi sim` on the examples: what the compiler made does what the shader says.

use std::path::Path;

use crate::common;

use common::{root, tgsi, tgsi_with};
use serde_json::{Value, json};

const INPUTS: &str = r#"{
    "inputs": [[[1, 2, 3, 4], [0, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0, 1]],
               [[0.5, 0.25, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 1]]],
    "consts": [[1, 0.5, 2, 0], [0.5, 3, 4, 5], [0.1, 0.1, 0.1, 0], [0.6, 0.5, 0.4, 0], [1, 1, 1, 0], [8, 0, 0, 0]]
}"#;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the answer is JSON")
}

/// The colour of each lane as the interpreter has it.
fn interpreted(shader: &str) -> Value {
    let ran = tgsi_with(&["run", shader, "--json", "--inputs", "-"], INPUTS.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    parsed(&ran.out)["outputs"]["OUT[0]"].clone()
}

/// The colour of each lane as the compiled program has it.
fn simulated(shader: &str, chip: &str, generation: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let inputs = folder.path().join("in.json");
    std::fs::write(&inputs, INPUTS).expect("the file can be written");
    let inputs = inputs.to_str().expect("the path is UTF-8");
    let compiled = tgsi(&["compile", "--chip", chip, "--emit", "words", shader]);
    assert_eq!(compiled.code, 0, "{}", compiled.err);
    let args = ["sim", "-", "--hex", "--generation", generation, "--inputs", inputs];
    let ran = tgsi_with(&args, compiled.out.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shader} for {chip}");
    parsed(&ran.out)["outputs"]["PIXEL[0]"].clone()
}

fn floats(lanes: &Value) -> Vec<f32> {
    let lanes = lanes.as_array().expect("lanes are a list").iter();
    let words = lanes.flat_map(|lane| lane.as_array().expect("a lane is a list"));
    let bits = words.map(|word| word.as_str().expect("a word is text").trim_start_matches("0x"));
    bits.map(|bits| f32::from_bits(u32::from_str_radix(bits, 16).expect("hexadecimal"))).collect()
}

#[test]
fn compiled_examples_do_what_the_interpreter_does() {
    for shader in
        ["examples/loop.frag.tgsi", "examples/textured.frag.tgsi", "examples/phong.frag.tgsi"]
    {
        let want = floats(&interpreted(shader));
        assert_eq!(want.len(), 16);
        for (chip, generation) in
            [("rv610", "r600"), ("rv770", "r700"), ("cedar", "evergreen"), ("cayman", "cayman")]
        {
            let got = floats(&simulated(shader, chip, generation));
            // Roots, logarithms and exponentials are approximate on the hardware.
            let is_close = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5 * a.abs().max(1e-3);
            assert!(want.iter().zip(&got).all(is_close), "{shader} for {chip}: {want:?} {got:?}");
        }
    }
}

#[test]
fn the_answer_in_text_has_a_line_for_each_lane() {
    let ran = tgsi_with(
        &["run", "examples/loop.frag.tgsi", "--inputs", "-"],
        br#"{"consts": [[0, 0, 1, 0], [1, 0, 0, 0]]}"#,
    );
    assert_eq!(
        ran.out.lines().next(),
        Some("OUT[0] lane 0: 100.0 200.0 300.0 400.0  (42c80000 43480000 43960000 43c80000)")
    );
    assert_eq!(ran.out.lines().count(), 4);
}

#[test]
fn a_loop_without_end_is_given_up() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n";
    let ran = tgsi_with(&["run", "-", "--step-limit", "1000"], shader.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("1000"), "{}", ran.err);
}

#[test]
fn bad_inputs_are_pointed_at() {
    let shader = root().join("examples/loop.frag.tgsi");
    let args = ["run", shader.to_str().expect("the path is UTF-8"), "--inputs", "-"];
    let ran = tgsi_with(&args, b"{\"consts\": [[0, 0, \"0xg\", 0]]}");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: `0xg` is neither `0x` and up to 8 hex digits nor an integer"),
        "{}",
        ran.err
    );
}

#[test]
fn a_name_of_an_input_beyond_the_last_is_the_files_fault() {
    let shader = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY \
                  GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                  MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    for (name, message) in [
        ("IN[200][0]", "is out of range: vertices and registers go up to 127"),
        ("IN[0][128]", "is out of range: vertices and registers go up to 127"),
        ("IN[0]", "is not like `IN[2][0]`"),
    ] {
        let inputs = format!(r#"{{"gs_inputs": {{"{name}": [1, 2, 3, 4]}}}}"#);
        std::fs::write(&path, inputs).expect("the file can be written");
        let path = path.to_str().expect("the path is UTF-8");
        let ran = tgsi_with(&["run", "-", "--inputs", path], shader.as_bytes());
        let want = format!("error: {path}: `{name}` in gs_inputs {message}");
        assert!(ran.code == 1 && ran.err.contains(&want), "{}", ran.err);
    }
}

#[test]
fn the_first_constant_buffer_is_given_by_number_or_by_itself() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\nMOV OUT[0], CONST[0][1]\nEND\n";
    let run = |inputs: &str, flags: &[&str]| {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let path = folder.path().join("in.json");
        std::fs::write(&path, inputs).expect("the file can be written");
        let path = path.to_str().expect("the path is UTF-8");
        tgsi_with(&[&["run", "-", "--inputs", path], flags].concat(), shader.as_bytes())
    };
    let vectors = "[[1, 2, 3, 4], [5, 6, 7, 8]]";
    for flags in [&[][..], &["--chip", "rv770"]] {
        let by_itself = run(&format!(r#"{{"consts": {vectors}}}"#), flags);
        assert!(by_itself.out.contains(" 5.0 6.0 7.0 8.0 "), "{}", by_itself.out);
        let by_number = run(&format!(r#"{{"const_buffers": {{"0": {vectors}}}}}"#), flags);
        assert_eq!(by_number, by_itself, "{flags:?}");
    }
    let both = |other: &str| {
        run(&format!(r#"{{"consts": {vectors}, "const_buffers": {{"0": {other}}}}}"#), &[])
    };
    assert_eq!(both(vectors).code, 0);
    let ran = both("[[1, 2, 3, 4]]");
    assert!(ran.code == 1 && ran.err.contains("are one buffer, and differ"), "{}", ran.err);
}

/// What a group shares is there whether the file has it or not.
#[test]
fn shared_memory_begins_as_zeros() {
    let shader = "COMP\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 64, 0}\n\
                  ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].zzzz, IMM[0].yyyy\nLOAD TEMP[0].x, MEMORY[0], IMM[0].zzzz\n\
                  STORE BUFFER[0].x, IMM[0].xxxx, TEMP[0]\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("shared.tgsi");
    std::fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    for chip in [&[][..], &["--chip", "cayman"]] {
        let arguments = [&["run", path, "--json", "--inputs", "-"], chip].concat();
        let ran = tgsi_with(&arguments, br#"{"buffers": {"0": ["0x0"]}}"#);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let answer = parsed(&ran.out);
        assert_eq!(answer["buffers_after"]["0"][0], "0x00000004", "{chip:?}");
        assert!(answer.get("memory_after").is_none(), "{chip:?}");
    }
}

#[test]
fn the_answer_in_text_has_the_words_that_changed() {
    let shader = "COMP\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL MEMORY[0], SHARED\nIMM[0] UINT32 {4, 1065353216, 0, 0}\n\
                  STORE BUFFER[0].xy, IMM[0].xxxx, IMM[0].yyyy\nSTORE MEMORY[0].x, IMM[0].zzzz, IMM[0].yyyy\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("store.tgsi");
    std::fs::write(&path, shader).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let given = br#"{"buffers": {"0": ["0", "0", "0"], "1": ["7"]}, "memory": ["0"]}"#;
    for chip in [&[][..], &["--chip", "cayman"]] {
        let ran = tgsi_with(&[&["run", path, "--inputs", "-"], chip].concat(), given);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{chip:?}");
        assert_eq!(
            ran.out,
            "BUFFER[0] words 1 to 2: 1.0 1.0  (3f800000 3f800000)\nBUFFER[1]: unchanged\n\
             shared memory word 0: 1.0  (3f800000)\n",
            "{chip:?}"
        );
    }
    let ran = tgsi_with(&["run", path], b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("there are no outputs"), "{}", ran.out);
}

#[test]
fn memory_comes_back_changed() {
    let shader = "COMP\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL IN[0]\nDCL OUT[0]\nATOMUADD OUT[0].x, BUFFER[0], \
                  IN[0], IN[0].yyyy\nSTORE MEMORY[0].x, IN[0], IN[0].yyyy\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("count.tgsi");
    std::fs::write(&path, shader).expect("the file can be written");
    let lane = r#"["0x0", "0x2", "0x0", "0x0"]"#;
    let inputs = format!(
        r#"{{"inputs": [[{lane}, {lane}, {lane}, {lane}]], "buffers": {{"0": ["0x5"]}}, "memory": ["0x0"]}}"#
    );
    let path = path.to_str().expect("the path is UTF-8");
    let ran = tgsi_with(&["run", path, "--json", "--inputs", "-"], inputs.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answer = parsed(&ran.out);
    assert_eq!(answer["buffers_after"]["0"][0], "0x0000000d");
    assert_eq!(answer["memory_after"][0], "0x00000002");
    assert_eq!(answer["outputs"]["OUT[0]"][3][0], "0x0000000b");
}

#[test]
fn vertices_come_back_by_stream() {
    let shader = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY \
                  GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 1, 0, 0}\n\
                  MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    let inputs = br#"{"gs_inputs": {"IN[0][0]": [1, 2, 3, 4]}}"#;
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    std::fs::write(&path, inputs).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let ran = tgsi_with(&["run", "-", "--json", "--inputs", path], shader.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(parsed(&ran.out)["streams"]["0"][0][0]["OUT[0]"][1], "0x40000000");
    let ran = tgsi_with(&["run", "-", "--inputs", path], shader.as_bytes());
    let line = "stream 0 primitive 0 vertex 0 OUT[0]: 1.0 2.0 3.0 4.0  (3f800000 40000000 40400000 40800000)";
    assert_eq!(ran.out.trim_end(), line);
}

/// It is one number, whether the file has it for a vertex or for the primitive.
#[test]
fn the_number_of_a_primitive_may_be_given_with_its_vertices() {
    let shader = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY \
                  GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], PRIM_ID\nDCL OUT[0], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                  MOV OUT[0], IN[1][0].xxxx\nEMIT IMM[0].xxxx\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    let seven = r#"["7", "7", "7", "7"]"#;
    let of_vertex = format!(r#"{{"gs_inputs": {{"IN[0][0]": {seven}, "IN[1][0]": {seven}}}}}"#);
    let of_primitive =
        format!(r#"{{"inputs": [[{seven}, {seven}, {seven}, {seven}]], {}"#, &of_vertex[1..]);
    for inputs in [of_vertex, of_primitive] {
        std::fs::write(&path, inputs).expect("the file can be written");
        let path = path.to_str().expect("the path is UTF-8");
        let ran = tgsi_with(&["run", "-", "--json", "--inputs", path], shader.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert_eq!(parsed(&ran.out)["streams"]["0"][0][0]["OUT[0]"][1], "0x00000007");
    }
}

#[test]
fn a_trace_shows_what_each_instruction_writes() {
    let shader = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nUIF IN[0].xxxx\nADD OUT[0].xy, IN[0], \
                  IN[0]\nENDIF\nEND\n";
    let inputs = br#"{"inputs": [[[1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0.5, 0, 0, 0]]]}"#;
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    std::fs::write(&path, inputs).expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let ran = tgsi_with(&["run", "-", "--trace", "--inputs", path], shader.as_bytes());
    let want = "  0: UIF IN[0].xxxx
  1:   ADD OUT[0].xy, IN[0], IN[0]  (lanes 0 3)
       lane 0: x 2.0 (40000000), y 4.0 (40800000)
       lane 3: x 1.0 (3f800000), y 0.0 (00000000)
  2: ENDIF  (lanes 0 3)
  3: END
";
    assert_eq!((ran.code, ran.err.as_str()), (0, want));
}

#[test]
fn a_trap_points_at_its_instruction() {
    let shader = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3], ARRAY(1)\nDCL ADDR[0]\nIMM[0] UINT32 {9, 0, 0, 0}\n\
                  UARL ADDR[0].x, IMM[0].xxxx\nMOV OUT[0], TEMP[ADDR[0].x](1)\nEND\n";
    let ran = tgsi_with(&["run", "-"], shader.as_bytes());
    assert_eq!(ran.code, 1);
    let message = "error: instruction 1, lane 0: register 9 lies outside its file";
    assert!(ran.err.starts_with(message), "{}", ran.err);
    assert!(ran.err.contains("MOV OUT[0], TEMP[ADDR[0].x](1)"), "{}", ran.err);
}

#[test]
fn a_listing_is_simulated_and_its_lines_are_traced() {
    let listing = "ALU:\n0 x: MOV R0.x, 2.0\nt: FLT_TO_INT R0.y, 3.0\nEXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n";
    let args = ["sim", "-", "--asm", "--generation", "r700", "--trace"];
    let ran = tgsi_with(&args, listing.as_bytes());
    assert_eq!(ran.code, 0);
    let lines: Vec<Vec<&str>> =
        ran.err.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["00", "ALU:", "|", "all", "lanes"]);
    assert_eq!(lines[1][1..], ["x:", "MOV", "R0.x,", "2.0", "=", "2.0", "2.0", "2.0", "2.0"]);
    assert_eq!(lines[2], ["t:", "FLT_TO_INT", "R0.y,", "3.0", "=", "3", "3", "3", "3"]);
    assert_eq!(parsed(&ran.out)["outputs"]["PIXEL[0]"][3][0], "0x40000000");
}

#[test]
fn mistakes_of_a_listing_that_is_simulated_are_pointed_at() {
    let ran = tgsi_with(&["sim", "-", "--asm", "--generation", "r700"], b"JUMPP L1\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("did you mean `JUMP`?"), "{}", ran.err);
}

#[test]
fn buffers_of_the_inputs_are_fetched_from_in_the_simulator() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let inputs = folder.path().join("inputs.json");
    let args = |path: &Path| {
        let path = path.to_string_lossy().into_owned();
        let head = "sim docs/copy.hex --hex --generation r600 --stage vertex --inputs".split(' ');
        head.map(str::to_owned).chain([path]).collect::<Vec<String>>()
    };
    // Elements of five words, of which the first four are fetched.
    let given = r#"{
        "gprs": {"0": [["0x1", 0, 0, 0], ["0x0", 0, 0, 0], ["0x1", 0, 0, 0], ["0x1", 0, 0, 0]]},
        "buffers": {"0": [1.0, 2.0, 3.0, 4.0, 9.0, 5.0, 6.0, 7.0, 8.0, 9.0]},
        "strides": {"0": 20}
    }"#;
    std::fs::write(&inputs, given).expect("the file can be written");
    let ran = tgsi(&args(&inputs).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&ran.out).expect("one JSON line");
    let bits = |values: [f32; 4]| json!(values.map(|value| format!("{:#010x}", value.to_bits())));
    assert_eq!(json["outputs"]["POS[60]"][0], bits([5.0, 6.0, 0.0, 1.0]));
    assert_eq!(json["outputs"]["POS[60]"][1], bits([1.0, 2.0, 0.0, 1.0]));
    assert_eq!(json["outputs"]["PARAM[0]"][0], bits([7.0, 8.0, 0.0, 1.0]));
}

#[test]
fn subscripted_constants_are_fetched_from_the_constants() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..5]\nDCL ADDR[0]\n\
                ARR ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x+1]\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [shader, inputs] = ["a.tgsi", "in.json"].map(|name| folder.path().join(name));
    std::fs::write(&shader, text).expect("the file can be written");
    std::fs::write(&inputs, INPUTS).expect("the file can be written");
    let shader = shader.to_str().expect("the path is UTF-8");
    let want = interpreted(shader);
    for (chip, generation) in
        [("rv610", "r600"), ("rv770", "r700"), ("cedar", "evergreen"), ("cayman", "cayman")]
    {
        assert_eq!(simulated(shader, chip, generation), want, "{chip}");
    }
}

/// The code takes derivatives on a face, and the interpreter those of the direction.
#[test]
fn derivatives_of_directions_choose_the_level_of_a_cube() {
    let shader = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], CUBE, FLOAT
IMM[0] FLT32 {0.05, 0.3, 1.1, 0.0}
IMM[1] FLT32 {0.05, 0.25, 0.3, 0.0}
TXD OUT[0], IN[0], IMM[0], IMM[1], SAMP[0], CUBE
END
";
    let texel = |n: u32| json!([f64::from(n * 37 % 101) / 10.0, f64::from(n * 53 % 89), n % 7, 1]);
    let texels: Vec<Value> = (0..6 * 16 * 16).map(texel).collect();
    let texture = json!({"shape": "cube", "size": [16], "mipmaps": true, "texels": texels});
    let sampler = json!({"mip": "nearest", "wrap": "clamp-to-edge"});
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let inputs = folder.path().join("in.json");
    let name = inputs.to_str().expect("the path is UTF-8");
    for lanes in [
        json!([[4, 0.5, -0.3, 0], [0.3, -2, 0.7, 0], [0.2, 0.1, -3, 0], [-1, 0.2, 0.5, 0]]),
        json!([[-4, 0.5, -0.3, 0], [0.3, 2, 0.7, 0], [0.2, 0.1, 3, 0], [1, 0.2, 0.5, 0]]),
    ] {
        let file =
            json!({"inputs": [lanes], "textures": {"0": texture}, "samplers": {"0": sampler}});
        std::fs::write(&inputs, file.to_string()).expect("the file can be written");
        for chip in ["rv770", "cedar", "cayman"] {
            let args = ["run", "-", "--inputs", name, "--chip", chip, "--compare"];
            let ran = tgsi_with(&args, shader.as_bytes());
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{chip}: {}", ran.out);
        }
    }
}

/// Compiled code may use 8,191 vectors.
#[test]
fn scratch_memory_is_as_large_as_stated() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..299], ARRAY(1)\nDCL ADDR[0]\n\
                UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\nUARL ADDR[0].x, IN[0].yyyy\n\
                MOV OUT[0], TEMP[ADDR[0].x](1)\nEND\n";
    let args = ["compile", "-", "--chip", "rv770", "--emit", "words"];
    let compiled = tgsi_with(&args, text.as_bytes());
    assert_eq!(compiled.code, 0, "{}", compiled.err);
    let sim = ["sim", "-", "--hex", "--chip", "rv770"];
    assert_eq!(tgsi_with(&sim, compiled.out.as_bytes()).code, 0);
    for (vectors, code) in [("300", 0), ("299", 1)] {
        let args = [&sim[..], &["--scratch", vectors]].concat();
        let ran = tgsi_with(&args, compiled.out.as_bytes());
        assert_eq!(ran.code, code, "{}", ran.err);
    }
}
