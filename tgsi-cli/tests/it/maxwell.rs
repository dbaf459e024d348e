//! Maxwell's texture instructions on the command line.

use crate::common;

use std::fs;

use common::{tgsi, tgsi_with};

const DISASM: &[&str] = &["disasm", "-", "--isa", "maxwell", "--hex"];
const ASM: &[&str] = &["asm", "-", "--isa", "maxwell", "--emit", "words"];

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [base, more].concat()
}

#[test]
fn bare_words_print_a_line_each() {
    let ran = tgsi_with(
        &with(DISASM, &["--sm", "52"]),
        b"0xc0380057aff70200\nda5000700 50b0000000070f00",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.out,
        "TEX R0, R2, 0x5, 2D, 0xf;\n.quad 0x0000000da5000700;\n.quad 0x50b0000000070f00;\n"
    );
}

#[test]
fn refused_words_are_pointed_at_and_reach_no_file() {
    let words = b"c438005000070200 c0380057aff70200";
    let ran = tgsi_with(&with(DISASM, &["--sm", "50"]), words);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out, ".quad 0xc438005000070200;\nTEX R0, R2, 0x5, 2D, 0xf;\n");
    assert_eq!(
        ran.err,
        "error: 0xc438005000070200: SM 5.0 has no .LC\n  ┌─ <stdin>:1:1\n  │\n\
         1 │ c438005000070200 c0380057aff70200\n  │ ^^^^^^^^^^^^^^^^\n\n"
    );
    assert_eq!(tgsi_with(&with(DISASM, &["--sm", "52"]), words).code, 0);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let out = folder.path().join("out.s").to_string_lossy().into_owned();
    assert_eq!(tgsi_with(&with(DISASM, &["--sm", "50", "-o", &out]), words).code, 1);
    assert!(fs::metadata(out).is_err());
}

#[test]
fn text_becomes_words() {
    let ran = tgsi_with(ASM, b"TEX R0, R2, 5, 2D;\nTLDS.LZ R0, R4, R9, R11, 7, 2D;");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "c0380057aff70200\nda50007000b70904\n");
}

#[test]
fn the_example_has_its_words() {
    let args =
        ["asm", "examples/textures.maxwell.s", "--isa", "maxwell", "--emit", "words", "--strict"];
    let words = common::root().join("examples/textures.maxwell.hex");
    let ran = tgsi(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    common::check_golden(&words, &ran.out).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn bundles_go_through_binary_and_back() {
    let text = "TEX.T R0, R2, 0x5, 2D, 0xf &wr0 ?stall1;\n\
                TEX.P R4, R2, 0x6, 2D, 0xf &req=0x1 &wr1 ?stall2_yield;\n\
                .quad 0x50b0000000070f00 ?stall15;\n";
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let out = folder.path().join("out.bin").to_string_lossy().into_owned();
    let made = tgsi_with(&["asm", "-", "--isa", "maxwell", "-o", &out], text.as_bytes());
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    assert_eq!(fs::metadata(&out).expect("there is a file").len(), 32);
    assert_eq!(tgsi(&["disasm", &out, "--isa", "maxwell"]).out, text);
    let vendor = tgsi(&["disasm", &out, "--isa", "maxwell", "--syntax", "vendor"]);
    assert!(vendor.out.starts_with("TEX.T R0, R2, 0x5, 2D, 0xf;\nTEX.P R4"), "{}", vendor.out);
    // In JSON, too, the form decides what lines say.
    for (form, line) in [("canonical", "0xf &wr0 ?stall1;\""), ("vendor", "0xf;\"")] {
        let json = tgsi(&["disasm", &out, "--isa", "maxwell", "--json", "--syntax", form]);
        assert!(json.out.contains(&format!("\"TEX.T R0, R2, 0x5, 2D, {line}")), "{}", json.out);
    }
    let hex = tgsi_with(&with(ASM, &["--layout", "bundles"]), text.as_bytes()).out;
    let back = tgsi_with(&with(DISASM, &["--layout", "bundles"]), hex.as_bytes());
    assert_eq!((back.code, back.out.as_str()), (0, text));
    let short = tgsi_with(&with(DISASM, &["--layout", "bundles"]), b"1 2 3");
    assert_eq!(
        (short.code, short.err.as_str()),
        (
            1,
            "error: <stdin>: ends 3 words into a bundle of 4\n = help: \
             `--layout bare` reads words without control words\n\n"
        )
    );
}

#[test]
fn words_in_the_other_byte_order_are_the_same_words() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("be.bin");
    fs::write(&file, 0xc038_0057_aff7_0200_u64.to_be_bytes())
        .expect("a temporary folder can be created");
    let file = file.to_string_lossy().into_owned();
    let args = ["disasm", &file, "--isa", "maxwell", "--layout", "bare", "--big-endian"];
    let ran = tgsi(&args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "TEX R0, R2, 0x5, 2D, 0xf;\n");
}

#[test]
fn bare_words_say_what_they_leave_out() {
    let ran = tgsi_with(ASM, b"TEX.P R0, R2, 5, 2D;");
    assert_eq!((ran.code, ran.out.as_str()), (0, "c0380057aff70200\n"));
    assert!(ran.err.starts_with("warning: phase and scheduling are left out"), "{}", ran.err);
}

#[test]
fn broken_rules_are_warnings_unless_asked_for() {
    let text = b"TEX R0, R3, 5, 2D;";
    let ran = tgsi_with(ASM, text);
    assert_eq!((ran.code, ran.out.as_str()), (0, "c0380057aff70300\n"));
    let warning = "warning[ra-align]: R3 starts 2 registers, no multiple of 2: Ra must be a multiple of \
                   the size of its vector (TEX and TLDS, register rule 2)\n";
    assert!(ran.err.starts_with(warning), "{}", ran.err);
    assert!(ran.err.contains("help: start the vector at a multiple of 2"), "{}", ran.err);
    let strict = tgsi_with(&with(ASM, &["--strict"]), text);
    assert_eq!((strict.code, strict.out.as_str()), (1, ""));
    assert!(strict.err.starts_with("error[ra-align]: "), "{}", strict.err);
}

#[test]
fn what_a_generation_lacks_is_an_error() {
    let text = b"TLDS.F16.LZ RZ, R0, R2, R3, 5, 2D, R;";
    let ran = tgsi_with(&with(ASM, &["--sm", "50"]), text);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.starts_with("error[spa52]: .F16: "), "{}", ran.err);
    assert_eq!(tgsi_with(&with(ASM, &["--sm", "53"]), text).code, 0);
}

#[test]
fn errors_point_at_the_text() {
    let ran = tgsi_with(ASM, b"TEX R0, R2, 5, 2D;\nTXD R0;\n");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert_eq!(
        ran.err,
        "error: unknown instruction `TXD`\n  ┌─ <stdin>:2:1\n  │\n2 │ TXD R0;\n  │ ^^^\n  │\n  \
         = help: known instructions are TEX and TLDS; `.quad 0x…` holds the word of any other\n\n"
    );
}

const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TXP_SAT OUT[0].xw, IN[0], SAMP[0], 2D
  1: END
";

#[test]
fn shaders_list_their_texture_instructions() {
    let ran = tgsi_with(
        &["compile", "-", "--target", "maxwell-tex", "--first-index", "8"],
        SHADER.as_bytes(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.out,
        "// <stdin>\n\n// 0: TXP_SAT OUT[0].xw, IN[0], SAMP[0], 2D\n\
         //   R2 = IN[0].x / IN[0].w (s)\n\
         //   R3 = IN[0].y / IN[0].w (t)\n\
         TEX R0, R2, 0x8, 2D, 0x9;\n\
         //   OUT[0].x = clamp(R0, 0, 1)\n\
         //   OUT[0].w = clamp(R1, 0, 1)\n\
         //   note: coordinates are divided by w: a reciprocal and multiplications\n"
    );
    let words = tgsi_with(ASM, ran.out.as_bytes());
    let direct = tgsi_with(
        &["compile", "-", "--target", "maxwell-tex", "--first-index", "8", "--emit", "words"],
        SHADER.as_bytes(),
    );
    assert_eq!((words.code, &words.out), (0, &direct.out));
}

#[test]
fn listings_comment_all_lines_of_an_instruction() {
    let shader = SHADER.replace("IN[0], SAMP[0], 2D", "\n IN[0], # coordinates\n SAMP[0],\n2D");
    assert_ne!(shader, SHADER);
    let compile = ["compile", "-", "--target", "maxwell-tex"];
    let ran = tgsi_with(&compile, shader.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("\n//  SAMP[0],\n// 2D\n//   R2 = "), "{}", ran.out);
    let words = tgsi_with(ASM, ran.out.as_bytes());
    assert_eq!((words.code, words.err.as_str()), (0, ""));
    let direct = tgsi_with(&with(&compile, &["--emit", "words"]), SHADER.as_bytes());
    assert_eq!(words.out, direct.out);
}

#[test]
fn changed_meanings_of_old_shaders_are_reported_here_too() {
    let shader = "tgsi-cli/tests/old/kill_after_lookup.tgsi";
    let ran = tgsi(&["compile", shader, "--target", "maxwell-tex"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("the test ignored the blocks around it"), "{}", ran.err);
    assert_eq!(ran.err, tgsi(&["compile", shader, "--chip", "cayman"]).err);
}

#[test]
fn results_for_machines_are_json() {
    let args = ["compile", "-", "--target", "maxwell-tex", "--sm", "50", "--emit", "json"];
    let ran = tgsi_with(&args, SHADER.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON line");
    assert_eq!((&json["sm"], &json["stage"]), (&50.into(), &"FRAG".into()));
    let one = &json["instructions"][0];
    assert_eq!(one["text"], "TEX R0, R2, 0x0, 2D, 0x9;");
    assert_eq!(one["sources"][1]["from"], "IN[0].y / IN[0].w");
    assert_eq!(one["results"][1], serde_json::json!({"channel": "w", "register": "R1"}));
}

#[test]
fn what_is_refused_is_pointed_at_and_the_rest_listed() {
    let shader = SHADER.replace("  1: END", "  1: TXQ OUT[0].x, IN[0], SAMP[0], 2D\n  2: END");
    let ran = tgsi_with(&["compile", "-", "--target", "maxwell-tex"], shader.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: needs TXQ, which is neither TEX nor TLDS\n"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("TEX R0, R2, 0x0, 2D, 0x9;\n"), "{}", ran.out);
    assert!(ran.out.contains("//   refused: needs TXQ"), "{}", ran.out);
}

#[test]
fn chips_and_targets_exclude_each_other() {
    assert_eq!(tgsi(&["compile", "x.tgsi"]).code, 2);
    assert_eq!(tgsi(&["compile", "x.tgsi", "--chip", "rv770", "--target", "maxwell-tex"]).code, 2);
    assert_eq!(tgsi(&["disasm", "x", "--isa", "r700", "--syntax", "vendor"]).code, 2);
    assert_eq!(tgsi(&["disasm", "x", "--isa", "maxwell", "--sm", "70"]).code, 2);
}

#[test]
fn what_the_target_would_ignore_is_refused() {
    let target = &["compile", "-", "--target", "maxwell-tex"];
    for (option, value) in [
        ("-O", "1"),
        ("--precise", ""),
        ("--stats", ""),
        ("--time-passes", ""),
        ("--verify-each", ""),
        ("--print-after", "all"),
        ("--stop-after", "select"),
        ("--disable-pass", "simplify"),
        ("--fuel", "1"),
        ("--max-growth", "1"),
        ("--ignore-hazard", "index_kinds"),
        ("--pass-graph", "passes.dot"),
        ("--color-buffers", "2"),
        ("--vertex-as", "local"),
        ("--before-geometry", "none.tgsi"),
        ("--stream-output", "1.x:0:0"),
    ] {
        let given = [option, value];
        let given = given.iter().copied().filter(|word| !word.is_empty());
        let args: Vec<&str> = target.iter().copied().chain(given).collect();
        let ran = tgsi_with(&args, SHADER.as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{option}: {}", ran.err);
        assert!(ran.err.contains(option) && ran.err.contains("--target"), "{}", ran.err);
    }
}

#[test]
fn the_folder_of_results_is_made() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (shader, new) = (folder.path().join("a.tgsi"), folder.path().join("new"));
    fs::write(&shader, SHADER).expect("a temporary folder can be created");
    let [shader, out] = [&shader, &new].map(|path| path.to_string_lossy().into_owned());
    let ran = tgsi(&["compile", &shader, "--target", "maxwell-tex", "--out-dir", &out]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(new.join("a.s").is_file());
}

#[test]
fn the_meaning_of_words_is_commented() {
    let words = b"da50007000b70904 50b0000000070f00";
    let ran = tgsi_with(&with(DISASM, &["--sm", "52", "--semantics", "--words"]), words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let start = "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;  // da50007000b70904\n    \
                 // reads R9 (s), R11 (t)\n    \
                 // writes R4 (R), R5 (G), R0 (B), R1 (A)\n    \
                 // quad: active IPM & CTM; divergent without effect: no derivatives\n    \
                 // Direct3D: ld\n    // takes as given UseHeaderOptControl = FALSE, ";
    assert!(ran.out.starts_with(start), "{}", ran.out);
    assert!(ran.out.ends_with("\n.quad 0x50b0000000070f00;  // 50b0000000070f00\n"), "{}", ran.out);
    let back = tgsi_with(ASM, ran.out.as_bytes());
    assert_eq!((back.code, back.out.as_str()), (0, "da50007000b70904\n50b0000000070f00\n"));
}

#[test]
fn words_and_their_meaning_are_json_for_machines() {
    let ran = tgsi_with(&with(DISASM, &["--json"]), b"c0380057aff70200 50b0000000070f00");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON line");
    let tex = &json["instructions"][0];
    assert_eq!(
        (&tex["word"], &tex["text"]),
        (&"c0380057aff70200".into(), &"TEX R0, R2, 0x5, 2D, 0xf;".into())
    );
    assert_eq!(tex["meaning"]["direct3d"], "sample");
    assert_eq!(tex["meaning"]["reads"][1], serde_json::json!({"register": "R3", "holds": "t"}));
    assert_eq!(tex["meaning"]["quad"]["other_threads"]["divergent"], true);
    assert_eq!(json["instructions"][1].get("meaning"), None);
}

#[test]
fn words_are_judged_when_asked() {
    let words = b"c0380057aff70300";
    assert_eq!(tgsi_with(DISASM, words).err, "");
    let ran = tgsi_with(&with(DISASM, &["--verify"]), words);
    assert_eq!((ran.code, ran.out.as_str()), (1, "TEX R0, R3, 0x5, 2D, 0xf;\n"));
    assert!(ran.err.starts_with("error[ra-align]: "), "{}", ran.err);
    let stats = tgsi_with(&with(DISASM, &["--stats"]), words);
    assert_eq!((stats.code, stats.out.as_str()), (2, ""));
}
