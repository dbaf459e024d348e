//! Shader files of the Wii U: made of sources and JSON, shown, taken apart, judged.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it gfd` rewrites the expectations.

mod both_ways;
mod flags;
mod geometry;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Ran, check_golden, root, tgsi};

const VERTEX: &str = "tgsi-cli/tests/gfd/quad.vsh";
const PIXEL: &str = "tgsi-cli/tests/gfd/quad.psh";

fn good(args: &[&str]) -> Ran {
    let ran = tgsi(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    ran
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// A folder with the file that the sources make, with these flags.
pub(crate) fn linked(flags: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let path = folder.path().join("quad.gsh");
    let mut args = vec!["link", VERTEX, PIXEL, "-o", text(&path)];
    args.extend(flags);
    good(&args);
    (folder, path)
}

const STYLES: [&[&str]; 5] =
    [&[], &["--old-tool"], &["--align"], &["--style", "glsl-compiler"], &["--style", "unaligned"]];

#[test]
fn listings_show_all_of_a_file() {
    let (_folder, path) = linked(&[]);
    let listing = good(&["unlink", text(&path)]).out;
    assert_eq!(check_golden(&root().join("tgsi-cli/tests/gfd/quad.listing"), &listing), Ok(()));
}

#[test]
fn json_and_sources_make_the_same_file() {
    for flags in STYLES {
        let (folder, path) = linked(flags);
        let bytes = fs::read(&path).unwrap();
        let (json, again) = (folder.path().join("quad.json"), folder.path().join("again.gsh"));
        good(&["unlink", text(&path), "--emit", "json", "-o", text(&json)]);
        good(&["link", text(&json), "-o", text(&again)]);
        assert!(fs::read(&again).unwrap() == bytes, "{flags:?}");

        let sources = folder.path().join("sources");
        good(&["unlink", text(&path), "--emit", "sources", "--out-dir", text(&sources)]);
        relink(&sources, "quad", &again);
        assert!(fs::read(&again).unwrap() == bytes, "{flags:?}");
    }
}

/// Links the sources of a folder in the style that they state.
fn relink(folder: &Path, stem: &str, to: &Path) {
    let [vertex, pixel] = ["vsh", "psh"].map(|ext| folder.join(format!("{stem}.{ext}")));
    good(&["link", text(&vertex), text(&pixel), "-o", text(to)]);
}

#[test]
fn the_style_that_is_asked_for_wins_and_two_are_refused() {
    let (folder, path) = linked(&["--align"]);
    let sources = folder.path().join("sources");
    good(&["unlink", text(&path), "--emit", "sources", "--out-dir", text(&sources)]);
    let [vertex, pixel] = ["vsh", "psh"].map(|ext| sources.join(format!("quad.{ext}")));
    let again = folder.path().join("again.gsh");
    let link = &["link", text(&vertex), text(&pixel), "-o", text(&again)][..];
    good(&[link, &["--style", "unaligned"]].concat());
    assert!(fs::read(&again).unwrap() != fs::read(&path).unwrap());
    let source = fs::read_to_string(&pixel).unwrap();
    fs::write(&pixel, source.replacen("; style: aligned", "; style: unaligned", 1)).unwrap();
    let ran = tgsi(link);
    assert!(ran.code == 2 && ran.err.contains("state different styles"), "{}", ran.err);
}

#[test]
fn good_files_are_good() {
    let (_folder, path) = linked(&["--align"]);
    good(&["check", text(&path)]);
}

/// What is said of the file after a value of its JSON was changed: one of the file, or of a stage's structure.
fn judged(place: &str, value: Value) -> String {
    let (folder, path) = linked(&["--align"]);
    let (json, bad) = (folder.path().join("quad.json"), folder.path().join("bad.gsh"));
    good(&["unlink", text(&path), "--emit", "json", "-o", text(&json)]);
    let mut file: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let (stage, rest) = place.split_once(':').unwrap_or(("", place));
    let content = |block: &&mut Value| block["content"].get(stage).is_some();
    let root = match stage {
        "" => &mut file,
        _ => {
            let blocks = file["blocks"].as_array_mut().unwrap();
            &mut blocks.iter_mut().find(content).unwrap()["content"][stage]["shader"]
        }
    };
    *root.pointer_mut(rest).unwrap() = value;
    fs::write(&json, file.to_string()).unwrap();
    good(&["link", text(&json), "-o", text(&bad)]);
    tgsi(&["check", text(&bad)]).err
}

#[test]
fn what_a_loader_or_the_console_refuses_is_named() {
    for (place, value, code) in [
        ("/header/minor", json!(0), "version"),
        ("/endian", json!("Little"), "endian"),
        ("/trailing", json!("00"), "trailing"),
        ("VertexShader:/registers/SQ_PGM_RESOURCES_VS", json!(0x102), "gprs"),
        ("VertexShader:/program_size", json!(256), "size"),
        ("VertexShader:/registers/NUM_SQ_VTX_SEMANTIC", json!(1), "attribute"),
        ("VertexShader:/registers/NUM_SPI_VS_OUT_ID", json!(0), "parameter"),
        ("VertexShader:/mode", json!("UNIFORM_BLOCK"), "mode"),
        ("PixelShader:/tables/sampler_vars/0/location", json!(5), "sampler"),
        ("PixelShader:/registers/SPI_PS_INPUT_CNTL/0", json!(9), "parameter"),
    ] {
        let said = judged(place, value);
        assert!(said.contains(&format!("[{code}]")), "{place}: {said}");
    }
}

#[test]
fn errors_in_sources_name_their_line() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("bad.psh");
    for (line, message) in [
        ("; $CB_SHADER_MASK.OUTPUT9_ENABLE = 1", "`CB_SHADER_MASK` has no `OUTPUT9_ENABLE`"),
        ("; $ATTRIB_VARS[0].name = \"a\"", "shaders of this stage have no `ATTRIB_VARS`"),
        ("; $SQ_PGM_RESOURCES_PS.NUM_GPRS = 0", "NUM_GPRS is 0, but the code uses 1 registers"),
        ("EXPORTT: R0", "there is no instruction `EXPORTT`"),
    ] {
        fs::write(&source, format!("\n{line}\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n")).unwrap();
        let ran = tgsi(&["link", text(&source), "-o", text(&folder.path().join("x.gsh"))]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(message) && ran.err.contains("bad.psh:2:"), "{}", ran.err);
    }
    assert_eq!(tgsi(&["link", "a.txt"]).code, 1);
}

#[test]
fn files_that_sources_cannot_express_are_refused() {
    let (folder, path) = linked(&[]);
    let mut bytes = fs::read(&path).unwrap();
    bytes.push(1);
    fs::write(&path, bytes).unwrap();
    let out = text(folder.path());
    let ran = tgsi(&["unlink", text(&path), "--emit", "sources", "--out-dir", out]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no sources assemble to this file"), "{}", ran.err);
    let no_file = tgsi(&["unlink", VERTEX]);
    assert_eq!(no_file.code, 1);
    assert!(no_file.err.contains("does not begin with `Gfx2`"), "{}", no_file.err);
}

/// Files of other people's tools, beside the repository where they are: no errors, and their sources make them.
#[test]
fn published_files_are_made_of_their_sources() {
    let Some(shared) = test_support::shared("vectors/gsh") else { return };
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out.gsh");
    for name in ["block_color", "block_texture", "colorShader", "pos_col_shader", "textureShader"] {
        let path = shared.join(format!("{name}.gsh"));
        let bytes = fs::read(&path).unwrap();
        assert_eq!(tgsi(&["check", text(&path)]).code, 0, "{name}");
        good(&["render", text(&path), "--size", "8x8", "-o", text(&folder.path().join("x.png"))]);
        good(&["unlink", text(&path), "--emit", "sources", "--out-dir", text(folder.path())]);
        relink(folder.path(), name, &out);
        assert!(fs::read(&out).unwrap() == bytes, "{name}: taken apart");
        let [vertex, pixel] = ["vsh", "psh"].map(|ext| shared.join(format!("{name}.{ext}")));
        if vertex.exists() {
            let style = if name == "pos_col_shader" { "old-assembler" } else { "assembler" };
            let args = ["link", text(&vertex), text(&pixel), "--style", style, "-o", text(&out)];
            good(&args);
            assert!(fs::read(&out).unwrap() == bytes, "{name}: published sources");
        }
    }
}

/// A file that is linked of the TGSI shaders of the examples.
fn linked_shaders(flags: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let path = folder.path().join("textured.gsh");
    let mut args = vec!["link", "examples/textured.vert.tgsi", "examples/textured.frag.tgsi"];
    args.extend(["-o", text(&path)]);
    args.extend(flags);
    good(&args);
    (folder, path)
}

#[test]
fn shaders_become_files_that_are_good_and_run() {
    for flags in
        [&[][..], &["--align"], &["--align", "--uniforms", "registers"], &["--align", "-O0"]]
    {
        let (folder, path) = linked_shaders(flags);
        let judged = good(&["check", text(&path)]);
        assert_eq!((judged.out.as_str(), judged.err.as_str()), ("", ""), "{flags:?}");
        let json = folder.path().join("in.json");
        let uniforms = |vertex: &str| format!(r#"{{"attributes": {{{vertex}}}}}"#);
        let corners = r#""IN[0]": [[-1, -1, 0, 1], [1, -1, 0, 1], [-1, 1, 0, 1]]"#;
        fs::write(&json, uniforms(corners)).unwrap();
        let ran = good(&["run", text(&path), "--inputs", text(&json)]).out;
        assert!(ran.contains("vertex 2 parameter 10:") && ran.contains("pixel 3 color:"), "{ran}");
        let wrong = r#""nowhere": [[0]]"#;
        fs::write(&json, uniforms(wrong)).unwrap();
        let ran = tgsi(&["run", text(&path), "--inputs", text(&json)]);
        assert!(ran.err.contains("there is no attribute `nowhere`, only `IN[0]`"), "{}", ran.err);
    }
}

#[test]
fn published_sources_run_with_names() {
    let (_folder, path) = linked(&[]);
    let ran = good(&["run", text(&path), "--inputs", "tgsi-cli/tests/gfd/quad.json"]).out;
    assert!(ran.starts_with("vertex 0 position: -0.5 -0.5 0.0 1.0\n"), "{ran}");
    assert!(ran.contains("vertex 1 parameter 0: 1.0 1.0 0.0 0.0\n"), "{ran}");
}

#[test]
fn shaders_that_do_not_fit_are_refused() {
    let folder = TempDir::new().unwrap();
    let pixel = folder.path().join("pixel.tgsi");
    fs::write(
        &pixel,
        "FRAG\nDCL IN[0], GENERIC[7], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
    )
    .unwrap();
    let out = folder.path().join("x.gsh");
    let args = ["link", "examples/textured.vert.tgsi", text(&pixel), "-o", text(&out)];
    let ran = tgsi(&args);
    assert_eq!(ran.code, 1);
    let message = "GENERIC[7] is read, but the previous stage does not write it";
    assert!(ran.err.contains(message) && ran.err.contains("textured.vert.tgsi"), "{}", ran.err);
    assert!(!out.exists());
    let twice = tgsi(&["link", text(&pixel), text(&pixel), "-o", text(&out)]);
    assert!(twice.err.contains("is of the same stage as"), "{}", twice.err);
}

#[test]
fn both_ways_draw_the_same_picture() {
    let folder = TempDir::new().unwrap();
    let picture = |name: &str, flags: &[&str]| {
        let path = folder.path().join(name);
        let mut args = vec!["render", "examples/textured.vert.tgsi", "examples/textured.frag.tgsi"];
        args.extend(["--size", "24x16", "-o", text(&path)]);
        args.extend(flags);
        good(&args);
        fs::read(&path).unwrap()
    };
    let matrix = "CONST[0]=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    let given = ["--uniform", matrix, "--uniform", "CONST[0]=1,0.5,1,1"];
    let compiled = picture("a.png", &given);
    assert!(compiled == picture("b.png", &[&given[..], &["--interpreter"]].concat()));
    assert!(compiled != picture("c.png", &[&given[..], &["--attribute", "IN[1]=color"]].concat()));
    let (_folder, path) = linked_shaders(&[]);
    let ran = tgsi(&["render", text(&path), "--interpreter", "-o", "x.png"]);
    assert_eq!(ran.code, 2);
    let ran = tgsi(&["render", text(&path), "--uniform", "none=1", "-o", "x.png"]);
    assert!(ran.err.contains("there is no uniform `none`, only `CONST[0]`"), "{}", ran.err);
}

#[test]
fn fetch_shaders_are_made_of_streams() {
    let listing = good(&["fetch", "0:FLOAT_32_32_32", "2:UNORM_8_8_8_8@1+4/3"]).out;
    assert!(listing.contains("VTX_TC") && listing.contains("R0.y"), "{listing}");
    let words = good(&["fetch", "0:FLOAT_32", "--emit", "words"]).out;
    assert_eq!(words.split_whitespace().count(), 8, "{words}");
    for (stream, message) in [
        ("0:FLOAT_9", "there is no format `FLOAT_9`"),
        ("0", "`0` is not a stream such as"),
        ("0:FLOAT_32@17", "vertex buffers are numbered 0 to 15"),
    ] {
        let ran = tgsi(&["fetch", stream]);
        assert!(ran.code == 2 && ran.err.contains(message), "{}", ran.err);
    }
}

#[test]
fn machine_code_is_for_a_chip() {
    let words = "c0008000 94200688";
    let ran =
        crate::common::tgsi_with(&["disasm", "-", "--hex", "--chip", "latte"], words.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, "00 EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n"));
    let both = tgsi(&["disasm", "x", "--chip", "latte", "--isa", "r700"]);
    assert_eq!(both.code, 2);
    assert_eq!(tgsi(&["disasm", "x"]).code, 2);
}

/// A shader in a folder.
fn written(folder: &Path, name: &str, source: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, source).expect("the file can be written");
    path
}

const PLAIN_VERTEX: &str = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0]
MOV OUT[1], IN[0]
END
";

/// What the rasteriser takes for 0, and what it completes.
#[test]
fn layers_that_nothing_writes_and_fog_of_one_channel_link() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("a.gsh");
    for name in ["LAYER", "VIEWPORT_INDEX", "FOG"] {
        let pixel = format!(
            "FRAG\nDCL IN[0], {name}, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n"
        );
        let fog = if name == "FOG" { "DCL OUT[1], FOG\nMOV OUT[1].x, IN[0]\n" } else { "" };
        let vertex =
            format!("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n{fog}MOV OUT[0], IN[0]\nEND\n");
        let vertex = written(folder.path(), "a.vert.tgsi", &vertex);
        let pixel = written(folder.path(), "a.frag.tgsi", &pixel);
        good(&["link", text(&vertex), text(&pixel), "-o", text(&out)]);
        good(&["check", text(&out)]);
    }
}

/// The hardware would give the pixel shader the other output.
#[test]
fn layers_that_share_the_id_of_another_output_do_not_link() {
    let folder = TempDir::new().unwrap();
    for (read, written_as) in
        [("LAYER", "GENERIC[167]"), ("LAYER", "NORMAL"), ("VIEWPORT_INDEX", "GENERIC[159]")]
    {
        let pixel = format!(
            "FRAG\nDCL IN[0], {read}, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n"
        );
        let vertex = format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], {written_as}\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n"
        );
        let vertex = written(folder.path(), "a.vert.tgsi", &vertex);
        let pixel = written(folder.path(), "a.frag.tgsi", &pixel);
        let out = folder.path().join("a.gsh");
        let said = tgsi(&["link", text(&vertex), text(&pixel), "-o", text(&out)]).err;
        assert!(said.contains(&format!("{read}[0] is read")), "{said}");
        // What is declared and not read gets nothing.
        let pixel = format!(
            "FRAG\nDCL IN[0], {read}, CONSTANT\nDCL OUT[0], COLOR\nIMM[0] FLT32 {{1, 0, 0, 1}}\nMOV OUT[0], IMM[0]\nEND\n"
        );
        let pixel = written(folder.path(), "b.frag.tgsi", &pixel);
        good(&["link", text(&vertex), text(&pixel), "-o", text(&out)]);
    }
}

#[test]
fn the_fourth_pixel_lies_between_two_vertices_in_depth_too() {
    let pixel = "FRAG
DCL IN[0], POSITION, LINEAR
DCL IN[1], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
MOV OUT[0].xy, IN[0].zwww
MOV OUT[0].zw, IN[1].zzzw
END
";
    let folder = TempDir::new().unwrap();
    let vertex = written(folder.path(), "a.vert.tgsi", PLAIN_VERTEX);
    let pixel = written(folder.path(), "a.frag.tgsi", pixel);
    let corners = r#"{"attributes": {"IN[0]": [[0, 0, 0, 1], [1, 0, -1, 1], [0, 4, 3, 3]]}}"#;
    let json = written(folder.path(), "in.json", corners);
    let out = folder.path().join("a.gsh");
    good(&["link", text(&vertex), text(&pixel), "-o", text(&out)]);
    let ran = good(&["run", text(&out), "--inputs", text(&json)]).out;
    // z and w of clip space are 1 and 2 there.
    assert!(ran.contains("pixel 3 color: 0.75 0.5 1.0 2.0\n"), "{ran}");
}
