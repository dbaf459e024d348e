//! What nothing orders, what has one value under two names, and what is too large to run.

use crate::support;

use difftest::case::{OurCompiler, Target};
use difftest::harness::Harness;
use difftest::uncompared::Cause;
use r600_isa::Chip;

/// The declarations of a group of 8, with the number of the invocation in `SV[0].x`.
const GROUP: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 8
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL TEMP[0..1]
";

/// Two quads store to one word, in the two sides of a branch; each invocation stores to a word of its own, too.
#[test]
fn the_last_of_several_quads_to_store_is_unspecified() {
    let text = format!(
        "{GROUP}DCL BUFFER[0]\nIMM[0] UINT32 {{0, 4, 1, 2}}\nIMM[1] UINT32 {{64, 0, 0, 0}}\n\
         USGE TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\n\
         STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww\nELSE\n\
         STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz\nENDIF\n\
         UMAD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy, IMM[1].xxxx\n\
         STORE BUFFER[0].x, TEMP[1].xxxx, SV[0].xxxx\nEND\n"
    );
    let open = support::agrees(&text, &[Chip::Cypress, Chip::Cayman]).open;
    assert!(open.count(Cause::Memory) > 0, "{open:?}");
}

/// Each invocation keeps what two operations have given it.
#[test]
fn results_of_atomic_operations_of_a_group_are_open() {
    for (declared, target) in
        [("DCL HWATOMIC[0][0]\n", "HWATOMIC[0][0], IMM[0].xxxx"), ("", "MEMORY[0], IMM[0].wwww")]
    {
        let text = format!(
            "{GROUP}{declared}DCL MEMORY[0], SHARED\nIMM[0] UINT32 {{0, 1, 8, 256}}\n\
             UMUL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n\
             ATOMUADD TEMP[0].x, {target}, IMM[0].yyyy\n\
             ATOMUADD TEMP[0].y, {target}, IMM[0].yyyy\n\
             STORE MEMORY[0].xy, TEMP[1].xxxx, TEMP[0].xyyy\nEND\n"
        );
        let open = support::agrees(&text, &[Chip::Cypress]).open;
        assert!(open.count(Cause::Wild) > 0, "{open:?}");
    }
}

#[test]
fn results_of_counters_are_open_for_primitives_too() {
    let text = "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], GENERIC[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL HWATOMIC[0][0]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 1, 0, 0}
ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy
ATOMUADD TEMP[0].y, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy
MOV OUT[0], IN[0][0]
MOV OUT[1], TEMP[0].xyxy
EMIT IMM[0].xxxx
END
";
    let open = support::agrees(text, &[Chip::Cypress]).open;
    assert!(open.count(Cause::Wild) > 0, "{open:?}");
}

/// A wavefront comes to each access with all of its quads; in turn, quads give another number.
#[test]
fn results_of_quads_that_run_in_lockstep_are_open() {
    let [minimum, sum] = ["ATOMUMIN", "ATOMUADD"]
        .map(|op| format!("{op} TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy\n"));
    let branch = "USLT TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\nUIF TEMP[1].xxxx\n";
    for body in [
        format!("{minimum}{sum}"),
        format!("{minimum}{sum}BARRIER\n{sum}"),
        format!("{branch}{minimum}{sum}ENDIF\n"),
        "LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
         STORE MEMORY[0].x, IMM[0].xxxx, TEMP[0].xxxx\n"
            .to_owned(),
    ] {
        let text =
            format!("{GROUP}DCL MEMORY[0], SHARED\nIMM[0] UINT32 {{0, 3, 8, 0}}\n{body}END\n");
        let open = support::agrees(&text, &[Chip::Cypress]).open;
        assert!(open.count(Cause::Wild) > 0, "{text}{open:?}");
    }
}

#[test]
fn counters_of_invocations_that_run_in_lockstep_are_open() {
    let [minimum, sum] = ["ATOMUMIN", "ATOMUADD"]
        .map(|op| format!("{op} TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n"));
    let declared = "DCL HWATOMIC[0][0..1]\nIMM[0] UINT32 {0, 3, 16, 0}\n";
    let group = format!(
        "{GROUP}DCL MEMORY[0], SHARED\n{declared}{minimum}{sum}\
         UMUL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\nSTORE MEMORY[0].x, TEMP[1].xxxx, SV[0].xxxx\nEND\n"
    );
    let primitives = |body: &str| {
        format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
             DCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n{declared}{body}MOV OUT[0], IN[0][0]\n\
             MOV OUT[1], TEMP[0].xxxx\nEMIT IMM[0].xxxx\nEND\n"
        )
    };
    for text in [group, primitives(&format!("{minimum}{sum}"))] {
        let open = support::agrees(&text, &[Chip::Cypress]).open;
        assert!(open.count(Cause::Counters) > 0, "{text}{open:?}");
    }
    // How far two sums lie apart depends on who came between, and what they come to does not.
    let apart = format!(
        "{sum}MOV TEMP[0].y, TEMP[0].xxxx\n{sum}UADD TEMP[0].x, TEMP[0].xxxx, -TEMP[0].yyyy\n"
    );
    let open = support::agrees(&primitives(&apart), &[Chip::Cypress]).open;
    assert!(open.count(Cause::Wild) > 0, "{open:?}");
    assert_eq!(open.count(Cause::Counters), 0);
    // What a counter ends with that adds it up depends on others, too.
    let added = "ATOMUADD TEMP[0].y, HWATOMIC[0][1], IMM[0].xxxx, TEMP[0].xxxx\n";
    let open = support::agrees(&primitives(&format!("{apart}{added}")), &[Chip::Cypress]).open;
    assert!(open.count(Cause::Counters) > 0, "{open:?}");
}

#[test]
fn registers_with_the_same_semantic_have_the_same_value() {
    for (text, chips) in [
        (
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[0], PERSPECTIVE\n\
             DCL OUT[0], COLOR\nADD OUT[0], IN[0], IN[1].wzyx\nEND\n",
            &[Chip::Rv770, Chip::Cypress][..],
        ),
        (
            "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL SV[1], VERTEXID\nDCL OUT[0], POSITION\n\
             DCL OUT[1], GENERIC[0]\nDCL TEMP[0]\nMOV OUT[0], IN[0]\nMOV TEMP[0].xy, SV[0].xxxx\n\
             MOV TEMP[0].zw, SV[1].xxxx\nMOV OUT[1], TEMP[0]\nEND\n",
            &[Chip::Rv770, Chip::Cypress],
        ),
        (
            "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\nDCL IN[][0], GENERIC[0]\n\
             DCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
             MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[1][1]\nEND\n",
            &[Chip::Cypress],
        ),
    ] {
        support::agrees(text, chips);
    }
}

#[test]
fn inputs_with_the_same_semantic_are_interpolated_separately() {
    for [first, second] in [
        ["PERSPECTIVE", "LINEAR"],
        ["PERSPECTIVE", "PERSPECTIVE, CENTROID"],
        ["LINEAR", "CONSTANT"],
        ["CONSTANT", "PERSPECTIVE"],
    ] {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], {first}\nDCL IN[1], GENERIC[0], {second}\n\
             DCL OUT[0], COLOR\nADD OUT[0], IN[0], IN[1].wzyx\nEND\n"
        );
        support::agrees(&text, &[Chip::Rv770, Chip::Cypress, Chip::Cayman]);
    }
}

/// The interpreter runs none of their quads: nothing of them is taken for compared, and no wavefront is made.
#[test]
fn groups_that_are_too_large_are_not_compared() {
    for [width, height] in [[4096, 1], [65535, 65535]] {
        let text = GROUP
            .replace("WIDTH 8", &format!("WIDTH {width}"))
            .replace("HEIGHT 1", &format!("HEIGHT {height}"));
        let text = format!(
            "{text}DCL MEMORY[0], SHARED\nIMM[0] UINT32 {{0, 1, 4, 256}}\n\
             UMUL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n\
             STORE MEMORY[0].x, TEMP[1].xxxx, IMM[0].xxxx\nEND\n"
        );
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        let targets = Target::all(&[Chip::Cypress]);
        let harness = Harness { compiler: &OurCompiler, targets, seed: 5, must_compile: true };
        let summary = harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!((summary.tally.exact, summary.unfinished()), (0, summary.scenes), "{text}");
        assert!(summary.stops[0].contains("more than the limit of 2048"), "{:?}", summary.stops);
    }
}

/// What is added to the second counter, or whether anything is, depends on who comes between the first two sums.
#[test]
fn counters_that_change_by_what_others_give_are_open() {
    let branch = "USLT TEMP[0].z, TEMP[0].yyyy, IMM[0].wwww\nUIF TEMP[0].zzzz\n\
                  ATOMUADD TEMP[0].z, HWATOMIC[1], IMM[0].xxxx, IMM[0].zzzz\nENDIF\n";
    let sum = "ATOMUADD TEMP[0].z, HWATOMIC[1], IMM[0].xxxx, TEMP[0].xxxx\n";
    // A vertex takes the output with it.
    let emit = "MOV OUT[1], IMM[0].wwww\nAND TEMP[0].z, TEMP[0].yyyy, IMM[0].zzzz\nUIF TEMP[0].zzzz\n\
                EMIT IMM[0].xxxx\nENDIF\n\
                ATOMUADD TEMP[0].z, HWATOMIC[1], IMM[0].xxxx, OUT[1].xxxx\n";
    for (change, is_certain) in [(sum, true), (branch, false), (emit, true)] {
        let text = format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
             DCL OUT[1], GENERIC[0]\nDCL HWATOMIC[0..1]\nDCL TEMP[0]\nIMM[0] UINT32 {{0, 4, 1, 17}}\n\
             ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz\n\
             ATOMUADD TEMP[0].y, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz\n{change}\
             ATOMUADD TEMP[0].w, HWATOMIC[1], IMM[0].xxxx, IMM[0].zzzz\n\
             MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n"
        );
        let open = support::agrees(&text, &[Chip::Cedar]).open;
        // Both ends of the branch may be the same on all scenes.
        assert!(open.count(Cause::Counters) > 0 || !is_certain, "{text}{open:?}");
    }
}

/// Of four quads two enter a branch without a barrier, and go through it together.
#[test]
fn results_in_branches_that_some_quads_skip_are_open() {
    for (declared, target) in
        [("DCL HWATOMIC[0]\n", "HWATOMIC[0], IMM[0].xxxx"), ("", "MEMORY[0], IMM[1].xxxx")]
    {
        let add = |channel| format!("ATOMUADD TEMP[0].{channel}, {target}, IMM[0].zzzz\n");
        let text = format!(
            "{}DCL MEMORY[0], SHARED\n{declared}IMM[0] UINT32 {{0, 4, 1, 8}}\n\
             IMM[1] UINT32 {{256, 0, 0, 0}}\nUSLT TEMP[1].x, SV[0].xxxx, IMM[0].wwww\n\
             UIF TEMP[1].xxxx\n{}{}UADD TEMP[0].x, TEMP[0].yyyy, -TEMP[0].xxxx\n\
             UMUL TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n\
             STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[0].xxxx\nENDIF\nEND\n",
            GROUP.replace("WIDTH 8", "WIDTH 16"),
            add("x"),
            add("y"),
        );
        let open = support::agrees(&text, &[Chip::Cedar]).open;
        assert!(open.count(Cause::Wild) > 0, "{text}{open:?}");
    }
}

/// The language says nothing of what an atomic operation gives there.
#[test]
fn results_of_counters_are_open_in_helper_lanes() {
    let text = "FRAG\nDCL SV[0], HELPER_INVOCATION\nDCL OUT[0], COLOR\nDCL HWATOMIC[0]\nDCL TEMP[0]\n\
                IMM[0] UINT32 {0, 1, 0, 0}\n\
                ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].yyyy\n\
                MOV TEMP[0].y, SV[0].xxxx\nMOV OUT[0], TEMP[0].xyxy\nEND\n";
    let open = support::agrees(text, &[Chip::Cedar]).open;
    assert!(open.count(Cause::Wild) > 0, "{open:?}");
}

/// The hardware has one point coordinate, which is a plane or none.
#[test]
fn point_coordinates_that_are_interpolated_differently_have_one_value() {
    for [first, second] in [["CONSTANT", "PERSPECTIVE"], ["PERSPECTIVE", "CONSTANT"]] {
        let text = format!(
            "FRAG\nDCL IN[0], PCOORD, {first}\nDCL IN[1], PCOORD, {second}\nDCL OUT[0], COLOR\n\
             DCL TEMP[0]\nINTERP_CENTROID TEMP[0], IN[1]\nADD OUT[0], TEMP[0], IN[0]\nEND\n"
        );
        support::agrees(&text, &[Chip::Cypress]);
    }
}

/// A quad whose lanes all continue with the next iteration, or that calls a subroutine, comes to its accesses in
/// another order than the text has them, and others interleave all the same.
#[test]
fn results_of_quads_that_continue_or_call_are_open() {
    let start = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\n\
                 DCL HWATOMIC[0]\nDCL TEMP[0..2]\nIMM[0] UINT32 {0, 4, 1, 3}\n\
                 USLT TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nUMUL TEMP[1].y, SV[0].xxxx, IMM[0].yyyy\n";
    let add = |channel: &str| {
        format!("ATOMUADD TEMP[2].{channel}, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz\n")
    };
    let keep = "MOV TEMP[2].z, TEMP[2].xxxx\nMOV TEMP[2].x, TEMP[2].yyyy\n";
    let end = "UADD TEMP[2].w, TEMP[2].xxxx, -TEMP[2].zzzz\nSTORE MEMORY[0].x, TEMP[1].yyyy, TEMP[2].wwww\n";
    let step = format!("{}{keep}", add("y"));
    let looped = format!(
        "MOV TEMP[0].x, IMM[0].xxxx\nMOV TEMP[2].x, IMM[0].xxxx\nBGNLOOP\n\
         USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\nUIF TEMP[0].yyyy\nBRK\nENDIF\n\
         UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[1].xxxx\n{step}CONT\nENDIF\n{step}ENDLOOP\n\
         {end}END\n"
    );
    let called = format!(
        "UIF TEMP[1].xxxx\nCAL :10\nENDIF\n{}{}{end}RET\nBGNSUB\n{}RET\nENDSUB\nEND\n",
        add("z"),
        add("x"),
        add("y")
    );
    let uneven = looped.replace("CONT\n", "LOAD TEMP[2].w, MEMORY[0], IMM[0].xxxx\nCONT\n");
    let waiting = format!("BARRIER\n{looped}");
    for body in [looped, called, uneven, waiting] {
        let open = support::agrees(&format!("{start}{body}"), &[Chip::Cedar]).open;
        assert!(open.count(Cause::Wild) > 0, "{body}{open:?}");
    }
}
