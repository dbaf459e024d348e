//! Geometry shaders with everything around them: vertex shader, rings and copy shader, compared with the
//! interpreter on every generation, at every level and on every kind of values.

use crate::support;

use difftest::case::{Case, Target};
use difftest::compare::Tally;
use difftest::scene::{Flavor, Scene};
use difftest::stages::geometry;
use r600_isa::{Chip, Generation};
use tgsi_ir::Shader;

const CHIPS: [Chip; 5] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cypress, Chip::Cayman];

/// A vertex shader that computes something, with outputs in another order than the geometry shader's inputs and
/// one that nobody reads.
const VERTEX: &str = "VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL SV[0], VERTEXID
DCL OUT[0], GENERIC[1]
DCL OUT[1], POSITION
DCL OUT[2], GENERIC[7]
DCL OUT[3], GENERIC[0]
DCL CONST[0..3]
DCL TEMP[0]
MUL OUT[1], IN[0], CONST[0]
ADD OUT[0], IN[1], CONST[1]
MOV OUT[2], IN[2]
U2F TEMP[0].x, SV[0].xxxx
MAD OUT[3], IN[2], TEMP[0].xxxx, CONST[2]
END
";

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

/// A geometry shader with the inputs of [`VERTEX`] and two outputs.
fn geometry_text(primitive: &str, strip: &str, max: u32, body: &str) -> String {
    format!(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE {primitive}\nPROPERTY GS_OUTPUT_PRIMITIVE {strip}\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES {max}\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n\
         DCL IN[][2], GENERIC[1]\nDCL SV[0], PRIM_ID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
         DCL CONST[0..3]\nDCL TEMP[0..3]\nDCL ADDR[0..1]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n\
         IMM[1] FLT32 {{0.5, 1.0, 2.0, 4.0}}\n{body}END\n"
    )
}

/// Compares on the chips of the generations from `first` on.
#[track_caller]
fn compare(first: Generation, text: &str) {
    let (vertex, shader) = (parse(VERTEX), parse(text));
    let kernel = tgsi_exec::Kernel::new(&shader).unwrap();
    let mut tally = Tally::default();
    let mut runs = 0;
    for target in Target::all(&CHIPS) {
        if target.chip.generation() < first {
            continue;
        }
        let program = geometry::compile(&vertex, &shader, target).unwrap();
        for flavor in Flavor::ALL {
            let scene = Scene::new(&shader, 11, flavor);
            let case = Case::after_vertex_shader(&vertex, &shader, &kernel, scene).unwrap();
            if let Err(failure) = case.check(&program, target, &mut tally) {
                panic!("{target} {flavor:?}: {failure}\n{text}");
            }
            runs += 1;
        }
    }
    println!("{runs} runs, {tally:?}");
    assert!(tally.exact > 0);
}

#[test]
fn triangles_pass_through_and_shrink() {
    let body = "MUL OUT[0], IN[0][0], CONST[0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n\
                MOV OUT[0], IN[1][0]\nADD OUT[1], IN[1][1], IN[1][2]\nEMIT IMM[0].xxxx\n\
                MOV OUT[0], IN[2][0]\nMOV OUT[1].xy, IN[2][2]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\n\
                MOV OUT[0], IN[2][0].wzyx\nEMIT IMM[0].xxxx\n";
    compare(Generation::R600, &geometry_text("TRIANGLES", "TRIANGLE_STRIP", 4, body));
}

#[test]
fn vertices_are_emitted_in_loops_with_an_index() {
    let body = "MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\n\
                UIF TEMP[0].yyyy\nBRK\nENDIF\nUARL ADDR[0].x, TEMP[0].xxxx\n\
                SLT TEMP[1].x, IN[ADDR[0].x][0].xxxx, IN[0][1].yyyy\nIF TEMP[1].xxxx\n\
                MOV OUT[0], IN[ADDR[0].x][0]\nMOV OUT[1], IN[ADDR[0].x][2]\nEMIT IMM[0].xxxx\nELSE\n\
                ENDPRIM IMM[0].xxxx\nENDIF\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\n";
    compare(Generation::R600, &geometry_text("TRIANGLES", "LINE_STRIP", 3, body));
}

#[test]
fn inputs_and_vertices_are_indexed_independently() {
    let body = "U2F TEMP[0].x, SV[0].xxxx\nF2U TEMP[0].x, TEMP[0].xxxx\nAND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
                UARL ADDR[0].x, TEMP[0].xxxx\nUARL ADDR[1].x, IMM[0].yyyy\n\
                MOV OUT[0], IN[0][ADDR[0].x+1]\nMOV OUT[1], IN[ADDR[1].x][ADDR[0].x]\nEMIT IMM[0].xxxx\n";
    compare(Generation::R600, &geometry_text("LINES", "POINTS", 1, body));
}

#[test]
fn no_more_vertices_come_out_than_the_shader_says() {
    let one = "ADD TEMP[0], IN[0][0], IN[0][1]\nMOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\n";
    compare(Generation::R600, &geometry_text("POINTS", "POINTS", 2, &one.repeat(4)));
}

#[test]
fn six_input_vertices_and_optional_output() {
    let body = "ADD TEMP[0], IN[5][0], IN[3][1]\nADD TEMP[0], TEMP[0], IN[4][2]\n\
                SLT TEMP[1].x, TEMP[0].xxxx, CONST[0].xxxx\nIF TEMP[1].xxxx\nMOV OUT[0], TEMP[0]\n\
                EMIT IMM[0].xxxx\nENDIF\n";
    compare(Generation::R600, &geometry_text("TRIANGLES_ADJACENCY", "POINTS", 1, body));
}

#[test]
fn streams_are_kept_apart() {
    let body = "MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[0][1]\nMOV OUT[1], IN[0][2]\n\
                EMIT IMM[0].yyyy\nMOV OUT[0], IN[0][2]\nEMIT IMM[0].yyyy\nENDPRIM IMM[0].yyyy\n\
                MOV OUT[1], IN[0][0]\nEMIT IMM[0].wwww\nEMIT IMM[0].xxxx\n";
    compare(Generation::Evergreen, &geometry_text("POINTS", "POINTS", 5, body));
}

#[test]
fn layers_viewports_and_invocations() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 2\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\n\
                DCL SV[0], INVOCATIONID\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\n\
                DCL OUT[2], VIEWPORT_INDEX\nDCL OUT[3], PSIZE\n\
                IMM[0] UINT32 {0, 1, 2, 3}\nMOV OUT[0], IN[0][0]\nMOV OUT[1].x, SV[0].xxxx\n\
                MOV OUT[3].x, IN[0][0].yyyy\nEMIT IMM[0].xxxx\nMOV OUT[2].x, SV[0].xxxx\nMOV OUT[1].x, SV[0].xxxx\nEMIT IMM[0].xxxx\nEND\n";
    compare(Generation::Evergreen, text);
}

#[test]
fn vertices_have_as_many_inputs_as_are_declared() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0..30], GENERIC[0]\nDCL IN[][31], POSITION\n\
                DCL IN[][32].x, PSIZE\nDCL OUT[0], POSITION\nDCL OUT[1].x, PSIZE\n\
                IMM[0] UINT32 {0, 0, 0, 0}\nADD OUT[0], IN[0][31], IN[0][30]\n\
                MOV OUT[1].x, IN[0][32].xxxx\nEMIT IMM[0].xxxx\nEND\n";
    support::agrees(text, &[Chip::Rv770, Chip::Cypress]);
}
