//! The stages of tessellation, compared with the interpreter: vertex shaders that leave vertices in the local data
//! share, control shaders with their factors, and evaluation shaders.

use crate::support;

use difftest::case::{Case, Target};
use difftest::compare::Tally;
use difftest::scene::{Flavor, Scene};
use difftest::stages::tessellation;
use r600_codegen::abi::TessDomain;
use r600_isa::Chip;
use tgsi_ir::Shader;

const CHIPS: [Chip; 3] = [Chip::Cedar, Chip::Cypress, Chip::Cayman];

const VERTEX: &str = "VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], GENERIC[1]
DCL OUT[1], POSITION
DCL OUT[2], GENERIC[0]
DCL CONST[0..3]
MUL OUT[1], IN[0], CONST[0]
ADD OUT[0], IN[1], CONST[1]
MAD OUT[2], IN[1], IN[0], CONST[2]
END
";

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

fn control_text(points: u32, body: &str) -> String {
    format!(
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT {points}\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n\
         DCL IN[][2], GENERIC[1]\nDCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\nDCL SV[2], VERTICESIN\n\
         DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[2]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\n\
         DCL OUT[4], PATCH[1]\nDCL CONST[0..3]\nDCL TEMP[0..3]\nDCL ADDR[0..1]\n\
         IMM[0] UINT32 {{0, 1, 2, 3}}\nIMM[1] FLT32 {{0.5, 1.0, 2.0, 4.0}}\nUARL ADDR[0].x, SV[0].xxxx\n{body}END\n"
    )
}

/// Compares a control shader after [`VERTEX`] for every domain.
#[track_caller]
fn compare_control(text: &str) {
    compare_control_after(VERTEX, text);
}

/// Compares a control shader after a vertex shader for every domain.
#[track_caller]
fn compare_control_after(vertex: &str, text: &str) {
    let (vertex, shader) = (parse(vertex), parse(text));
    let kernel = tgsi_exec::Kernel::new(&shader).unwrap();
    let mut tally = Tally::default();
    let mut runs = 0;
    for target in Target::all(&CHIPS) {
        for domain in [TessDomain::Triangles, TessDomain::Quads, TessDomain::Isolines] {
            let program = tessellation::compile((&vertex, &shader), domain, target).unwrap();
            for flavor in Flavor::ALL {
                let scene = Scene::new(&shader, 13, flavor);
                let case =
                    Case::of_control_shader((&vertex, &shader), domain, &kernel, scene).unwrap();
                if let Err(failure) = case.check(&program, target, &mut tally) {
                    panic!("{target} {domain:?} {flavor:?}: {failure}\n{text}");
                }
                runs += 1;
            }
        }
    }
    println!("{runs} runs, {tally:?}");
    assert!(tally.exact > 0);
}

/// Compares an evaluation shader.
#[track_caller]
fn compare_evaluation(body: &str) {
    let text = format!(
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], POSITION\nDCL IN[][1..2], GENERIC[3]\nDCL IN[3], PATCH[0]\n\
         DCL IN[4], PATCH[2]\nDCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\nDCL SV[2], TESSOUTER\nDCL SV[3], TESSINNER\n\
         DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0..3]\nDCL TEMP[0..3]\nDCL ADDR[0..1]\n\
         IMM[0] UINT32 {{0, 1, 2, 3}}\nIMM[1] FLT32 {{0.5, 1.0, 2.0, 4.0}}\n{body}END\n"
    );
    support::agrees(&text, &CHIPS);
}

#[test]
fn control_points_pass_through_with_constant_factors() {
    compare_control(&control_text(
        4,
        "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nADD OUT[ADDR[0].x][1], IN[ADDR[0].x][1], IN[ADDR[0].x][2]\n\
         MOV OUT[2], IMM[1]\nMOV OUT[3].xy, IMM[1].zwww\nMOV OUT[4], CONST[1]\n",
    ));
}

#[test]
fn control_points_see_each_other_after_a_barrier() {
    compare_control(&control_text(
        4,
        "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][2]\nBARRIER\nXOR TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n\
         UARL ADDR[1].x, TEMP[0].xxxx\nMOV TEMP[1], OUT[ADDR[1].x][0]\nBARRIER\nMUL OUT[ADDR[0].x][1], TEMP[1], IN[0][0]\n\
         MOV OUT[ADDR[0].x][0].y, TEMP[1].xxxx\nMOV OUT[2], IN[1][0]\nMOV OUT[3], IN[3][1]\n",
    ));
}

#[test]
fn fewer_points_than_vertices_and_branches() {
    compare_control(&control_text(
        3,
        "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nMOV OUT[1][1], IN[3][1]\nMOV OUT[2], IN[2][0]\n\
         ELSE\nMOV OUT[ADDR[0].x][1].xz, IN[ADDR[0].x+1][2]\nENDIF\nU2F TEMP[1].x, SV[1].xxxx\n\
         U2F TEMP[1].y, SV[2].xxxx\nMOV OUT[4].xy, TEMP[1]\nMOV OUT[ADDR[0].x][0], TEMP[1].yxyx\n",
    ));
}

#[test]
fn evaluation_blends_control_points() {
    compare_evaluation(
        "MUL TEMP[0], SV[0].xxxx, IN[0][0]\nMAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]\n\
         MAD OUT[0], SV[0].zzzz, IN[2][0], TEMP[0]\nADD OUT[1], IN[3][2], IN[3]\n",
    );
}

#[test]
fn evaluation_reads_what_the_patch_has() {
    compare_evaluation(
        "ADD OUT[0], IN[4], SV[2]\nU2F TEMP[0].x, SV[1].xxxx\nADD OUT[1], SV[3].xyxy, TEMP[0].xxxx\n",
    );
}

#[test]
fn evaluation_indexes_points_and_inputs() {
    compare_evaluation(
        "AND TEMP[0].x, SV[1].xxxx, IMM[0].wwww\nUARL ADDR[0].x, TEMP[0].xxxx\nUARL ADDR[1].x, IMM[0].yyyy\n\
         MOV OUT[0], IN[ADDR[0].x][0]\nMOV OUT[1], IN[ADDR[1].x+1][ADDR[1].x+1]\n",
    );
}

#[test]
fn patches_have_as_many_vertices_and_points_as_are_read() {
    for point in [4, 15, 31] {
        compare_evaluation(&format!(
            "ADD OUT[0], IN[{point}][0], IN[0][0]\nADD OUT[1], IN[{}][1], IN[4]\n",
            point - 1
        ));
        compare_control(&control_text(
            4,
            &format!(
                "MOV OUT[ADDR[0].x][0], IN[{point}][0]\nADD OUT[ADDR[0].x][1], IN[ADDR[0].x][1], IN[{}][2]\n\
                 MOV OUT[2], IMM[1]\nU2F OUT[4].x, SV[2].xxxx\n",
                point - 1
            ),
        ));
    }
}

#[test]
fn points_beyond_a_quad_see_each_other_after_a_barrier() {
    for points in [8, 31] {
        compare_control(&control_text(
            points,
            "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[2], IMM[1]\nMOV OUT[3], IMM[1]\nBARRIER\n\
             MOV TEMP[0], OUT[4][0]\nADD OUT[ADDR[0].x][1], TEMP[0], IN[ADDR[0].x][2]\n",
        ));
    }
}

#[test]
fn vertex_outputs_reach_control_shaders_under_any_semantic() {
    let body = "MOV TEMP[0], IN[1][1]\nMAD OUT[ADDR[0].x][0], IN[ADDR[0].x][0], IMM[1], TEMP[0]\n\
                ADD OUT[ADDR[0].x][1], IN[ADDR[0].x][2], TEMP[0]\nMOV OUT[2], IMM[1]\nMOV OUT[3], IMM[1]\n\
                MOV OUT[4], IN[2][2]\n";
    for (first, second) in
        [("COLOR[0]", "TEXCOORD[0]"), ("COLOR[1]", "BCOLOR[1]"), ("FOG", "CLIPVERTEX")]
    {
        let renamed = |text: &str| text.replace("GENERIC[0]", first).replace("GENERIC[1]", second);
        compare_control_after(&renamed(VERTEX), &renamed(&control_text(3, body)));
    }
    // Texture coordinates and generics of one number are not one.
    let renamed = |text: &str| text.replace("GENERIC[1]", "TEXCOORD[0]");
    compare_control_after(&renamed(VERTEX), &renamed(&control_text(3, body)));
}

/// Neither ends where most shaders do.
#[test]
fn patches_have_as_many_inputs_and_values_as_are_declared() {
    let evaluation = |first: u32, patch: u32| {
        format!(
            "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0..{}], GENERIC[0]\n\
             DCL IN[{first}], PATCH[{patch}]\nDCL OUT[0], POSITION\n\
             ADD OUT[0], IN[0][{}], IN[{first}]\nEND\n",
            first - 1,
            first - 1,
        )
    };
    support::agrees(&evaluation(32, 0), &CHIPS);
    support::agrees(&evaluation(16, 2000), &CHIPS);
    for patch in [52, 300] {
        let text = format!(
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL OUT[][0], GENERIC[0]\n\
             DCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\nDCL OUT[3], PATCH[{patch}]\n\
             DCL SV[0], INVOCATIONID\nDCL ADDR[0]\nIMM[0] FLT32 {{1, 1, 1, 1}}\n\
             UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n\
             MOV OUT[1], IMM[0]\nMOV OUT[2], IMM[0]\nMOV OUT[3], IN[0][0]\nEND\n"
        );
        support::agrees(&text, &CHIPS);
    }
}

/// Lanes after the last point do not run: a loop or an index of theirs would read another patch, or no memory.
#[test]
fn as_many_points_run_as_a_patch_has() {
    let start = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL OUT[][0], GENERIC[0]\n\
                 DCL SV[0], INVOCATIONID\nDCL ADDR[0..1]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n\
                 UARL ADDR[1].x, SV[0].xxxx\n";
    let by_index = "USNE TEMP[0].x, IN[0][0].xxxx, IMM[0].xxxx\nAND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
                    UARL ADDR[0].x, TEMP[0].xxxx\nMOV OUT[ADDR[1].x][0], IN[ADDR[0].x-1][0]\nEND\n";
    let by_loop = "BGNLOOP\nUSNE TEMP[0].x, IN[ADDR[1].x][0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nBRK\n\
                   ENDIF\nENDLOOP\nMOV OUT[ADDR[1].x][0], IN[ADDR[1].x][0]\nEND\n";
    for body in [by_index, by_loop] {
        support::agrees(&format!("{start}{body}"), &CHIPS);
    }
}
