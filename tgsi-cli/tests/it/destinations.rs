//! Where results go: never over an input or over each other, and folders are made.

use crate::common;

use std::fs;
use std::path::Path;

use common::{root, tgsi, tgsi_with};

const PHONG: &str = "examples/phong.frag.tgsi";

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

#[test]
fn a_folder_of_results_is_made_and_no_two_inputs_share_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name).join("x.tgsi"));
    for file in [&a, &b] {
        fs::create_dir_all(file.parent().expect("the file has a folder"))
            .expect("the folder can be created");
        fs::copy(root().join(PHONG), file).expect("the file can be written");
    }
    let out = folder.path().join("deep/results");
    let args = ["compile", "--chip", "cedar", "--out-dir", text(&out)];
    let ran = tgsi(&[&args[..], &[text(&a), text(&b)]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("would both become"), "{}", ran.err);
    assert!(!out.exists(), "nothing was compiled");
    assert_eq!(tgsi(&[&args[..], &[text(&a)]].concat()).code, 0);
    assert!(out.join("x.s").exists());
}

#[test]
fn no_command_writes_over_its_input() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("shader.tgsi");
    fs::copy(root().join(PHONG), &file).expect("the file can be written");
    let before = fs::read(&file).expect("the file can be read");
    // By another name of the same file.
    let other = folder.path().join(".").join("shader.tgsi");
    for command in [
        &["compile", "--chip", "cedar"][..],
        &["encode"],
        &["decode"],
        &["graph", "--what", "cfg"],
        &["info"],
        &["modernise"],
        &["run"],
        &["asm", "--isa", "r700"],
        &["disasm", "--isa", "r700"],
        &["unlink"],
        &["sim", "--generation", "r700"],
    ] {
        let ran = tgsi(&[command, &[text(&file), "-o", text(&other)]].concat());
        assert_eq!(ran.code, 2, "{command:?}: {}", ran.err);
        assert!(ran.err.contains("would be overwritten"), "{command:?}: {}", ran.err);
        assert_eq!(fs::read(&file).expect("the file can be read"), before, "{command:?}");
    }
}

#[test]
fn a_missing_folder_is_named_without_temporary_files() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let out = folder.path().join("missing/out.s");
    let ran = tgsi(&["compile", "--chip", "cedar", PHONG, "-o", text(&out)]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("missing/out.s") && !ran.err.contains(".tgsi-"), "{}", ran.err);
}

#[test]
fn a_depfile_names_the_geometry_shader_too() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [vertex, geometry, out, dep] =
        ["a.vert.tgsi", "b.geom.tgsi", "a.s", "a.d"].map(|name| folder.path().join(name));
    let code = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    fs::write(&vertex, code).expect("the file can be written");
    let code = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                IMM UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    fs::write(&geometry, code).expect("the file can be written");
    let args = |before: &Path| {
        let args = ["compile", "--chip", "cedar", text(&vertex), "-o", text(&out)];
        [&args[..], &["--depfile", text(&dep), "--before-geometry", text(before)]]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let run = |args: Vec<String>| tgsi(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let ran = run(args(&geometry));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rule = fs::read_to_string(&dep).expect("the rule is there");
    assert!(rule.contains("a.vert.tgsi") && rule.contains("b.geom.tgsi"), "{rule}");
    let ran = run(args(&root().join(PHONG)));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("names a FRAG shader"), "{}", ran.err);
}

#[test]
fn a_depfile_does_not_name_standard_input() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [out, dep] = ["a.s", "a.d"].map(|name| folder.path().join(name));
    let args = ["compile", "--chip", "cedar", "-o", text(&out), "--depfile", text(&dep)];
    let shader = fs::read(root().join(PHONG)).expect("the file can be read");
    let ran = tgsi_with(&[&args[..], &["-"]].concat(), &shader);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(fs::read_to_string(&dep).expect("the rule is there"), format!("{}:\n", text(&out)));
    // The names of a list are known once only.
    let ran = tgsi_with(&[&args[..], &["--files-from", "-"]].concat(), PHONG.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rule = fs::read_to_string(&dep).expect("the rule is there");
    assert_eq!(rule, format!("{}: {PHONG}\n", text(&out)));
}

#[test]
fn a_depfile_names_a_file_or_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [out, dep] = ["out", "a.d"].map(|name| folder.path().join(name));
    let args = ["compile", "--chip", "cedar", PHONG, "--out-dir", text(&out), "--depfile"];
    let ran = tgsi(&[&args[..], &[text(&dep)]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("--depfile"), "{}", ran.err);
    assert!(!out.exists() && !dep.exists());
    let ran = tgsi(&["compile", "--chip", "cedar", PHONG, "-o", "-", "--depfile", text(&dep)]);
    assert!(ran.code == 2 && ran.err.contains("give `-o OUT`"), "{}", ran.err);
    // All targets have one.
    let args = ["compile", "--target", "maxwell-tex", PHONG, "-o", text(&out), "--depfile"];
    assert_eq!(tgsi(&[&args[..], &[text(&dep)]].concat()).code, 0);
    let rule = fs::read_to_string(&dep).expect("the rule is there");
    assert_eq!(rule, format!("{}: {PHONG}\n", text(&out)));
}

#[test]
fn marks_of_editors_are_passed_over_and_other_encodings_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("shader.tgsi");
    let plain = fs::read_to_string(root().join(PHONG)).expect("the file can be read");
    fs::write(&file, format!("\u{feff}{plain}")).expect("the file can be written");
    let args = ["compile", "--chip", "cedar"];
    let marked = tgsi(&[&args[..], &[text(&file)]].concat());
    assert_eq!(marked, tgsi(&[&args[..], &[PHONG]].concat()));
    let units: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [units.clone(), [&[0xff, 0xfe][..], &units].concat()] {
        fs::write(&file, bytes).expect("the file can be written");
        let ran = tgsi(&["check", text(&file)]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("is text in UTF-16, little-endian"), "{}", ran.err);
        assert!(ran.err.contains("save it as UTF-8"), "{}", ran.err);
    }
}

#[test]
fn commas_stand_between_words_in_hexadecimal() {
    let words = tgsi(&["compile", "--chip", "rv770", "--emit", "words", PHONG]).out;
    let commas = words.split_whitespace().map(|word| format!("0x{word},\n")).collect::<String>();
    let args = ["disasm", "--isa", "r700", "--hex", "-"];
    let run = |text: &str| common::tgsi_with(&args, text.as_bytes());
    assert_eq!(run(&commas), run(&words));
    assert_eq!(run(&words).code, 0);
}

#[test]
fn no_flag_writes_a_file_of_another_one() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [shader, other] = ["shader.tgsi", "other"].map(|name| folder.path().join(name));
    fs::copy(root().join(PHONG), &shader).expect("the file can be written");
    let before = fs::read(&shader).expect("the file can be read");
    let [shader_name, other] = [text(&shader), text(&other)];
    let compile = &["compile", "--chip", "cedar", shader_name, "-o", other][..];
    let module = "tgsi-spirv/tests/shaders/tint.frag.spv";
    for (args, message) in [
        (&["run", shader_name, "--image", shader_name][..], "give `--image` another file"),
        (&[compile, &["--depfile", shader_name]].concat(), "give `--depfile` another file"),
        (&[compile, &["--pass-graph", shader_name]].concat(), "give `--pass-graph` another file"),
        (&[compile, &["--trace-json", shader_name]].concat(), "give `--trace-json` another file"),
        (&["render", shader_name, "-o", shader_name], "give `-o` another file"),
        (
            &["run", PHONG, "--image", shader_name, "--texture", &format!("0={shader_name}")],
            "give `--image` another file",
        ),
        (&["convert", module, "-o", other, "--interface", other], "would both write"),
        (&[compile, &["--depfile", other]].concat(), "would both write"),
    ] {
        let ran = tgsi(args);
        assert!(ran.code == 2 && ran.err.contains(message), "{args:?}: {}", ran.err);
        assert_eq!(fs::read(&shader).expect("the file can be read"), before, "{args:?}");
        assert!(!Path::new(other).exists(), "{args:?}");
    }
}

#[test]
fn a_file_that_is_made_is_known_by_all_of_its_names() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    fs::create_dir(folder.path().join("sub")).expect("the folder can be created");
    let [out, depfile] = ["sub/../new.bin", "new.bin"].map(|name| folder.path().join(name));
    let args = ["compile", "--chip", "cedar", PHONG, "-o", text(&out), "--depfile", text(&depfile)];
    let ran = tgsi(&args);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("would both write"), "{}", ran.err);
    assert!(!depfile.exists());
}

/// The old result stays.
#[test]
fn a_compiler_that_stops_half_way_writes_no_result() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [out, new] = ["out.s", "new"].map(|name| folder.path().join(name));
    fs::write(&out, "old").expect("the file can be written");
    for flags in [["-o", text(&out)], ["--out-dir", text(&new)]] {
        let args = ["compile", "--chip", "cedar", PHONG, "--stop-after", "lower"];
        let ran = tgsi(&[&args[..], &flags].concat());
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("`--stop-after` ends without a result"), "{}", ran.err);
    }
    assert_eq!(fs::read_to_string(&out).expect("the file can be read"), "old");
    assert!(!new.exists());
}

#[test]
fn standard_input_is_read_once() {
    for args in [
        &["diff", "-", "-"][..],
        &["run", "-", "--inputs", "-"],
        &["compile", "--chip", "cedar", "-", "-"],
    ] {
        let ran = tgsi(args);
        assert!(
            ran.code == 2 && ran.err.contains("standard input can be read only once"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn pictures_have_names_of_pictures() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let out = folder.path().join("out.jpg");
    for args in [
        &["run", PHONG, "--image", text(&out)][..],
        &["render", "examples/quad.frag", "-o", text(&out)],
        &["graph", PHONG, "-o", text(&out)],
    ] {
        let ran = tgsi(args);
        assert!(ran.code == 2 && ran.err.contains("out.jpg` "), "{args:?}: {}", ran.err);
        assert!(!out.exists(), "{args:?}");
    }
    assert_eq!(tgsi(&["graph", PHONG, "--format", "svg", "-o", text(&out)]).code, 0);
}

#[test]
fn a_dash_is_standard_output_for_pictures_too() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let name = folder.path().join("a.png");
    for (args, flag) in [
        (&["run", PHONG, "--size", "4x4"][..], "--image"),
        (&["render", "examples/textured.vert.tgsi", "examples/textured.frag.tgsi"], "-o"),
    ] {
        assert_eq!(tgsi(&[args, &[flag, text(&name)]].concat()).code, 0, "{args:?}");
        let ran = tgsi(&[args, &[flag, "-"]].concat());
        let wanted = fs::read(&name).expect("the file can be read");
        assert_eq!((ran.code, ran.out), (0, String::from_utf8_lossy(&wanted).into()), "{args:?}");
    }
    assert!(!root().join("-").exists());
}

#[test]
fn a_file_is_no_folder_of_results() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("the file can be written");
    for args in [
        &["compile", "--chip", "cedar", PHONG, "--out-dir", text(&file)][..],
        &["man", text(&file)],
    ] {
        let ran = tgsi(args);
        assert!(ran.code == 1 && ran.err.contains("is a file, not a folder"), "{}", ran.err);
    }
}
