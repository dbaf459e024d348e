//! Rules of control flow.

use super::*;

#[test]
fn v401_unsupported_flow() {
    breaks(Rule::UnsupportedFlow, &flow_program(R600, &[flow(CfOp::WaitAck)]));
    breaks(Rule::UnsupportedFlow, &flow_program(R700, &[Cf::Raw([0, 0x0F80_0000])]));
}

#[test]
fn v402_no_end() {
    breaks(Rule::NoEnd, &Program::new(R700));
    let mut program = Program::new(R700);
    program.cf.push(flow(CfOp::Nop));
    breaks(Rule::NoEnd, &program);
}

#[test]
fn v403_stack_underflow() {
    let pop = Cf::Flow(CfFlow { pop_count: 1, ..CfFlow::new(CfOp::Pop) });
    breaks(Rule::StackUnderflow, &flow_program(R700, &[pop]));
    assert_eq!(flow_program(R700, &[flow(CfOp::Push), pop]).verify(), []);
}

#[test]
fn v404_loop_targets() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let start = |target| to(CfOp::LoopStartDx10, target);
    let end = |target| to(CfOp::LoopEnd, target);
    assert_eq!(flow_program(R700, &[start(2), end(1)]).verify(), []);
    for list in [&[start(1), end(1)][..], &[start(2), end(0)], &[start(1)], &[end(0)]] {
        breaks(Rule::LoopTargets, &flow_program(R700, list));
    }
}

#[test]
fn v405_last_export() {
    breaks(Rule::LastExport, &flow_program(R700, &[export(CfOp::Export, 0)]));
    let both = [export(CfOp::Export, 0), export(CfOp::ExportDone, 0)];
    assert_eq!(flow_program(R700, &both).verify(), []);
}

#[test]
fn v406_gpr_limit() {
    breaks(Rule::GprLimit, &flow_program(R700, &[export(CfOp::ExportDone, 124)]));
    let fetch = vec![tex(FetchOp::Sample, 0, 125)];
    breaks(Rule::GprLimit, &fetch_program(R700, CfOp::Tex, fetch));
}

#[test]
fn v407_no_clause() {
    let run = |clause| Cf::Fetch(CfFetch::new(CfOp::Tex, clause));
    breaks(Rule::NoClause, &flow_program(R700, &[run(ClauseId(0))]));
    let mut program = flow_program(R700, &[run(ClauseId(0))]);
    program.add_clause(Clause::Alu(vec![group(&[mov(1, X, gpr(0, X))])]));
    breaks(Rule::NoClause, &program);
    breaks(Rule::NoClause, &Program::decode(&[9, 0xA000_0000, 0, 0x8020_0000], R700));
}

#[test]
fn v408_flow_target() {
    let jump = Cf::Flow(CfFlow { target: 9, ..CfFlow::new(CfOp::Jump) });
    breaks(Rule::FlowTarget, &flow_program(R700, &[jump]));
    // Decoding leaves such a jump raw.
    breaks(Rule::FlowTarget, &Program::decode(&[9, 0x8500_0000, 0, 0x8020_0000], R700));
}

#[test]
fn v409_missing_barrier() {
    let mut program = Program::new(R700);
    let clause = program.add_clause(Clause::Fetch(vec![tex(FetchOp::Sample, 0, 1)]));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
    let early = |gpr| CfExport {
        barrier: false,
        ..CfExport::new(CfOp::ExportDone, ExportKind::Pixel, 0, gpr)
    };
    program.cf.push(Cf::Export(early(1)));
    finish(&mut program);
    breaks(Rule::MissingBarrier, &program);
    program.cf[1] = Cf::Export(early(2));
    assert_eq!(program.verify(), []);
    // An index can move the export up to the result, but never down.
    let indexed = |gpr| Cf::Export(CfExport { relative: true, ..early(gpr) });
    let has_it = |program: &Program| {
        program.verify().iter().any(|finding| finding.rule == Rule::MissingBarrier)
    };
    for (gpr, is_missing) in [(0, true), (2, false)] {
        program.cf[1] = indexed(gpr);
        assert_eq!(has_it(&program), is_missing, "R{gpr}");
    }
}

#[test]
fn v410_stack_left() {
    breaks(Rule::StackLeft, &flow_program(R700, &[flow(CfOp::Push)]));
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let list = [to(CfOp::LoopStartDx10, 3), flow(CfOp::Push), to(CfOp::LoopEnd, 1)];
    breaks(Rule::StackLeft, &flow_program(R700, &list));
}

#[test]
fn v411_loop_exit() {
    breaks(Rule::LoopExit, &flow_program(R700, &[flow(CfOp::LoopBreak)]));
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let list = |exit| [to(CfOp::LoopStartDx10, 3), to(CfOp::LoopBreak, exit), to(CfOp::LoopEnd, 1)];
    breaks(Rule::LoopExit, &flow_program(R700, &list(3)));
    assert_eq!(flow_program(R700, &list(2)).verify(), []);
    let groups = vec![group(&[mov(1, X, gpr(0, X))])];
    breaks(Rule::LoopExit, &alu_program(R700, CfOp::AluBreak, groups));
}

#[test]
fn v412_else_without_push() {
    let turn = Cf::Flow(CfFlow { target: 1, ..CfFlow::new(CfOp::Else) });
    breaks(Rule::ElseWithoutPush, &flow_program(R700, &[turn]));
}

#[test]
fn v413_end_place() {
    let mut program = Program::new(R700);
    program.cf.push(Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::CallFs) }));
    breaks(Rule::EndPlace, &program);
}

#[test]
fn v414_export_after_done() {
    let twice = [export(CfOp::ExportDone, 0), export(CfOp::ExportDone, 0)];
    breaks(Rule::ExportAfterDone, &flow_program(R700, &twice));
}

#[test]
fn v415_export_target() {
    let bad = [
        (ExportKind::Pixel, 8),
        (ExportKind::Position, 0),
        (ExportKind::Parameter, 32),
        (ExportKind::Reserved, 0),
    ];
    for (kind, target) in bad {
        breaks(Rule::ExportTarget, &flow_program(Evergreen, &[export_to(kind, target)]));
    }
    assert_eq!(flow_program(R700, &[export_to(ExportKind::Position, 63)]).verify(), []);
}

#[test]
fn v416_export_holes() {
    breaks(Rule::ExportHoles, &flow_program(R700, &[export_to(ExportKind::Parameter, 1)]));
    let second = [export_to(ExportKind::Pixel, 1)];
    breaks(Rule::ExportHoles, &flow_program(R700, &second));
    assert_eq!(
        flow_program(Evergreen, &second).verify(),
        [],
        "on Evergreen, exports have colour numbers"
    );
}

#[test]
fn v417_scratch_wait() {
    let program = |waits: bool| {
        let mut program = Program::new(R700);
        let read = FetchInst::Mem(MemInst::new(FetchOp::ReadScratch));
        let clause = program.add_clause(Clause::Fetch(vec![read]));
        let kind = MemoryType::WriteAck;
        program.cf.push(Cf::Memory(CfMemory { kind, ..CfMemory::new(CfOp::MemScratch, 0) }));
        if waits {
            program.cf.push(flow(CfOp::WaitAck));
        }
        program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
        finish(&mut program);
        program
    };
    breaks(Rule::ScratchWait, &program(false));
    assert_eq!(program(true).verify(), []);
    // A push skips the wait if no lane is left.
    let mut around = program(true);
    let push = CfFlow { target: 4, pop_count: 1, ..CfFlow::new(CfOp::Push) };
    let pop = CfFlow { target: 4, pop_count: 1, ..CfFlow::new(CfOp::Pop) };
    around.cf.insert(1, Cf::Flow(push));
    around.cf.insert(3, Cf::Flow(pop));
    breaks(Rule::ScratchWait, &around);
}

/// Reads scratch memory, writes it, and then has `ways` from `cf` 2 on.
fn written_late(ways: &[Cf]) -> Program {
    let mut program = Program::new(R700);
    let read = FetchInst::Mem(MemInst::new(FetchOp::ReadScratch));
    let clause = program.add_clause(Clause::Fetch(vec![read]));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
    let kind = MemoryType::WriteAck;
    program.cf.push(Cf::Memory(CfMemory { kind, ..CfMemory::new(CfOp::MemScratch, 0) }));
    program.cf.extend_from_slice(ways);
    finish(&mut program);
    program
}

#[test]
fn a_push_without_a_target_does_not_jump() {
    for target in [0, 3] {
        let push = CfFlow { target, ..CfFlow::new(CfOp::Push) };
        let pop = CfFlow { target: 4, pop_count: 1, ..CfFlow::new(CfOp::Pop) };
        assert_eq!(written_late(&[Cf::Flow(push), Cf::Flow(pop)]).verify(), [], "{target}");
    }
    breaks(Rule::ScratchWait, &written_late(&[flow(CfOp::Jump)]));
}

/// Searching all calls at each return, or the whole list at each backward branch, would take minutes.
#[test]
fn many_calls_and_many_ways_back_are_followed() {
    const COUNT: u32 = 100_000;
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let mut program = Program::new(R700);
    program.cf.extend((0..COUNT).map(|at| to(CfOp::Call, COUNT + 1 + at)));
    finish(&mut program);
    program.cf.extend((0..COUNT).map(|_| flow(CfOp::Ret)));
    assert_eq!(program.verify(), []);
    // The memory is written last and read first, after following all jumps one by one.
    let jumps = (2..COUNT).map(|at| to(CfOp::Jump, if at == 2 { 0 } else { at - 1 }));
    let ways = jumps.chain([flow(CfOp::Nop), to(CfOp::Jump, COUNT - 1)]);
    let mut back = written_late(&ways.collect::<Vec<_>>());
    back.cf.swap(1, COUNT as usize);
    assert!(back.verify().iter().any(|finding| finding.rule == Rule::ScratchWait));
    // Each loop surrounds its own branch.
    let mut loops = Program::new(R700);
    for at in (0..3 * COUNT).step_by(3) {
        loops.cf.push(to(CfOp::LoopStartDx10, at + 3));
        loops.cf.push(to(CfOp::Jump, at + 2));
        loops.cf.push(to(CfOp::LoopEnd, at + 1));
    }
    finish(&mut loops);
    assert_eq!(loops.verify(), []);
    let mut nested = Program::new(R700);
    nested.cf.extend((0..COUNT).map(|at| to(CfOp::LoopStartDx10, 2 * COUNT - at)));
    nested.cf.extend((0..COUNT).map(|at| to(CfOp::LoopEnd, COUNT - at)));
    finish(&mut nested);
    assert_eq!(nested.verify(), []);
}

#[test]
fn v418_index_unset() {
    let indexed = FetchInst::Tex(TexInst {
        resource_index: CfIndex::Index0,
        src_sel: [ComponentSel::X; 4],
        dst_sel: [ComponentSel::X; 4],
        dst_gpr: 1,
        ..TexInst::sample(FetchOp::Sample, 0, 0)
    });
    breaks(Rule::IndexUnset, &fetch_program(Evergreen, CfOp::Tex, vec![indexed]));
}

#[test]
fn every_kind_of_instruction_depends_on_the_generation() {
    let bad = [
        (R600, Cf::Memory(CfMemory::new(CfOp::MemRat, 0))),
        (R700, Cf::Sync(CfSync::default())),
        (Cayman, Cf::Flow(CfFlow::new(CfOp::PushElse))),
    ];
    for (generation, cf) in bad {
        let found = flow_program(generation, &[cf]).verify();
        assert!(found.iter().any(|finding| finding.rule == Rule::UnsupportedFlow), "{found:?}");
    }
    obeys(&flow_program(Evergreen, &[Cf::Sync(CfSync::default())]));
    breaks(
        Rule::UnsupportedFlow,
        &fetch_program(Cayman, CfOp::Vtx, vec![FetchInst::Vtx(VtxInst::buffer_fetch(0))]),
    );
    let groups = vec![group(&[mov(1, X, gpr(0, X))])];
    finds(&[Rule::LoopExit, Rule::UnsupportedFlow], &alu_program(Cayman, CfOp::AluBreak, groups));
}

#[test]
fn the_last_instruction_ends_the_program() {
    let ended = |last| {
        let mut program = Program::new(R700);
        program.cf.extend([flow(CfOp::Nop), last]);
        program
    };
    obeys(&ended(flow(CfOp::Ret)));
    let export = CfExport::new(CfOp::ExportDone, ExportKind::Pixel, 0, 0);
    obeys(&ended(Cf::Export(CfExport { end_of_program: true, ..export })));
    breaks(Rule::NoEnd, &ended(Cf::Export(export)));
    // Raw words are last if they end the list.
    finds(&[Rule::Reserved], &ended(Cf::Raw([0, 0x9420_0606])));
    let mut early = ended(flow(CfOp::Nop));
    early.cf.insert(0, Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) }));
    breaks(Rule::NoEnd, &early);
}

#[test]
fn cayman_ends_by_an_instruction_of_its_own() {
    let mut program = Program::new(Cayman);
    program.cf.push(Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) }));
    breaks(Rule::NoEnd, &program);
    program.cf.push(flow(CfOp::CfEnd));
    obeys(&program);
}

#[test]
fn an_instruction_without_a_target_does_not_jump() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    obeys(&flow_program(R700, &[to(CfOp::Nop, 9)]));
    obeys(&flow_program(R700, &[to(CfOp::Jump, 0), to(CfOp::Jump, 2)]));
}

#[test]
fn there_is_no_instruction_after_the_last() {
    let jump = |target| Cf::Flow(CfFlow { target, ..CfFlow::new(CfOp::Jump) });
    obeys(&flow_program(R700, &[jump(1)]));
    breaks(Rule::FlowTarget, &flow_program(R700, &[jump(2)]));
    // A pop that ends the program does not jump.
    let last = |target| {
        let pop = CfFlow { pop_count: 1, target, end_of_program: true, ..CfFlow::new(CfOp::Pop) };
        let mut program = Program::new(R700);
        program.cf.extend([flow(CfOp::Push), Cf::Flow(pop)]);
        program
    };
    breaks(Rule::EndPlace, &last(2));
    finds(&[Rule::FlowTarget, Rule::EndPlace], &last(3));
}

#[test]
fn some_instructions_do_not_end_a_program() {
    let ended = |op| {
        let mut program = Program::new(R700);
        program.cf.push(Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(op) }));
        program
    };
    for op in [CfOp::CallFs, CfOp::Pop, CfOp::Ret] {
        breaks(Rule::EndPlace, &ended(op));
    }
    finds(&[Rule::LoopTargets, Rule::EndPlace], &ended(CfOp::LoopEnd));
    obeys(&ended(CfOp::Nop));
    obeys(&flow_program(R700, &[flow(CfOp::CallFs), flow(CfOp::Pop)]));
}

#[test]
fn registers_of_memory_instructions_are_not_clause_temporaries() {
    let write = |gpr, burst| CfMemory { burst, ..CfMemory::new(CfOp::MemRing, gpr) };
    let program = |memory| flow_program(R700, &[Cf::Memory(memory)]);
    obeys(&program(write(123, 1)));
    obeys(&program(write(122, 2)));
    breaks(Rule::GprLimit, &program(write(124, 0)));
    breaks(Rule::GprLimit, &program(write(122, 3)));
    let indexed = |index_gpr, kind| CfMemory { index_gpr, kind, ..write(0, 1) };
    for kind in [MemoryType::WriteIndexed, MemoryType::WriteIndexedAck] {
        obeys(&program(indexed(123, kind)));
        breaks(Rule::GprLimit, &program(indexed(124, kind)));
    }
    obeys(&program(indexed(124, MemoryType::Write)));
}

#[test]
fn a_clause_is_of_the_kind_that_its_instruction_runs() {
    let mut program = Program::new(R700);
    let clause = program.add_clause(Clause::Fetch(vec![tex(FetchOp::Sample, 0, 1)]));
    program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
    finish(&mut program);
    breaks(Rule::NoClause, &program);
}
