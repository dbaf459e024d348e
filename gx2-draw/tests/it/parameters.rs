//! What outputs of every meaning are in the pixel shader, interpolated in every way.

use gx2_draw::Mesh;
use gx2_draw::mesh::Channel;
use gx2_link::{Options, Stage};

use crate::support::pictures;

/// A vertex and a pixel shader with a parameter of this meaning and interpolation between them. Vertices are not equally
/// far.
fn stages(semantic: &str, interpolation: &str) -> [Stage; 2] {
    let vertex = format!(
        "VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], {semantic}
DCL TEMP[0]
IMM[0] FLT32 {{0.5, 1.0, 0.25, 0.125}}
MAD TEMP[0].x, IN[1].xxxx, IMM[0].xxxx, IMM[0].yyyy
MUL OUT[0].xyw, IN[0], TEMP[0].xxxx
MOV OUT[0].z, IMM[0].zzzz
MAD OUT[1], IN[1].xyxy, IMM[0].yxyx, IMM[0].wwzz
END
"
    );
    let pixel = format!(
        "FRAG
DCL IN[0], {semantic}{interpolation}
DCL OUT[0], COLOR
IMM[0] FLT32 {{0.5, 0.25, 0.0, 0.0}}
MAD OUT[0], IN[0], IMM[0].xxxx, IMM[0].yyyy
END
"
    );
    [vertex, pixel].map(|text| {
        let parsed = tgsi_text::parse(&text);
        assert!(!parsed.has_errors(), "{text}");
        Stage::new(parsed.shader)
    })
}

#[test]
fn parameters_of_every_kind_are_those_of_the_interpreter() {
    let mesh = Mesh::quad();
    let vertices = mesh.vertices(&[(0, Channel::Position), (1, Channel::Uv)]);
    let semantics = [
        "GENERIC[0]",
        "TEXCOORD[1]",
        "COLOR",
        "COLOR[1]",
        "BCOLOR",
        "FOG",
        "LAYER",
        "VIEWPORT_INDEX",
        "CLIPDIST",
        "CLIPVERTEX",
        "PRIM_ID",
        "PCOORD",
    ];
    for semantic in semantics {
        let draw = |interpolation: &str| {
            let stages = stages(semantic, interpolation);
            let draw = (&mesh, &vertices[..]);
            let both = pictures(&stages, &Options::default(), draw, [16, 16], |_, _| ());
            let both = both.expect("the shaders match and run");
            assert_eq!(both.differing(0), (0, 1024), "{semantic}{interpolation}");
            both.compiled
        };
        let [undeclared, constant, linear, perspective, color] =
            ["", ", CONSTANT", ", LINEAR", ", PERSPECTIVE", ", COLOR"].map(draw);
        assert_eq!((undeclared, color), (constant.clone(), perspective.clone()), "{semantic}");
        if semantic == "GENERIC[0]" {
            assert!(constant != linear && linear != perspective && perspective != constant);
        }
    }
}
