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
    let frame = reader.next_frame(&mut pixels).expect("the image is complete");
    (frame.width, pixels)
}

fn check(name: &str, size: &str, more: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let drawn = folder.path().join("drawn.png");
    let drawn_name = drawn.to_str().expect("the path is UTF-8");
    let shader = format!("examples/pictures/{name}.frag.tgsi");
    let mut args = vec!["run", "--image", drawn_name, "--size", size, shader.as_str()];
    args.extend(more);
    let ran = tgsi(&args);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{name}");
    let golden = root().join(format!("examples/pictures/{name}.png"));
    if test_support::is_update() {
        std::fs::copy(&drawn, &golden).expect("the file can be written");
    }
    let ((width, got), (want_width, want)) = (pixels(&drawn), pixels(&golden));
    assert_eq!((width, got.len()), (want_width, want.len()), "{name}");
    let is_close = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= TOLERANCE;
    let off = got.iter().zip(&want).filter(|pair| !is_close(*pair)).count();
    // A lane that leaves a loop an iteration earlier, because of a last bit, is another colour.
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
fn bad_requests_are_refused() {
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
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let mut bytes = Vec::new();
    let header = png::Encoder::new(&mut bytes, 1 << 20, 1 << 20).write_header();
    let mut writer = header.expect("a header can claim any size");
    writer.write_chunk(png::chunk::IDAT, &[0]).expect("a chunk can be written");
    drop(writer);
    let path = folder.path().join("large.png");
    std::fs::write(&path, bytes).expect("the file can be written");
    let unit = format!("0={}", path.display());
    let shader = "examples/pictures/sphere.frag.tgsi";
    let ran = tgsi(&["run", "--image", "/nowhere/out.png", shader, "--texture", &unit]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is too large"), "{}", ran.err);
}

/// The pixels of a small picture by a shader.
fn small(shader: &str, flags: &[&str]) -> Vec<u8> {
    sized(shader, "8x8", flags)
}

fn sized(shader: &str, size: &str, flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [source, drawn] = ["a.frag.tgsi", "a.png"].map(|name| folder.path().join(name));
    std::fs::write(&source, shader).expect("the file can be written");
    let [source, name] = [&source, &drawn].map(|path| path.to_str().expect("the path is UTF-8"));
    let ran = tgsi(&[&["run", source, "--image", name, "--size", size], flags].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shader} {flags:?}");
    pixels(&drawn).1
}

/// The same by the interpreter and by the code of chips.
fn small_by_all(shader: &str) -> Vec<u8> {
    let wanted = small(shader, &[]);
    for chip in ["rv770", "latte", "cedar", "cayman"] {
        assert_eq!(small(shader, &["--chip", chip]), wanted, "{shader} {chip}");
    }
    wanted
}

#[test]
fn code_reads_textures_that_are_buffers() {
    let shader = "FRAG
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], BUFFER, FLOAT
DCL TEMP[0]
F2I TEMP[0], IN[0]
TXF OUT[0], TEMP[0].xxxx, SAMP[0], BUFFER
END
";
    small_by_all(shader);
    let unit = ["--texture", "0=examples/pictures/mandelbrot.png"];
    let drawn = small(shader, &unit);
    assert_eq!(small(shader, &[&unit[..], &["--chip", "cedar"]].concat()), drawn);
}

#[test]
fn system_values_say_where_a_pixel_is_and_that_its_front_is_seen() {
    let place = small_by_all(
        "FRAG
DCL SV[0], POSITION
DCL OUT[0], COLOR
IMM[0] FLT32 {0.125, 0.125, 1.0, 1.0}
MUL OUT[0], SV[0], IMM[0]
END
",
    );
    // 4.5 and 2.5 of 8.
    assert_eq!(place[4 * (8 * 2 + 4)..][..4], [143, 80, 0, 255]);
    let face = small_by_all(
        "FRAG
DCL SV[0], FACE
DCL OUT[0], COLOR
IMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}
UIF SV[0].xxxx
MOV OUT[0], IMM[0].xyyw
ELSE
MOV OUT[0], IMM[0].yxyw
ENDIF
END
",
    );
    assert_eq!(face[..4], [255, 0, 0, 255]);
}

#[test]
fn pixels_outside_the_picture_know_that_they_are_helpers() {
    let shader = "FRAG
DCL SV[0], HELPER_INVOCATION
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.25, 0.5, 1.0, 0.0}
UCMP TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, IMM[0].yyyy
DDX TEMP[0].y, TEMP[0].xxxx
ADD OUT[0], TEMP[0].yyyy, IMM[0].yyyz
END
";
    let wanted = sized(shader, "3x2", &[]);
    // Beside the last pixel of a row is a helper, whose value is a quarter less.
    let row = [[128, 128, 128, 255], [128, 128, 128, 255], [64, 64, 64, 191]];
    assert_eq!(wanted, [row, row].as_flattened().as_flattened());
    assert_eq!(sized(shader, "3x2", &["--chip", "cedar"]), wanted);
}

#[test]
fn what_only_a_picture_needs_is_refused_without_one() {
    let shader = "examples/pictures/sphere.frag.tgsi";
    let prints: [&[&str]; 4] =
        [&["--json"], &["--trace"], &["-o", "a"], &["--chip", "cedar", "--compare"]];
    let settings = [["--constant", "0=1,2,3,4"], ["--texture", "0=a.png"], ["--size", "2x2"]];
    for flags in prints {
        for setting in settings {
            let ran = tgsi(&[&["run", shader], &setting[..], flags].concat());
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{setting:?} {flags:?}");
            assert!(ran.err.contains(setting[0]), "{}", ran.err);
        }
    }
}

/// A counter is 0 when a quad begins, and what a lane leaves in it the next one finds.
#[test]
fn counters_count_in_pictures() {
    let shader = "FRAG
DCL OUT[0], COLOR
DCL HWATOMIC[0][0]
DCL TEMP[0]
IMM[0] UINT32 {0, 1065353216, 0, 0}
ATOMXCHG TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy
LOAD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx
MOV OUT[0], TEMP[0].xxxx
END
";
    let wanted = sized(shader, "4x2", &[]);
    assert_eq!(wanted, [255; 32]);
    assert_eq!(sized(shader, "4x2", &["--chip", "cypress"]), wanted);
}

#[test]
fn inputs_that_no_picture_uses_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [given, out] = ["in.json", "out.png"].map(|name| folder.path().join(name));
    let [given, out] = [&given, &out].map(|path| path.to_str().expect("the path is UTF-8"));
    let args = ["run", "examples/pictures/plasma.frag.tgsi", "--image", out, "--inputs", given];
    for (key, value) in [
        ("inputs", "[[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]]"),
        ("sysvals", "[[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]]"),
        ("buffers", r#"{"0": ["5"]}"#),
        ("memory", r#"["5"]"#),
    ] {
        std::fs::write(given, format!(r#"{{"{key}": {value}}}"#)).expect("the file can be written");
        let ran = tgsi(&args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{key}");
        assert!(ran.err.contains(&format!("no use of `{key}`")), "{}", ran.err);
    }
    std::fs::write(given, r#"{"consts": [[1, 0, 0, 0]]}"#).expect("the file can be written");
    let ran = tgsi(&args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}
