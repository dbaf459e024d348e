//! `tgsi run --image` on the examples: the pictures that were looked at.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it pictures` draws them anew.

use crate::common;

use std::io::Cursor;
use std::path::Path;

use common::{root, tgsi};

/// How far a channel may be off: sines and powers differ in their last bits from host to host.
const TOLERANCE: u8 = 2;

/// The pixels of a PNG file.
fn pixels(path: &Path) -> (u32, Vec<u8>) {
    let bytes = std::fs::read(path).expect("the picture can be read");
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("it is a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
    let frame = reader.next_frame(&mut pixels).expect("it is whole");
    (frame.width, pixels)
}

fn check(name: &str, size: &str, more: &[&str]) {
    let folder = tempfile::tempdir().expect("there is room for files");
    let drawn = folder.path().join("drawn.png");
    let drawn_name = drawn.to_str().expect("the path is text");
    let shader = format!("examples/pictures/{name}.frag.tgsi");
    let mut args = vec!["run", "--image", drawn_name, "--size", size, shader.as_str()];
    args.extend(more);
    let ran = tgsi(&args);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{name}");
    let golden = root().join(format!("examples/pictures/{name}.png"));
    if test_support::is_update() {
        std::fs::copy(&drawn, &golden).expect("the folder takes files");
    }
    let ((width, got), (want_width, want)) = (pixels(&drawn), pixels(&golden));
    assert_eq!((width, got.len()), (want_width, want.len()), "{name}");
    let is_close = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= TOLERANCE;
    let off = got.iter().zip(&want).filter(|pair| !is_close(*pair)).count();
    // A lane that leaves a loop a trip earlier, because of a last bit, is another colour.
    assert!(off * 200 <= got.len(), "{name}: {off} of {} channels differ", got.len());
}

#[test]
fn plasma_is_drawn() {
    check("plasma", "96x96", &["--constant", "0=1,0,0,0"]);
}

#[test]
fn mandelbrot_is_drawn() {
    check("mandelbrot", "96x80", &[]);
}

/// An odd size, with helper lanes at its edges, killed pixels, and a texture from a file.
#[test]
fn sphere_is_drawn() {
    let texture = "0=examples/pictures/mandelbrot.png";
    let light = ["--constant", "0=-0.5,-0.6,0.7,0", "--constant", "0:1=1,0.9,0.8,0"];
    check("sphere", "95x95", &[&light[..], &["--texture", texture]].concat());
}

#[test]
fn bad_wishes_are_refused() {
    let shader = "examples/pictures/plasma.frag.tgsi";
    let refused = |args: &[&str]| {
        let ran = tgsi(&[&["run", "--image", "/nowhere/out.png", shader], args].concat());
        (ran.code, ran.err)
    };
    let (code, err) = refused(&["--size", "0x7"]);
    assert_eq!(code, 2);
    assert!(err.contains("a picture has 1 to 67108864 pixels, not 0"), "{err}");
    let (code, err) = refused(&["--constant", "1=2,3"]);
    assert_eq!(code, 2);
    assert!(err.contains("`1=2,3` is not a constant such as 0=1,0.5,0,1"), "{err}");
    let (code, err) = refused(&["--texture", "0=examples/README.md"]);
    assert_eq!(code, 1);
    assert!(err.contains("examples/README.md"), "{err}");
    let ran = tgsi(&["run", "--image", "/nowhere/out.png", "examples/textured.vert.tgsi"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("only a fragment shader"), "{}", ran.err);
}

#[test]
fn a_short_file_that_claims_to_be_large_is_refused() {
    let folder = tempfile::tempdir().expect("there is room for files");
    let mut bytes = Vec::new();
    let header = png::Encoder::new(&mut bytes, 1 << 20, 1 << 20).write_header();
    let mut writer = header.expect("a header can say anything");
    writer.write_chunk(png::chunk::IDAT, &[0]).expect("so can a chunk");
    drop(writer);
    let path = folder.path().join("large.png");
    std::fs::write(&path, bytes).expect("the folder takes files");
    let unit = format!("0={}", path.display());
    let shader = "examples/pictures/sphere.frag.tgsi";
    let ran = tgsi(&["run", "--image", "/nowhere/out.png", shader, "--texture", &unit]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is too large"), "{}", ran.err);
}
