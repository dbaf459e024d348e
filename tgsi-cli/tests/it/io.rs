//! Inputs that cannot be read and outputs that cannot be written: a clear word, and nothing left after.
#![cfg(unix)]

use crate::common;

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{root, tgsi, tgsi_with};

const SHADER: &[u8] =
    b"FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]\nEND\n";

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tgsi"));
    command.current_dir(root()).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("the folder exists");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("it can be read").file_name();
    entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
}

/// Every subcommand that reads one file, as it is called for `file`.
fn readers(file: &str) -> Vec<Vec<String>> {
    let lines = [
        "compile FILE --chip rv770",
        "compile FILE --target maxwell-tex",
        "encode FILE",
        "decode FILE",
        "check FILE",
        "fmt FILE --check",
        "info FILE",
        "run FILE",
        "run examples/phong.frag.tgsi --inputs FILE",
        "asm FILE --isa r700",
        "asm FILE --isa maxwell",
        "disasm FILE --isa r700",
        "disasm FILE --isa maxwell --hex",
        "graph FILE --what cfg",
        "sim FILE --generation r700",
        "unlink FILE",
    ];
    let line = |line: &str| line.split(' ').map(|word| word.replace("FILE", file)).collect();
    lines.map(line).to_vec()
}

/// Runs every reader on `file`; each has to say `want` and nothing else.
fn all_report(file: &str, want: &str) {
    for args in readers(file) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = tgsi(&args);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.starts_with(&format!("error: {file}: {want}\n")), "{args:?}: {}", ran.err);
    }
}

#[test]
fn every_reader_knows_missing_files_and_directories() {
    all_report("no/such/file", "there is no such file");
    all_report("docs", "is a directory");
}

#[test]
fn a_file_of_a_gigabyte_is_refused_unread() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("large");
    // Sparse: it takes no room.
    File::create(&path).and_then(|file| file.set_len(1 << 30)).expect("the file can be written");
    let start = Instant::now();
    all_report(path.to_str().expect("the path is UTF-8"), "is longer than 268435456 bytes");
    let time = start.elapsed();
    assert!(time < Duration::from_secs(30), "{time:?}");
}

#[test]
fn endless_input_is_read_to_the_limit() {
    let ran = tgsi(&["check", "/dev/zero", "--max-input", "1000000"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.err,
        "error: /dev/zero: is longer than 1000000 bytes\n = help: `--max-input` raises the limit\n\n"
    );
    let piped = tgsi_with(&["check", "-", "--max-input", "10"], SHADER);
    assert_eq!(piped.code, 1);
    assert!(piped.err.starts_with("error: <stdin>: is longer than 10 bytes\n"), "{}", piped.err);
}

#[test]
fn bytes_that_are_no_text_are_pointed_at() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("latin1.tgsi");
    fs::write(&path, b"FRAG\n# \xe9t\xe9\nEND\n").expect("the file can be written");
    let path = path.to_str().expect("the path is UTF-8");
    for args in [&["check", path][..], &["compile", path, "--chip", "rv770"], &["fmt", path]] {
        let ran = tgsi(args);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{args:?}");
        assert!(ran.err.starts_with("error: byte 7 is not UTF-8 text\n"), "{args:?}: {}", ran.err);
    }
    assert_eq!(fs::read(path).expect("it is still there"), b"FRAG\n# \xe9t\xe9\nEND\n");
}

#[test]
fn a_file_that_may_not_be_read_is_reported() {
    // Not by its permissions, which are no obstacle to root: a loop of links cannot be opened by anyone.
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("loop");
    std::os::unix::fs::symlink(&path, &path).expect("the link can be created");
    all_report(
        path.to_str().expect("the path is UTF-8"),
        "cannot be read: Too many levels of symbolic links (os error 40)",
    );
}

/// Runs with standard output on the device that is always full.
#[cfg(target_os = "linux")]
fn on_full_device(args: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").expect("/dev/full exists");
    let input = File::open(root().join("examples/phong.frag.tgsi")).expect("there is an example");
    program()
        .args(args)
        .stdin(input)
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("the program runs")
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_wherever_the_result_goes() {
    let want = "cannot be written: No space left on device (os error 28)\n\n";
    for args in [
        &["compile", "examples/phong.frag.tgsi", "--chip", "rv770"][..],
        &["compile", "examples/phong.frag.tgsi", "--chip", "rv770", "--emit", "json"],
        &["fmt", "-"],
        &["info", "examples/phong.frag.tgsi"],
        &["completions", "bash"],
    ] {
        let ran = on_full_device(args);
        assert_eq!(ran.status.code(), Some(1), "{args:?}: {}", text(&ran.stderr));
        assert_eq!(text(&ran.stderr), format!("error: <stdout>: {want}"), "{args:?}");
    }
    let ran = tgsi(&["compile", "examples/phong.frag.tgsi", "--chip", "rv770", "-o", "/dev/full"]);
    assert_eq!((ran.code, ran.err), (1, format!("error: /dev/full: {want}")));
}

/// A limit on the size of files stands for a disk that fills while the result is written.
#[test]
fn a_disk_that_fills_leaves_the_old_file_and_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let out = folder.path().join("out.json");
    fs::write(&out, "old").expect("the file can be written");
    let line = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let ran = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_tgsi")])
        .args(["compile", "examples/phong.frag.tgsi", "--chip", "rv770", "--emit", "json", "-o"])
        .arg(&out)
        .current_dir(root())
        .output()
        .expect("there is a shell");
    let said = text(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("out.json: cannot be written: File too large"), "{said}");
    assert_eq!(fs::read_to_string(&out).expect("it is still there"), "old");
    assert_eq!(names(folder.path()), ["out.json"]);
}

/// The reader takes one line of many and goes; that is its right, and nobody is told.
#[test]
fn a_pipe_that_closes_ends_the_work_quietly() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let list = folder.path().join("list");
    fs::write(&list, "examples/phong.frag.tgsi\n".repeat(2_000)).expect("the file can be written");
    let mut child = program()
        .args(["compile", "--chip", "rv770", "--emit", "json", "--files-from"])
        .arg(&list)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = [0; 100];
    std::io::Read::read_exact(child.stdout.as_mut().expect("it is piped"), &mut first)
        .expect("there is a first line");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(0), String::new()));
}

#[test]
fn errors_that_nobody_can_read_do_not_stop_anything() {
    let full = File::options().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let ran = program().args(["check", "no/such/file"]).stderr(full).output();
    assert_eq!(ran.expect("the program runs").status.code(), Some(1));
}

#[test]
fn a_link_stays_a_link_to_the_new_result() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").expect("the file can be written");
    std::os::unix::fs::symlink("real", &link).expect("the link can be created");
    let link_name = link.to_str().expect("the path is UTF-8");
    let ran = tgsi_with(&["compile", "-", "--chip", "rv770", "-o", link_name], SHADER);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&real).expect("the file can be read").contains("EXP_DONE"));
}
