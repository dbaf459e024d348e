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
    let set = AluInst { update_pred: true, ..set };
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

/// An offset uses the bits that mark modifiers and an indexed destination in other operations.
#[test]
fn an_offset_in_local_memory_is_no_modifier() {
    let pop = mov(1, X, other("LDS_OQ_A_POP"));
    for offset in [1, 2, 4, 8, 16, 32, 63] {
        let mut read = lds_read();
        read.set_lds(LdsAccess { op: LdsOp::LdsReadRet, offset });
        let groups = vec![group(&[read]), group(&[pop])];
        assert_eq!(alu_program(Evergreen, CfOp::Alu, groups).verify(), [], "offset {offset}");
    }
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
    assert_eq!(program.verify(), [], "the read is in another array");
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

#[test]
fn slots_of_a_clause_are_counted_with_literals() {
    let plain = |count| vec![group(&[mov(1, X, gpr(0, X))]); count];
    obeys(&alu_program(R700, CfOp::Alu, plain(1)));
    obeys(&alu_program(R700, CfOp::Alu, plain(128)));
    breaks(Rule::AluClauseLength, &alu_program(R700, CfOp::Alu, plain(0)));
    let mut literal = group(&[mov(1, X, sel(AluSel::Literal))]);
    literal.literals.push(7);
    let with_literal = |count| [plain(count), vec![literal.clone()]].concat();
    obeys(&alu_program(R700, CfOp::Alu, with_literal(126)));
    breaks(Rule::AluClauseLength, &alu_program(R700, CfOp::Alu, with_literal(127)));
}

#[test]
fn what_narrows_the_mask_ends_a_clause_that_pushes() {
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let narrows = AluInst { update_exec_mask: true, ..set };
    let copy = mov(1, X, gpr(0, X));
    let program = |op, insts: &[&[AluInst]]| {
        let groups = insts.iter().map(|insts| group(insts)).collect();
        let mut program = alu_program(R700, op, groups);
        if op == CfOp::AluPushBefore {
            let pop = CfFlow { pop_count: 1, target: 2, ..CfFlow::new(CfOp::Pop) };
            program.cf.insert(1, Cf::Flow(pop));
        }
        program
    };
    let push = CfOp::AluPushBefore;
    obeys(&program(push, &[&[copy], &[narrows]]));
    obeys(&program(push, &[&[set], &[copy]]));
    obeys(&program(CfOp::Alu, &[&[narrows], &[copy]]));
    breaks(Rule::PredicateNotLast, &program(push, &[&[narrows], &[copy], &[copy]]));
    let beside = [narrows, mov(1, Y, gpr(0, X))];
    breaks(Rule::PredicateNotLast, &program(push, &[&beside, &[copy]]));
}

#[test]
fn a_predicate_is_set_in_an_earlier_group() {
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let set = AluInst { update_pred: true, ..set };
    let gated = |chan| AluInst { pred_sel: PredSel::Zero, ..mov(1, chan, gpr(0, X)) };
    groups_obey(&[&[set], &[gated(X)]]);
    groups_obey(&[&[set, mov(2, Y, gpr(0, X))], &[mov(2, X, gpr(0, X))], &[gated(Y)]]);
    groups_break(Rule::PredicateUnset, &[&[set, gated(Y)]]);
    groups_break(Rule::PredicateUnset, &[&[gated(X)], &[set]]);
    groups_break(Rule::PredicateUnset, &[&[mov(1, X, gpr(0, X)), gated(Y)]]);
    // A comparison that only updates the mask leaves the predicate unchanged.
    let masks = AluInst { update_pred: false, update_exec_mask: true, ..set };
    groups_break(Rule::PredicateUnset, &[&[masks], &[gated(X)]]);
}

#[test]
fn each_window_holds_its_lines() {
    let program = |set, index, mode| {
        let src = sel(AluSel::Kcache { set, index });
        let mut program = clause_of(Evergreen, &[&[mov(1, X, src)]]);
        if let Cf::Alu(alu) = &mut program.cf[0] {
            alu.kcache = CfAlu::new(CfOp::Alu, ClauseId(0)).kcache;
            alu.kcache[usize::from(set)].mode = mode;
        }
        program
    };
    for set in 0..4 {
        obeys(&program(set, 15, KcacheMode::Lock1));
        breaks(Rule::KcacheWindow, &program(set, 16, KcacheMode::Lock1));
        obeys(&program(set, 31, KcacheMode::Lock2));
        breaks(Rule::KcacheWindow, &program(set, 0, KcacheMode::None));
        // A window that is not read has no effect.
        let mut unused = program(set, 0, KcacheMode::Lock1);
        if let Cf::Alu(alu) = &mut unused.cf[0] {
            alu.kcache[usize::from(set ^ 1)].mode = KcacheMode::Lock1;
        }
        breaks(Rule::UnusedWindow, &unused);
    }
}

#[test]
fn every_window_may_be_read_in_one_clause() {
    let read = |set| mov(1, X, sel(AluSel::Kcache { set, index: 0 }));
    let mut program = clause_of(Evergreen, &[&[read(0)], &[read(1)], &[read(2)], &[read(3)]]);
    if let Cf::Alu(alu) = &mut program.cf[0] {
        for window in &mut alu.kcache {
            window.mode = KcacheMode::Lock1;
        }
    }
    obeys(&program);
}

#[test]
fn each_channel_of_each_temporary_is_written_before_it_is_read() {
    let write = |number, chan| mov(number, chan, gpr(0, X));
    let read = |number, chan| mov(1, X, gpr(number, chan));
    for number in 124..=127 {
        for chan in [X, Y, Z, W] {
            groups_obey(&[&[write(number, chan)], &[read(number, chan)]]);
            groups_break(Rule::TemporaryUnset, &[&[read(number, chan)]]);
            let (other, next) =
                (write(124 + (number - 123) % 4, chan), [Y, Z, W, X][chan as usize]);
            groups_break(Rule::TemporaryUnset, &[&[other], &[read(number, chan)]]);
            groups_break(Rule::TemporaryUnset, &[&[write(number, next)], &[read(number, chan)]]);
        }
    }
    groups_obey(&[&[read(123, X)]]);
    let both = [write(124, X), write(124, Y)];
    groups_obey(&[&both[..1], &both[1..], &[read(124, X)], &[read(124, Y)]]);
    // A group reads before it writes.
    groups_break(Rule::TemporaryUnset, &[&[mov(124, X, gpr(124, X))]]);
    let mut unwritten = write(124, X);
    unwritten.dst.write = false;
    groups_break(Rule::TemporaryUnset, &[&[unwritten], &[read(124, X)]]);
    // It is unknown which register an index reaches.
    let indexed = AluSrc { rel: true, ..gpr(124, X) };
    groups_obey(&[&[load_address()], &[mov(1, X, indexed)]]);
}

#[test]
fn what_a_clause_wrote_is_not_there_in_the_next() {
    let mut program = clause_of(R700, &[&[mov(125, X, gpr(0, X))]]);
    let read = Clause::Alu(vec![group(&[mov(1, X, gpr(125, X))])]);
    let clause = program.add_clause(read);
    program.cf.insert(1, Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
    breaks(Rule::TemporaryUnset, &program);
}

#[test]
fn v216_barrier_clause() {
    let barrier = inst(AluOp::GroupBarrier, 0, X, &[]);
    let barrier = AluInst { dst: AluDst { write: false, ..barrier.dst }, ..barrier };
    let plain = mov(1, X, gpr(0, X));
    for generation in [Evergreen, Cayman] {
        obeys(&clause_of(generation, &[&[plain], &[barrier]]));
        breaks(Rule::BarrierClause, &clause_of(generation, &[&[barrier], &[plain]]));
        breaks(Rule::BarrierClause, &clause_of(generation, &[&[load_address()], &[barrier]]));
        let kill = AluInst {
            dst: AluDst { write: false, ..AluDst::default() },
            ..inst(AluOp::Killgt, 0, X, &[gpr(0, X), gpr(0, Y)])
        };
        let both = [Rule::BarrierClause, Rule::KillClause];
        finds(&both, &clause_of(generation, &[&[kill], &[barrier]]));
    }
}

#[test]
fn v217_kill_clause() {
    let kill = inst(AluOp::Killgt, 0, X, &[gpr(0, X), gpr(0, Y)]);
    let kill = AluInst { dst: AluDst { write: false, ..kill.dst }, ..kill };
    let plain = mov(1, X, gpr(0, X));
    groups_obey(&[&[plain], &[kill]]);
    groups_break(Rule::KillClause, &[&[kill], &[plain]]);
    groups_break(Rule::KillClause, &[&[kill], &[kill]]);
}
