//! Boundary cases of the rules of operations that occupy several slots.

use super::*;

fn at(op: AluOp, chans: &[Chan]) -> Vec<AluInst> {
    chans.iter().map(|chan| inst(op, 1, *chan, &[gpr(0, X), gpr(0, X)])).collect()
}

#[test]
fn every_slot_of_an_operation_is_there() {
    let good: &[(AluOp, &[Chan])] = &[
        (AluOp::Dot4, &[X, Y, Z, W]),
        (AluOp::RecipIeee, &[X, Y, Z]),
        (AluOp::RecipIeee, &[X, Y, Z, W]),
        (AluOp::MulloInt, &[X, Y, Z, W]),
        (AluOp::Mul64, &[X, Y, Z, W]),
        (AluOp::Add64, &[X, Y]),
        (AluOp::Add64, &[Z, W]),
    ];
    for (op, chans) in good {
        obeys(&clause_of(Cayman, &[&at(*op, chans)]));
        // Every missing slot is reported.
        let needed = if *op == AluOp::RecipIeee { 3 } else { chans.len() };
        for missing in 0..needed {
            let mut rest = chans.to_vec();
            rest.remove(missing);
            breaks(Rule::IncompleteSlots, &clause_of(Cayman, &[&at(*op, &rest)]));
        }
    }
    breaks(Rule::IncompleteSlots, &clause_of(Cayman, &[&at(AluOp::Add64, &[Y, Z])]));
}

#[test]
fn another_operation_does_not_fill_a_slot() {
    let three = at(AluOp::Dot4, &[X, Y, Z]);
    let mixed = [&three[..], &[mov(2, W, gpr(0, X))]].concat();
    groups_break(Rule::IncompleteSlots, &[&mixed]);
}

#[test]
fn copies_of_an_operation_read_alike() {
    let copy = |op, chan, src| inst(op, 1, chan, &[src, gpr(0, X)]);
    let with = |op, src: AluSrc| {
        let mut all = at(op, &[X, Y, Z, W]);
        all[3] = copy(op, W, src);
        clause_of(Cayman, &[&all])
    };
    let negated = AluSrc { neg: true, ..gpr(0, X) };
    breaks(Rule::ReplicatedOperands, &with(AluOp::MulloInt, gpr(0, Y)));
    breaks(Rule::ReplicatedOperands, &with(AluOp::RecipIeee, negated));
    obeys(&with(AluOp::Dot4, gpr(0, Y)));
    obeys(&with(AluOp::Recip64, gpr(0, Y)));
    // Another operation may have different operands.
    let mut two = at(AluOp::RecipIeee, &[X, Y, Z]);
    two.push(copy(AluOp::SqrtIeee, W, gpr(0, Y)));
    breaks(Rule::IncompleteSlots, &clause_of(Cayman, &[&two]));
}

/// `op` in the slots of `chans`, which read `srcs` and parameter 0.
fn interpolation(op: AluOp, srcs: &[(Chan, AluSrc)]) -> Program {
    let insts: Vec<AluInst> = srcs
        .iter()
        .map(|(chan, src)| AluInst {
            bank_swizzle: 5,
            ..inst(op, 1, *chan, &[*src, sel(AluSel::Param(0))])
        })
        .collect();
    clause_of(Evergreen, &[&insts])
}

#[test]
fn halves_of_an_interpolation_have_slots_of_their_own() {
    let low = [(X, gpr(0, Y)), (Y, gpr(0, X))];
    let high = [(Z, gpr(0, Y)), (W, gpr(0, X))];
    obeys(&interpolation(AluOp::InterpX, &low));
    obeys(&interpolation(AluOp::InterpZ, &high));
    breaks(Rule::IncompleteSlots, &interpolation(AluOp::InterpX, &high));
    breaks(Rule::IncompleteSlots, &interpolation(AluOp::InterpZ, &low));
    breaks(Rule::IncompleteSlots, &interpolation(AluOp::InterpX, &low[..1]));
    breaks(Rule::IncompleteSlots, &interpolation(AluOp::InterpX, &low[1..]));
    breaks(Rule::IncompleteSlots, &interpolation(AluOp::InterpZ, &high[..1]));
    breaks(Rule::IncompleteSlots, &interpolation(AluOp::InterpZ, &high[1..]));
}

#[test]
fn coordinates_are_read_in_turn() {
    let all = |chans: [Chan; 4]| [X, Y, Z, W].into_iter().zip(chans.map(|chan| gpr(0, chan)));
    for op in [AluOp::InterpXy, AluOp::InterpZw] {
        let program = |chans| interpolation(op, &all(chans).collect::<Vec<_>>());
        obeys(&program([Y, X, Y, X]));
        obeys(&program([W, Z, W, Z]));
        for bad in [[X, X, Y, X], [Y, Y, Y, X], [Y, X, X, X], [Y, X, Y, Y], [Y, Z, Y, X]] {
            breaks(Rule::Barycentrics, &program(bad));
        }
    }
    for (op, slots) in [(AluOp::InterpX, [X, Y]), (AluOp::InterpZ, [Z, W])] {
        let program = |first, second| interpolation(op, &[(slots[0], first), (slots[1], second)]);
        obeys(&program(gpr(0, W), gpr(0, Z)));
        breaks(Rule::Barycentrics, &program(gpr(0, X), gpr(0, Y)));
        // Another register holds another pair, which a port cannot read in the same cycle.
        breaks(Rule::Barycentrics, &program(gpr(0, Y), gpr(1, X)));
    }
}

#[test]
fn parameters_are_read_by_interpolation_alone() {
    let load = |chan, param| inst(AluOp::InterpLoadP0, 1, chan, &[sel(AluSel::Param(param))]);
    obeys(&clause_of(Evergreen, &[&[load(X, 1), load(Y, 1)]]));
    breaks(Rule::Parameter, &clause_of(Evergreen, &[&[load(X, 1), load(Y, 2)]]));
    let copy = mov(1, Y, gpr(0, X));
    obeys(&clause_of(Evergreen, &[&[load(X, 1), copy]]));
    // One finding for a group is enough.
    let twice = [load(X, 1), load(Y, 2), load(Z, 3)];
    breaks(Rule::Parameter, &clause_of(Evergreen, &[&twice]));
}
