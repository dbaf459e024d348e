//! What a user may raise, or lower: each option has an effect, and the message names it.

use crate::common;

use common::{tgsi, tgsi_with};

const SHADER: &str = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL OUT[0], COLOR\nDCL TEMP[0..9]\n\
                      IMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]\nEND\n";

/// Runs with an option at `most`, where it is exceeded, and at one more, where it is not.
fn check(args: &[&str], input: &[u8], option: &str, most: u32) {
    for (value, code) in [(most, 1), (most + 1, 0)] {
        let value = value.to_string();
        let args = [args, &[option, &value]].concat();
        let ran = tgsi_with(&args, input);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        if code == 1 {
            assert!(ran.err.contains(&value) && ran.err.contains(option), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn text_and_files_have_limits() {
    let length = SHADER.len() as u32;
    for (option, most) in [
        ("--max-input", length - 1),
        ("--max-instructions", 1),
        ("--max-declarations", 1),
        ("--max-immediates", 0),
        ("--max-properties", 0),
        ("--max-registers", 10),
        ("--max-word", 25),
    ] {
        for command in [
            &["check", "-"][..],
            &["fmt", "-"],
            &["run", "-"],
            &["encode", "-", "-o", "-", "--hex"],
        ] {
            check(command, SHADER.as_bytes(), option, most);
        }
    }
}

#[test]
fn streams_have_limits() {
    let words = tgsi_with(&["encode", "-", "-o", "-", "--hex"], SHADER.as_bytes());
    assert_eq!((words.code, words.err.as_str()), (0, ""));
    let count = words.out.split_whitespace().count() as u32;
    for (option, most) in [
        ("--max-tokens", count - 1),
        ("--max-instructions", 1),
        ("--max-declarations", 1),
        ("--max-immediates", 0),
        ("--max-properties", 0),
        ("--max-registers", 10),
    ] {
        for command in [&["decode", "-", "--hex"][..], &["decode", "-", "--hex", "--words"]] {
            check(command, words.out.as_bytes(), option, most);
        }
    }
}

#[test]
fn runs_have_limits() {
    let run = &["run", "-"];
    check(run, SHADER.as_bytes(), "--max-steps", 1);
    let ran = tgsi_with(&["run", "-", "--max-memory", "100"], SHADER.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("more than the limit of 100"), "{}", ran.err);
    assert!(ran.err.contains("`--max-memory`"), "{}", ran.err);
    let endless = "FRAG\nBGNLOOP\nENDLOOP\nEND\n";
    let ran = tgsi_with(&["run", "-", "--max-steps", "1000"], endless.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the limit of 1000 steps is reached"), "{}", ran.err);
    assert!(ran.err.contains("`--max-steps`"), "{}", ran.err);
    // EXPORT_DONE PIXEL 0, R1.xyzw, which is one step.
    let sim = &["sim", "-", "--hex", "--generation", "r700"];
    check(sim, b"0xc0008000 94200688", "--max-steps", 0);
    // Four lanes write to the ring.
    let sim = &["sim", "-", "--asm", "--chip", "rv770"];
    let ring = "MEM_RING WRITE 0, R0.xyzw\nEXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n";
    check(sim, ring.as_bytes(), "--max-events", 3);
}

#[test]
fn growth_by_calls_has_a_limit() {
    // The first subroutine calls the second twice.
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL IN[0], COLOR, COLOR\nCAL :2\nEND\nBGNSUB\nCAL :6\nCAL :6\n\
                ENDSUB\nBGNSUB\nMOV OUT[0], IN[0]\nMOV OUT[0], IN[0]\nMOV OUT[0], IN[0]\nENDSUB\n";
    let compile = |most: &str| {
        tgsi_with(&["compile", "--chip", "rv770", "-", "--max-growth", most], text.as_bytes())
    };
    let ran = compile("11");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("grow the program beyond the instruction limit"), "{}", ran.err);
    assert!(ran.err.contains("`--max-growth` raises the limit"), "{}", ran.err);
    assert_eq!(compile("20").code, 0);
}

#[test]
fn nesting_is_limited_for_good() {
    let deep = |depth: usize| {
        format!(
            "FRAG\nDCL OUT[0], COLOR\n{}{}END\n",
            "BGNLOOP\nBRK\n".repeat(depth),
            "ENDLOOP\n".repeat(depth)
        )
    };
    assert!(!tgsi_with(&["check", "-"], deep(128).as_bytes()).err.contains("levels deep"));
    let ran = tgsi_with(&["check", "-"], deep(129).as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("128"), "{}", ran.err);
}

#[test]
fn the_help_lists_them() {
    for command in ["check", "compile", "decode", "fmt", "run"] {
        let help = tgsi(&[command, "--help"]).out;
        for option in [
            "input",
            "tokens",
            "instructions",
            "declarations",
            "immediates",
            "properties",
            "registers",
            "word",
        ] {
            assert!(help.contains(&format!("--max-{option}")), "{command} has no --max-{option}");
        }
    }
}
