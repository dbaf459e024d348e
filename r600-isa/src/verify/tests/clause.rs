//! Rules of a clause of groups.

use super::*;

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
    let mut program = alu_program(R700, CfOp::AluPushBefore, groups);
    let pop = CfFlow { pop_count: 1, target: 2, ..CfFlow::new(CfOp::Pop) };
    program.cf.insert(1, Cf::Flow(pop));
    breaks(Rule::PredicateNotLast, &program);
}

#[test]
fn v204_predicate_unset() {
    let gated = AluInst { pred_sel: PredSel::One, ..mov(1, X, gpr(0, X)) };
    groups_break(Rule::PredicateUnset, &[&[gated]]);
}

#[test]
fn v205_address_same_group() {
    groups_break(Rule::AddressSameGroup, &[&[load_address(), relative()]]);
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
fn v209_temporary_unset() {
    let (write, read) = (mov(125, X, gpr(0, X)), mov(1, X, gpr(125, X)));
    groups_break(Rule::TemporaryUnset, &[&[read]]);
    let program = alu_program(R700, CfOp::Alu, vec![group(&[write]), group(&[read])]);
    assert_eq!(program.verify(), []);
}

#[test]
fn v210_forward_predicated() {
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let gated = AluInst { pred_sel: PredSel::One, ..mov(1, X, gpr(0, X)) };
    let forwarded = mov(2, X, sel(AluSel::Pv));
    groups_break(Rule::ForwardPredicated, &[&[set], &[gated], &[forwarded]]);
}

#[test]
fn v211_forward_source() {
    let forwarded = mov(2, X, sel(AluSel::Pv));
    groups_break(Rule::ForwardSource, &[&[load_address()], &[forwarded]]);
    let mut placed = mov(1, X, gpr(0, X));
    placed.dst.rel = true;
    groups_break(Rule::ForwardSource, &[&[load_address()], &[placed], &[forwarded]]);
}

#[test]
fn v212_queue_balance() {
    let pop = mov(1, X, other("LDS_OQ_A_POP"));
    let program = |groups: Vec<AluGroup>| alu_program(Evergreen, CfOp::Alu, groups);
    breaks(Rule::QueueBalance, &program(vec![group(&[pop])]));
    breaks(Rule::QueueBalance, &program(vec![group(&[lds_read()])]));
    let twice = vec![group(&[lds_read()]), group(&[pop]), group(&[pop])];
    breaks(Rule::QueueBalance, &program(twice));
}

#[test]
fn v213_waterfall() {
    let src = AluSrc { rel: true, ..sel(AluSel::ConstFile(0)) };
    let groups = vec![group(&[load_address()]), group(&[mov(1, X, src)])];
    let mut program = alu_program(R600, CfOp::Alu, groups);
    breaks(Rule::Waterfall, &program);
    if let Cf::Alu(alu) = &mut program.cf[0] {
        alu.uses_waterfall = true;
    }
    assert_eq!(program.verify(), []);
}

#[test]
fn v214_indexed_distance() {
    let mut placed = mov(1, X, gpr(0, X));
    placed.dst.rel = true;
    let read = mov(2, X, gpr(1, X));
    groups_break(Rule::IndexedDistance, &[&[load_address()], &[placed], &[read]]);
    let far = mov(2, X, AluSrc { rel: true, ..gpr(5, X) });
    let groups = [&[load_address()][..], &[placed], &[far]].map(group).to_vec();
    let program = alu_program(R700, CfOp::Alu, groups);
    assert_eq!(program.verify(), [], "another array");
    let on_rv770 = Setting { chip: Some(Chip::Rv770), ..Setting::default() };
    breaks_as(Rule::IndexedDistance, &program, on_rv770);
}

#[test]
fn v215_unused_window() {
    let mut program = alu_program(R700, CfOp::Alu, vec![group(&[mov(1, X, gpr(0, X))])]);
    if let Cf::Alu(alu) = &mut program.cf[0] {
        alu.kcache[1].mode = KcacheMode::Lock2;
    }
    breaks(Rule::UnusedWindow, &program);
}
