//! The examples build with the machine's compilers and do what they say; with sanitizers where there are any.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(clippy::print_stdout, reason = "who runs this should see what was there")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nMUL OUT[0], CONST[0], CONST[0]\nEND\n";

/// The static library that cargo built for this test.
fn library() -> PathBuf {
    let folder = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libtgsi_capi") && name.ends_with(".a")
    };
    let found = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_ours);
    found.max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap()).unwrap()
}

/// Builds an example; `None` where there is no compiler, or it lacks what `flags` ask for.
fn build(compiler: &str, example: &str, flags: &[&str], folder: &Path) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join("example");
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-g"])
        .args(flags)
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join("examples").join(example))
        .arg(library())
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program)
        .output();
    match output {
        Err(_) => {
            println!("examples: there is no `{compiler}` here");
            None
        }
        Ok(output) if output.status.success() => Some(program),
        Ok(output) if flags.iter().any(|flag| flag.starts_with("-fsanitize")) => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(why.contains("san"), "{example} does not build: {why}");
            println!("examples: `{compiler}` has no sanitizers here");
            None
        }
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{example}: {why}");
            None
        }
    }
}

fn run(program: &Path, shader: &str, folder: &Path) -> Output {
    let file = folder.join("shader.tgsi");
    fs::write(&file, shader).unwrap();
    Command::new(program).arg(&file).output().unwrap()
}

fn works(compiler: &str, example: &str, flags: &[&str], wanted: &str) {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(compiler, example, flags, folder.path()) else { return };
    let good = run(&program, SHADER, folder.path());
    let said = String::from_utf8_lossy(&good.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&good.stderr).into_owned();
    assert!(good.status.success() && complaint.is_empty(), "{said}{complaint}");
    assert!(said.contains("words") && said.contains(wanted), "{said}");
    let bad = run(&program, &SHADER.replace("MUL", "MULL"), folder.path());
    assert_eq!(bad.status.code(), Some(1), "{bad:?}");
    let complaint = String::from_utf8_lossy(&bad.stderr).into_owned();
    assert!(!complaint.contains("Sanitizer"), "{complaint}");
}

#[test]
fn the_example_in_c_works() {
    works("cc", "compile.c", &["-std=c11"], "0x3e800000");
}

#[test]
fn the_example_in_cpp_works() {
    works("c++", "compile.cpp", &["-std=c++17"], "0x3e800000");
}

#[test]
fn nothing_leaks() {
    works("cc", "compile.c", &["-std=c11", "-fsanitize=address,undefined"], "0x3e800000");
}

#[test]
fn valgrind_finds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build("cc", "compile.c", &["-std=c11"], folder.path()) else { return };
    let file = folder.path().join("shader.tgsi");
    for (shader, code) in [(SHADER.to_owned(), 0), (SHADER.replace("MUL", "MULL"), 1)] {
        fs::write(&file, shader).unwrap();
        let ran = Command::new("valgrind")
            .args(["--quiet", "--leak-check=full", "--show-leak-kinds=all", "--error-exitcode=99"])
            .arg(&program)
            .arg(&file)
            .output();
        let Ok(ran) = ran else {
            println!("examples: there is no valgrind here");
            return;
        };
        assert_eq!(ran.status.code(), Some(code), "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[test]
fn glsl_reaches_the_simulator() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("shader.frag");
    let module = folder.path().join("shader.spv");
    let text = "#version 450\nlayout(location = 0) out vec4 colour;\nvoid main() { colour = vec4(0.25); }\n";
    fs::write(&source, text).unwrap();
    let made =
        Command::new("glslangValidator").arg("-V").arg(&source).arg("-o").arg(&module).output();
    if made.is_err() {
        println!("examples: there is no glslangValidator here");
        return;
    }
    let Some(program) = build("cc", "compile.c", &["-std=c11"], folder.path()) else { return };
    let ran = Command::new(program).arg(&module).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success() && said.contains("0x3e800000"), "{said}");
}
