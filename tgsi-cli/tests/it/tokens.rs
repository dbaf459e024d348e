//! `tgsi encode` and `tgsi decode`, and words as inputs of other commands.

use crate::common;

use common::{tgsi, tgsi_with};

const SHADER: &str = "examples/textured.frag.tgsi";

#[test]
fn words_and_text_are_the_same_shader() {
    let text = std::fs::read_to_string(common::root().join(SHADER)).expect("there are examples");
    let canonical = tgsi_with(&["fmt", "-"], text.as_bytes());
    assert_eq!((canonical.code, canonical.err.as_str()), (0, ""));
    for form in [&["--dialect", "21.2"][..], &["--host", "big"]] {
        let words = tgsi(&[&["encode", SHADER, "--hex"], form].concat());
        assert_eq!((words.code, words.err.as_str()), (0, ""), "{form:?}");
        let back = tgsi_with(&[&["decode", "-", "--hex"], form].concat(), words.out.as_bytes());
        assert_eq!(comments_removed(&canonical.out), back.out, "{form:?}");
    }
}

/// The text without its comments and empty lines.
fn comments_removed(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line).trim_end());
    lines.filter(|line| !line.trim().is_empty()).map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_reading_warns_of_is_said_by_all_writers() {
    let text = b"FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 2}\nMOV OUT[0], IMM[0]\nEND\n";
    for args in [&["encode", "-", "--hex"][..], &["convert", "-"]] {
        let ran = tgsi_with(args, text);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.starts_with("warning[short-immediate]"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn shaders_are_carried_between_dialects() {
    let old = b"FRAG\nDCL TEMP[0]\nSUB TEMP[0], TEMP[0], TEMP[0]\nEND\n";
    let words = tgsi_with(&["encode", "-", "--dialect", "2010", "--hex"], old);
    assert_eq!((words.code, words.err.as_str()), (0, ""));
    let new = ["decode", "-", "--hex", "--dialect", "2010", "--to", "21.2"];
    let text = tgsi_with(&new, words.out.as_bytes());
    assert_eq!(text.out, "FRAG\nDCL TEMP[0]\n  0: ADD TEMP[0], TEMP[0], -TEMP[0]\n  1: END\n");
}

#[test]
fn what_a_dialect_lacks_is_pointed_at() {
    let text = b"FRAG\nDADD TEMP[0], TEMP[1], TEMP[2]\nEND\n";
    for from in [&["--dialect", "2012"][..], &["--dialect", "2012", "--from", "21.2"]] {
        let ran = tgsi_with(&[&["encode", "-", "--hex"], from].concat(), text);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{from:?}");
        assert!(ran.err.contains("<stdin>:2:1"), "{}", ran.err);
    }
    assert_eq!(tgsi(&["encode", SHADER, "--dialect", "2011"]).code, 2);
}

#[test]
fn bad_words_name_their_number() {
    let ran = tgsi_with(&["decode", "-", "--hex"], b"00000102 1 0000000f");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("word 2: there is no item of kind 15"), "{}", ran.err);
    let ran = tgsi_with(&["decode", "-", "--hex", "--words"], b"00000102 1 0000000f");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("error: there is no item of kind 15"), "{}", ran.out);
    assert_eq!(tgsi_with(&["decode", "-"], &[2, 1, 0]).code, 1);
}

#[test]
fn commands_take_words_for_shaders() {
    let words = [0x0000_0102_u32, 1, 0x0007_5002];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for command in ["check", "info"] {
        assert_eq!(tgsi_with(&[command, "-"], &bytes).code, 0, "{command}");
    }
    assert_eq!(tgsi_with(&["check", "-", "--hex"], b"0x102 0x1 0x75002").code, 0);
}

#[test]
fn strict_reading_says_what_mesa_says() {
    let text = b"FRAG\n// nothing\nEND\n";
    assert_eq!(tgsi_with(&["check", "-"], text).code, 0);
    let ran = tgsi_with(&["check", "-", "--strict"], text);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("Expected `DCL', `IMM' or a label"), "{}", ran.err);
}

#[test]
fn formatting_keeps_comments() {
    let ran = tgsi_with(&["fmt", "-"], b"// why\nFRAG\n\n\nend // done\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "// why\nFRAG\n\n  0: END  // done\n"));
}

#[test]
fn many_shaders_become_words_and_text_again() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (words, texts) = (path("words"), path("texts"));
    let other = "examples/loop.frag.tgsi";
    let ran = tgsi(&["encode", SHADER, other, "--out-dir", &words]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "2 files, 2 good, 0 bad\n"));
    let [a, b] = ["textured.frag", "loop.frag"].map(|name| format!("{words}/{name}.bin"));
    // A bad input does not keep the others.
    let bad = path("bad.bin");
    std::fs::write(&bad, [2, 1, 0]).expect("the file can be written");
    let ran = tgsi(&["decode", &a, &bad, &b, "--out-dir", &texts]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("bad.bin") && ran.err.ends_with("3 files, 2 good, 1 bad\n"),
        "{}",
        ran.err
    );
    for (name, words) in [("textured.frag", &a), ("loop.frag", &b)] {
        let text = std::fs::read_to_string(format!("{texts}/{name}.tgsi")).expect("it was written");
        assert_eq!(text, tgsi(&["decode", words]).out);
    }
    assert!(!std::path::Path::new(&format!("{texts}/bad.tgsi")).exists());
    let ran = tgsi(&["encode", SHADER, other]);
    assert!(ran.code == 2 && ran.err.contains("give `--out-dir DIR`"), "{}", ran.err);
}
