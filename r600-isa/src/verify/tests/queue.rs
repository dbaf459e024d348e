//! Boundary cases of the rules of the output queues of local memory.

use super::*;

/// An access that returns a value to both queues.
fn lds_read_both() -> AluInst {
    let mut read = inst(AluOp::LdsIdxOp, 0, X, &[gpr(0, X)]);
    read.set_lds(LdsAccess { op: LdsOp::LdsRead2Ret, offset: 0 });
    read
}

fn take(chan: Chan, name: &str) -> AluInst {
    mov(1, chan, other(name))
}

#[test]
fn each_queue_is_emptied() {
    let pops = [take(X, "LDS_OQ_A_POP"), take(Y, "LDS_OQ_B_POP")];
    obeys(&clause_of(Evergreen, &[&[lds_read_both()], &pops]));
    for pop in pops {
        breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&[lds_read_both()], &[pop]]));
    }
    breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&[lds_read_both()]]));
    let program = clause_of(Evergreen, &[&[lds_read()], &pops[..1], &pops[1..]]);
    breaks(Rule::QueueBalance, &program);
}

#[test]
fn values_wait_in_order() {
    let pop = take(X, "LDS_OQ_A_POP");
    let two = [lds_read(), lds_read()];
    obeys(&clause_of(Evergreen, &[&two[..1], &two[1..], &[pop], &[pop]]));
    breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&two[..1], &two[1..], &[pop]]));
    // A group reads before its own accesses return values.
    let same = [lds_read(), take(Y, "LDS_OQ_A_POP")];
    breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&same]));
    obeys(&clause_of(Evergreen, &[&two[..1], &same, &[pop]]));
}

#[test]
fn the_front_may_be_read_without_taking_it() {
    let front = [take(X, "LDS_OQ_A"), take(Y, "LDS_OQ_B")];
    let pops = [take(X, "LDS_OQ_A_POP"), take(Y, "LDS_OQ_B_POP")];
    obeys(&clause_of(Evergreen, &[&[lds_read_both()], &front, &pops]));
    breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&front[..1]]));
    breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&front[1..]]));
    breaks(Rule::QueueBalance, &clause_of(Evergreen, &[&[lds_read()], &front[..1]]));
    // Two sources that read the front pop one value together.
    let both = [take(X, "LDS_OQ_A_POP"), take(Y, "LDS_OQ_A_POP")];
    obeys(&clause_of(Evergreen, &[&[lds_read()], &both]));
    let mixed = [take(X, "LDS_OQ_A_POP"), take(Y, "LDS_OQ_A")];
    obeys(&clause_of(Evergreen, &[&[lds_read()], &mixed]));
}

#[test]
fn queues_are_read_in_the_first_cycle_of_a_vector_slot() {
    let pop = other("LDS_OQ_A_POP");
    let sum =
        |bank_swizzle, srcs: [AluSrc; 2]| AluInst { bank_swizzle, ..inst(AluOp::Add, 1, X, &srcs) };
    let program = |reader: &[AluInst]| clause_of(Evergreen, &[&[lds_read()], reader]);
    obeys(&program(&[sum(0, [pop, gpr(0, X)])]));
    obeys(&program(&[sum(3, [gpr(0, X), pop])]));
    breaks(Rule::QueueCycle, &program(&[sum(0, [gpr(0, X), pop])]));
    breaks(Rule::QueueCycle, &program(&[sum(3, [pop, gpr(0, X)])]));
    // In the trans slot the third operand is read first, but that is still too late.
    let late = inst(AluOp::Muladd, 2, X, &[gpr(0, Y), gpr(0, Y), pop]);
    finds(&[Rule::QueueCycle, Rule::LdsBesideTrans], &program(&[mov(1, X, gpr(0, X)), late]));
}
