//! Shaders of old dialects on the command line.

use crate::common;

use std::fs;
use std::path::PathBuf;

use common::{root, tgsi, tgsi_with};

const CHIPS: [&str; 4] = ["rv610", "rv770", "cedar", "cayman"];

/// Samples through a view: words that 2010 does not have.
const VIEWS: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]
  1: END
";

const SUB: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: SUB OUT[0], IN[0], IN[0].yzwx
  1: END
";

#[test]
fn a_text_states_its_dialect_or_the_command_does() {
    let plain = tgsi_with(&["check", "-", "--dialect", "2010"], VIEWS.as_bytes());
    assert_eq!(plain.code, 1);
    assert!(plain.err.contains("dialect 2010 has no file SVIEW"), "{}", plain.err);
    let stated = format!("# dialect: 2010\n{VIEWS}");
    let ran = tgsi_with(&["check", "-"], stated.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("dialect 2010 has no opcode SAMPLE"), "{}", ran.err);
    let over = tgsi_with(&["check", "-", "--dialect", "2012"], stated.as_bytes());
    assert_eq!((over.code, over.err.as_str()), (0, ""));
}

/// Whoever reads what was written takes it for the same dialect, whether a text states it or the command does.
#[test]
fn what_is_written_keeps_its_dialect() {
    // The reciprocal root of 2012 takes the absolute value, and its `IF` asks for a float.
    let text = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {   -4.0000,     0.0000,     0.0000,     0.0000}\n  \
                0: RSQ OUT[0], IMM[0].xxxx\n  1: END\n";
    let stated = format!("# dialect: 2012\n{text}");
    let run = |args: &[&str], input: &[u8]| {
        let ran = tgsi_with(&[&["run", "-"], args].concat(), input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let want = run(&[], stated.as_bytes());
    assert!(want.contains("0.5"), "{want}");
    assert_ne!(run(&[], text.as_bytes()), want);
    for args in [&["convert", "-"][..], &["convert", "-", "--floats", "hex"]] {
        let converted = tgsi_with(args, stated.as_bytes());
        assert_eq!((converted.code, converted.err.as_str()), (0, ""));
        assert_eq!(run(&[], converted.out.as_bytes()), want);
    }
    let converted = tgsi_with(&["convert", "-", "--dialect", "2012"], text.as_bytes());
    assert_eq!(run(&[], converted.out.as_bytes()), want);
    let words = tgsi_with(&["encode", "-", "--hex"], stated.as_bytes());
    assert_eq!(words.code, 0, "{}", words.err);
    assert_eq!(run(&["--hex"], words.out.as_bytes()), want);
    let old = tgsi_with(&["encode", "-", "--hex", "--dialect", "2012"], text.as_bytes());
    let decoded = tgsi_with(&["decode", "-", "--hex", "--dialect", "2012"], old.out.as_bytes());
    assert_eq!((decoded.code, decoded.err.as_str()), (0, ""));
    assert_eq!(run(&[], decoded.out.as_bytes()), want);
}

/// In hexadecimal, nothing is lost.
#[test]
fn floats_in_hexadecimal_change_nothing_else() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL SVIEW[0], 2D, (FLOAT, UINT, SINT, UNORM)\n\
                IMM[0] FLT64 {1e-300, 1.0000000001}\nIMM[1] FLT32 {    0.1000,     0.0000,     0.0000,     0.0000}\n  \
                0: MOV OUT[0], IMM[1]\n  1: END\n";
    let words = |text: &str| {
        let ran = tgsi_with(&["encode", "-", "--hex"], text.as_bytes());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let hex = tgsi_with(&["fmt", "-", "--floats", "hex"], text.as_bytes());
    assert!(hex.code == 0 && hex.out.contains("0x3dcccccd"), "{}{}", hex.out, hex.err);
    assert_eq!(words(&hex.out), words(text));
}

/// The shader after it is of the same dialect, and what is to be known of it is said.
#[test]
fn a_geometry_shader_is_read_as_the_one_before_it() {
    let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    let geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n\
                    PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                    MOV_SAT OUT[0], IN[0][0]\nEMIT\nEND\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("g.tgsi");
    fs::write(&path, geometry).expect("a temporary folder can be created");
    let path = path.to_str().expect("the path is UTF-8");
    let args = ["compile", "-", "--dialect", "2012", "--chip", "rv770", "--before-geometry", path];
    let ran = tgsi_with(&args, vertex.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("MEM_RING"), "{}", ran.out);
    let is_reported = ran.err.contains("saturating a NaN kept it") && ran.err.contains("g.tgsi");
    assert!(is_reported, "{}", ran.err);
}

#[test]
fn the_dialects_that_a_text_fits_are_named() {
    let ran = tgsi_with(&["check", "-", "--dialect", "2010"], VIEWS.as_bytes());
    assert!(ran.err.contains("it is a good shader of dialect `2012` and `21.2`"), "{}", ran.err);
    assert!(ran.err.contains("help: dialects 2012 and 21.2 have it"), "{}", ran.err);
}

#[test]
fn old_shaders_are_rewritten_in_todays_language() {
    let ran = tgsi_with(&["modernise", "-", "--dialect", "2010"], SUB.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, SUB.replace("SUB OUT[0], IN[0], IN", "ADD OUT[0], IN[0], -IN"));
}

#[test]
fn words_of_a_dialect_compile_as_its_text_does() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let words = folder.path().join("old.bin").to_string_lossy().into_owned();
    for (text, dialect) in [(SUB, "2010"), (SUB, "2012"), (VIEWS, "2012")] {
        let args = ["encode", "-", "--dialect", dialect, "-o", &words];
        let made = tgsi_with(&args, text.as_bytes());
        assert_eq!((made.code, made.err.as_str()), (0, ""));
        for chip in CHIPS {
            let of_words = tgsi(&["compile", &words, "--dialect", dialect, "--chip", chip]);
            let args = ["compile", "-", "--dialect", dialect, "--chip", chip];
            let of_text = tgsi_with(&args, text.as_bytes());
            assert_eq!((of_words.code, of_text.code), (0, 0), "{}", of_words.err);
            assert_eq!(of_words.out, of_text.out);
        }
    }
}

#[test]
fn a_word_without_a_number_has_its_reason_and_remedy() {
    let with = |line: &str| {
        format!("FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  0: {line}\n  1: END\n")
    };
    for (line, dialect, remedy) in [
        ("SHR OUT[0], IN[0], IN[0]", "2010", "write `ISHR`"),
        ("SQRT OUT[0].x, IN[0].xxxx", "2012", "write `RSQ` and `RCP`"),
    ] {
        let ran = tgsi_with(&["encode", "-", "--dialect", dialect], with(line).as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{line}");
        let name = line.split(' ').next().expect("a name");
        let error = format!("error: dialect {dialect} has no number for opcode `{name}`");
        assert!(ran.err.contains(&error) && ran.err.contains(remedy), "{}", ran.err);
    }
}

/// Shaders in the manner of those that Mesa's own tests held in the years of both documents.
const MANNERS: [(&str, &str, &str); 7] = [
    (
        "2010 2012",
        "a matrix and an address",
        "VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
DCL CONST[0..8]
DCL TEMP[0..2]
DCL ADDR[0]
IMM FLT32 { 1.0000, 0.0000, 0.5000, 3.0000 }
  0: ARL ADDR[0].x, IN[1].xxxx
  1: DP4 TEMP[0].x, CONST[ADDR[0].x+1], IN[0]
  2: DP3 TEMP[0].y, CONST[ADDR[0].x+2], IN[0]
  3: SUB TEMP[1], IMM[0].xxxx, TEMP[0].xyxy
  4: SGE TEMP[2], TEMP[1], IMM[0].yyyy
  5: CND TEMP[2], TEMP[2], TEMP[1], IMM[0].zzzz
  6: MOV OUT[0], TEMP[0].xyxy
  7: DP2A OUT[1], TEMP[1], TEMP[2], IMM[0].xxxx
  8: END
",
    ),
    (
        "2010 2012",
        "immediates that an address picks",
        "VERT

DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
DCL TEMP[0]
DCL ADDR[0]

IMM FLT32 { 2.0, 1.0, 1.0, 1.0 }
IMM FLT32 { 0.0, 1.0, 0.5, 1.0 }
IMM FLT32 { 0.5, 0.0, 1.0, 1.0 }
IMM FLT32 { 1.0, 0.5, 0.0, 1.0 }

MOV OUT[0], IN[0]
MUL TEMP[0], IN[0], IMM[0]
ARL ADDR[0].x, TEMP[0]
MOV OUT[1], IMM[ADDR[0].x + 2]

END
",
    ),
    (
        "2012",
        "arrays of constants and of temporaries",
        "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL IMMX[0..1] { {1.0, 0.5, 0.25, 1.0}, {0.0, 1.0, 0.0, 1.0} }
DCL TEMPX[0][0..3]
DCL ADDR[0]
  0: ARR ADDR[0].x, IN[0].xxxx
  1: MOV TEMPX[0][1], IMMX[ADDR[0].x]
  2: MOV OUT[0], TEMPX[0][1]
  3: END
",
    ),
    (
        "2010",
        "a counted loop",
        "FRAG
DCL IN[0], COLOR, LINEAR
DCL OUT[0], COLOR
DCL LOOP[0]
DCL TEMP[0]
DCL CONST[0]
IMM FLT32 { 0.0, 4.0, 1.0, 2.0 }
  0: MOV TEMP[0], IMM[0].xxxx
  1: BGNFOR LOOP[0], CONST[0]
  2: ADD TEMP[0], TEMP[0], IN[0]
  3: ENDFOR LOOP[0]
  4: MOV OUT[0], TEMP[0]
  5: END
",
    ),
    (
        "2010 2012",
        "a predicate",
        "FRAG
DCL IN[0], COLOR, LINEAR
DCL OUT[0], COLOR
DCL PRED[0]
IMM FLT32 { 0.5, 4.0, 1.0, 2.0 }
  0: SLT PRED[0], IN[0], IMM[0].xxxx
  1: MOV OUT[0], IN[0]
  2: (PRED[0].xxxx) MOV OUT[0], IMM[0].zzzz
  3: END
",
    ),
    (
        "2012",
        "a kernel that swaps words of a resource",
        "COMP
DCL RES[0], BUFFER, RAW, WR
DCL SV[0], THREAD_ID[0]
DCL TEMP[0]
IMM UINT32 { 4, 0, 1, 0 }
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: LOAD TEMP[0].y, RES[0], TEMP[0].xxxx
  2: MFENCE RES[0]
  3: STORE RES[0].x, TEMP[0].xxxx, TEMP[0].yyyy
  4: END
",
    ),
    (
        "2010 2012",
        "textures and a kill",
        "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL TEMP[0]
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: KIL -TEMP[0]
  2: TXP OUT[0], IN[0], SAMP[0], SHADOW2D
  3: END
",
    ),
];

#[test]
fn shaders_in_the_manner_of_their_years_compile_for_four_chips() {
    let mut faults = String::new();
    for (dialects, what, text) in MANNERS {
        for dialect in dialects.split(' ') {
            for chip in CHIPS {
                let args = ["compile", "-", "--dialect", dialect, "--chip", chip];
                let ran = tgsi_with(&args, text.as_bytes());
                let is_refused = ran.code != 0 && !chip_lacks(text, chip);
                if is_refused {
                    faults += &format!("{what}, {dialect}, {chip}: {}\n", ran.err);
                }
            }
        }
    }
    assert_eq!(faults, "");
}

/// Files that have what Mesa's own tests of those years had: headers with a version, `EMIT` without operand, arrays of
/// constants, kernels without a main program. `TGSI_OLD_SHADERS` names a folder with more.
#[test]
fn files_of_old_shaders_compile_for_four_chips() {
    let own = root().join("tgsi-cli/tests/old");
    let more = std::env::var_os("TGSI_OLD_SHADERS").map(PathBuf::from);
    let mut count = 0;
    for folder in [own].into_iter().chain(more) {
        let entries = folder.read_dir().expect("the folder can be read");
        for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
            let text = fs::read_to_string(&path).expect("the file is text");
            for chip in CHIPS.into_iter().filter(|chip| !chip_lacks(&text, chip)) {
                let name = path.to_string_lossy();
                let has_dialect = text.contains("dialect:");
                let dialects: &[&str] = if has_dialect { &[""] } else { &["2012", "2010"] };
                let compile = |dialect: &&str| {
                    let flags = ["compile", &name, "--chip", chip, "--dialect", dialect];
                    let flags = if has_dialect { &flags[..4] } else { &flags[..] };
                    tgsi(flags)
                };
                let runs: Vec<_> = dialects.iter().map(compile).collect();
                assert!(runs.iter().any(|ran| ran.code == 0), "{name}, {chip}: {}", runs[0].err);
                count += 1;
            }
        }
    }
    println!("{count} programs of old shaders");
    assert!(count >= 44);
}

/// Compute shaders write to memory from Evergreen on.
fn chip_lacks(text: &str, chip: &str) -> bool {
    text.lines().any(|line| line == "COMP") && matches!(chip, "rv610" | "rv770")
}

#[test]
fn a_picked_immediate_is_the_same_on_every_machine() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let inputs = folder.path().join("in.json");
    fs::write(
        &inputs,
        r#"{"inputs": [[[0, 0, 0, 1], [0.5, 0, 0, 1], [0.5, 0, 0, 1], [0, 0, 0, 1]]]}"#,
    )
    .expect("the file can be written");
    let inputs = inputs.to_str().expect("the path is UTF-8");
    let text = MANNERS[1].2.replace("DCL IN[1]\n", "");
    let run = tgsi_with(
        &["run", "-", "--dialect", "2010", "--json", "--inputs", inputs],
        text.as_bytes(),
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let want: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    for (chip, generation) in CHIPS.into_iter().zip(["r600", "r700", "evergreen", "cayman"]) {
        let args = [
            "compile",
            "-",
            "--dialect",
            "2010",
            "--chip",
            chip,
            "--emit",
            "words",
            "--no-fetch-shader",
        ];
        let compiled = tgsi_with(&args, text.as_bytes());
        assert_eq!(compiled.code, 0, "{}", compiled.err);
        let args = [
            "sim",
            "-",
            "--hex",
            "--generation",
            generation,
            "--stage",
            "vertex",
            "--inputs",
            inputs,
        ];
        let ran = tgsi_with(&args, compiled.out.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{chip}");
        let got: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(got["outputs"]["PARAM[0]"], want["outputs"]["OUT[1]"], "{chip}");
    }
}

/// A cross product becomes several instructions, which nobody wrote.
const CROSS: &str = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..1]
DCL ADDR[0]
XPD TEMP[0], IN[0], IN[0].yzxw
RCP TEMP[1], IN[0].xxxx
MUL OUT[0], TEMP[1], TEMP[0]
END
";

#[test]
fn places_and_origins_are_those_of_the_text() {
    let subscripted = CROSS.replace("RCP TEMP[1], IN[0].xxxx", "ARL ADDR[0].x, IN[0].xxxx");
    let outside = subscripted.replace("TEMP[1], TEMP[0]", "TEMP[0], TEMP[ADDR[0].x-900]");
    let fused = CROSS.replace("MUL OUT[0], TEMP[1]", "FMA OUT[0], IN[0], TEMP[1]");
    for dialect in ["2010", "2012", "21.2"] {
        let args = ["compile", "-", "--dialect", dialect, "--chip", "cedar", "--emit", "json"];
        let ran = tgsi_with(&args, CROSS.as_bytes());
        let object: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(object["origins"][0], serde_json::json!([0, 1, 2]), "{dialect}");
        let ran = tgsi_with(&["run", "-", "--dialect", dialect], outside.as_bytes());
        assert!(ran.err.starts_with("error: instruction 2, lane 0: register -900 "), "{}", ran.err);
        assert!(ran.err.contains("<stdin>:8:1"), "{dialect}: {}", ran.err);
    }
    let ran = tgsi_with(&["compile", "-", "--chip", "rv770"], fused.as_bytes());
    assert!(ran.err.starts_with("error: FMA: this chip has no fused multiply-add"), "{}", ran.err);
    assert!(ran.err.contains("<stdin>:8:1"), "{}", ran.err);
    let undeclared = CROSS.replace("MUL OUT[0], TEMP[1]", "MUL OUT[0], TEMPX[0][1]");
    let ran = tgsi_with(&["compile", "-", "--chip", "rv770"], undeclared.as_bytes());
    assert!(ran.err.contains("<stdin>:8:1"), "{}", ran.err);
}

#[test]
fn old_shaders_are_judged_run_and_drawn_in_their_own_words() {
    for (dialects, what, text) in MANNERS {
        for dialect in dialects.split(' ') {
            let judged = tgsi_with(&["check", "-", "--dialect", dialect], text.as_bytes());
            assert_eq!((judged.code, judged.err.as_str()), (0, ""), "{what}, {dialect}");
            let ran = tgsi_with(&["run", "-", "--dialect", dialect], text.as_bytes());
            assert_eq!(ran.code, 0, "{what}, {dialect}: {}", ran.err);
            for shown in [&["cfg"][..], &["schedule", "--chip", "cayman"]] {
                let args = [&["graph", "-", "--dialect", dialect, "--what"][..], shown].concat();
                let ran = tgsi_with(&args, text.as_bytes());
                assert_eq!(ran.code, 0, "{what}, {dialect}, {shown:?}: {}", ran.err);
            }
        }
    }
}
