//! Stages whose invocations share something: work groups and patches.

use crate::common;

use common::parse;
use tgsi_exec::{
    Bindings, ExecError, Inputs, Kernel, NoResources, Quad, Release, STEP_LIMIT, Space, WorkGroup,
};
use tgsi_ir::InstructionId;

/// Two quads whose `SV[0].x` counts the invocations.
fn eight() -> Vec<Inputs> {
    let quad = |first: u32| -> Quad { [0, 1, 2, 3].map(|lane| [first + lane, 0, 0, 0]) };
    [0, 4].map(|first| Inputs { system_values: vec![quad(first)], ..Inputs::default() }).to_vec()
}

#[test]
fn a_work_group_sums_by_halves() {
    // Each invocation stores its number; then half of them add what the other half holds.
    let text = "COMP
        DCL SV[0], THREAD_ID
        DCL MEMORY[0], SHARED
        DCL OUT[0]
        DCL TEMP[0..3]
        IMM[0] UINT32 {4, 2, 1, 16}
        UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
        STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx
        BARRIER
        UADD TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww
        USLT TEMP[2].x, SV[0].xxxx, IMM[0].xxxx
        UIF TEMP[2].xxxx
          LOAD TEMP[3].x, MEMORY[0], TEMP[1].xxxx
          ATOMUADD TEMP[3].x, MEMORY[0], TEMP[0].xxxx, TEMP[3].xxxx
        ENDIF
        BARRIER
        LOAD OUT[0].x, MEMORY[0], TEMP[0].xxxx
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let mut resources = Bindings::default();
    resources.memory.insert(Space::Shared, vec![0; 32]);
    let outcomes = kernel.run_group(&eight(), STEP_LIMIT, &mut resources).unwrap();
    let sums = |n: usize| outcomes[n].outputs[0].map(|lane| lane[0]);
    assert_eq!((sums(0), sums(1)), ([4, 6, 8, 10], [4, 5, 6, 7]));
}

#[test]
fn a_group_shares_one_memory_whatever_its_numbers() {
    let text = "COMP
        DCL MEMORY[0], GLOBAL
        DCL MEMORY[1], SHARED
        DCL MEMORY[3..4], SHARED
        DCL OUT[0]
        DCL TEMP[0]
        IMM[0] UINT32 {0, 5, 6, 7}
        STORE MEMORY[0].x, IMM[0].xxxx, IMM[0].yyyy
        STORE MEMORY[1].x, IMM[0].xxxx, IMM[0].zzzz
        LOAD OUT[0].x, MEMORY[4], IMM[0].xxxx
        LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx
        MOV OUT[0].y, TEMP[0].xxxx
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let mut resources = Bindings::default();
    for space in [Space::Shared, Space::Memory(0)] {
        resources.memory.insert(space, vec![0; 4]);
    }
    let outcome = kernel.run(&Inputs::default(), STEP_LIMIT, &mut resources).unwrap();
    assert_eq!(outcome.outputs[0], [[6, 5, 0, 0]; 4]);
}

#[test]
fn a_work_group_knows_its_place() {
    let text = "COMP
        DCL SV[0], THREAD_ID
        DCL SV[1], BLOCK_ID
        DCL SV[2], BLOCK_SIZE
        DCL SV[3], GRID_SIZE
        DCL OUT[0..1]
        MOV OUT[0].xyz, SV[0]
        MOV OUT[0].w, SV[1].xxxx
        MOV OUT[1].xy, SV[2]
        MOV OUT[1].zw, SV[3].xyxy
        END";
    let shader = parse(text);
    let group = WorkGroup { size: [3, 2, 1], id: [7, 0, 0], grid: [9, 1, 1] };
    let quads = group.quads(&shader);
    assert_eq!((quads.len(), quads[0].idle, quads[1].idle), (2, 0, 0b1100));
    let kernel = Kernel::new(&shader).unwrap();
    let outcomes = kernel.run_group(&quads, STEP_LIMIT, &mut NoResources).unwrap();
    assert_eq!(outcomes[0].outputs[0], [[0, 0, 0, 7], [1, 0, 0, 7], [2, 0, 0, 7], [0, 1, 0, 7]]);
    assert_eq!(outcomes[1].outputs[0], [[1, 1, 0, 7], [2, 1, 0, 7], [0; 4], [0; 4]]);
    assert_eq!(outcomes[1].outputs[1][0], [3, 2, 9, 1]);
    let endless = WorkGroup { size: [u32::MAX; 3], ..group };
    assert!(endless.quads(&shader).is_empty());
    let large = WorkGroup { size: [4096, 1, 1], ..group };
    let error = large.num_invocations().unwrap_err();
    assert_eq!(
        error.to_string(),
        "its work group has 4096 invocations, more than the limit of 2048"
    );
    assert_eq!(group.num_invocations(), Ok(6));
}

#[test]
fn a_barrier_that_some_never_reach_is_a_trap() {
    let text = "COMP
        DCL SV[0], THREAD_ID
        DCL TEMP[0]
        IMM[0] UINT32 {4, 0, 0, 0}
        USLT TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
        UIF TEMP[0].xxxx
          BARRIER
        ENDIF
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let error = kernel.run_group(&eight(), STEP_LIMIT, &mut NoResources).unwrap_err();
    assert!(matches!(error, ExecError::Barrier { lane: 0, .. }), "{error}");
    let want = "instruction 2, lane 0: waits at a barrier that other invocations do not reach";
    assert_eq!(error.to_string(), want);
}

/// The second quad is in the branch. The first one, which skips it, would store before the load.
#[test]
fn quads_wait_at_turns_for_those_before_them() {
    let text = "COMP
        DCL SV[0], THREAD_ID
        DCL MEMORY[0], SHARED
        DCL OUT[0]
        DCL TEMP[0]
        IMM[0] UINT32 {4, 0, 1, 0}
        USGE TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
        UIF TEMP[0].xxxx
          BARRIER
          LOAD TEMP[0].y, MEMORY[0], IMM[0].yyyy
          LOAD OUT[0].x, MEMORY[0], IMM[0].yyyy
        ENDIF
        BARRIER
        STORE MEMORY[0].x, IMM[0].yyyy, IMM[0].zzzz
        END";
    let kernel = Kernel::new(&parse(text))
        .unwrap()
        .with_turns([6, 2].map(InstructionId).to_vec(), Release::First);
    let mut resources = Bindings::default();
    resources.memory.insert(Space::Shared, vec![0; 8]);
    let outcomes = kernel.run_group(&eight(), STEP_LIMIT, &mut resources).unwrap();
    assert_eq!(outcomes[1].outputs[0].map(|lane| lane[0]), [0; 4]);
    assert_eq!(resources.memory[&Space::Shared][0], 1);
}

#[test]
fn control_points_see_each_other_after_a_barrier() {
    let text = "TESS_CTRL
        PROPERTY TCS_VERTICES_OUT 4
        DCL IN[][0], GENERIC[0]
        DCL SV[0], INVOCATIONID
        DCL OUT[][0], GENERIC[0]
        DCL OUT[1], TESSOUTER
        DCL ADDR[0..1]
        DCL TEMP[0]
        IMM[0] UINT32 {1, 3, 0, 0}
        UARL ADDR[0].x, SV[0].xxxx
        MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]
        BARRIER
        UADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
        AND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
        UARL ADDR[1].x, TEMP[0].xxxx
        MOV TEMP[0], OUT[ADDR[1].x][0]
        BARRIER
        MOV OUT[ADDR[0].x][0].y, TEMP[0].xxxx
        MOV OUT[1].x, IN[2][0].xxxx
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let point = |n: u32| vec![[10 * n, 0, 0, 0]];
    let inputs = Inputs {
        vertices: (0..4).map(point).collect(),
        system_values: vec![[0, 1, 2, 3].map(|n| [n; 4])],
        ..Inputs::default()
    };
    let outcomes = kernel.run_group(&[inputs], STEP_LIMIT, &mut NoResources).unwrap();
    let points: Vec<_> = outcomes[0].vertices.iter().map(|vertex| vertex[0]).collect();
    assert_eq!(points, [[0, 10, 0, 0], [10, 20, 0, 0], [20, 30, 0, 0], [30, 0, 0, 0]]);
    assert_eq!(outcomes[0].outputs[1], [[20, 0, 0, 0]; 4]);
}

#[test]
fn evaluation_reads_the_patch_at_its_own_place() {
    let text = "TESS_EVAL
        PROPERTY TES_PRIM_MODE 4
        DCL IN[][0], GENERIC[0]
        DCL SV[0], TESSCOORD
        DCL OUT[0], POSITION
        LRP OUT[0], SV[0].xxxx, IN[1][0], IN[0][0]
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let vertex = |x: f32| vec![[x; 4].map(f32::to_bits)];
    let inputs = Inputs {
        vertices: vec![vertex(1.0), vertex(5.0)],
        system_values: vec![[0.0_f32, 0.25, 0.5, 1.0].map(|x| [x.to_bits(); 4])],
        ..Inputs::default()
    };
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut NoResources).unwrap();
    assert_eq!(outcome.outputs[0].map(|lane| f32::from_bits(lane[0])), [1.0, 2.0, 3.0, 5.0]);
}

/// Whoever copies all inputs reads vertices that the patch does not have, too.
#[test]
fn vertices_that_a_patch_lacks_are_zero_unless_an_index_leads_there() {
    let run = |operand: &str| {
        let text = format!(
            "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\nDCL CONST[0]\nDCL ADDR[0]\nDCL OUT[0], POSITION\n\
             UARL ADDR[0].x, CONST[0].xxxx\nMOV OUT[0], {operand}\nEND\n"
        );
        let inputs = Inputs { vertices: vec![vec![[7; 4]]], ..Inputs::default() };
        let outcome =
            Kernel::new(&parse(&text)).unwrap().run(&inputs, STEP_LIMIT, &mut NoResources);
        outcome.map(|outcome| outcome.outputs[0][0]).map_err(|error| error.to_string())
    };
    assert_eq!(run("IN[0][0]"), Ok([7; 4]));
    assert_eq!(run("IN[31][0]"), Ok([0; 4]));
    assert_eq!(
        run("IN[32][0]"),
        Err("instruction 1, lane 0: register 32 lies outside its file".into())
    );
    assert_eq!(
        run("IN[ADDR[0].x+1][0]"),
        Err("instruction 1, lane 0: register 1 lies outside its file".into())
    );
    // No declaration has the register that the index leads to.
    assert_eq!(
        run("IN[0][ADDR[0].x+5]"),
        Err("instruction 1, lane 0: register 5 lies outside its file".into())
    );
}

/// What control points have and what the patch has are apart, and holes between declarations belong to nobody.
#[test]
fn indices_do_not_pass_from_points_to_the_patch() {
    let run = |declarations: &str, operand: &str| {
        let text = format!(
            "{declarations}DCL CONST[0]\nDCL ADDR[0]\nDCL OUT[0], POSITION\nUARL ADDR[0].x, CONST[0].xxxx\n\
             MOV OUT[0], {operand}\nEND\n"
        );
        let inputs = Inputs {
            vertices: vec![vec![[7; 4]; 3]],
            registers: vec![[[9; 4]; 4]; 4],
            ..Inputs::default()
        };
        let outcome =
            Kernel::new(&parse(&text)).unwrap().run(&inputs, STEP_LIMIT, &mut NoResources);
        outcome.map(|outcome| outcome.outputs[0][0]).ok()
    };
    let patch =
        "TESS_EVAL\nDCL IN[][0], GENERIC[0]\nDCL IN[1], PATCH[0]\nDCL IN[][2], GENERIC[1]\n";
    assert_eq!(run(patch, "IN[0][ADDR[0].x+2]"), Some([7; 4]));
    assert_eq!(run(patch, "IN[0][ADDR[0].x+1]"), None);
    assert_eq!(run(patch, "IN[ADDR[0].x+1]"), Some([9; 4]));
    assert_eq!(run(patch, "IN[ADDR[0].x+2]"), None);
    let hole = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[3], GENERIC[3], LINEAR\n";
    assert_eq!(run(hole, "IN[ADDR[0].x+3]"), Some([9; 4]));
    assert_eq!(run(hole, "IN[ADDR[0].x+1]"), None);
}

#[test]
fn the_number_of_the_primitive_is_that_of_every_vertex() {
    let text = "GEOM
        PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
        PROPERTY GS_OUTPUT_PRIMITIVE POINTS
        PROPERTY GS_MAX_OUTPUT_VERTICES 1
        DCL IN[][0], POSITION
        DCL IN[][1], PRIM_ID
        DCL CONST[0]
        DCL ADDR[0]
        DCL OUT[0..1], GENERIC[0]
        IMM[0] UINT32 {0, 0, 0, 0}
        UARL ADDR[0].x, CONST[0].xxxx
        MOV OUT[0], IN[2][1].xxxx
        MOV OUT[1], IN[1][ADDR[0].x+1].xxxx
        EMIT IMM[0].xxxx
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let inputs = Inputs {
        vertices: vec![vec![[1, 2, 3, 4]]; 3],
        registers: vec![[[0; 4]; 4], [[9; 4]; 4]],
        ..Inputs::default()
    };
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut NoResources).unwrap();
    assert_eq!(outcome.streams[0], [[vec![[9; 4], [9; 4]]]]);
}

#[test]
fn streams_are_kept_apart() {
    let text = "GEOM
        PROPERTY GS_INPUT_PRIMITIVE POINTS
        PROPERTY GS_OUTPUT_PRIMITIVE POINTS
        PROPERTY GS_MAX_OUTPUT_VERTICES 3
        DCL IN[][0], POSITION
        DCL OUT[0], POSITION
        IMM[0] UINT32 {0, 1, 0, 0}
        MOV OUT[0], IN[0][0]
        EMIT IMM[0].xxxx
        MOV OUT[0], IN[0][0].yyyy
        EMIT IMM[0].yyyy
        EMIT IMM[0].xxxx
        EMIT IMM[0].xxxx
        ENDPRIM IMM[0].xxxx
        END";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let inputs = Inputs { vertices: vec![vec![[1, 2, 3, 4]]], ..Inputs::default() };
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut NoResources).unwrap();
    // The fourth vertex is one too many.
    assert_eq!(outcome.streams[0], [[vec![[1, 2, 3, 4]], vec![[0; 4]]]]);
    assert_eq!(outcome.streams[1], [[vec![[2, 2, 2, 2]]]]);
}

/// One may come with every step, so it must not cost what all the outputs do.
#[test]
fn vertices_beyond_the_limit_leave_the_outputs_alone() {
    let run = |rest: &str| {
        let text = format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
             DCL OUT[1..32000], GENERIC[0]\nIMM[0] UINT32 {{0, 0, 0, 0}}\nMOV OUT[0], IN[0][0]\n\
             EMIT IMM[0].xxxx\nMOV OUT[0], IN[0][0].yyyy\nEMIT IMM[0].xxxx\n{rest}END\n"
        );
        let inputs = Inputs { vertices: vec![vec![[1, 2, 3, 4]]], ..Inputs::default() };
        Kernel::new(&parse(&text)).unwrap().run(&inputs, STEP_LIMIT, &mut NoResources)
    };
    let outcome = run("").unwrap();
    assert_eq!(outcome.outputs[0][0], [2; 4]);
    let emitted = outcome.streams[0].iter().flatten();
    assert_eq!(emitted.map(|vertex| vertex[0]).collect::<Vec<_>>(), [[1, 2, 3, 4]]);
    let error = run("BGNLOOP\nEMIT IMM[0].xxxx\nEMIT IMM[0].xxxx\nENDLOOP\n").unwrap_err();
    let text = error.to_string();
    assert!(text.ends_with(", lane 0: the limit of 1000000 steps is reached"), "{text}");
}
