//! `tgsi graph`: pictures in both formats, and what is refused.

use crate::common;

use std::fs;

use common::{root, tgsi, tgsi_with};

const EXAMPLE: &str = "examples/loop.frag.tgsi";

#[test]
fn every_picture_of_every_example_is_drawn() {
    let mut count = 0;
    for path in common::files("examples", ".tgsi") {
        let path = path.display().to_string();
        for what in ["cfg", "passes", "deps", "schedule"] {
            let ran = tgsi(&["graph", &path, "--what", what]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{path} {what}");
            assert!(ran.out.starts_with("<svg") && ran.out.contains("<text"), "{path} {what}");
            count += 1;
        }
    }
    println!("{count} pictures");
    assert!(count >= 24);
}

#[test]
fn the_name_of_the_file_chooses_the_format() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for (name, start) in [("out.png", b"\x89PNG".as_slice()), ("out.svg", b"<svg")] {
        let out = folder.path().join(name);
        let out = out.to_str().expect("the path is UTF-8");
        let ran = tgsi(&["graph", EXAMPLE, "--what", "schedule", "--theme", "dark", "-o", out]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(fs::read(out).expect("the picture is there").starts_with(start), "{name}");
    }
}

#[test]
fn blocks_are_chosen_by_number() {
    let of_block = |block| tgsi(&["graph", EXAMPLE, "--what", "deps", "--block", block]);
    assert!(of_block("1").out.contains("Dependences of block1"));
    let missing = of_block("99");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("there is no block99"), "{}", missing.err);
}

#[test]
fn bad_shaders_are_reported_in_their_places() {
    let ran = tgsi_with(&["graph", "-", "--what", "cfg"], b"FRAG\nMOVE OUT[0], IN[0]\nEND\n");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("MOVE"), "{}", ran.err);
    assert!(root().join(EXAMPLE).exists());
}
