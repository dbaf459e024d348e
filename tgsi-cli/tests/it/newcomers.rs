//! What people who are new to the program run into: each mistake names its remedy, and what is near at hand works.

use crate::common;

use std::fs;

use common::{tgsi, tgsi_with};

const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
";

/// Seven temporaries that nothing uses.
fn wasteful() -> String {
    let unused: String = (0..7).map(|n| format!("DCL TEMP[{n}]\n")).collect();
    SHADER.replace("DCL OUT", &format!("{unused}DCL OUT"))
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("the file can be written");
    path.to_string_lossy().into_owned()
}

#[test]
fn unknown_keys_of_inputs_are_errors_with_the_nearest_name() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let shader = file(&folder, "a.tgsi", SHADER);
    let inputs = file(&folder, "in.json", r#"{"inptus": []}"#);
    for args in [
        vec!["run", &shader, "--inputs", &inputs],
        vec!["sim", "docs/copy.hex", "--hex", "--chip", "rv610", "--inputs", &inputs],
    ] {
        let ran = tgsi(&args);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("unknown field `inptus`"), "{}", ran.err);
        assert!(ran.err.contains("help: did you mean `inputs`?"), "{}", ran.err);
    }
}

#[test]
fn integers_of_inputs_stand_in_quotes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let lane = r#"["7", "-1", 1, "0x10"]"#;
    let inputs =
        file(&folder, "in.json", &format!(r#"{{"inputs": [[{lane}, {lane}, {lane}, {lane}]]}}"#));
    let ran = tgsi_with(&["run", "-", "--json", "--inputs", &inputs], SHADER.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let want = serde_json::json!(["0x00000007", "0xffffffff", "0x3f800000", "0x00000010"]);
    assert_eq!(json["outputs"]["OUT[0]"][0], want);
}

#[test]
fn one_flag_names_the_chip_everywhere() {
    let listing = |flag, name| tgsi(&["disasm", "docs/copy.hex", "--hex", flag, name]);
    let want = listing("--chip", "rv770");
    assert_eq!((want.code, want.err.as_str()), (0, ""));
    for (flag, name) in [
        ("--chip", "r700"),
        ("--isa", "r700"),
        ("--isa", "latte"),
        ("--generation", "r700"),
        ("--generation", "latte"),
    ] {
        assert_eq!(listing(flag, name), want, "{flag} {name}");
    }
    let args = ["sim", "docs/copy.hex", "--hex", "--stage", "vertex", "--inputs", "docs/copy.json"];
    let ran = |more: [&str; 2]| tgsi(&[&args[..], &more].concat());
    let want = ran(["--generation", "r600"]);
    assert_eq!((want.code, want.err.as_str()), (0, ""));
    assert_eq!(ran(["--chip", "rv670"]), want);
    let unknown = listing("--chip", "r800");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("there are r600, r700, evergreen, cayman, "), "{}", unknown.err);
    assert_eq!(ran(["--chip", "maxwell"]).code, 2);
}

#[test]
fn rules_are_allowed_warned_of_and_denied_by_name() {
    let judged =
        |flags: &[&str]| tgsi_with(&[&["check", "-"], flags].concat(), wasteful().as_bytes());
    let plain = judged(&[]);
    assert_eq!(plain.code, 0);
    assert_eq!(plain.err.matches("warning[never-used]").count(), 5, "{}", plain.err);
    assert!(
        plain.err.ends_with("<stdin>: 2 more of `never-used` are not shown\n"),
        "{}",
        plain.err
    );
    let allowed = judged(&["--allow", "never-used"]);
    assert_eq!((allowed.code, allowed.err.as_str()), (0, ""));
    let denied = judged(&["--deny", "never-used"]);
    assert_eq!(denied.code, 1);
    assert!(denied.err.starts_with("error[never-used]"), "{}", denied.err);
    let bad = SHADER.replace("IN[0]\n", "TEMP[0]\n");
    let warned = tgsi_with(&["check", "-", "--warn", "undeclared-source"], bad.as_bytes());
    assert_eq!(warned.code, 0);
    assert!(warned.err.starts_with("warning[undeclared-source]"), "{}", warned.err);
    assert_eq!(judged(&["--allow", "no-such-rule"]).code, 2);
    let json = judged(&["--message-format", "json"]);
    assert_eq!(json.err.lines().count(), 7, "{}", json.err);
}

#[test]
fn warnings_of_many_files_are_counted_by_rule() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [a, b] = ["a.tgsi", "b.tgsi"].map(|name| file(&folder, name, &wasteful()));
    let ran = tgsi(&["check", &a, &b]);
    assert!(
        ran.err.ends_with("2 files, 2 good, 0 bad\n14 warnings: 14 never-used\n"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_sent_is_read_without_a_name() {
    let ran = tgsi_with(&["fmt"], SHADER.replace("  0: ", "").as_bytes());
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (0, "", SHADER));
}

#[test]
fn words_of_another_dialect_name_it() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let words = folder.path().join("old.bin").to_string_lossy().into_owned();
    let old = SHADER.replace("MOV OUT[0], IN[0]", "SUB OUT[0], IN[0], IN[0].yzwx");
    let made = tgsi_with(&["encode", "-", "--dialect", "2010", "-o", &words], old.as_bytes());
    assert_eq!(made.code, 0, "{}", made.err);
    let ran = tgsi(&["compile", &words, "--chip", "rv770"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("`--dialect 2010`"), "{}", ran.err);
}

#[test]
fn flags_of_other_stages_are_reported() {
    for flags in [
        &["--vertex-as", "copy"][..],
        &["--attribute", "0:0:0:r32g32_float"],
        &["--stream-output", "0.xyz:0:4"],
        &["--no-fetch-shader"],
        &["--tess-domain", "quads"],
    ] {
        let args = [&["compile", "-", "--chip", "rv770"], flags].concat();
        let ran = tgsi_with(&args, SHADER.as_bytes());
        assert_eq!(ran.code, 0);
        let want = format!("warning: <stdin>: `{}` has no effect on FRAG shaders", flags[0]);
        assert!(ran.err.starts_with(&want), "{}", ran.err);
    }
}

/// Who writes to buffers, clips and fetches depends on what a shader runs as.
#[test]
fn flags_of_other_roles_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let geometry = folder.path().join("points.geom.tgsi");
    std::fs::write(&geometry, POINTS).expect("the shader is written");
    let before = ["--before-geometry", geometry.to_str().expect("the path is UTF-8")];
    let stream = &["--stream-output", "0.x:0:0"][..];
    let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    for (shader, role, flags, want) in [
        (POINTS, &[][..], stream, Some("GEOM shaders")),
        (vertex, &["--vertex-as", "local"], stream, Some("VERT shaders before tessellation")),
        (vertex, &before, stream, Some("VERT shaders before a geometry shader")),
        (vertex, &before, &["--clip-position"], Some("VERT shaders before a geometry shader")),
        (
            vertex,
            &["--vertex-as", "copy"],
            &["--no-fetch-shader"],
            Some("VERT shaders that copy vertices"),
        ),
        (vertex, &[], &["--two-sided"], Some("VERT shaders")),
        (vertex, &["--vertex-as", "copy"], stream, None),
        (vertex, &before, &["--no-fetch-shader"], None),
        (vertex, &[], stream, None),
    ] {
        let args = [&["compile", "-", "--chip", "cedar"], role, flags].concat();
        let ran = tgsi_with(&args, shader.as_bytes());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let want =
            want.map(|who| format!("warning: <stdin>: `{}` has no effect on {who}\n", flags[0]));
        assert!(ran.err.starts_with(want.as_deref().unwrap_or("")), "{}", ran.err);
        assert_eq!(ran.err.contains("has no effect"), want.is_some(), "{}", ran.err);
    }
}

const POINTS: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], POSITION
DCL OUT[0], POSITION
IMM[0] UINT32 {0, 0, 0, 0}
MOV OUT[0], IN[0][0]
EMIT IMM[0].xxxx
END
";

#[test]
fn text_where_words_are_wanted_says_how_it_is_read() {
    let text = tgsi_with(&["disasm", "-", "--chip", "rv770"], SHADER.as_bytes());
    assert_eq!((text.code, text.out.as_str()), (1, ""));
    assert!(text.err.contains("is text, not binary words"), "{}", text.err);
    for chip in ["rv770", "maxwell"] {
        let hex = tgsi_with(&["disasm", "-", "--chip", chip], b"c0380057aff70200\n0xda5000700");
        assert_eq!((hex.code, hex.out.as_str()), (1, ""));
        assert!(hex.err.contains("help: `--hex` reads it"), "{}", hex.err);
    }
}

#[test]
fn dumps_of_mesa_are_not_read_back_and_say_so() {
    let dump =
        tgsi(&["disasm", "docs/copy.hex", "--hex", "--chip", "r600", "--syntax", "mesa"]).out;
    let ran = tgsi_with(&["asm", "-", "--chip", "r600"], dump.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("is a dump in Mesa's form"), "{}", ran.err);
}

#[test]
fn what_is_given_to_the_wrong_reader_says_which_reads_it() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let made = |name: &str, args: &[&str]| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        let ran = tgsi(&[args, &["-o", &path]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        path
    };
    let shader = "examples/phong.frag.tgsi";
    let code = made("code.bin", &["compile", shader, "--chip", "rv770", "--emit", "bin"]);
    let stream = made("stream.bin", &["encode", shader]);
    let big = made("big.bin", &["encode", shader, "--host", "big"]);
    let hex = made("stream.hex", &["encode", shader, "--hex"]);
    let linked = made("quad.gsh", &["link", "examples/phong.vert.tgsi", shader]);
    let disasm = &["disasm", "--chip", "rv770"][..];
    let maxwell = &["disasm", "--chip", "maxwell"][..];
    let compile = &["compile", "--chip", "rv770"][..];
    for (args, file, remedy) in [
        (&["decode"][..], &code, "`tgsi disasm` lists that"),
        (&["decode"], &big, "`--host big` reads them"),
        (&["decode", "--host", "big"], &stream, "`--host little` reads them"),
        (&["decode"], &hex, "`--hex` reads it"),
        (&["decode"], &linked, "`tgsi unlink` lists its shaders"),
        (compile, &hex, "`--hex` reads it"),
        (&["compile", "--chip", "rv770", "--hex"], &stream, "leave out `--hex`"),
        (compile, &linked, "`tgsi unlink` lists its shaders"),
        (&["disasm", "--chip", "rv770", "--hex"], &code, "leave out `--hex`"),
        (&["disasm", "--chip", "maxwell", "--hex"], &code, "leave out `--hex`"),
        (disasm, &stream, "`tgsi decode` prints its shader"),
        (maxwell, &code, "`--chip r700` reads it"),
    ] {
        let ran = tgsi(&[args, &[file.as_str()]].concat());
        assert!(ran.err.contains(remedy), "{args:?} {file}: {}", ran.err);
        // A listing is made of anything.
        assert_eq!(ran.code, i32::from(args != disasm && args != maxwell), "{args:?} {file}");
    }
    let none = tgsi(&[disasm, &["-"]].concat());
    assert!(none.err.contains("there are no words"), "{}", none.err);
}

#[test]
fn misspelt_chips_and_rules_have_a_nearest_name() {
    for (args, near) in [
        (&["compile", "x", "--chip", "lattte"][..], "did you mean `latte`? there are r600, rv610"),
        (&["disasm", "x", "--chip", "maxwel"], "did you mean `maxwell`? there are r600, r700"),
        (&["sim", "x", "--chip", "evergren"], "did you mean `evergreen`? there are r600, r700"),
        (&["check", "--allow", "never-usd", "x"], "did you mean `never-used`?"),
    ] {
        let ran = tgsi(args);
        assert!(ran.code == 2 && ran.err.contains(near), "{args:?}: {}", ran.err);
    }
    assert!(!tgsi(&["sim", "x", "--chip", "maxwell"]).err.contains("mean"));
}

#[test]
fn flags_for_maxwell_are_refused_elsewhere() {
    let shader = "examples/phong.frag.tgsi";
    for args in [
        &["compile", "--chip", "cedar", shader, "--sm", "50"][..],
        &["compile", "--chip", "cedar", shader, "--first-index", "4"],
        &["disasm", "--chip", "cedar", shader, "--layout", "bare"],
        &["asm", "--chip", "cedar", shader, "--sm", "52"],
    ] {
        assert_eq!(tgsi(args).code, 2, "{args:?}");
    }
}

#[test]
fn flags_that_change_nothing_of_the_result_are_refused() {
    let shader = "examples/phong.frag.tgsi";
    let disasm = &["disasm", "docs/copy.hex", "--hex", "--chip", "rv770"][..];
    let maxwell = &["disasm", "examples/textures.maxwell.hex", "--hex", "--chip", "maxwell"][..];
    for (command, flags, message) in [
        (disasm, &["--json", "--words"][..], "`--words` has no effect with `--json`"),
        (disasm, &["--stats", "--syntax", "amd"], "`--syntax` has no effect with `--stats`"),
        (disasm, &["--syntax", "mesa", "--semantics"], "no effect with `--syntax mesa`"),
        (maxwell, &["--json", "--semantics"], "`--semantics` has no effect with `--json`"),
        (&["asm", "--chip", "rv770", "docs/copy.hex"], &["--strict"], "`--strict` is for Maxwell"),
        (&["graph", shader], &["--block", "77"], "`--block` is for `--what deps`"),
        (&["graph", shader], &["--chip", "cayman"], "`--chip` has no effect on `--what cfg`"),
        (&["graph", shader], &["-O3"], "`-O` has no effect on `--what cfg`"),
        (&["run", "--chip", "cedar", shader], &["--max-memory", "1"], "is for the interpreter"),
    ] {
        let ran = tgsi(&[command, flags].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags:?}");
        assert!(ran.err.contains(message), "{}", ran.err);
    }
}

#[test]
fn immediates_count_as_declared() {
    let shader =
        SHADER.replace("  0: MOV OUT[0], IN[0]", "IMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]");
    let ran = tgsi_with(&["info"], shader.as_bytes());
    assert!(ran.out.contains("2 instructions, 1 immediate, 0 loops"), "{}", ran.out);
    assert!(ran.out.contains("IMM: 1 declared, read"), "{}", ran.out);
}

#[test]
fn logs_are_plain_text_without_a_terminal() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let cache = file(&folder, "cache", "");
    let ran = tgsi(&["compile", "--chip", "cedar", "examples/phong.frag.tgsi", "--cache", &cache]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("the cache cannot be written"), "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

#[test]
fn inputs_of_another_form_say_which_form_is_wanted() {
    for (inputs, message, help) in [
        ("nonsense", "not JSON: expected ident", ""),
        (
            r#"{"inputs": [[1, 2, 3, 4]]}"#,
            "expected an array of length 4",
            "a register has four lanes",
        ),
        (r#"{"inputs": [[[1], [1], [1], [1]]]}"#, "invalid length 1", "a register has four lanes"),
    ] {
        let ran =
            tgsi_with(&["run", "examples/phong.frag.tgsi", "--inputs", "-"], inputs.as_bytes());
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(message) && ran.err.contains(help), "{}", ran.err);
    }
}
