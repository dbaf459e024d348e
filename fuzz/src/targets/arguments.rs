//! The command line of the `tgsi` program, which is run in a folder of its own.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::target::{Form, Target};

pub(super) const TARGET: Target =
    Target { name: "arguments", form: Form::Text, seeds, check, needs: program_is_there };

/// How long the program may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// The shader that lies in the folder.
const SHADER: &str =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

fn seeds(_: &[String]) -> Vec<Vec<u8>> {
    const LINES: [&str; 16] = [
        "compile --chip rv770 shader.tgsi",
        "compile --chip cayman --emit json -O0 shader.tgsi",
        "compile --chip latte shader.tgsi -o out.bin --time-passes --verify-each",
        "check shader.tgsi --message-format json --deny-warnings",
        "check --explain never-used",
        "encode shader.tgsi --dialect 2012 --host big --hex",
        "decode --hex words.hex",
        "fmt shader.tgsi --floats hex",
        "info --json shader.tgsi",
        "run shader.tgsi --trace --max-steps 9",
        "asm --isa r700 --emit words code.s",
        "disasm --isa r700 --hex words.hex --stats",
        "disasm --isa maxwell --hex words.hex",
        "sim --generation r700 --hex words.hex",
        "graph --what cfg shader.tgsi",
        "completions bash",
    ];
    LINES.iter().map(|line| line.replace(' ', "\n").into_bytes()).collect()
}

/// The program: what `TGSI_PROGRAM` names, or what was built beside this one; `None` where there is none.
fn program() -> Option<PathBuf> {
    if let Some(path) = env::var_os("TGSI_PROGRAM") {
        return Some(PathBuf::from(path)).filter(|path| path.is_file());
    }
    let here = env::current_exe().ok()?;
    let name = format!("tgsi{}", env::consts::EXE_SUFFIX);
    here.ancestors().skip(1).take(2).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

fn program_is_there() -> Result<(), &'static str> {
    let remedy = "the `tgsi` program is not beside this one: build tgsi-cli, or set TGSI_PROGRAM";
    program().map(drop).ok_or(remedy)
}

fn check(input: &[u8]) -> Option<String> {
    let Some(program) = program() else { return Some("the program is gone".to_owned()) };
    let text = String::from_utf8_lossy(input);
    let args: Vec<&str> = text.lines().filter(|arg| !arg.contains('\0')).collect();
    // A server does not end, and a path that leads out of the folder might name anything.
    if args.iter().any(|arg| *arg == "explore" || arg.contains('/') || arg.contains("..")) {
        return None;
    }
    let folder = tempfile::tempdir().ok()?;
    fs::write(folder.path().join("shader.tgsi"), SHADER).ok()?;
    fs::write(folder.path().join("words.hex"), "c0008000 94200688\n").ok()?;
    fs::write(folder.path().join("code.s"), "00 EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n").ok()?;
    let child = match start(&program, &args, folder.path()) {
        Ok(child) => child,
        // An argument list may be too long for the system; the program has not seen it.
        Err(error) if error.kind() == ErrorKind::ArgumentListTooLong => return None,
        Err(error) => return Some(format!("{} does not start: {error}", program.display())),
    };
    match wait(child) {
        Some(status) if matches!(status.code(), Some(0..=2)) => None,
        Some(status) => Some(format!("{args:?} ended with {status}")),
        None => Some(format!("{args:?} does not end")),
    }
}

fn start(program: &Path, args: &[impl AsRef<OsStr>], folder: &Path) -> std::io::Result<Child> {
    Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// How the program ended; `None` when it had to be stopped.
fn wait(mut child: Child) -> Option<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}
