//! Rules of one group.

use super::*;

/// `INTERP_XY` of parameters `params` in the four slots, with coordinates `src`.
fn interpolation(src: [AluSrc; 4], params: [u8; 4]) -> Vec<AluInst> {
    let slots = Chan::ALL.into_iter().zip(src).zip(params);
    slots
        .map(|((chan, src), param)| {
            let mut one = inst(AluOp::InterpXy, 1, chan, &[src, sel(AluSel::Param(param))]);
            one.bank_swizzle = 5;
            one
        })
        .collect()
}

fn group_breaks(rule: Rule, generation: Generation, insts: &[AluInst]) {
    breaks(rule, &alu_program(generation, CfOp::Alu, vec![group(insts)]));
}

#[test]
fn v101_unsupported_alu() {
    group_breaks(Rule::UnsupportedAlu, R600, &[inst(AluOp::BfrevInt, 1, X, &[gpr(0, X)])]);
    let mut program = Program::new(R700);
    let clause =
        program.add_clause(Clause::Mixed(vec![AluPart::Raw(vec![0x8000_0000, 0x0000_3F90])]));
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
    let halves: Vec<AluInst> = [(X, Y), (Y, X)]
        .map(|(chan, j)| inst(AluOp::InterpX, 1, chan, &[gpr(0, j), sel(AluSel::Param(0))]))
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
        &[mov(1, X, gpr(0, X)), inst(AluOp::Cnde, 2, X, &[zero, zero, zero])],
    );
}

#[test]
fn v107_constant_reads() {
    let kcache = |index| sel(AluSel::Kcache { set: 0, index });
    let three = [mov(1, X, kcache(0)), mov(1, Y, kcache(1)), mov(1, Z, kcache(2))];
    group_breaks(Rule::ConstantReads, R700, &three);
    let program = alu_program(R600, CfOp::Alu, vec![group(&three)]);
    assert_eq!(program.verify(), [], "R600 can read four constants");
}

#[test]
fn v108_missing_literal() {
    group_breaks(Rule::MissingLiteral, R700, &[mov(1, X, sel(AluSel::Literal))]);
}

#[test]
fn v109_write_conflict() {
    group_breaks(Rule::WriteConflict, R700, &[mov(1, X, gpr(0, X)), mov(1, X, gpr(0, X))]);
    // The position of the slot in the group does not matter.
    let trans = inst(AluOp::RecipIeee, 1, X, &[gpr(0, X)]);
    let findings =
        alu_program(R700, CfOp::Alu, vec![group(&[trans, mov(1, X, gpr(0, X))])]).verify();
    assert!(findings.iter().any(|finding| finding.rule == Rule::WriteConflict), "{findings:?}");
}

#[test]
fn v110_incomplete_slots() {
    let dot = inst(AluOp::Dot4, 1, X, &[gpr(0, X), gpr(0, X)]);
    group_breaks(Rule::IncompleteSlots, R700, &[dot]);
}

#[test]
fn v111_slot_x() {
    let load = load_address();
    let load = AluInst { dst: AluDst { chan: Y, ..load.dst }, ..load };
    group_breaks(Rule::SlotX, R700, &[load]);
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
    let half = |chan| inst(AluOp::PredSete64, 0, chan, &[gpr(0, X), gpr(0, X)]);
    let program = |insts: &[AluInst]| alu_program(Evergreen, CfOp::Alu, vec![group(insts)]);
    assert_eq!(program(&[half(X), half(Y)]).verify(), []);
    group_breaks(Rule::SeveralPredicates, Evergreen, &[half(X), half(Y), half(Z), half(W)]);
    let kill = AluInst { dst: AluDst { chan: Z, ..kill.dst }, ..kill };
    group_breaks(Rule::SeveralPredicates, Evergreen, &[half(X), half(Y), kill]);
}

#[test]
fn v114_no_trans_result() {
    let groups = vec![group(&[mov(1, X, gpr(0, X))]), group(&[mov(1, X, sel(AluSel::Ps))])];
    let findings = alu_program(Cayman, CfOp::Alu, groups).verify();
    assert!(findings.iter().any(|finding| finding.rule == Rule::NoTransResult), "{findings:?}");
}

#[test]
fn v115_replicated_operands() {
    let root = |chan, src| inst(AluOp::RecipIeee, 1, chan, &[src]);
    let same = [X, Y, Z].map(|chan| root(chan, gpr(0, X)));
    assert_eq!(alu_program(Cayman, CfOp::Alu, vec![group(&same)]).verify(), []);
    let differs = [same[0], same[1], root(Z, gpr(0, Y))];
    group_breaks(Rule::ReplicatedOperands, Cayman, &differs);
}

#[test]
fn v116_source_modifier() {
    let negated = AluSrc { neg: true, ..gpr(0, X) };
    group_breaks(Rule::SourceModifier, R700, &[inst(AluOp::NotInt, 1, X, &[negated])]);
    let picks = inst(AluOp::CndeInt, 1, X, &[gpr(0, X), negated, gpr(0, X)]);
    assert_eq!(alu_program(R700, CfOp::Alu, vec![group(&[picks])]).verify(), []);
}

#[test]
fn v117_result_modifier() {
    let mut clamped = inst(AluOp::NotInt, 1, X, &[gpr(0, X)]);
    clamped.dst.clamp = true;
    group_breaks(Rule::ResultModifier, R700, &[clamped]);
    let mut doubled = inst(AluOp::SeteDx10, 1, X, &[gpr(0, X), gpr(0, X)]);
    doubled.dst.omod = Omod::Times2;
    group_breaks(Rule::ResultModifier, R700, &[doubled]);
}

#[test]
fn v118_parameter() {
    let turns = [gpr(0, Y), gpr(0, X), gpr(0, Y), gpr(0, X)];
    let good = interpolation(turns, [3; 4]);
    assert_eq!(alu_program(Evergreen, CfOp::Alu, vec![group(&good)]).verify(), []);
    group_breaks(Rule::Parameter, Evergreen, &interpolation(turns, [3, 3, 4, 4]));
    group_breaks(Rule::Parameter, Evergreen, &[mov(1, X, sel(AluSel::Param(0)))]);
    group_breaks(Rule::Parameter, Evergreen, &[inst(AluOp::InterpLoadP0, 1, X, &[gpr(0, X)])]);
}

#[test]
fn v119_barycentrics() {
    let straight = [gpr(0, X), gpr(0, Y), gpr(0, X), gpr(0, Y)];
    group_breaks(Rule::Barycentrics, Evergreen, &interpolation(straight, [3; 4]));
    let two_pairs = [gpr(0, Y), gpr(0, X), gpr(0, W), gpr(0, Z)];
    group_breaks(Rule::Barycentrics, Evergreen, &interpolation(two_pairs, [3; 4]));
}

#[test]
fn v120_queue_cycle() {
    let read =
        |pop: AluInst| alu_program(Evergreen, CfOp::Alu, vec![group(&[lds_read()]), group(&[pop])]);
    let pop = mov(1, X, other("LDS_OQ_A_POP"));
    assert_eq!(read(pop).verify(), []);
    breaks(Rule::QueueCycle, &read(AluInst { bank_swizzle: 2, ..pop }));
}

#[test]
fn v121_index_kinds() {
    let load = load_address();
    let constant = |index_mode, chan| {
        let src = AluSrc { rel: true, ..sel(AluSel::ConstFile(0)) };
        AluInst { index_mode, ..mov(1, chan, src) }
    };
    let mixed = [constant(IndexMode::ArX, X), constant(IndexMode::ArY, Y)];
    groups_break(Rule::IndexKinds, &[&[load], &mixed]);
    let both = [mov(1, X, AluSrc { rel: true, ..gpr(0, X) }), mov(1, Y, gpr(0, Y))];
    groups_break(Rule::IndexKinds, &[&[load], &both]);
}

#[test]
fn v122_index_mode() {
    let by_y = AluInst { index_mode: IndexMode::ArY, ..relative() };
    groups_break(Rule::IndexMode, &[&[load_address()], &[by_y]]);
    let global = AluInst { index_mode: IndexMode::Global, ..relative() };
    group_breaks(Rule::IndexMode, R600, &[global]);
    assert_eq!(alu_program(R700, CfOp::Alu, vec![group(&[global])]).verify(), []);
}

#[test]
fn v123_indexed_window() {
    let indexed = AluSrc { rel: true, ..sel(AluSel::Kcache { set: 0, index: 0 }) };
    groups_break(Rule::IndexedWindow, &[&[load_address()], &[mov(1, X, indexed)]]);
}

#[test]
fn v124_source_selector() {
    group_breaks(Rule::SourceSelector, R700, &[mov(1, X, sel(AluSel::Other(200)))]);
    group_breaks(Rule::SourceSelector, R700, &[mov(1, X, other("TIME_LO"))]);
    let program = alu_program(Evergreen, CfOp::Alu, vec![group(&[mov(1, X, other("TIME_LO"))])]);
    assert_eq!(program.verify(), []);
}

#[test]
fn v125_predicate_update() {
    let updating = AluInst { update_pred: true, ..mov(1, X, gpr(0, X)) };
    group_breaks(Rule::PredicateUpdate, R700, &[updating]);
}

#[test]
fn v126_address_write() {
    group_breaks(Rule::AddressWrite, R700, &[inst(AluOp::MovaInt, 0, X, &[gpr(0, X)])]);
}

#[test]
fn v127_not_alone() {
    let set = AluInst {
        dst: AluDst { write: false, ..AluDst::default() },
        ..inst(AluOp::SetCfIdx0, 0, X, &[])
    };
    let shared = [set, mov(1, Y, gpr(0, Y))];
    let program = |set: &[AluInst]| {
        alu_program(Evergreen, CfOp::Alu, vec![group(&[load_address()]), group(set)])
    };
    breaks(Rule::NotAlone, &program(&shared));
    assert_eq!(program(&shared[..1]).verify(), []);
}

#[test]
fn v128_mask_outside_loop() {
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let mut leave = AluInst { update_exec_mask: true, ..set };
    leave.dst.omod = Omod::Times2;
    group_breaks(Rule::MaskOutsideLoop, Cayman, &[leave]);
    let mut program = Program::new(Cayman);
    let clause = program.add_clause(Clause::Alu(vec![group(&[leave])]));
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let run = Cf::Alu(CfAlu::new(CfOp::Alu, clause));
    program.cf.extend([to(CfOp::LoopStartDx10, 3), run, to(CfOp::LoopEnd, 1)]);
    finish(&mut program);
    assert_eq!(program.verify(), []);
}

#[test]
fn v129_lds_beside_trans() {
    let beside = |generation, first: AluInst| {
        let mut recip = inst(AluOp::RecipIeee, 1, X, &[gpr(1, X)]);
        recip.dst.write = true;
        let pop = mov(2, X, other("LDS_OQ_A_POP"));
        let with_access = [&[lds_read(), recip][..], &[pop]];
        let with_pop = [&[lds_read()][..], &[pop, recip]];
        let groups = if first.op == AluOp::LdsIdxOp { with_access } else { with_pop };
        clause_of(generation, &groups)
    };
    for first in [lds_read(), mov(2, X, gpr(0, X))] {
        breaks(Rule::LdsBesideTrans, &beside(Evergreen, first));
    }
}

#[test]
fn v130_muladd_in_trans() {
    let beside = |generation, op: AluOp| {
        let zero = sel(AluSel::Inline(InlineConst::Zero));
        let mut trans = inst(op, 1, X, &[gpr(1, X), zero, zero]);
        trans.dst.write = false;
        clause_of(generation, &[&[mov(2, X, gpr(0, X)), trans]])
    };
    breaks(Rule::MuladdInTrans, &beside(R700, AluOp::MuladdIeee));
    breaks(Rule::MuladdInTrans, &beside(Generation::R600, AluOp::Muladd));
    let found = beside(Evergreen, AluOp::MuladdIeee).verify();
    assert!(found.iter().all(|finding| finding.rule != Rule::MuladdInTrans), "{found:?}");
}
