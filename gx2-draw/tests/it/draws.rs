//! Small draws whose pictures are known.

use gx2_draw::Mesh;
use gx2_draw::mesh::Channel;
use gx2_link::{Options, Stage, Uniforms, link};
use tgsi_ir::Processor;

use crate::support::{Pictures, bind_patterns, differing, pictures};

const TEXTURED: [&str; 2] = [
    "VERT
DCL IN[0]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[3]
DCL CONST[0..3]
MUL OUT[0], CONST[0], IN[0].xxxx
MAD OUT[0], CONST[1], IN[0].yyyy, OUT[0]
MOV OUT[0].zw, CONST[3].zzzw
MOV OUT[1], IN[2]
END
",
    "FRAG
DCL IN[0], GENERIC[3], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[1]
DCL SVIEW[1], 2D, FLOAT
DCL CONST[0..1]
DCL TEMP[0]
TEX TEMP[0], IN[0], SAMP[1], 2D
MUL OUT[0], TEMP[0], CONST[1]
END
",
];

fn stages(texts: [&str; 2]) -> [Stage; 2] {
    texts.map(|text| {
        let parsed = tgsi_text::parse(text);
        assert!(!parsed.has_errors(), "{text}");
        Stage::new(parsed.shader)
    })
}

fn drawn(texts: [&str; 2], options: &Options) -> Pictures {
    let mesh = Mesh::quad();
    let vertices = mesh.vertices(&[(0, Channel::Position), (2, Channel::Uv)]);
    pictures(&stages(texts), options, (&mesh, &vertices), [16, 16], |stage, own| {
        bind_patterns(own);
        let one = |n: usize| if n.is_multiple_of(5) { 1.0_f32 } else { 0.0 };
        let value: Vec<u32> = match stage {
            Processor::Vertex => (0..16).map(|n| one(n).to_bits()).collect(),
            _ => [0.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.25, 1.0].map(f32::to_bits).to_vec(),
        };
        assert_eq!(own.set_uniform("CONST[0]", &value).ok(), Some(true));
    })
    .expect("the shaders fit and run")
}

#[test]
fn a_textured_square_is_drawn_by_both_ways() {
    let blocks = drawn(TEXTURED, &Options::default());
    assert_eq!(blocks.differing(0), (0, 1024));
    let picture = &blocks.compiled;
    assert!(picture.pixels.iter().all(Option::is_some));
    assert_ne!(picture.pixels[0], picture.pixels[255]);
    // Registers hold the same.
    let options = Options::default().uniforms(Uniforms::Registers);
    let registers = drawn(TEXTURED, &options);
    assert_eq!(differing([&registers.compiled, picture], 0), (0, 1024));
}

#[test]
fn position_face_depth_and_kills_reach_the_picture() {
    let vertex = "VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
END
";
    let pixel = "FRAG
DCL IN[0], POSITION, LINEAR
DCL IN[1], FACE, CONSTANT
DCL OUT[0], COLOR
DCL OUT[1], POSITION
DCL TEMP[0]
IMM[0] FLT32 {0.0625, 1.0, -8.0, 0.0}
ADD TEMP[0].x, IN[0].xxxx, IMM[0].zzzz
KILL_IF TEMP[0].xxxx
MUL OUT[0].xy, IN[0], IMM[0].xxxx
MOV OUT[0].z, IN[1].xxxx
MOV OUT[0].w, IN[0].wwww
MOV OUT[1].z, IMM[0].xxxx
END
";
    let mesh = Mesh::quad();
    let vertices = mesh.vertices(&[(0, Channel::Position)]);
    let both = pictures(
        &stages([vertex, pixel]),
        &Options::default(),
        (&mesh, &vertices),
        [16, 16],
        |_, _| (),
    );
    let both = both.unwrap();
    assert_eq!(both.differing(0), (0, 1024));
    let at = |x: usize, y: usize| both.compiled.pixels[16 * y + x];
    assert_eq!(at(3, 4), None);
    assert_eq!(at(12, 4), Some([12.5 / 16.0, 4.5 / 16.0, 1.0, 1.0]));
}

#[test]
fn what_stages_cannot_give_each_other_is_an_error() {
    let vertex = TEXTURED[0].replace("GENERIC[3]", "GENERIC[2]");
    let error = link(&stages([&vertex, TEXTURED[1]]), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "GENERIC[3] is read, and the stage before does not write it");
    let error = link(&stages([&vertex, &vertex]), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "two shaders are of the same stage");
    let indexed = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL CONST[0..3]
DCL ADDR[0]
ARL ADDR[0].x, IN[0].xxxx
MOV OUT[0], CONST[ADDR[0].x]
END
";
    let options = Options::default().uniforms(Uniforms::Registers);
    let error = link(&stages([indexed, TEXTURED[1]])[..1], &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "instruction 1: CONST: constants in registers are not indexed; put them in a buffer"
    );
    let block =
        TEXTURED[1].replace("CONST[0..1]", "CONST[2][0..1]").replace("CONST[1]", "CONST[2][1]");
    let error = link(&stages([TEXTURED[0], &block]), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`CONST[2]` is a uniform block, and there are none beside uniform registers"
    );
}
