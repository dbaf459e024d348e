//! The command line's contract: exit codes, inputs, outputs, diagnostics. `tgsi sim` stands for all
//! commands, since its inputs are the smallest.

use crate::common;

use std::fs;
use std::process::{Command, Stdio};

use common::{tgsi, tgsi_with};

/// `EXPORT_DONE PIXEL 0, R1.xyzw`, end of program, as the R600 generation has it.
const EXPORT: &[u8] = b"0xc0008000 94200688";

const SIM: &[&str] = &["sim", "-", "--hex", "--generation", "r700"];

#[test]
fn words_from_standard_input_run() {
    let ran = tgsi_with(SIM, EXPORT);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("the answer is JSON");
    assert_eq!(json["kill_mask"], "0x0");
    assert_eq!(json["outputs"]["PIXEL[0]"][3][3], "0x00000000");
}

#[test]
fn binary_and_hexadecimal_words_are_the_same_program() {
    let bytes: Vec<u8> =
        [0xc000_8000_u32, 0x9420_0688].iter().flat_map(|word| word.to_le_bytes()).collect();
    let binary = tgsi_with(&["sim", "-", "--generation", "r700"], &bytes);
    assert_eq!(binary, tgsi_with(SIM, EXPORT));
}

#[test]
fn inputs_reach_registers() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("in.json");
    fs::write(
        &path,
        r#"{"gprs": {"1": [[1, 0.5, "0x7fc00000", -2], [0,0,0,0], [0,0,0,0], [0,0,0,0]]}}"#,
    )
    .expect("the file can be written");
    let mut args = SIM.to_vec();
    args.extend(["--inputs", path.to_str().expect("the path is UTF-8")]);
    let ran = tgsi_with(&args, EXPORT);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("the answer is JSON");
    assert_eq!(
        json["outputs"]["PIXEL[0]"][0],
        serde_json::json!(["0x3f800000", "0x3f000000", "0x7fc00000", "0xc0000000"])
    );
}

#[test]
fn bad_words_are_pointed_at() {
    let ran = tgsi_with(SIM, b"c0008000\n9420068z\n");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert_eq!(
        ran.err,
        "error: `9420068z` is not a word of up to 8 hex digits\n  ┌─ <stdin>:2:1\n  │\n\
         2 │ 9420068z\n  │ ^^^^^^^^\n\n"
    );
}

#[test]
fn half_a_word_is_an_error() {
    let ran = tgsi_with(&["sim", "-", "--generation", "r700"], b"\x00\x01\x02\x03\x04");
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.err,
        "error: <stdin>: ends 1 bytes into a word of 4\n = help: `--hex` reads words as text\n\n"
    );
}

#[test]
fn a_program_that_breaks_a_rule_is_bad_input() {
    let ran = tgsi_with(SIM, b"0 0");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.starts_with("error: <stdin>: "), "{}", ran.err);
}

#[test]
fn messages_for_machines_are_json_lines() {
    let mut args = SIM.to_vec();
    args.extend(["--message-format", "json"]);
    let ran = tgsi_with(&args, b"1 xyz");
    let json: serde_json::Value = serde_json::from_str(&ran.err).expect("one JSON line");
    assert_eq!(json["file"], "<stdin>");
    assert_eq!(json["severity"], "error");
    assert_eq!((&json["line"], &json["column"]), (&1.into(), &3.into()));
    assert_eq!(json["span"], serde_json::json!([2, 5]));
}

/// Lines end with a carriage return alone, too, for people and for machines.
#[test]
fn old_line_ends_are_counted() {
    let text = "FRAG\rDCL OUT[0], COLOR\r; c\rMVO OUT[0]\rMOV OUT[0], TEMP[99]\rEND\r";
    for text in [text.to_owned(), text.replace('\r', "\r\n"), text.replace('\r', "\n")] {
        let shown = tgsi_with(&["check", "-"], text.as_bytes());
        assert_eq!(shown.code, 1, "{text:?}");
        for place in ["<stdin>:4:1\n", "<stdin>:5:13\n", "5 │ MOV OUT[0], TEMP[99]\n"] {
            assert!(shown.err.contains(place), "{text:?}: {:?}", shown.err);
        }
        let ran = tgsi_with(&["check", "-", "--message-format", "json"], text.as_bytes());
        let lines = ran.err.lines().map(|line| -> serde_json::Value {
            serde_json::from_str(line).expect("each line is JSON")
        });
        let places: Vec<_> =
            lines.map(|one| (one["line"].as_u64(), one["column"].as_u64())).collect();
        assert_eq!(places[..2], [(Some(4), Some(1)), (Some(5), Some(13))], "{text:?}");
    }
}

#[test]
fn colour_is_on_request() {
    let mut args = SIM.to_vec();
    args.extend(["--color", "always"]);
    assert!(tgsi_with(&args, b"xyz").err.contains("\u{1b}["));
    assert!(!tgsi_with(SIM, b"xyz").err.contains("\u{1b}["));
}

#[test]
fn missing_files_directories_and_binary_as_text_are_bad_input() {
    let missing = tgsi(&["sim", "no/such/file", "--generation", "r700"]);
    assert_eq!(missing.code, 1);
    assert_eq!(missing.err, "error: no/such/file: there is no such file\n\n");
    let folder = tgsi(&["sim", "docs", "--generation", "r700"]);
    assert_eq!(folder.code, 1);
    assert_eq!(folder.err, "error: docs: is a directory\n = help: name the files in it\n\n");
    let binary = tgsi_with(SIM, b"12 \xff\xfe");
    assert_eq!(binary.code, 1);
    assert!(binary.err.starts_with("error: byte 3 is not UTF-8 text\n"), "{}", binary.err);
}

#[test]
fn bad_command_lines_have_their_own_exit_code() {
    for args in [&["sim"][..], &["no-such-command"], &["sim", "-", "--generation", "r800"], &[]] {
        let ran = tgsi(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn an_output_file_appears_only_when_all_is_good() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("out.json");
    let mut args = SIM.to_vec();
    args.extend(["-o", path.to_str().expect("the path is UTF-8")]);
    assert_eq!(tgsi_with(&args, b"xyz").code, 1);
    assert_eq!(folder.path().read_dir().expect("the folder is there").count(), 0);
    let ran = tgsi_with(&args, EXPORT);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(fs::read_to_string(&path).expect("the file is there").contains("PIXEL[0]"));
    assert_eq!(folder.path().read_dir().expect("the folder is there").count(), 1);
}

#[test]
fn an_output_that_cannot_be_written_is_reported() {
    let mut args = SIM.to_vec();
    args.extend(["-o", "no/such/folder/out.json"]);
    let ran = tgsi_with(&args, EXPORT);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: no/such/folder/out.json: cannot be written: "),
        "{}",
        ran.err
    );
}

/// The completion script is longer than a pipe holds, so writing it must fail.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tgsi"))
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn every_subcommand_explains_itself_with_examples() {
    let help = tgsi(&["--help"]);
    assert_eq!(help.code, 0);
    let commands = help.out.split("Commands:\n").nth(1).expect("there are commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    // Deeper lines carry on a description.
    let commands = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 3);
    for name in names.into_iter().filter(|&name| name != "help") {
        let help = tgsi(&[name, "--help"]);
        assert_eq!(help.code, 0, "{name}");
        assert!(help.out.contains("Examples:\n"), "{name}: {}", help.out);
    }
}
