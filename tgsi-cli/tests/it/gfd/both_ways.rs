//! Pictures of two shaders by the programs of a file and by the interpreter.

use std::fs;

use tempfile::TempDir;

use super::{PLAIN_VERTEX, good, text, written};

/// Both ways to draw two shaders, and that they give the same picture.
fn same_both_ways(vertex: &str, pixel: &str) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let vertex = written(folder.path(), "a.vert.tgsi", vertex);
    let pixel = written(folder.path(), "a.frag.tgsi", pixel);
    let picture = |name: &str, flags: &[&str]| {
        let path = folder.path().join(name);
        let args = ["render", text(&vertex), text(&pixel), "--size", "8x8", "-o", text(&path)];
        good(&[&args[..], flags].concat());
        fs::read(&path).unwrap()
    };
    let own = picture("a.png", &[]);
    assert!(own == picture("b.png", &["--interpreter"]));
    own
}

/// The bytes of a picture, four a pixel.
fn png_bytes(file: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a picture");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it is small")];
    reader.next_frame(&mut bytes).expect("the image is complete");
    bytes
}

#[test]
fn there_are_more_attributes_than_vertex_buffers() {
    let adds: String = (1..32).map(|n| format!("ADD TEMP[0], TEMP[0], IN[{n}]\n")).collect();
    let vertex = format!(
        "VERT\nDCL IN[0..31]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n\
         MOV TEMP[0], IN[31]\n{adds}MOV OUT[1], TEMP[0]\nMOV OUT[0], IN[0]\nEND\n"
    );
    let pixel =
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    same_both_ways(&vertex, pixel);
}

/// Left of the middle by one distance, above it by another; the third keeps all that it does not leave out.
#[test]
fn distances_clip_and_cull() {
    let pixel = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    let vertex = |counts: &str| {
        format!(
            "VERT\n{counts}DCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], CLIPDIST\n\
             IMM[0] FLT32 {{-2, 0, 0, 0}}\nMOV OUT[0], IN[0]\nMOV OUT[1].xy, IN[0]\n\
             ADD OUT[1].z, IN[0].xxxx, IMM[0].xxxx\nEND\n"
        )
    };
    let property = |name: &str, count: u32| format!("PROPERTY NUM_{name}DIST_ENABLED {count}\n");
    let drawn = |counts: &str| {
        let picture = same_both_ways(&vertex(counts), pixel);
        let bytes = png_bytes(&picture);
        bytes.chunks_exact(4).filter(|pixel| pixel[3] > 0).count()
    };
    let none = property("CLIP", 0) + &property("CULL", 0);
    assert_eq!(drawn(&none), 64);
    assert_eq!(drawn(&property("CLIP", 1)), 32);
    assert_eq!(drawn(&property("CLIP", 2)), 16);
    assert_eq!(drawn(&property("CULL", 2)), 64);
    assert_eq!(drawn(&(property("CLIP", 2) + &property("CULL", 1))), 0);
}

#[test]
fn pixels_have_one_sample() {
    let pixel = "FRAG\nDCL SV[0], SAMPLEMASK\nDCL OUT[0], COLOR\nDCL TEMP[0]\nU2F TEMP[0].x, SV[0].xxxx\n\
                 MOV OUT[0], TEMP[0].xxxx\nEND\n";
    same_both_ways(PLAIN_VERTEX, pixel);
}

#[test]
fn arrays_of_one_layer_have_a_layer_in_both_ways() {
    let pixel = "FRAG
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D_ARRAY, FLOAT
DCL TEMP[0]
IMM[0] INT32 {0, 0, 0, 0}
TXQ TEMP[0].z, IMM[0].xxxx, SAMP[0], 2D_ARRAY
I2F OUT[0], TEMP[0].zzzz
END
";
    same_both_ways(PLAIN_VERTEX, pixel);
}
