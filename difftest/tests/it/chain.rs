//! All stages in a row, compared with the interpreter: vertex, control, evaluation, geometry and copy shader, each
//! of which finds what the one before has left.

use difftest::case::{Case, Target};
use difftest::compare::Tally;
use difftest::generate::{Shape, shader};
use difftest::scene::{Flavor, Scene};
use difftest::stages::chain::{self, Chain, Kernels};
use difftest::stages::geometry::passthrough;
use r600_codegen::abi::TessDomain;
use r600_isa::Chip;
use tgsi_exec::Kernel;
use tgsi_ir::{File, Processor, PropertyName, Shader};

const CHIPS: [Chip; 3] = [Chip::Cedar, Chip::Cypress, Chip::Cayman];
/// Random chains, and statements of each of their shaders.
const RANDOM: usize = 16;
const SIZE: usize = 12;

const VERTEX: &str = "VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], GENERIC[1]
DCL OUT[1], POSITION
DCL CONST[0..1]
MUL OUT[1], IN[0], CONST[0]
ADD OUT[0], IN[1], CONST[1]
END
";

/// Control points go on changed, one invocation says what the patch has.
const CONTROL: &str = "TESS_CTRL
PROPERTY TCS_VERTICES_OUT 3
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[1]
DCL SV[0], INVOCATIONID
DCL OUT[][0], POSITION
DCL OUT[][1], GENERIC[2]
DCL OUT[2], TESSOUTER
DCL OUT[3], TESSINNER
DCL OUT[4], PATCH[0]
DCL CONST[0..3]
DCL ADDR[0]
UARL ADDR[0].x, SV[0].xxxx
MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]
ADD OUT[ADDR[0].x][1], IN[ADDR[0].x+1][1], CONST[2]
MOV OUT[2], IN[1][1]
MOV OUT[3], IN[3][0]
MOV OUT[4], CONST[3]
END
";

/// Corners are blended; outputs are in another order than the geometry shader's inputs.
const EVALUATION: &str = "TESS_EVAL
PROPERTY TES_PRIM_MODE 4
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[2]
DCL IN[2], PATCH[0]
DCL SV[0], TESSCOORD
DCL SV[1], TESSOUTER
DCL SV[2], TESSINNER
DCL OUT[0], GENERIC[5]
DCL OUT[1], POSITION
DCL OUT[2], GENERIC[4]
DCL TEMP[0]
MUL TEMP[0], SV[0].xxxx, IN[0][0]
MAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]
MAD OUT[1], SV[0].zzzz, IN[2][0], TEMP[0]
ADD OUT[2], IN[2][1], IN[2]
ADD OUT[0], SV[1], SV[2].xyxy
END
";

const GEOMETRY: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[4]
DCL IN[][2], GENERIC[5]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0]
IMM[0] UINT32 {0, 0, 0, 0}
MUL OUT[0], IN[2][0], CONST[0]
MOV OUT[1], IN[0][1]
EMIT IMM[0].xxxx
MOV OUT[0], IN[1][0]
ADD OUT[1], IN[1][2], IN[2][1]
EMIT IMM[0].xxxx
ENDPRIM IMM[0].xxxx
";

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

/// Compares a chain on every chip, at every level and on every kind of values.
fn compare(chain: Chain<'_>, seed: u64) -> Tally {
    let [control, evaluation, geometry] = [chain.control, chain.evaluation, chain.geometry]
        .map(|shader| Kernel::new(shader).unwrap());
    let kernels = Kernels { control: &control, evaluation: &evaluation, geometry: &geometry };
    let mut tally = Tally::default();
    let scenes: Vec<Scene> =
        Flavor::ALL.map(|flavor| Scene::new(chain.geometry, seed, flavor)).to_vec();
    let cases: Vec<Case<'_>> =
        scenes.into_iter().map(|scene| Case::of_chain(chain, kernels, scene).unwrap()).collect();
    for target in Target::all(&CHIPS) {
        let program = match chain::compile(chain, TessDomain::Triangles, target) {
            Ok(program) => program,
            // Not every chip has doubles.
            Err(why) if target.chip == Chip::Cedar => {
                assert!(why.to_string().contains("doubles"), "{why}");
                continue;
            }
            Err(why) => panic!("{why}"),
        };
        for (case, flavor) in cases.iter().zip(Flavor::ALL) {
            if let Err(failure) = case.check(&program, target, &mut tally) {
                let all = [chain.control, chain.evaluation, chain.geometry]
                    .map(|shader| tgsi_text::print(shader, tgsi_text::Style::Lossless));
                panic!("seed {seed}, {target}, {flavor:?}: {failure}\n{}", all.concat());
            }
        }
    }
    tally
}

#[test]
fn a_patch_becomes_primitives() {
    let [vertex, control, evaluation, geometry] =
        [VERTEX, CONTROL, EVALUATION, &format!("{GEOMETRY}END\n")].map(parse);
    let chain =
        Chain { vertex: &vertex, control: &control, evaluation: &evaluation, geometry: &geometry };
    let tally = compare(chain, 3);
    println!("{tally:?}");
    assert!(tally.exact > 1000, "{tally:?}");
}

fn has_textures(shader: &Shader) -> bool {
    shader.declarations.iter().any(|declaration| declaration.file == File::SamplerView)
}

#[test]
fn random_stages_receive_what_earlier_stages_write() {
    let (mut tally, mut count) = (Tally::default(), 0);
    for seed in 0.. {
        let random = |n: u64, processor| {
            let shape = Shape { processor, size: SIZE, depth: 2, crowd: 0, is_modern: true };
            shader(4 * seed + n, shape).unwrap()
        };
        let mut control = random(0, Processor::TessCtrl);
        // As many as the evaluation shader reads.
        for property in &mut control.properties {
            if property.name == PropertyName::TcsVerticesOut {
                property.values = [4].into_iter().collect();
            }
        }
        let evaluation = random(1, Processor::TessEval);
        let geometry = random(2, Processor::Geometry);
        // Textures of a scene are those of one shader.
        if [&control, &evaluation].into_iter().any(has_textures) {
            continue;
        }
        let vertex = passthrough(&control);
        let chain = Chain {
            vertex: &vertex,
            control: &control,
            evaluation: &evaluation,
            geometry: &geometry,
        };
        tally += compare(chain, seed);
        count += 1;
        if count == RANDOM {
            break;
        }
    }
    println!("{tally:?}");
    assert!(tally.exact > 1000, "{tally:?}");
}
