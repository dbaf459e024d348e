//! Boundary cases of the rules of forwarded results.

use super::*;

fn pv(chan: Chan) -> AluSrc {
    AluSrc::new(AluSel::Pv, chan)
}

#[test]
fn the_first_group_reads_no_result_in_any_place() {
    let second = inst(AluOp::Add, 1, X, &[gpr(0, X), sel(AluSel::Ps)]);
    groups_break(Rule::ForwardAtStart, &[&[second]]);
    groups_break(Rule::ForwardAtStart, &[&[mov(1, X, gpr(0, X)), mov(1, Y, pv(X))]]);
}

#[test]
fn a_result_is_available_if_its_slot_was_used() {
    let four = [X, Y, Z, W].map(|chan| mov(1, chan, gpr(0, X)));
    for chan in [X, Y, Z, W] {
        groups_obey(&[&four, &[mov(2, X, pv(chan))]]);
    }
    groups_break(Rule::StaleForward, &[&four, &[mov(2, X, sel(AluSel::Ps))]]);
    // `PV` holds results of the preceding group only, not of an earlier one.
    groups_break(Rule::StaleForward, &[&four, &four[..1], &[mov(2, X, pv(Y))]]);
}

#[test]
fn replicated_results_are_in_the_issued_slots() {
    let root = [X, Y, Z].map(|chan| inst(AluOp::RecipIeee, 1, chan, &[gpr(0, X)]));
    for chan in [X, Y, Z] {
        obeys(&clause_of(Cayman, &[&root, &[mov(2, X, pv(chan))]]));
    }
    breaks(Rule::StaleForward, &clause_of(Cayman, &[&root, &[mov(2, X, pv(W))]]));
    let product = inst(AluOp::MulloInt, 1, X, &[gpr(0, X), gpr(0, X)]);
    let program = clause_of(Cayman, &[&[product], &[mov(2, X, pv(W))]]);
    finds(&[Rule::IncompleteSlots, Rule::StaleForward], &program);
    let beside = [product, mov(1, Y, gpr(0, X))];
    let program = clause_of(Cayman, &[&beside, &[mov(2, X, pv(W))]]);
    finds(&[Rule::IncompleteSlots, Rule::StaleForward], &program);
    let sum = inst(AluOp::Dot4, 1, X, &[gpr(0, X), gpr(0, X)]);
    let program = clause_of(Cayman, &[&[sum], &[mov(2, X, pv(W))]]);
    finds(&[Rule::IncompleteSlots, Rule::StaleForward], &program);
    // The plain copy beside them is not affected.
    obeys(&clause_of(
        Cayman,
        &[&[&root[..], &[mov(2, W, gpr(0, X))]].concat(), &[mov(3, X, pv(W))]],
    ));
}

#[test]
fn results_of_an_invalid_group_are_not_judged() {
    let clash = [mov(1, X, gpr(0, X)), mov(2, X, gpr(0, X))];
    breaks(Rule::SlotConflict, &clause_of(Cayman, &[&clash, &[mov(3, X, pv(Y))]]));
}

#[test]
fn writer_and_reader_run_for_the_same_lanes() {
    let set = AluInst { update_pred: true, ..inst(AluOp::PredSete, 0, X, &[gpr(0, X); 2]) };
    let gated = |pred_sel, src| AluInst { pred_sel, ..mov(1, X, src) };
    let program = |writer, reader| {
        clause_of(R700, &[&[set], &[gated(writer, gpr(0, X))], &[gated(reader, pv(X))]])
    };
    let (off, zero, one) = (PredSel::Off, PredSel::Zero, PredSel::One);
    for (writer, reader) in [(off, off), (off, one), (zero, zero), (one, one)] {
        obeys(&program(writer, reader));
    }
    for (writer, reader) in [(zero, off), (one, off), (zero, one)] {
        breaks(Rule::ForwardPredicated, &program(writer, reader));
    }
}

#[test]
fn a_predicate_that_changes_after_the_writer_has_other_lanes() {
    let set =
        |chan| AluInst { update_pred: true, ..inst(AluOp::PredSete, 0, chan, &[gpr(0, X); 2]) };
    let gated = |pred_sel, src| AluInst { pred_sel, ..mov(1, X, src) };
    let program = |lanes, setter| {
        let beside = AluInst { pred_sel: setter, ..set(Y) };
        let writer = gated(lanes, gpr(0, X));
        clause_of(R700, &[&[set(X)], &[writer, beside], &[gated(lanes, pv(X))]])
    };
    let (off, zero, one) = (PredSel::Off, PredSel::Zero, PredSel::One);
    for (lanes, setter) in [(one, off), (zero, off), (one, zero)] {
        breaks(Rule::ForwardPredicated, &program(lanes, setter));
    }
    // Some of the writer's lanes remain; the others keep their predicate.
    for (lanes, setter) in [(off, off), (one, one), (zero, zero)] {
        obeys(&program(lanes, setter));
    }
}

#[test]
fn doubles_and_local_memory_forward_nothing() {
    let double = [X, Y].map(|chan| inst(AluOp::Add64, 1, chan, &[gpr(0, X), gpr(0, X)]));
    groups_break(Rule::ForwardSource, &[&double, &[mov(2, X, pv(X))]]);
    let pop = mov(1, X, other("LDS_OQ_A_POP"));
    let reads = [pop, mov(1, Y, pv(X))];
    breaks(Rule::ForwardSource, &clause_of(Evergreen, &[&[lds_read()], &reads]));
    let nothing = inst(AluOp::AluNop, 0, X, &[]);
    groups_break(Rule::ForwardSource, &[&[nothing], &[mov(2, X, pv(X))]]);
    let mut placed = mov(1, X, gpr(0, X));
    placed.dst.rel = true;
    // One finding, even if the destination is indexed as well.
    let mut both = double;
    both[0].dst.rel = true;
    groups_break(Rule::ForwardSource, &[&[load_address()], &both, &[mov(9, X, pv(X))]]);
    groups_break(Rule::ForwardSource, &[&[load_address()], &[placed], &[mov(9, X, pv(X))]]);
}
