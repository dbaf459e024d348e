//! What has no effect on shader files is refused.

use std::fs;

use tempfile::TempDir;

use super::{PIXEL, PLAIN_VERTEX, VERTEX, good, linked, text, written};
use crate::common::{root, tgsi};

#[test]
fn flags_without_effect_on_compiled_programs_are_refused() {
    let (folder, path) = linked(&[]);
    let [json, out] = ["a.json", "a.png"].map(|name| folder.path().join(name));
    good(&["unlink", text(&path), "--emit", "json", "-o", text(&json)]);
    let link = &["link", text(&json), "-o", text(&out)][..];
    let listings = &["link", VERTEX, PIXEL, "-o", text(&out)][..];
    let render = &["render", text(&path), "-o", text(&out)][..];
    for (command, flags) in [
        (link, &["--align"][..]),
        (link, &["--style", "aligned"]),
        (link, &["-O3"]),
        (listings, &["-O0"]),
        (listings, &["--precise"]),
        (listings, &["--dialect", "2010"]),
        (listings, &["--hex"]),
        (render, &["--uniforms", "registers"]),
        (render, &["--dialect", "2012"]),
    ] {
        let ran = tgsi(&[command, flags].concat());
        assert!(ran.code == 2 && ran.err.contains("has no effect on"), "{flags:?}: {}", ran.err);
        assert!(!out.exists(), "{flags:?}");
    }
}

#[test]
fn all_that_a_shader_file_is_given_has_an_effect_or_is_refused() {
    let pixel =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let folder = TempDir::new().unwrap();
    let vertex = written(folder.path(), "a.vert.tgsi", PLAIN_VERTEX);
    let pixel = written(folder.path(), "a.frag.tgsi", pixel);
    let path = folder.path().join("a.gsh");
    good(&["link", text(&vertex), text(&pixel), "-o", text(&path)]);
    let run = |attributes: &str| {
        let json = format!(r#"{{"attributes": {{"IN[0]": [{attributes}]}}}}"#);
        let json = written(folder.path(), "in.json", &json);
        tgsi(&["run", text(&path), "--inputs", text(&json)])
    };
    let corners: Vec<String> = (0..70).map(|n| format!("[{n}, 0, 0, 1]")).collect();
    let ran = run(&corners.join(", "));
    assert!(ran.out.contains("vertex 69 position: 69.0 0.0 0.0 1.0\n"), "{}", ran.out);
    let ran = run("[1, 2, 3, 4], [1, 2, 3, 4, 5]");
    let message = "vertex 1 has 5 numbers for `IN[0]`, which takes up to 4";
    assert!(ran.code == 1 && ran.err.contains(message), "{}", ran.err);
    for flags in [
        &["--chip", "cedar", "--compare"][..],
        &["--chip", "latte", "--precise"],
        &["--max-steps", "7"],
        &["--max-memory", "7"],
        &["--dialect", "2012"],
        &["--strict"],
        &["--trace"],
        &["--image", "a.png"],
    ] {
        let ran = tgsi(&[&["run", text(&path)], flags].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags:?}");
        assert!(ran.err.contains(&format!("`{}` is for shaders", flags[0])), "{}", ran.err);
    }
}

#[test]
fn unused_output_paths_are_refused() {
    let (folder, path) = linked(&[]);
    let [out, dir] = ["out", "dir"].map(|name| folder.path().join(name));
    let sources = &["--emit", "sources", "--out-dir", text(&dir), "-o", text(&out)][..];
    for (flags, message) in [
        (sources, "`-o` has no effect on sources"),
        (&["--out-dir", text(&dir)], "`--out-dir` is for `--emit sources`"),
    ] {
        let ran = tgsi(&[&["unlink", text(&path)], flags].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags:?}");
        assert!(ran.err.contains(message), "{}", ran.err);
        assert!(!out.exists() && !dir.exists(), "{flags:?}");
    }
}

#[test]
fn a_listing_with_an_unknown_style_is_refused() {
    let folder = TempDir::new().unwrap();
    let listing = fs::read_to_string(root().join(VERTEX)).unwrap();
    let vertex = written(folder.path(), "a.vsh", &format!("; style: alignd\n{listing}"));
    let out = folder.path().join("a.gsh");
    let ran = tgsi(&["link", text(&vertex), PIXEL, "-o", text(&out)]);
    assert!(ran.code == 1 && !out.exists(), "{}", ran.err);
    for part in ["unknown style `alignd`", "a.vsh:1:10", "unaligned"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
}
