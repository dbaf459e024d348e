//! Clauses that several instructions run, and programs with excessively many findings.

use super::*;

/// A program whose instructions `runs` all run one clause.
fn shared(groups: Vec<AluGroup>, runs: impl IntoIterator<Item = CfAlu>) -> Program {
    let mut program = Program::new(R700);
    let clause = program.add_clause(Clause::Alu(groups));
    program.cf.extend(runs.into_iter().map(|run| Cf::Alu(CfAlu { clause, ..run })));
    finish(&mut program);
    program
}

fn plain() -> CfAlu {
    CfAlu::new(CfOp::Alu, crate::ClauseId(0))
}

fn places(program: &Program, setting: Setting) -> Vec<(Option<usize>, Option<usize>)> {
    let findings = program.verify_as(setting);
    findings.iter().map(|finding| (finding.place.cf, finding.place.body)).collect()
}

/// Checking a clause of 128 groups for every instruction that runs it would take minutes and gigabytes.
#[test]
fn a_clause_is_judged_with_the_first_instruction_that_runs_it() {
    let program = shared(vec![group(&[relative()]); 128], std::iter::repeat_n(plain(), 100_000));
    let found = places(&program, Setting::default());
    assert!(found.iter().copied().eq((0..128).map(|at| (Some(0), Some(at)))), "{found:?}");
    let kill = inst(AluOp::Kille, 0, X, &[gpr(0, X), gpr(0, X)]);
    let killing = shared(vec![group(&[kill])], [plain(); 2]);
    let setting = Setting { stage: Some(Stage::VertexToMemory), ..Setting::default() };
    assert_eq!(places(&killing, setting), [(Some(0), Some(0))]);
}

#[test]
fn a_clause_is_judged_again_if_it_is_run_differently() {
    let window = |mode| {
        let mut run = plain();
        run.kcache[0].mode = mode;
        run
    };
    let read = mov(1, X, sel(AluSel::Kcache { set: 0, index: 20 }));
    let (one, two) = (window(KcacheMode::Lock1), window(KcacheMode::Lock2));
    breaks(Rule::KcacheWindow, &shared(vec![group(&[read])], [two, two, one, one]));
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let set = group(&[AluInst { update_exec_mask: true, ..set }]);
    let groups = vec![set, group(&[mov(1, X, gpr(0, X))])];
    let push = CfAlu { op: CfOp::AluPushBefore, ..plain() };
    let pop = CfAlu { op: CfOp::AluPopAfter, ..plain() };
    breaks(Rule::PredicateNotLast, &shared(groups, [plain(), push, pop]));
    let by_lane = AluSrc { rel: true, ..sel(AluSel::ConstFile(0)) };
    let groups = vec![group(&[load_address()]), group(&[mov(1, X, by_lane)])];
    let waterfall = CfAlu { uses_waterfall: true, ..plain() };
    let program = shared(groups, [waterfall, plain(), waterfall, plain()]);
    breaks(Rule::Waterfall, &Program { generation: R600, ..program });
}

/// Warnings leave room for an error that comes after them.
#[test]
fn findings_are_bounded() {
    let mut program = Program::new(R700);
    for _ in 0..MAX_FINDINGS / 128 + 1 {
        let clause = program.add_clause(Clause::Alu(vec![group(&[relative()]); 128]));
        program.cf.push(Cf::Alu(CfAlu { clause, ..plain() }));
    }
    let count = |program: &Program, severity| {
        program.verify().iter().filter(|finding| finding.rule.severity() == severity).count()
    };
    program.cf.push(export_to(ExportKind::Pixel, 8));
    finish(&mut program);
    assert_eq!(count(&program, Severity::Warning), MAX_FINDINGS);
    assert_eq!(count(&program, Severity::Error), 1);
    let wrong = vec![export_to(ExportKind::Pixel, 8); 2 * MAX_FINDINGS];
    assert_eq!(count(&flow_program(R700, &wrong), Severity::Error), MAX_FINDINGS);
}
