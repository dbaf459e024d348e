//! What `tgsi asm` and `tgsi disasm` say of two programs: of one that is good, and of one that breaks rules.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it machine_code` rewrites the expectations.

use crate::common;

use std::path::PathBuf;

use common::{Ran, check_golden, root, tgsi, tgsi_with};

fn folder() -> PathBuf {
    root().join("tgsi-cli/tests/machine_code")
}

fn path(name: &str) -> String {
    let path = folder().join(name);
    path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().into_owned()
}

fn matches_golden(name: &str, actual: &str) {
    assert_eq!(check_golden(&folder().join(name), actual), Ok(()));
}

/// The words of a program, assembled without being judged.
fn words(name: &str) -> String {
    let ran = tgsi(&["asm", &path(name), "--isa", "r700", "--emit", "words"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.out
}

fn disasm(name: &str, flags: &[&str]) -> Ran {
    let mut args = vec!["disasm", "-", "--hex", "--isa", "r700"];
    args.extend(flags);
    tgsi_with(&args, words(name).as_bytes())
}

fn asm(name: &str, flags: &[&str]) -> Ran {
    let path = path(name);
    let mut args = vec!["asm", path.as_str(), "--isa", "r700"];
    args.extend(flags);
    tgsi(&args)
}

#[test]
fn lines_stand_beside_their_words() {
    let ran = asm("halves.s", &["--listing", "--verify"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    matches_golden("halves.listing", &ran.out);
}

/// Every word of the program stands in the listing, once.
#[test]
fn the_listing_holds_every_word() {
    let listing = asm("halves.s", &["--listing"]).out;
    let mut shown: Vec<(&str, Vec<&str>)> = listing
        .lines()
        .filter(|line| !line.starts_with(' ') && !line.is_empty())
        .map(|line| (&line[..4], line[6..line.len().min(41)].split_whitespace().collect()))
        .collect();
    shown.sort_unstable();
    let shown: Vec<&str> = shown.into_iter().flat_map(|(_, words)| words).collect();
    let own = words("halves.s");
    // Padding before the fetch clause belongs to no line.
    let own: Vec<&str> = own.split_whitespace().filter(|word| *word != "00000000").collect();
    let shown: Vec<&str> = shown.into_iter().filter(|word| *word != "00000000").collect();
    assert_eq!(shown, own);
}

#[test]
fn rules_are_broken_at_lines_of_the_text() {
    let ran = asm("broken.s", &["--verify", "--emit", "words"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    matches_golden("broken.asm.stderr", &ran.err);
}

#[test]
fn rules_are_broken_at_places_of_the_words() {
    let ran = disasm("broken.s", &["--verify"]);
    assert_eq!(ran.code, 1);
    matches_golden("broken.disasm.stderr", &ran.err);
    let good = disasm("halves.s", &["--verify"]);
    assert_eq!((good.code, good.err.as_str()), (0, ""));
}

/// Fuses what only some chips do.
const FUSED: &str = "ALU:\nx: FMA R1.x, R0.x, R0.y, R0.z\n";
/// Indexes a register as the first chips cannot.
const INDEXED: &str = "ALU:\n0 x: MOVA_INT ____, R0.x\n1 x: MOV R1.x, R[AR.x+2].x\n";
/// Pushes by a clause where the stack is at the border of an entry.
const PUSHED: &str = "PUSH L1\nL1:\nPUSH L2\nL2:\nPUSH L3\nL3:\nALU_PUSH_BEFORE:\n\
                      x: PRED_SETGT ____, R0.x, 0 UPDATE_EXEC_MASK UPDATE_PRED\n\
                      JUMP L6 POP_CNT(1)\nALU_POP_AFTER:\nx: MOV R1.x, R0.x\n\
                      L6:\nPOP L7 POP_CNT(3)\nL7:\n";

/// Pushes by a clause in a loop within another.
const LOOPED: &str = "LOOP_START_DX10 L4\nL1:\nLOOP_START_DX10 L3\nL2:\nALU:\n\
                      x: PRED_SETGT ____, R0.x, 0 UPDATE_EXEC_MASK(BREAK) UPDATE_PRED\n\
                      ALU_PUSH_BEFORE:\n\
                      x: PRED_SETGT ____, R0.x, 0 UPDATE_EXEC_MASK UPDATE_PRED\n\
                      JUMP L6 POP_CNT(1)\nALU_POP_AFTER:\nx: MOV R1.x, R0.x\n\
                      L6:\nLOOP_END L2\nL3:\nLOOP_END L1\nL4:\n\
                      EXP_DONE: PIX0, R1.xxxx\nEND_OF_PROGRAM\n";

/// The chips of Cayman's generation get the same wrong, so that its name is enough.
#[test]
fn rules_that_all_chips_of_a_generation_have_are_checked() {
    for chip in ["cayman", "hd6970", "aruba"] {
        let args = ["asm", "-", "--chip", chip, "--verify", "--emit", "words"];
        let ran = tgsi_with(&args, LOOPED.as_bytes());
        assert_eq!((ran.code, ran.err.contains("V508")), (0, true), "{chip}: {}", ran.err);
        let disasm =
            |flag| tgsi_with(&["disasm", "-", "--hex", "--chip", chip, flag], ran.out.as_bytes());
        assert!(disasm("--verify").err.contains("V508"), "{chip}");
        assert!(disasm("--json").out.contains("V508"), "{chip}");
    }
}

/// A generation has chips that run them, and is none of those that do not.
#[test]
fn rules_of_the_chip_that_is_named_are_checked() {
    for (body, chip, others, rule, code) in [
        (FUSED, "cedar", ["evergreen", "cypress"], "V513", 1),
        (INDEXED, "rv610", ["r600", "rv670"], "V509", 1),
        (INDEXED, "hd2900", ["r600", "rv670"], "V509", 1),
        (PUSHED, "redwood", ["evergreen", "cypress"], "V508", 0),
    ] {
        let text = format!("{body}EXP_DONE: PIX0, R1.xxxx\nEND_OF_PROGRAM\n");
        let asm = |chip| {
            let args = ["asm", "-", "--chip", chip, "--verify", "--emit", "words"];
            tgsi_with(&args, text.as_bytes())
        };
        let ran = asm(chip);
        assert_eq!((ran.code, ran.err.contains(rule)), (code, true), "{chip}: {}", ran.err);
        let [of_generation, words] = others.map(asm);
        assert_eq!((of_generation.code, of_generation.err.as_str()), (0, ""));
        assert_eq!((words.code, words.err.as_str()), (0, ""));
        let disasm = |chip, flag| {
            let args = ["disasm", "-", "--hex", "--chip", chip, flag];
            tgsi_with(&args, words.out.as_bytes())
        };
        let ran = disasm(chip, "--verify");
        assert_eq!((ran.code, ran.err.contains(rule)), (code, true), "{chip}: {}", ran.err);
        assert!(disasm(chip, "--json").out.contains(rule), "{chip}");
        assert!(!disasm(others[0], "--json").out.contains(rule), "{}", others[0]);
    }
}

#[test]
fn costs_are_counted() {
    let ran = disasm("halves.s", &["--stats"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    matches_golden("halves.stats", &ran.out);
}

#[test]
fn lines_are_objects_of_json() {
    let ran = disasm("broken.s", &["--json"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("warning: <stdin>: no chip could run this"), "{}", ran.err);
    let object: serde_json::Value = serde_json::from_str(&ran.out).expect("the answer is JSON");
    let text = serde_json::to_string_pretty(&object).expect("JSON can be written");
    matches_golden("broken.json", &format!("{text}\n"));
}

#[test]
fn listings_have_the_forms_of_other_tools() {
    for form in ["canonical", "amd", "mesa"] {
        let ran = disasm("halves.s", &["--syntax", form]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        matches_golden(&format!("halves.{form}"), &ran.out);
    }
    let ran = disasm("halves.s", &["--words", "--semantics"]);
    matches_golden("halves.semantics", &ran.out);
}

#[test]
fn flags_of_the_other_family_are_refused() {
    for flag in ["--listing", "--verify"] {
        let ran = tgsi(&["asm", &path("halves.s"), "--isa", "maxwell", flag]);
        assert_eq!(ran.code, 2, "{flag}");
        assert!(ran.err.contains("is for the R600 family"), "{}", ran.err);
    }
}

/// Words that list as rubbish: what they look like is said, and what reads them.
#[test]
fn invalid_words_are_listed_as_what_they_resemble() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let good = path("good.bin");
    let made = tgsi(&[
        "compile",
        "--chip",
        "latte",
        "--emit",
        "bin",
        "-o",
        &good,
        "examples/phong.frag.tgsi",
    ]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let bytes = std::fs::read(&good).expect("the words");
    let swapped: Vec<u8> = bytes.chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    let file = [&b"Gfx2"[..], &bytes].concat();
    let cases: [(&str, &[u8], &str, &str); 5] = [
        ("swapped.bin", &swapped, "latte", "`--big-endian` reads them"),
        ("cut.bin", &bytes[..bytes.len() - 8], "latte", "cut short"),
        ("other.bin", &bytes, "cedar", "reads it"),
        ("shaders.gsh", &file, "latte", "`tgsi unlink`"),
        ("empty.bin", &[], "latte", "there are no words"),
    ];
    for (name, bytes, chip, said) in cases {
        std::fs::write(path(name), bytes).expect("a file");
        let listed = tgsi(&["disasm", "--chip", chip, &path(name)]);
        assert_eq!(listed.code, 0, "{name}: {}", listed.err);
        assert!(listed.err.contains(said), "{name}: {}", listed.err);
    }
    let listing = tgsi(&["disasm", "--chip", "latte", &good]);
    let read = tgsi(&["disasm", "--chip", "latte", "--big-endian", &path("swapped.bin")]);
    assert_eq!((read.out, read.err.as_str()), (listing.out, ""));
    assert_eq!(listing.err, "");
    let ran = tgsi(&["sim", "--chip", "latte", &good]);
    assert!(ran.err.contains("`consts` are bank 0"), "{}", ran.err);
}

#[test]
fn results_into_folders_that_are_not_there_say_so() {
    let ran =
        tgsi(&["compile", "--chip", "latte", "-o", "no/such/a.s", "examples/phong.frag.tgsi"]);
    assert_eq!((ran.code, ran.err.contains("there is no such folder")), (1, true), "{}", ran.err);
}
