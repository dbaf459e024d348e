//! The places that findings report.

use super::*;

/// The only finding of `program`.
fn only(program: &Program) -> Finding {
    let mut findings = program.verify();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.remove(0)
}

fn place(program: &Program) -> (Option<usize>, Option<u32>, Option<usize>) {
    let Place { cf, clause, body } = only(program).place;
    (cf, clause.map(|id| id.0), body)
}

#[test]
fn findings_are_printed_with_their_place() {
    let program = clause_of(R700, &[&[mov(1, X, gpr(0, X))], &[relative()]]);
    assert_eq!(
        only(&program).to_string(),
        "warning[V206], control flow 0, line 1 of its clause: \
         no earlier group of the clause loads the address register"
    );
    let program = flow_program(R700, &[flow(CfOp::Nop), export_to(ExportKind::Pixel, 8)]);
    assert_eq!(
        only(&program).to_string(),
        "error[V415], control flow 1: there is no Pixel target 8"
    );
    assert_eq!(
        only(&Program::new(R700)).to_string(),
        "error[V402]: the last control-flow instruction does not end the program"
    );
}

#[test]
fn findings_of_groups_name_their_line() {
    let good = mov(1, X, gpr(0, X));
    assert_eq!(place(&clause_of(R700, &[&[good], &[relative()]])), (Some(0), Some(0), Some(1)));
    let mut unused = clause_of(R700, &[&[good]]);
    if let Cf::Alu(alu) = &mut unused.cf[0] {
        alu.kcache[1].mode = KcacheMode::Lock2;
    }
    assert_eq!(place(&unused), (Some(0), Some(0), None));
    assert_eq!(
        place(&clause_of(Evergreen, &[&[good], &[lds_read()]])),
        (Some(0), Some(0), None),
        "a finding about values left in queues is about the clause"
    );
}

#[test]
fn findings_of_fetches_name_their_line() {
    let good = tex(FetchOp::Sample, 0, 1);
    let program = |second| fetch_program(R700, CfOp::Tex, vec![good.clone(), second]);
    assert_eq!(place(&program(tex(FetchOp::Gather4, 0, 2))), (Some(0), Some(0), Some(1)));
    assert_eq!(place(&program(FetchInst::Raw([0x1F, 0, 0, 0]))), (Some(0), Some(0), Some(1)));
    let masked = FetchInst::Tex(TexInst::sample(FetchOp::SetTextureOffsets, 0, 0));
    let stranded = fetch_program(Evergreen, CfOp::Tex, vec![good.clone(), masked]);
    assert_eq!(place(&stranded), (Some(0), Some(0), Some(1)));
    let nine = fetch_program(R600, CfOp::Tex, vec![good; 9]);
    assert_eq!(place(&nine), (Some(0), Some(0), None));
}

#[test]
fn findings_of_the_list_name_an_instruction_and_no_clause() {
    let good = mov(1, X, gpr(0, X));
    let mut program = clause_of(R700, &[&[good]]);
    program.cf.insert(1, export_to(ExportKind::Pixel, 8));
    assert_eq!(place(&program), (Some(1), None, None));
    let holes = [flow(CfOp::Nop), export_to(ExportKind::Parameter, 1)];
    assert_eq!(place(&flow_program(R700, &holes)), (Some(1), None, None));
    let last = [flow(CfOp::Nop), export(CfOp::Export, 0), flow(CfOp::Nop)];
    assert_eq!(place(&flow_program(R700, &last)), (Some(1), None, None));
    let twice = [flow(CfOp::Nop), export(CfOp::ExportDone, 0), export(CfOp::ExportDone, 0)];
    assert_eq!(place(&flow_program(R700, &twice)), (Some(1), None, None));
    assert_eq!(place(&flow_program(R700, &[flow(CfOp::Push)])), (None, None, None));
}

#[test]
fn findings_of_loops_name_the_instruction_at_fault() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let nop = flow(CfOp::Nop);
    let (start, end) = (CfOp::LoopStartDx10, CfOp::LoopEnd);
    assert_eq!(place(&flow_program(R700, &[nop, to(start, 2)])), (Some(1), None, None));
    assert_eq!(place(&flow_program(R700, &[nop, to(end, 2)])), (Some(1), None, None));
    let exit = [to(start, 3), to(CfOp::LoopBreak, 1), to(end, 1)];
    assert_eq!(place(&flow_program(R700, &exit)), (Some(1), None, None));
}

#[test]
fn messages_count_as_the_words_do() {
    let message = |program: &Program| only(program).message;
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let list = [to(CfOp::LoopStartDx10, 2), to(CfOp::LoopEnd, 0)];
    assert_eq!(message(&flow_program(R700, &list)), "the loop repeats at 0, not at 1");
    let list = [to(CfOp::LoopStartDx10, 1), to(CfOp::LoopEnd, 1)];
    assert_eq!(message(&flow_program(R700, &list)), "the loop leaves to 1, not to 2");
    let holes = [export_to(ExportKind::Parameter, 2)];
    assert_eq!(message(&flow_program(R700, &holes)), "Parameter target 0 is left out");
    let sets = |chan| inst(AluOp::PredSete, 0, chan, &[gpr(0, X), gpr(0, X)]);
    let kill = inst(AluOp::Kille, 0, Y, &[gpr(0, X), gpr(0, X)]);
    let two = clause_of(R700, &[&[sets(X), sets(Y)]]);
    assert_eq!(message(&two), "2 instructions set the predicate");
    let both = clause_of(R700, &[&[sets(X), kill]]);
    assert_eq!(message(&both), "the group sets the predicate and kills");
    let gds = FetchInst::Gds(GdsInst::new(FetchOp::GdsAddRet));
    let gds = fetch_program(Evergreen, CfOp::Tex, vec![gds]);
    assert_eq!(message(&gds), "TEX runs an operation of the global data share");
    let sample = fetch_program(Evergreen, CfOp::Gds, vec![tex(FetchOp::Sample, 0, 1)]);
    assert_eq!(message(&sample), "a GDS clause holds a fetch of another kind");
    let unknown = fetch_program(R600, CfOp::Tex, vec![FetchInst::Raw([0x0A, 1, 2, 3])]);
    assert_eq!(message(&unknown), "R600 has no fetch 0x0000000a");
    let unknown = flow_program(R700, &[Cf::Raw([1, 0x0F80_0000])]);
    assert_eq!(message(&unknown), "R700 has no control-flow instruction 0x0f800000");
}
