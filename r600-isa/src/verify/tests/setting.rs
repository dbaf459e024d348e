//! Rules of stage, chip and state.

use super::*;

fn as_stage(stage: Stage) -> Setting {
    Setting { stage: Some(stage), ..Setting::default() }
}

#[test]
fn v501_stage_exports() {
    let pixel = flow_program(R700, &[export_to(ExportKind::Pixel, 0)]);
    assert_eq!(pixel.verify_as(as_stage(Stage::Pixel)), []);
    breaks_as(Rule::StageExports, &pixel, as_stage(Stage::Vertex));
    let position = export_to(ExportKind::Position, 60);
    breaks_as(Rule::StageExports, &flow_program(R700, &[position]), as_stage(Stage::Vertex));
    breaks_as(Rule::StageExports, &flow_program(R700, &[position]), as_stage(Stage::Pixel));
    let vertex = flow_program(R700, &[position, export_to(ExportKind::Parameter, 0)]);
    assert_eq!(vertex.verify_as(as_stage(Stage::Vertex)), []);
}

#[test]
fn v502_kill_stage() {
    let kill = inst(AluOp::Kille, 0, X, &[gpr(0, X), gpr(0, X)]);
    let program = alu_program(R700, CfOp::Alu, vec![group(&[kill])]);
    breaks_as(Rule::KillStage, &program, as_stage(Stage::Geometry));
    let program = flow_program(R700, &[flow(CfOp::Kill)]);
    breaks_as(Rule::KillStage, &program, as_stage(Stage::Compute));
}

#[test]
fn v503_interpolation_stage() {
    let load = inst(AluOp::InterpLoadP0, 1, X, &[sel(AluSel::Param(0))]);
    let program = alu_program(Evergreen, CfOp::Alu, vec![group(&[load])]);
    breaks_as(Rule::InterpolationStage, &program, as_stage(Stage::Compute));
}

#[test]
fn v504_geometry_output() {
    let program = flow_program(R700, &[flow(CfOp::EmitVertex)]);
    breaks_as(Rule::GeometryOutput, &program, as_stage(Stage::VertexToMemory));
    assert_eq!(program.verify_as(as_stage(Stage::Geometry)), []);
}

#[test]
fn v505_valid_pixel() {
    let write = CfMemory::new(CfOp::MemRat, 0);
    let list = |write| [Cf::Memory(write), export_to(ExportKind::Pixel, 0)];
    let program = flow_program(Evergreen, &list(write));
    breaks_as(Rule::ValidPixel, &program, as_stage(Stage::Pixel));
    let masked = CfMemory { valid_pixel_mode: true, ..write };
    let program = flow_program(Evergreen, &list(masked));
    assert_eq!(program.verify_as(as_stage(Stage::Pixel)), []);
}

#[test]
fn v506_allocated_registers() {
    let program = alu_program(R700, CfOp::Alu, vec![group(&[mov(7, X, gpr(0, X))])]);
    let allocated = |num_gprs| Setting { num_gprs: Some(num_gprs), ..Setting::default() };
    breaks_as(Rule::AllocatedRegisters, &program, allocated(7));
    assert_eq!(program.verify_as(allocated(8)), []);
}

#[test]
fn v507_stack_size() {
    let pop = Cf::Flow(CfFlow { pop_count: 1, target: 2, ..CfFlow::new(CfOp::Pop) });
    let program = flow_program(R700, &[flow(CfOp::Push), pop]);
    let chip = Some(Chip::Rv770);
    let allocated = |size| Setting { chip, stack_size: Some(size), ..Setting::default() };
    breaks_as(Rule::StackSize, &program, allocated(0));
    assert_eq!(program.verify_as(allocated(1)), []);
}

#[test]
fn v508_push_fault() {
    let push = |generation| {
        let mut program = Program::new(generation);
        let clause = program.add_clause(Clause::Alu(vec![group(&[mov(1, X, gpr(0, X))])]));
        let run = Cf::Alu(CfAlu::new(CfOp::AluPushBefore, clause));
        let pop = Cf::Flow(CfFlow { pop_count: 3, target: 4, ..CfFlow::new(CfOp::Pop) });
        program.cf.extend([flow(CfOp::Push), flow(CfOp::Push), run, pop]);
        finish(&mut program);
        program
    };
    let on = |chip| Setting { chip: Some(chip), ..Setting::default() };
    breaks_as(Rule::PushFault, &push(Evergreen), on(Chip::Redwood));
    assert_eq!(push(Evergreen).verify_as(on(Chip::Cypress)), []);
}

#[test]
fn v509_address_flavour() {
    let program =
        alu_program(R600, CfOp::Alu, vec![group(&[load_address()]), group(&[relative()])]);
    let on = |chip| Setting { chip: Some(chip), ..Setting::default() };
    breaks_as(Rule::AddressFlavour, &program, on(Chip::R600));
    assert_eq!(program.verify_as(on(Chip::Rv670)), []);
}

/// The setting of this chip.
fn on_chip(chip: Chip) -> Setting {
    Setting { chip: Some(chip), ..Setting::default() }
}

#[test]
fn v510_mask_fault() {
    let program = |op| {
        let mut program = Program::new(Evergreen);
        let clause = program.add_clause(Clause::Alu(vec![group(&[mov(1, X, gpr(0, X))])]));
        program.cf.push(flow(CfOp::LoopStartDx10));
        program.cf.push(Cf::Alu(CfAlu::new(op, clause)));
        let end = CfFlow { target: 1, ..CfFlow::new(CfOp::LoopEnd) };
        program.cf.push(Cf::Flow(end));
        if let Cf::Flow(start) = &mut program.cf[0] {
            start.target = 3;
        }
        finish(&mut program);
        program
    };
    for op in [CfOp::AluBreak, CfOp::AluContinue] {
        breaks_as(Rule::MaskFault, &program(op), on_chip(Chip::Redwood));
        assert_eq!(program(op).verify_as(on_chip(Chip::Cypress)), []);
    }
    assert_eq!(program(CfOp::Alu).verify_as(on_chip(Chip::Redwood)), []);
}

#[test]
fn v511_stale_cache() {
    let program = |op, waits: bool| {
        let mut program = Program::new(Evergreen);
        let target = crate::MemoryAccess::Rat(crate::CfRat::default());
        let write = CfMemory { access: target, mark: true, ..CfMemory::new(CfOp::MemRat, 0) };
        program.cf.push(Cf::Memory(write));
        let fetches = vec![FetchInst::Vtx(VtxInst::buffer_fetch(160))];
        let clause = program.add_clause(Clause::Fetch(fetches));
        if waits {
            program.cf.push(flow(CfOp::WaitAck));
        }
        program.cf.push(Cf::Fetch(CfFetch::new(op, clause)));
        finish(&mut program);
        program
    };
    breaks_as(Rule::StaleCache, &program(CfOp::Vtx, true), on_chip(Chip::Juniper));
    assert_eq!(program(CfOp::Tex, true).verify_as(on_chip(Chip::Juniper)), []);
    // A fetch before the wait reads something else.
    assert_eq!(program(CfOp::Vtx, false).verify_as(on_chip(Chip::Juniper)), []);
    assert_eq!(
        program(CfOp::Vtx, true).verify_as(on_chip(Chip::Cedar)),
        [],
        "it has no such cache"
    );
    // The wait may be for scratch memory, which has no such cache.
    let mut scratch = program(CfOp::Vtx, true);
    let read = FetchInst::Mem(MemInst { uncached: true, ..MemInst::new(FetchOp::ReadScratch) });
    let clause = scratch.add_clause(Clause::Fetch(vec![read]));
    scratch.cf.insert(3, Cf::Fetch(CfFetch::new(CfOp::Vtx, clause)));
    assert_eq!(scratch.verify_as(on_chip(Chip::Juniper)), []);
    let mut size = VtxInst::buffer_fetch(160);
    size.op = FetchOp::GetBufferResinfo;
    let sizes = fetch_program(Evergreen, CfOp::Vtx, vec![FetchInst::Vtx(size)]);
    breaks_as(Rule::StaleCache, &sizes, on_chip(Chip::Barts));
}

#[test]
fn v512_no_alu_clause() {
    let exports = [export_to(ExportKind::Position, 60), export_to(ExportKind::Parameter, 0)];
    let of = |chip: Chip, stage| Setting { chip: Some(chip), ..as_stage(stage) };
    for chip in [Chip::Rv610, Chip::Rv670] {
        let program = flow_program(chip.generation(), &exports);
        breaks_as(Rule::NoAluClause, &program, of(chip, Stage::Vertex));
        assert_eq!(program.verify_as(of(chip, Stage::Fetch)), []);
    }
    for chip in [Chip::Rv770, Chip::Latte, Chip::Cedar] {
        let later = flow_program(chip.generation(), &exports);
        assert_eq!(later.verify_as(of(chip, Stage::Vertex)), []);
    }
}

#[test]
fn v513_no_doubles() {
    let on = |chip| Setting { chip: Some(chip), ..Setting::default() };
    let add = |chan, from| inst(AluOp::Add64, 1, chan, &[gpr(0, from), gpr(0, from)]);
    let doubles = [add(X, Y), add(Y, X)];
    let fused = [inst(AluOp::Fma, 1, X, &[gpr(0, X), gpr(0, Y), gpr(0, Z)])];
    let with = |insts: &[AluInst]| alu_program(Evergreen, CfOp::Alu, vec![group(insts)]);
    for chip in [Chip::Cypress, Chip::Hemlock] {
        assert_eq!(with(&doubles).verify_as(on(chip)), []);
        assert_eq!(with(&fused).verify_as(on(chip)), []);
    }
    let found = with(&doubles).verify_as(on(Chip::Cedar));
    assert!(found.iter().all(|one| one.rule == Rule::NoDoubles) && found.len() == 2, "{found:#?}");
    breaks_as(Rule::NoDoubles, &with(&fused), on(Chip::Juniper));
}
