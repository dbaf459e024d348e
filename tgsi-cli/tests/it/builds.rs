//! The examples of `docs/in-a-build.md`, built by the tools that are installed.

use crate::common::root;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The block of a language in the page.
fn block(language: &str) -> String {
    let page = fs::read_to_string(root().join("docs/in-a-build.md")).expect("the page is there");
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the page has the block");
    rest.split_once("\n```").expect("the block ends").0.to_owned() + "\n"
}

/// A tool with `tgsi` in its path; `None` where it is not installed.
fn tool(name: &str, folder: &Path) -> Option<Command> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&path).any(|one| one.join(name).is_file()) {
        println!("{name} is not installed: its example was not built");
        return None;
    }
    let tgsi = PathBuf::from(env!("CARGO_BIN_EXE_tgsi"));
    let own = tgsi.parent().expect("the program is in a folder").to_owned();
    let all = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)));
    let mut command = Command::new(name);
    command.current_dir(folder).env("PATH", all.expect("no folder has a colon in its name"));
    Some(command)
}

/// A folder with a shader and a file of the build.
fn folder(file: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    fs::copy(root().join("examples/phong.frag.tgsi"), folder.path().join("phong.tgsi"))
        .expect("the shader can be copied");
    fs::write(folder.path().join(file), text).expect("the file can be written");
    folder
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("the tool starts");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

/// What was built, or none; the depfile may have been taken in.
fn is_program(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| !bytes.is_empty() && bytes.len().is_multiple_of(4))
}

#[test]
fn make_builds_the_example() {
    let folder = folder("Makefile", &block("make"));
    let Some(mut make) = tool("make", folder.path()) else { return };
    succeeds(make.arg("phong.bin"));
    assert!(is_program(&folder.path().join("phong.bin")));
    let rule = fs::read_to_string(folder.path().join("phong.bin.d")).expect("a depfile is there");
    assert_eq!(rule, "phong.bin: phong.tgsi\n");
}

#[test]
fn ninja_builds_the_example() {
    let folder = folder("build.ninja", &block("ninja"));
    let Some(mut ninja) = tool("ninja", folder.path()) else { return };
    succeeds(&mut ninja);
    assert!(is_program(&folder.path().join("phong.bin")));
}

#[test]
fn cmake_builds_the_example() {
    let folder = folder("CMakeLists.txt", &block("cmake"));
    let Some(mut configure) = tool("cmake", folder.path()) else { return };
    succeeds(configure.args(["-S", ".", "-B", "out"]));
    let Some(mut build) = tool("cmake", folder.path()) else { return };
    succeeds(build.args(["--build", "out"]));
    assert!(is_program(&folder.path().join("out/phong.bin")));
}
