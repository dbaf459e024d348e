//! What a comparison must not take for the same: a program that leaves another word in memory, another integer, or nothing
//! at all in a channel.

use difftest::case::{Case, Compile, Failure, OurCompiler, Program, Target, key_of};
use difftest::compare::{Mismatch, Tally};
use difftest::scene::{Flavor, Scene};
use r600_codegen::{Compiler, OptLevel, Options};
use r600_isa::{Cf, Chip, ComponentSel, ExportKind};
use tgsi_ir::Shader;

const CHIPS: [Chip; 2] = [Chip::Cypress, Chip::Cayman];

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

/// What comes of comparing a program with the interpreter's run of `shader`.
fn compared(shader: &Shader, program: &Program, target: Target) -> Result<(), Failure> {
    let kernel = tgsi_exec::Kernel::new(shader).unwrap();
    let scene = Scene::new(shader, 3, Flavor::Ordinary);
    let case = Case::new(shader, &kernel, scene).unwrap();
    case.check(program, target, &mut Tally::default())
}

/// Holds that the program of `text` is right, and that of the shader with `other` in the place of `own` is not.
#[track_caller]
fn check(text: &str, (own, other): (&str, &str), is_expected: fn(&Mismatch) -> bool) {
    assert!(text.contains(own), "{text}");
    let (shader, changed) = (parse(text), parse(&text.replace(own, other)));
    for (chip, precise) in CHIPS.into_iter().flat_map(|chip| [(chip, false), (chip, true)]) {
        let target = Target { chip, level: OptLevel::O2, precise };
        let result = |compiled: &Shader| {
            compared(&shader, &OurCompiler.compile(compiled, target).unwrap(), target)
        };
        assert_eq!(result(&shader), Ok(()), "{target:?}");
        let found = result(&changed);
        let is_found = matches!(&found, Err(Failure::Differs(mismatch)) if is_expected(mismatch));
        assert!(is_found, "{target:?}: {found:?}");
    }
}

fn is_memory(mismatch: &Mismatch) -> bool {
    matches!(mismatch, Mismatch::Memory { .. })
}

fn is_value(mismatch: &Mismatch) -> bool {
    matches!(mismatch, Mismatch::Value(_))
}

const STORES: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL BUFFER[0]
DCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_UINT, WR
DCL TEMP[0]
IMM[0] UINT32 {4, 8, 5, 0}
RCP TEMP[0], IN[0].xxxx
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
STORE IMAGE[0].xyzw, IMM[0].xyyy, IMM[0].xyzw, 2D
STORE BUFFER[0].x, IMM[0].yyyy, TEMP[0].xxxx
MOV OUT[0], TEMP[0]
END
";

#[test]
fn words_that_are_stored_and_never_read() {
    check(
        STORES,
        ("BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz", "BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy"),
        is_memory,
    );
    check(STORES, ("BUFFER[0].x, IMM[0].xxxx", "BUFFER[0].x, IMM[0].wwww"), is_memory);
    check(STORES, ("IMM[0].xyyy, IMM[0].xyzw", "IMM[0].xyyy, IMM[0].xyzz"), is_memory);
    check(STORES, ("IMM[0].yyyy, TEMP[0].xxxx", "IMM[0].yyyy, IN[0].xxxx"), is_memory);
    check(STORES, ("STORE IMAGE[0].xyzw, IMM[0].xyyy, IMM[0].xyzw, 2D\n", ""), is_memory);
}

#[test]
fn words_that_a_group_stores() {
    const GROUP: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {4, 7, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
UADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy
END
";
    check(GROUP, ("UADD TEMP[0].y, SV[0].xxxx", "UADD TEMP[0].y, IMM[0].xxxx"), is_memory);
}

/// What the group reads is another buffer, which nothing writes.
#[test]
fn words_that_a_group_stores_of_what_it_reads() {
    const GROUP: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL BUFFER[0..1]
DCL TEMP[0]
IMM[0] UINT32 {4, 7, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
LOAD TEMP[0].y, BUFFER[1], TEMP[0].xxxx
UADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy
END
";
    check(GROUP, ("UADD TEMP[0].y, SV[0].xxxx", "UADD TEMP[0].y, IMM[0].xxxx"), is_memory);
}

/// Two inputs of one meaning are one parameter, and yet each is taken in its own way.
#[test]
fn ways_to_interpolate_one_parameter() {
    const INPUTS: &str = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL IN[1], GENERIC[0], PERSPECTIVE, CENTROID
DCL OUT[0], COLOR
ADD OUT[0], IN[0], IN[1].wzyx
END
";
    for other in ["PERSPECTIVE", "LINEAR", "CONSTANT"] {
        check(INPUTS, ("PERSPECTIVE, CENTROID", other), is_value);
    }
}

/// In the first word operations may come in any order without the barrier; what others do there opens no other word.
#[test]
fn words_that_barriers_order_or_that_are_not_mixed() {
    const MIXED: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL TEMP[0]
IMM[0] UINT32 {0, 3, 4, 0}
ATOMUMIN TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy
ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy
ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].zzzz, SV[0].xxxx
END
";
    check(MIXED, ("IMM[0].zzzz, SV[0].xxxx", "IMM[0].zzzz, IMM[0].yyyy"), is_value);
    let ordered = MIXED.replacen("ATOMUADD", "BARRIER\nATOMUADD", 1);
    let sum = "ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy";
    check(&ordered, (sum, &sum.replace("yyyy", "zzzz")), is_value);
}

/// What other primitives do to a counter reaches no more than what is computed from it.
#[test]
fn outputs_beside_counters_of_several_primitives() {
    const COUNTED: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], POSITION
DCL OUT[0], POSITION
DCL HWATOMIC[0][0]
DCL TEMP[0]
IMM[0] UINT32 {0, 3, 0, 0}
ATOMUMIN TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy
ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy
MOV OUT[0], IN[0][0]
EMIT IMM[0].xxxx
END
";
    check(COUNTED, ("MOV OUT[0], IN[0][0]", "MOV OUT[0], IN[0][0].yxzw"), is_value);
}

/// A shader that emits a point, with two counters and these operations.
fn counting(operations: &str) -> String {
    format!(
        "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], POSITION
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL HWATOMIC[0][0]
DCL HWATOMIC[0][1]
DCL TEMP[0..1]
IMM[0] UINT32 {{0, 3, 4, 0}}
{operations}MOV OUT[0], IN[0][0]
MOV OUT[1], TEMP[1].xxxx
EMIT IMM[0].xxxx
END
"
    )
}

/// What others do to one counter changes no other one.
#[test]
fn counters_beside_those_that_others_change() {
    let sum = "ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n";
    let read = "LOAD TEMP[1].x, HWATOMIC[0][1], IMM[0].xxxx\n";
    let text = counting(&format!("{sum}{sum}{read}"));
    check(&text, (read, &read.replace("[0][1]", "[0][0]")), is_value);
    check(&text, (read, "MOV TEMP[1].x, IMM[0].zzzz\n"), is_value);

    let minimum = sum.replace("ATOMUADD", "ATOMUMIN");
    let beside = sum.replace("[0][0]", "[0][1]");
    let text = counting(&format!("MOV TEMP[1].x, IMM[0].xxxx\n{minimum}{sum}{beside}"));
    check(&text, (&beside, &beside.replace("yyyy", "zzzz")), |mismatch| {
        matches!(mismatch, Mismatch::Counter { number: 1, .. })
    });
}

/// Neither a register that has held the result of a counter nor a branch opens counters that do not depend on it.
#[test]
fn counters_beside_those_that_depend_on_others() {
    let sum = "ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n";
    let beside = "ATOMUADD TEMP[0].y, HWATOMIC[0][1], IMM[0].xxxx, TEMP[0].zzzz\n";
    let branch =
        "MOV TEMP[1].x, IMM[0].xxxx\nUIF TEMP[0].xxxx\nMOV TEMP[1].x, IMM[0].yyyy\nENDIF\n";
    let text = counting(&format!("MOV TEMP[0].z, IMM[0].yyyy\n{sum}{sum}{branch}{beside}{beside}"));
    check(&text, ("TEMP[0].z, IMM[0].yyyy", "TEMP[0].z, IMM[0].zzzz"), |mismatch| {
        matches!(mismatch, Mismatch::Counter { number: 1, .. })
    });
}

fn is_first_counter(mismatch: &Mismatch) -> bool {
    matches!(mismatch, Mismatch::Counter { number: 0, .. })
}

/// Which quad gets which number is open in the branch, and what the counter ends with is not.
#[test]
fn counters_in_branches_that_some_quads_skip() {
    const BRANCH: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL HWATOMIC[0]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 4, 1, 8}
USLT TEMP[1].x, SV[0].xxxx, IMM[0].wwww
UMUL TEMP[1].y, SV[0].xxxx, IMM[0].yyyy
UIF TEMP[1].xxxx
ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz
ATOMUADD TEMP[0].y, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz
UADD TEMP[0].x, TEMP[0].yyyy, -TEMP[0].xxxx
STORE MEMORY[0].x, TEMP[1].yyyy, TEMP[0].xxxx
ELSE
STORE MEMORY[0].x, TEMP[1].yyyy, SV[0].xxxx
ENDIF
END
";
    let second = "TEMP[0].y, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz";
    check(BRANCH, (second, &second.replace("zzzz", "yyyy")), is_first_counter);
    check(BRANCH, ("TEMP[1].yyyy, SV[0].xxxx", "TEMP[1].yyyy, IMM[0].xxxx"), is_value);
}

/// Only what an atomic operation gives is open in helper lanes.
#[test]
fn values_beside_results_of_counters_in_helper_lanes() {
    const HELPERS: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL SV[0], HELPER_INVOCATION
DCL OUT[0], COLOR
DCL HWATOMIC[0]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 1, 3, 0}
ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].yyyy
DDX TEMP[1].x, IN[0].xxxx
MOV TEMP[1].y, SV[0].xxxx
MOV TEMP[1].z, TEMP[0].xxxx
MOV OUT[0], TEMP[1].xyzz
END
";
    check(HELPERS, ("DDX", "DDY"), is_value);
    check(HELPERS, ("TEMP[1].y, SV[0].xxxx", "TEMP[1].y, IMM[0].zzzz"), is_value);
    let amount = "IMM[0].xxxx, IMM[0].yyyy";
    check(HELPERS, (amount, "IMM[0].xxxx, IMM[0].zzzz"), is_first_counter);
}

#[test]
fn places_of_point_coordinates() {
    const POINTS: &str = "FRAG
DCL IN[0], PCOORD, PERSPECTIVE
DCL IN[1], PCOORD, LINEAR
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.0, 0.25, 0.5, 0.0}
INTERP_OFFSET TEMP[0], IN[1], IMM[0].yyyy
ADD OUT[0], TEMP[0], IN[0]
END
";
    check(POINTS, ("IMM[0].yyyy", "IMM[0].zzzz"), is_value);
}

#[test]
fn counters_of_a_patch_that_does_not_fill_its_quads() {
    const POINTS: &str = "TESS_CTRL
PROPERTY TCS_VERTICES_OUT 3
DCL IN[][0], GENERIC[0]
DCL OUT[][0], GENERIC[0]
DCL OUT[1], TESSOUTER
DCL OUT[2], TESSINNER
DCL SV[0], INVOCATIONID
DCL HWATOMIC[0]
DCL TEMP[0]
DCL ADDR[0]
IMM[0] UINT32 {0, 1, 2, 0}
IMM[1] FLT32 {1, 1, 1, 1}
ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].yyyy
UARL ADDR[0].x, SV[0].xxxx
MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]
MOV OUT[1], IMM[1]
MOV OUT[2], IMM[1]
END
";
    check(POINTS, ("IMM[0].xxxx, IMM[0].yyyy", "IMM[0].xxxx, IMM[0].zzzz"), is_first_counter);
}

/// Addresses are computed: no number in the shader tells how far they go.
#[test]
fn distant_words_that_a_small_group_stores() {
    const FAR: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL TEMP[0..1]
IMM[0] UINT32 {400, 7, 10, 8}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
UADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
USGE TEMP[1].x, SV[0].xxxx, IMM[0].zzzz
UIF TEMP[1].xxxx
UADD TEMP[0].y, TEMP[0].yyyy, IMM[0].wwww
ENDIF
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].yyyy
END
";
    check(FAR, ("TEMP[0].yyyy, IMM[0].wwww", "TEMP[0].yyyy, IMM[0].zzzz"), is_value);
}

/// The sixth point of a patch is made by the second quad.
#[test]
fn control_points_after_the_fourth() {
    const POINTS: &str = "TESS_CTRL
PROPERTY TCS_VERTICES_OUT 6
DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL OUT[][0], GENERIC[0]
DCL OUT[1], TESSOUTER
DCL OUT[2], TESSINNER
DCL TEMP[0]
DCL ADDR[0]
IMM[0] UINT32 {5, 0, 0, 0}
IMM[1] FLT32 {1.0, 2.0, 3.0, 4.0}
UARL ADDR[0].x, SV[0].xxxx
USEQ TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
UIF TEMP[0].xxxx
MOV OUT[ADDR[0].x][0], IMM[1].xyzw
ELSE
MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]
ENDIF
MOV OUT[1], IMM[1]
MOV OUT[2], IMM[1]
END
";
    check(POINTS, ("IMM[1].xyzw", "IMM[1].yxzw"), is_value);
}

/// Beside floats, which may be off.
const INTEGERS: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] INT32 {5, 6, -1, -2}
RCP TEMP[0], IN[0].xxxx
MOV TEMP[0].y, IMM[0].xxxx
MOV TEMP[0].z, IMM[0].zzzz
MOV OUT[0], TEMP[0]
END
";

#[test]
fn integers_beside_floats() {
    // As floats one is the neighbour of the other, and negative ones are no numbers.
    check(INTEGERS, ("IMM[0].xxxx", "IMM[0].yyyy"), is_value);
    check(INTEGERS, ("IMM[0].zzzz", "IMM[0].wwww"), is_value);
}

/// The program of a shader whose exports to a target are masked.
fn masked(shader: &Shader, chip: Chip, (kind, base): (ExportKind, u16)) -> Program {
    let target = Target { chip, level: OptLevel::O2, precise: true };
    let options = Options::default().precise(true).key(key_of(shader));
    let mut compiled = Compiler::new(options).unwrap().compile(shader, chip).unwrap();
    for cf in &mut compiled.program.cf {
        if let Cf::Export(export) = cf
            && (export.kind, export.array_base) == (kind, base)
        {
            export.sel = [ComponentSel::Mask; 4];
        }
    }
    let words = compiled.program.encode().unwrap();
    Program { words, ..OurCompiler.compile(shader, target).unwrap() }
}

#[track_caller]
fn check_masked(text: &str, export: (ExportKind, u16)) {
    let shader = parse(text);
    for chip in [Chip::Rv770, Chip::Cypress] {
        let target = Target { chip, level: OptLevel::O2, precise: true };
        let found = compared(&shader, &masked(&shader, chip, export), target);
        assert!(matches!(found, Err(Failure::Rule(_))), "{chip:?}: {found:?}");
        let other = (export.0, 99);
        assert_eq!(compared(&shader, &masked(&shader, chip, other), target), Ok(()), "{chip:?}");
    }
}

#[test]
fn missing_outputs() {
    const DEPTH: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], POSITION
MOV OUT[0], IN[0]
MOV OUT[1].z, IN[0].xxxx
END
";
    const VERTEX: &str = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], PSIZE
DCL OUT[2], GENERIC[0]
MOV OUT[0], IN[0]
MOV OUT[1].x, IN[0].yyyy
MOV OUT[2], IN[0]
END
";
    check_masked(DEPTH, (ExportKind::Pixel, 61));
    check_masked(VERTEX, (ExportKind::Position, 60));
    check_masked(VERTEX, (ExportKind::Position, 61));
    check_masked(VERTEX, (ExportKind::Parameter, 0));
}
