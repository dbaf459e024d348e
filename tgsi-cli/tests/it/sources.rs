//! SPIR-V modules and sources as inputs.

use crate::common;

use common::{root, tgsi, tgsi_with};

const MODULE: &str = "tgsi-spirv/tests/shaders/stages.vert.spv";

#[test]
fn modules_are_taken_where_shaders_are() {
    let text = std::fs::read_to_string(root().join("tgsi-spirv/tests/shaders/stages.vert.tgsi"));
    let text = text.expect("the text lies beside the module");
    assert_eq!(tgsi(&["convert", MODULE]).out, text);
    let bytes = std::fs::read(root().join(MODULE)).expect("the module can be read");
    assert_eq!(tgsi_with(&["convert", "-"], &bytes).out, text);
    assert_eq!(tgsi(&["check", MODULE]).code, 0);
    let listing = tgsi(&["compile", MODULE, "--chip", "latte"]);
    assert_eq!((listing.code, listing.err.as_str()), (0, ""));
    assert_eq!(tgsi_with(&["compile", "-", "--chip", "latte"], text.as_bytes()).out, listing.out);
}

#[test]
fn broken_modules_and_wrong_names_are_errors() {
    let ran = tgsi(&["convert", MODULE, "--entry", "other"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the module's entry points are `main`"), "{}", ran.err);
    let ran = tgsi_with(&["check", "-"], &[3, 2, 35, 7, 0, 0, 1, 0]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("invalid SPIR-V: the header has five words"), "{}", ran.err);
    assert_eq!(tgsi(&["convert", MODULE, "--specialize", "x"]).code, 2);
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    let source = "tgsi-spirv/tests/shaders/stages.vert";
    let ran = tgsi(&["convert", source, "--glslang", "no-such-glslang"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("no `no-such-glslang` is found"), "{}", ran.err);
    assert!(ran.err.contains("install the package `glslang-tools`"), "{}", ran.err);
}

#[test]
fn sources_become_what_their_modules_do() {
    let ran = tgsi(&["convert", "tgsi-spirv/tests/shaders/stages.vert"]);
    // Without the compiler, the error says so; the test of that is above.
    if ran.err.contains("glslang-tools") {
        println!("no glslang is installed");
        return;
    }
    assert_eq!(ran.out, tgsi(&["convert", MODULE]).out, "{}", ran.err);
}

#[test]
fn options_of_sources_are_those_of_no_command() {
    // Every command has them, so that a name in use twice would stop the command from starting.
    for command in
        ["sim", "asm", "disasm", "compile", "run", "info", "graph", "encode", "decode", "fmt"]
    {
        let ran = tgsi(&[
            command,
            "no-such-file",
            "--entry",
            "x",
            "-D",
            "A=1",
            "-I",
            "folder",
            "--opengl",
        ]);
        assert!(matches!(ran.code, 1 | 2), "{command}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{command}: {}", ran.err);
    }
}
