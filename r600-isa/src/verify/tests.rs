//! For each rule a program that breaks just it.

use arrayvec::ArrayVec;

use super::*;
use crate::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, CfAlu, CfExport, CfFetch, CfFlow, CfOp, Chan,
    ComponentSel, ExportKind, FetchInst, FetchOp, IndexMode, InlineConst, KcacheMode, Layout,
    PredSel, TexInst, VtxInst,
};

use Chan::{W, X, Y, Z};
use Generation::{Cayman, Evergreen, R600, R700};

fn gpr(number: u8, chan: Chan) -> AluSrc {
    AluSrc::new(AluSel::Gpr(number), chan)
}

fn sel(sel: AluSel) -> AluSrc {
    AluSrc::new(sel, X)
}

/// `op R<dst>.<chan>, srcs…`, which writes.
fn inst(op: AluOp, dst: u8, chan: Chan, srcs: &[AluSrc]) -> AluInst {
    let mut src = [gpr(0, X); 3];
    src[..srcs.len()].copy_from_slice(srcs);
    AluInst {
        op,
        dst: AluDst { gpr: dst, chan, write: true, ..AluDst::default() },
        src,
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    }
}

fn mov(dst: u8, chan: Chan, src: AluSrc) -> AluInst {
    inst(AluOp::Mov, dst, chan, &[src])
}

fn group(insts: &[AluInst]) -> AluGroup {
    AluGroup { insts: insts.iter().copied().collect(), literals: ArrayVec::new() }
}

fn flow(op: CfOp) -> Cf {
    Cf::Flow(CfFlow::new(op))
}

fn finish(program: &mut Program) {
    program.cf.push(match program.generation {
        Cayman => flow(CfOp::CfEnd),
        _ => Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) }),
    });
}

fn alu_program(generation: Generation, op: CfOp, groups: Vec<AluGroup>) -> Program {
    let mut program = Program::new(generation);
    let clause = program.add_clause(Clause::Alu(groups));
    let mut alu = CfAlu::new(op, clause);
    alu.kcache[0].mode = KcacheMode::Lock1;
    program.cf.push(Cf::Alu(alu));
    finish(&mut program);
    program
}

fn fetch_program(generation: Generation, op: CfOp, fetches: Vec<FetchInst>) -> Program {
    let mut program = Program::new(generation);
    let clause = program.add_clause(Clause::Fetch(fetches));
    program.cf.push(Cf::Fetch(CfFetch::new(op, clause)));
    finish(&mut program);
    program
}

/// `program` breaks exactly `rule`, and nothing else.
fn breaks(rule: Rule, program: &Program) {
    let findings = program.verify();
    let found: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(found, [rule], "{findings:#?}");
    let shown = findings[0].to_string();
    assert!(shown.contains(rule.code()), "{shown}");
}

fn group_breaks(rule: Rule, generation: Generation, insts: &[AluInst]) {
    breaks(rule, &alu_program(generation, CfOp::Alu, vec![group(insts)]));
}

fn groups_break(rule: Rule, groups: &[&[AluInst]]) {
    let groups = groups.iter().map(|insts| group(insts)).collect();
    breaks(rule, &alu_program(R700, CfOp::Alu, groups));
}

fn tex(op: FetchOp, src: u8, dst: u8) -> FetchInst {
    FetchInst::Tex(TexInst {
        src_gpr: src,
        src_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W],
        dst_gpr: dst,
        dst_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W],
        ..TexInst::sample(op, 0, 0)
    })
}

#[test]
fn codes_are_unique_and_ascend() {
    assert!(Rule::ALL.is_sorted_by(|a, b| a.code() < b.code()));
    assert!(Rule::ALL.iter().all(|rule| rule.demand().ends_with('.')));
}

#[test]
fn a_good_program_has_no_findings() {
    let program = alu_program(R700, CfOp::Alu, vec![group(&[mov(1, X, gpr(0, X))])]);
    assert_eq!(program.verify(), []);
    assert_eq!(fetch_program(R700, CfOp::Tex, vec![tex(FetchOp::Sample, 0, 1)]).verify(), []);
}

#[test]
fn v001_unchecked() {
    let mut program = fetch_program(R700, CfOp::Tex, vec![FetchInst::Raw([u32::MAX; 4])]);
    breaks(Rule::Unchecked, &program);
    program = Program::new(R700);
    // A memory write with a reserved bit.
    program.cf.push(Cf::Raw([0, 0x9201_0000]));
    finish(&mut program);
    breaks(Rule::Unchecked, &program);
}

#[test]
fn v101_unsupported_alu() {
    group_breaks(Rule::UnsupportedAlu, R600, &[inst(AluOp::BfrevInt, 1, X, &[gpr(0, X)])]);
    let mut program = Program::new(R700);
    let clause = program.add_clause(Clause::Raw(vec![0x8000_0000, 0x0000_3F90]));
    program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
    finish(&mut program);
    breaks(Rule::UnsupportedAlu, &program);
}

#[test]
fn v102_slot_conflict() {
    let insts = [mov(1, X, gpr(0, X)), mov(2, X, gpr(0, X))];
    group_breaks(Rule::SlotConflict, Cayman, &insts);
}

#[test]
fn v103_slot_order() {
    group_breaks(Rule::SlotOrder, R700, &[mov(1, Y, gpr(0, X)), mov(1, X, gpr(0, X))]);
}

#[test]
fn v104_bank_swizzle() {
    let unknown = AluInst { bank_swizzle: 6, ..mov(1, X, gpr(0, X)) };
    group_breaks(Rule::BankSwizzle, R700, &[unknown]);
    let halves: Vec<AluInst> = [X, Y]
        .map(|chan| inst(AluOp::InterpX, 1, chan, &[gpr(0, X), sel(AluSel::Param(0))]))
        .into_iter()
        .collect();
    let one_wrong = [AluInst { bank_swizzle: 5, ..halves[0] }, halves[1]];
    group_breaks(Rule::BankSwizzle, Evergreen, &one_wrong);
}

#[test]
fn v105_read_ports() {
    group_breaks(Rule::ReadPorts, R700, &[mov(1, X, gpr(0, X)), mov(1, Y, gpr(2, X))]);
    let shifted = AluInst { bank_swizzle: 2, ..mov(1, Y, gpr(2, X)) };
    let program = alu_program(R700, CfOp::Alu, vec![group(&[mov(1, X, gpr(0, X)), shifted])]);
    assert_eq!(program.verify(), []);
}

#[test]
fn v106_trans_constants() {
    let zero = sel(AluSel::Inline(InlineConst::Zero));
    group_breaks(
        Rule::TransConstants,
        R700,
        &[mov(1, X, gpr(0, X)), inst(AluOp::Muladd, 2, X, &[zero, zero, zero])],
    );
}

#[test]
fn v107_constant_reads() {
    let kcache = |index| sel(AluSel::Kcache { set: 0, index });
    let three = [mov(1, X, kcache(0)), mov(1, Y, kcache(1)), mov(1, Z, kcache(2))];
    group_breaks(Rule::ConstantReads, R700, &three);
    let program = alu_program(R600, CfOp::Alu, vec![group(&three)]);
    assert_eq!(program.verify(), [], "R600 reads four");
}

#[test]
fn v108_missing_literal() {
    group_breaks(Rule::MissingLiteral, R700, &[mov(1, X, sel(AluSel::Literal))]);
}

#[test]
fn v109_write_conflict() {
    group_breaks(Rule::WriteConflict, R700, &[mov(1, X, gpr(0, X)), mov(1, X, gpr(0, X))]);
}

#[test]
fn v110_incomplete_slots() {
    let dot = inst(AluOp::Dot4, 1, X, &[gpr(0, X), gpr(0, X)]);
    group_breaks(Rule::IncompleteSlots, R700, &[dot]);
}

#[test]
fn v111_slot_x() {
    group_breaks(Rule::SlotX, R700, &[inst(AluOp::MovaInt, 0, Y, &[gpr(0, X)])]);
}

#[test]
fn v112_mixed_constants() {
    let file = mov(1, X, sel(AluSel::ConstFile(0)));
    let cache = mov(1, Y, sel(AluSel::Kcache { set: 0, index: 0 }));
    group_breaks(Rule::MixedConstants, R700, &[file, cache]);
}

#[test]
fn v113_several_predicates() {
    let set = |chan| inst(AluOp::PredSete, 0, chan, &[gpr(0, X), gpr(0, X)]);
    let kill = inst(AluOp::Kille, 0, Y, &[gpr(0, X), gpr(0, X)]);
    group_breaks(Rule::SeveralPredicates, R700, &[set(X), set(Y)]);
    group_breaks(Rule::SeveralPredicates, R700, &[set(X), kill]);
}

#[test]
fn v114_no_trans_result() {
    let groups = vec![group(&[mov(1, X, gpr(0, X))]), group(&[mov(1, X, sel(AluSel::Ps))])];
    let findings = alu_program(Cayman, CfOp::Alu, groups).verify();
    assert!(findings.iter().any(|finding| finding.rule == Rule::NoTransResult), "{findings:?}");
}

#[test]
fn v201_forward_at_start() {
    groups_break(Rule::ForwardAtStart, &[&[mov(1, X, sel(AluSel::Pv))]]);
}

#[test]
fn v202_stale_forward() {
    let stale = mov(1, X, AluSrc::new(AluSel::Pv, W));
    groups_break(Rule::StaleForward, &[&[mov(1, X, gpr(0, X))], &[stale]]);
}

#[test]
fn v203_predicate_not_last() {
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let set = AluInst { update_exec_mask: true, ..set };
    let groups = vec![group(&[set]), group(&[mov(1, X, gpr(0, X))])];
    breaks(Rule::PredicateNotLast, &alu_program(R700, CfOp::AluPushBefore, groups));
}

#[test]
fn v204_predicate_unset() {
    let gated = AluInst { pred_sel: PredSel::One, ..mov(1, X, gpr(0, X)) };
    groups_break(Rule::PredicateUnset, &[&[gated]]);
}

fn relative() -> AluInst {
    mov(1, Y, AluSrc { rel: true, ..gpr(0, Y) })
}

#[test]
fn v205_address_same_group() {
    let load = inst(AluOp::MovaInt, 0, X, &[gpr(0, X)]);
    groups_break(Rule::AddressSameGroup, &[&[load, relative()]]);
}

#[test]
fn v206_address_unset() {
    groups_break(Rule::AddressUnset, &[&[relative()]]);
}

#[test]
fn v207_kcache_window() {
    groups_break(Rule::KcacheWindow, &[&[mov(1, X, sel(AluSel::Kcache { set: 1, index: 0 }))]]);
    groups_break(Rule::KcacheWindow, &[&[mov(1, X, sel(AluSel::Kcache { set: 0, index: 16 }))]]);
}

#[test]
fn v208_alu_clause_length() {
    let groups = vec![group(&[mov(1, X, gpr(0, X))]); 129];
    breaks(Rule::AluClauseLength, &alu_program(R700, CfOp::Alu, groups));
}

#[test]
fn v301_fetch_alignment() {
    let mut program = fetch_program(R700, CfOp::Tex, vec![tex(FetchOp::Sample, 0, 1)]);
    program.layout = Some(Layout { clauses: vec![3], ..Layout::default() });
    breaks(Rule::FetchAlignment, &program);
}

#[test]
fn v302_fetch_clause_length() {
    let nine: Vec<FetchInst> = (1..10).map(|dst| tex(FetchOp::Sample, 0, dst)).collect();
    breaks(Rule::FetchClauseLength, &fetch_program(R600, CfOp::Tex, nine.clone()));
    assert_eq!(fetch_program(R700, CfOp::Tex, nine).verify(), []);
}

#[test]
fn v303_unsupported_fetch() {
    let gather = vec![tex(FetchOp::Gather4, 0, 1)];
    breaks(Rule::UnsupportedFetch, &fetch_program(R700, CfOp::Tex, gather));
}

#[test]
fn v304_fetch_dependence() {
    let chain = vec![tex(FetchOp::Sample, 0, 1), tex(FetchOp::Sample, 1, 2)];
    breaks(Rule::FetchDependence, &fetch_program(R700, CfOp::Tex, chain));
}

#[test]
fn v305_missing_gradients() {
    let sample = vec![tex(FetchOp::SampleG, 0, 1)];
    breaks(Rule::MissingGradients, &fetch_program(R700, CfOp::Tex, sample));
}

#[test]
fn v306_texture_in_vertex_clause() {
    let fetches = vec![tex(FetchOp::Sample, 0, 1)];
    breaks(Rule::TextureInVertexClause, &fetch_program(R700, CfOp::Vtx, fetches));
}

fn flow_program(generation: Generation, list: &[Cf]) -> Program {
    let mut program = Program::new(generation);
    program.cf.extend_from_slice(list);
    finish(&mut program);
    program
}

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
    for list in [&[start(1), end(1)][..], &[start(2), end(0)], &[start(2)], &[end(0)]] {
        breaks(Rule::LoopTargets, &flow_program(R700, list));
    }
}

fn export(op: CfOp, gpr: u8) -> Cf {
    Cf::Export(CfExport::new(op, ExportKind::Pixel, 0, gpr))
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
}

#[test]
fn v408_flow_target() {
    let jump = Cf::Flow(CfFlow { target: 9, ..CfFlow::new(CfOp::Jump) });
    breaks(Rule::FlowTarget, &flow_program(R700, &[jump]));
}

/// Vertex fetches are judged as texture fetches are.
#[test]
fn a_vertex_fetch_that_reads_a_result_is_found() {
    let vtx = |src_gpr, dst_gpr| {
        FetchInst::Vtx(VtxInst {
            src_gpr,
            dst_gpr,
            src_sel: ComponentSel::X,
            dst_sel: [ComponentSel::X; 4],
            ..VtxInst::buffer_fetch(0)
        })
    };
    let program = fetch_program(R700, CfOp::Vtx, vec![vtx(0, 1), vtx(1, 2)]);
    breaks(Rule::FetchDependence, &program);
}
