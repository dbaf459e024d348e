//! Boundary cases of the rules of one group: constants, literals, ports, writes.

use super::*;

fn constant(index: u8, chan: Chan) -> AluSrc {
    AluSrc::new(AluSel::Kcache { set: 0, index }, chan)
}

fn filed(index: u8, chan: Chan) -> AluSrc {
    AluSrc::new(AluSel::ConstFile(index), chan)
}

/// Copies of `srcs` to the channels of R1; the fifth is in the trans slot.
fn copies(srcs: &[AluSrc]) -> Vec<AluInst> {
    let to = |(at, src): (usize, &AluSrc)| {
        let chan = [X, Y, Z, W, X][at];
        mov(1 + u8::from(at == 4), chan, *src)
    };
    srcs.iter().enumerate().map(to).collect()
}

/// An instruction that writes `chan` in the trans slot.
fn trans(dst: u8, chan: Chan, src: AluSrc) -> AluInst {
    inst(AluOp::RecipIeee, dst, chan, &[src])
}

#[test]
fn r600_reads_four_channels_of_constants() {
    let four = [constant(0, X), constant(0, Y), constant(0, Z), constant(0, W)];
    obeys(&clause_of(R600, &[&copies(&four)]));
    let again = [&four[..], &[constant(0, W)]].concat();
    obeys(&clause_of(R600, &[&copies(&again)]));
    let fifth = [&four[..], &[constant(1, W)]].concat();
    breaks(Rule::ConstantReads, &clause_of(R600, &[&copies(&fifth)]));
}

#[test]
fn later_chips_read_two_pairs_of_channels() {
    let two = [constant(0, X), constant(0, Y), constant(1, Z), constant(1, W)];
    groups_obey(&[&copies(&two)]);
    groups_break(
        Rule::ConstantReads,
        &[&copies(&[constant(0, X), constant(0, Z), constant(1, X)])],
    );
    groups_break(Rule::ConstantReads, &[&copies(&[filed(0, X), filed(1, X), filed(2, X)])]);
}

#[test]
fn an_indexed_constant_is_another_one() {
    let indexed = AluSrc { rel: true, ..filed(0, X) };
    groups_obey(&[&[load_address()], &copies(&[filed(0, X), indexed])]);
    let third = copies(&[filed(0, X), indexed, filed(1, X)]);
    groups_break(Rule::ConstantReads, &[&[load_address()], &third]);
}

#[test]
fn registers_and_literals_are_no_constants_of_the_group() {
    let inline = sel(AluSel::Inline(InlineConst::One));
    groups_obey(&[&copies(&[constant(0, X), constant(1, X), inline, gpr(0, X)])]);
    groups_obey(&[&copies(&[filed(0, X), filed(0, Y)])]);
    groups_obey(&[&copies(&[constant(0, X), constant(0, Y)])]);
}

#[test]
fn a_literal_is_found_by_its_channel() {
    let program = |chan, len: usize| {
        let mut own = group(&[mov(1, X, AluSrc::new(AluSel::Literal, chan))]);
        own.literals = (0..4).take(len).collect();
        alu_program(R700, CfOp::Alu, vec![own])
    };
    for (chan, needed) in [(X, 1), (Y, 2), (Z, 3), (W, 4)] {
        breaks(Rule::MissingLiteral, &program(chan, needed - 1));
        obeys(&program(chan, needed));
    }
}

#[test]
fn kills_stand_together_but_beside_no_predicate() {
    let kill = |chan| inst(AluOp::Kille, 0, chan, &[gpr(0, X), gpr(0, X)]);
    groups_obey(&[&[kill(X), kill(Y), kill(Z), kill(W)]]);
    let set = |chan| inst(AluOp::PredSete, 0, chan, &[gpr(0, X), gpr(0, X)]);
    groups_obey(&[&[set(X)]]);
    groups_break(Rule::SeveralPredicates, &[&[set(X), set(Y), kill(Z)]]);
}

#[test]
fn halves_of_a_double_comparison_are_one_predicate() {
    let half = |op, chan| inst(op, 0, chan, &[gpr(0, X), gpr(0, X)]);
    let pair = [half(AluOp::PredSete64, X), half(AluOp::PredSete64, Y)];
    groups_obey(&[&pair]);
    let third = half(AluOp::PredSete, Z);
    groups_break(Rule::SeveralPredicates, &[&[pair[0], pair[1], third]]);
}

#[test]
fn ps_is_there_where_a_trans_slot_is() {
    let both = [mov(1, X, gpr(0, X)), mov(2, X, gpr(0, X))];
    groups_obey(&[&both, &[mov(1, X, sel(AluSel::Ps))]]);
    let program = clause_of(Cayman, &[&[mov(1, X, gpr(0, X))], &[mov(1, X, sel(AluSel::Ps))]]);
    finds(&[Rule::NoTransResult, Rule::StaleForward], &program);
    obeys(&clause_of(Cayman, &[&[mov(1, X, gpr(0, X))], &[mov(1, X, sel(AluSel::Pv))]]));
}

#[test]
fn each_kind_of_slot_has_its_bank_swizzles() {
    let swizzled = |bank_swizzle, inst: AluInst| AluInst { bank_swizzle, ..inst };
    groups_obey(&[&[swizzled(5, mov(1, X, gpr(0, X)))]]);
    groups_obey(&[&[swizzled(3, trans(1, X, gpr(0, X)))]]);
    groups_break(Rule::BankSwizzle, &[&[swizzled(4, trans(1, X, gpr(0, X)))]]);
    let zero = sel(AluSel::Inline(InlineConst::Zero));
    groups_obey(&[&[swizzled(6, mov(1, X, zero))]]);
}

#[test]
fn ports_distinguish_channels_registers_and_indices() {
    let reads = |a, b| [mov(1, X, a), mov(1, Y, b)];
    groups_obey(&[&reads(gpr(0, X), gpr(0, X))]);
    groups_obey(&[&reads(gpr(0, X), gpr(2, Y))]);
    let indexed = AluSrc { rel: true, ..gpr(0, X) };
    finds(
        &[Rule::IndexKinds, Rule::ReadPorts],
        &clause_of(R700, &[&[load_address()], &reads(gpr(0, X), indexed)]),
    );
    let filled = [X, Y].map(|chan| mov(3, chan, gpr(0, X)));
    groups_obey(&[&filled, &reads(sel(AluSel::Pv), gpr(2, X))]);
}

#[test]
fn the_trans_slot_reads_two_constants() {
    let zero = sel(AluSel::Inline(InlineConst::Zero));
    let sum = |srcs: [AluSrc; 3]| inst(AluOp::Cnde, 2, X, &srcs);
    let first = mov(1, X, gpr(0, X));
    let shifted = AluInst { bank_swizzle: 1, ..sum([zero, zero, gpr(0, Y)]) };
    groups_obey(&[&[first, shifted]]);
    groups_obey(&[&[sum([zero, zero, zero])]]);
}

#[test]
fn a_forwarded_result_is_read_after_the_constants_of_the_trans_slot() {
    let zero = sel(AluSel::Inline(InlineConst::Zero));
    let first = [mov(3, X, gpr(0, X)), mov(4, X, gpr(0, X))];
    let program = |bank_swizzle, srcs: &[AluSrc]| {
        let sum = AluInst { bank_swizzle, ..inst(AluOp::Cnde, 2, X, srcs) };
        clause_of(R700, &[&first, &[mov(1, X, gpr(0, X)), sum]])
    };
    for result in [sel(AluSel::Ps), sel(AluSel::Pv)] {
        obeys(&program(0, &[result, zero, zero]));
        breaks(Rule::ReadPorts, &program(0, &[zero, zero, result]));
        obeys(&program(1, &[zero, zero, result]));
        breaks(Rule::BankSwizzle, &program(4, &[zero, zero, result]));
    }
    // In a vector slot it has no requirement.
    let vector = AluInst { bank_swizzle: 6, ..mov(1, X, sel(AluSel::Ps)) };
    groups_obey(&[&first, &[vector]]);
}

#[test]
fn writes_meet_in_one_register_and_channel() {
    let vector = mov(1, X, gpr(0, X));
    let root = |dst, chan| trans(dst, chan, gpr(0, X));
    groups_break(Rule::WriteConflict, &[&[vector, root(1, X)]]);
    groups_obey(&[&[vector, root(2, X)]]);
    groups_obey(&[&[vector, root(1, Y)]]);
    let unwritten = |mut inst: AluInst| {
        inst.dst.write = false;
        inst
    };
    groups_obey(&[&[unwritten(vector), root(1, X)]]);
    groups_obey(&[&[vector, unwritten(root(1, X))]]);
    let two = [vector, mov(1, Y, gpr(0, X)), root(1, X)];
    groups_break(Rule::WriteConflict, &[&two]);
}

#[test]
fn an_indexed_write_may_meet_any_register() {
    let indexed = |mut inst: AluInst| {
        inst.dst.rel = true;
        inst
    };
    let (vector, root) = (mov(1, X, gpr(0, X)), |chan| trans(2, chan, gpr(0, X)));
    let after_load = |insts: [AluInst; 2]| clause_of(R700, &[&[load_address()], &insts]);
    breaks(Rule::WriteConflict, &after_load([indexed(vector), root(X)]));
    breaks(Rule::WriteConflict, &after_load([vector, indexed(root(X))]));
    obeys(&after_load([indexed(vector), root(Y)]));
    obeys(&after_load([vector, indexed(root(Y))]));
}
