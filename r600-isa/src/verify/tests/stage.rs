//! Boundary cases of the rules of stage, chip and state.

use super::*;

fn as_stage(stage: Stage) -> Setting {
    Setting { stage: Some(stage), ..Setting::default() }
}

fn obeys_as(program: &Program, setting: Setting) {
    assert_eq!(program.verify_as(setting), []);
}

const STAGES: [Stage; 6] = [
    Stage::Fetch,
    Stage::Vertex,
    Stage::VertexToMemory,
    Stage::Geometry,
    Stage::Pixel,
    Stage::Compute,
];

/// What vertex and pixel shaders export, in one list.
fn exports() -> [Cf; 3] {
    [
        export_to(ExportKind::Position, 60),
        export_to(ExportKind::Parameter, 0),
        export_to(ExportKind::Pixel, 0),
    ]
}

#[test]
fn each_stage_has_its_exports() {
    let list = |left_out: usize| {
        let mut list = exports().to_vec();
        list.remove(left_out);
        flow_program(R700, &list)
    };
    for stage in STAGES {
        let needed = match stage {
            Stage::Vertex => [true, true, false],
            Stage::Pixel => [false, false, true],
            _ => [false; 3],
        };
        for (at, is_needed) in needed.into_iter().enumerate() {
            if is_needed {
                breaks_as(Rule::StageExports, &list(at), as_stage(stage));
            } else {
                obeys_as(&list(at), as_stage(stage));
            }
        }
    }
}

#[test]
fn a_vertex_has_its_first_position() {
    let list = |target, burst| {
        let position = CfExport::new(CfOp::ExportDone, ExportKind::Position, target, 0);
        flow_program(
            R700,
            &[Cf::Export(CfExport { burst, ..position }), export_to(ExportKind::Parameter, 0)],
        )
    };
    obeys_as(&list(60, 1), as_stage(Stage::Vertex));
    obeys_as(&list(60, 2), as_stage(Stage::Vertex));
    breaks_as(Rule::StageExports, &list(61, 1), as_stage(Stage::Vertex));
}

/// `insts` in a program that exports for every stage.
fn with_exports(generation: Generation, insts: &[AluInst]) -> Program {
    let mut program = clause_of(generation, &[insts]);
    for (at, export) in exports().into_iter().enumerate() {
        program.cf.insert(1 + at, export);
    }
    program
}

/// Checks that `program` is valid only as `own`.
fn only_for(own: Stage, rule: Rule, program: &Program) {
    for stage in STAGES {
        if stage == own {
            obeys_as(program, as_stage(stage));
        } else {
            breaks_as(rule, program, as_stage(stage));
        }
    }
}

#[test]
fn pixels_are_killed_and_interpolated() {
    let two = [gpr(0, X), gpr(0, X)];
    let kill = with_exports(R700, &[inst(AluOp::Kille, 0, X, &two)]);
    only_for(Stage::Pixel, Rule::KillStage, &kill);
    let load = inst(AluOp::InterpLoadP0, 1, X, &[sel(AluSel::Param(0))]);
    only_for(Stage::Pixel, Rule::InterpolationStage, &with_exports(Evergreen, &[load]));
    let list = [&exports()[..], &[flow(CfOp::Kill)]].concat();
    only_for(Stage::Pixel, Rule::KillStage, &flow_program(R700, &list));
}

#[test]
fn on_cayman_a_multiplier_kills() {
    let masks = |omod, update_exec_mask| {
        let mut set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
        set.dst.omod = omod;
        AluInst { update_exec_mask, ..set }
    };
    let kill = masks(Omod::Half, true);
    only_for(Stage::Pixel, Rule::KillStage, &with_exports(Cayman, &[kill]));
    for stage in STAGES {
        obeys_as(&with_exports(Evergreen, &[kill]), as_stage(stage));
        obeys_as(&with_exports(Cayman, &[masks(Omod::None, true)]), as_stage(stage));
        obeys_as(&with_exports(Cayman, &[masks(Omod::Half, false)]), as_stage(stage));
    }
}

#[test]
fn geometry_shaders_complete_vertices() {
    for op in [CfOp::EmitVertex, CfOp::EmitCutVertex, CfOp::CutVertex] {
        let list = [&exports()[..], &[flow(op)]].concat();
        only_for(Stage::Geometry, Rule::GeometryOutput, &flow_program(R700, &list));
    }
}

#[test]
fn helper_lanes_of_pixels_change_nothing() {
    let all_but_pixel = |program: &Program| {
        for stage in STAGES.into_iter().filter(|stage| *stage != Stage::Pixel) {
            obeys_as(program, as_stage(stage));
        }
    };
    let share = |valid_pixel_mode| {
        let gds = FetchInst::Gds(GdsInst::new(FetchOp::GdsAddRet));
        let mut program = flow_program(Evergreen, &exports());
        let clause = program.add_clause(Clause::Fetch(vec![gds]));
        let mut run = CfFetch::new(CfOp::Gds, clause);
        run.modes.valid_pixel_mode = valid_pixel_mode;
        program.cf.insert(0, Cf::Fetch(run));
        program
    };
    breaks_as(Rule::ValidPixel, &share(false), as_stage(Stage::Pixel));
    obeys_as(&share(true), as_stage(Stage::Pixel));
    all_but_pixel(&share(false));
    let write = |op| {
        let list = [&exports()[..], &[Cf::Memory(CfMemory::new(op, 0))]].concat();
        flow_program(Evergreen, &list)
    };
    breaks_as(Rule::ValidPixel, &write(CfOp::MemRat), as_stage(Stage::Pixel));
    obeys_as(&write(CfOp::MemRing), as_stage(Stage::Pixel));
    all_but_pixel(&write(CfOp::MemRat));
    let fetches = |op| {
        let mut program = flow_program(Evergreen, &exports());
        let clause = program.add_clause(Clause::Fetch(vec![tex(FetchOp::Sample, 0, 1)]));
        program.cf.insert(0, Cf::Fetch(CfFetch::new(op, clause)));
        program
    };
    obeys_as(&fetches(CfOp::Tex), as_stage(Stage::Pixel));
}

#[test]
fn findings_of_a_stage_say_where() {
    let two = [gpr(0, X), gpr(0, X)];
    let groups = [&[mov(1, X, gpr(0, X))][..], &[inst(AluOp::Kille, 0, X, &two)]];
    let mut program = clause_of(R700, &groups);
    program.cf.insert(0, flow(CfOp::Nop));
    let findings = program.verify_as(as_stage(Stage::Compute));
    assert_eq!(findings[0].place, Place { cf: Some(1), clause: None, body: Some(1) });
    // A finding about allocated state is reported for the whole program.
    let allocated = Setting { num_gprs: Some(1), ..as_stage(Stage::Pixel) };
    let copy = with_exports(R700, &[mov(1, X, gpr(0, X))]);
    breaks_as(Rule::AllocatedRegisters, &copy, allocated);
    assert_eq!(copy.verify_as(allocated)[0].place, Place::default());
}

#[test]
fn only_a_clause_that_pushes_is_at_fault() {
    let on = Setting { chip: Some(Chip::Redwood), ..Setting::default() };
    let pop = Cf::Flow(CfFlow { pop_count: 3, target: 4, ..CfFlow::new(CfOp::Pop) });
    let by_list = [flow(CfOp::Push), flow(CfOp::Push), flow(CfOp::Push), pop];
    obeys_as(&flow_program(Evergreen, &by_list), on);
    let program = |pushes: usize| {
        let count = u8::try_from(pushes + 1).expect("a few pushes");
        let pop = Cf::Flow(CfFlow { pop_count: count, ..CfFlow::new(CfOp::Pop) });
        let mut program = flow_program(Evergreen, &vec![flow(CfOp::Push); pushes]);
        let clause = program.add_clause(Clause::Alu(vec![group(&[mov(1, X, gpr(0, X))])]));
        let run = Cf::Alu(CfAlu::new(CfOp::AluPushBefore, clause));
        program.cf.splice(pushes..pushes, [run, pop]);
        program
    };
    obeys_as(&program(0), on);
    breaks_as(Rule::PushFault, &program(2), on);
    assert_eq!(program(2).verify_as(on)[0].place.cf, Some(2));
}

#[test]
fn a_register_of_which_a_fetch_reads_no_channel_is_not_allocated() {
    let program = |read: &str| {
        listing(&format!(
            "TEX:\nSAMPLE R0.xyzw, {read}, t0, s0\nEXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n"
        ))
    };
    let setting = Setting { num_gprs: Some(1), ..Setting::default() };
    assert_eq!(program("R123.0101").stats().gprs, 1);
    obeys_as(&program("R123.0101"), setting);
    assert_eq!(program("R123.010x").stats().gprs, 124);
    breaks_as(Rule::AllocatedRegisters, &program("R123.010x"), setting);
}
