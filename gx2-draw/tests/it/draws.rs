//! Small draws whose pictures are known.

use std::sync::Arc;

use gx2_draw::Mesh;
use gx2_draw::mesh::Channel;
use gx2_link::{Options, Stage, Uniforms, link};
use tgsi_exec::sampler::{MipFilter, Texture, TextureShape};
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
    .expect("the shaders match and run")
}

#[test]
fn a_textured_square_is_drawn_in_both_ways() {
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
fn stages_that_do_not_fit_are_an_error() {
    let vertex = TEXTURED[0].replace("GENERIC[3]", "GENERIC[2]");
    let error = link(&stages([&vertex, TEXTURED[1]]), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "GENERIC[3] is read, but the previous stage does not write it");
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
        "`CONST[2]` is a uniform block, but uniform registers exclude blocks"
    );
}

/// Fifteen by five squares in 96 corners, more than one wavefront has.
fn grid() -> Mesh {
    let mut text = String::new();
    let place = |number: u32, last: u32| 2.0 * f64::from(number) / f64::from(last) - 1.0;
    for row in 0..6 {
        for column in 0..16 {
            text += &format!("v {} {} 0\n", place(column, 15), place(row, 5));
        }
    }
    for row in 0..5 {
        for column in 1..16 {
            let (low, high) = (16 * row + column, 16 * row + 16 + column);
            text += &format!("f {low} {} {} {high}\n", low + 1, high + 1);
        }
    }
    Mesh::obj(&text).expect("the text is a mesh")
}

#[test]
fn vertices_are_numbered_across_the_whole_draw() {
    let vertex = "VERT
DCL IN[0]
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL TEMP[0]
IMM[0] FLT32 {0.0078125, 0.0, 1.0, 0.0}
MOV OUT[0], IN[0]
U2F TEMP[0].x, SV[0].xxxx
MUL OUT[1], TEMP[0].xxxx, IMM[0].xxxx
END
";
    let pixel = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
MOV OUT[0], IN[0]
END
";
    let mesh = grid();
    let vertices = mesh.vertices(&[(0, Channel::Position)]);
    assert!(vertices.len() > 64);
    let own = pictures(
        &stages([vertex, pixel]),
        &Options::default(),
        (&mesh, &vertices),
        [32, 32],
        |_, _| (),
    );
    let own = own.unwrap();
    assert_eq!(own.differing(1).0, 0);
    let most = own.compiled.pixels.iter().flatten().map(|pixel| pixel[0]).fold(0.0, f32::max);
    assert!(most > 0.6, "{most}");
}

const PLAIN: &str = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0]
MOV OUT[1], IN[0]
END
";

/// The pictures of `mesh` with a pixel shader that reads positions of clip space.
fn colored(pixel: &str, mesh: &Mesh, fill: impl Fn(Processor, &mut gx2_draw::Stage)) -> Pictures {
    let vertices = mesh.vertices(&[(0, Channel::Position)]);
    pictures(&stages([PLAIN, pixel]), &Options::default(), (mesh, &vertices), [8, 8], fill)
        .expect("the shaders match and run")
}

#[test]
fn faces_are_booleans_as_system_values() {
    let pixel = "FRAG
DCL SV[0], FACE
DCL OUT[0], COLOR
IMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}
UIF SV[0].xxxx
MOV OUT[0], IMM[0].xyyw
ELSE
MOV OUT[0], IMM[0].yxyw
ENDIF
END
";
    let corners = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\n";
    for (order, color) in [("f 1 2 3 4", [1.0, 0.0, 0.0, 1.0]), ("f 1 4 3 2", [0.0, 1.0, 0.0, 1.0])]
    {
        let mesh = Mesh::obj(&format!("{corners}{order}\n")).expect("the text is a mesh");
        let own = colored(pixel, &mesh, |_, _| ());
        assert_eq!(own.differing(0).0, 0, "{order}");
        assert_eq!(own.compiled.pixels[0], Some(color), "{order}");
    }
}

#[test]
fn an_array_of_one_layer_stays_an_array_if_the_stage_says_so() {
    let query = |target: &str| {
        format!(
            "FRAG
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], {target}, FLOAT
DCL TEMP[0]
IMM[0] INT32 {{0, 0, 0, 0}}
TXQ TEMP[0].z, IMM[0].xxxx, SAMP[0], {target}
I2F OUT[0], TEMP[0].zzzz
END
"
        )
    };
    for (target, is_array) in [("2D", false), ("2D_ARRAY", true), ("SHADOW2D_ARRAY", true)] {
        let own = colored(&query(target), &Mesh::quad(), |_, stage| {
            bind_patterns(stage);
            stage.memory.arrays.extend(is_array.then_some(0));
        });
        assert_eq!(own.differing(0).0, 0, "{target}");
        let layers = if is_array { 1.0 } else { 0.0 };
        assert_eq!(own.compiled.pixels[0], Some([layers; 4]), "{target}");
    }
}

#[test]
fn derivatives_of_directions_choose_the_level_of_a_cube() {
    let pixel = |axis: &str, sign: &str| {
        format!(
            "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], CUBE, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {{0.05, 0.3, 1.1, 2.0}}
IMM[1] FLT32 {{0.05, 0.25, 0.3, 0.0}}
MUL TEMP[0].xyz, IN[0], IMM[1].yyyy
MOV TEMP[0].{axis}, {sign}IMM[0].wwww
TXD OUT[0], TEMP[0], IMM[0], IMM[1], SAMP[0], CUBE
END
"
        )
    };
    for axis in ["x", "y", "z"] {
        for sign in ["", "-"] {
            let own = colored(&pixel(axis, sign), &Mesh::quad(), |_, stage| {
                bind_patterns(stage);
                for bound in stage.memory.textures.values_mut() {
                    bound.sampler.mip = MipFilter::Linear;
                }
            });
            assert_eq!(own.num_wrong(1), 0, "{sign}{axis}");
        }
    }
}

#[test]
fn layers_of_lines_are_sampled_and_fetched() {
    let pixel = |read: &str| {
        format!(
            "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 1D_ARRAY, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {{2.0, 0.0, 0.0, 0.0}}
IMM[1] INT32 {{3, 2, 0, 0}}
MOV TEMP[0].x, IN[0].xxxx
MOV TEMP[0].y, IMM[0].xxxx
{read}
END
"
        )
    };
    for read in
        ["TEX OUT[0], TEMP[0], SAMP[0], 1D_ARRAY", "TXF OUT[0], IMM[1].xyzz, SAMP[0], 1D_ARRAY"]
    {
        let drawn = |read: &str, layers: u32| {
            colored(&pixel(read), &Mesh::quad(), |_, stage| {
                bind_patterns(stage);
                let texture = Texture::pattern(TextureShape::D1, [16, 1, 1], layers, 7);
                let texture = Arc::new(texture.expect("the size is valid").with_levels());
                let all = stage.memory.textures.values_mut();
                all.for_each(|bound| bound.texture = Arc::clone(&texture));
            })
        };
        let layered = drawn(read, 4);
        assert_eq!(layered.num_wrong(1), 0, "{read}");
        let first = drawn(&read.replace("xyzz", "xzzz"), 1);
        assert_ne!(layered.compiled.bytes(), first.compiled.bytes(), "{read}");
    }
}
