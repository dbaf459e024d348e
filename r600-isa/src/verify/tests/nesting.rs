//! Boundary cases of the rules of branches and loops.

use super::*;

fn to(op: CfOp, target: u32) -> Cf {
    Cf::Flow(CfFlow { target, ..CfFlow::new(op) })
}

fn pop(count: u8) -> Cf {
    Cf::Flow(CfFlow { pop_count: count, ..CfFlow::new(CfOp::Pop) })
}

/// `list`, with a clause of one group inserted for each of `clauses`.
fn program(generation: Generation, list: &[Cf], clauses: &[(usize, CfOp)]) -> Program {
    let mut program = flow_program(generation, list);
    for (at, op) in clauses {
        let clause = program.add_clause(Clause::Alu(vec![group(&[mov(1, X, gpr(0, X))])]));
        program.cf.insert(*at, Cf::Alu(CfAlu::new(*op, clause)));
    }
    program
}

#[test]
fn entries_are_counted_one_by_one() {
    let push = flow(CfOp::Push);
    obeys(&flow_program(R700, &[push, push, pop(2)]));
    obeys(&flow_program(R700, &[push, push, pop(1), pop(1)]));
    breaks(Rule::StackUnderflow, &flow_program(R700, &[push, push, pop(3)]));
    breaks(Rule::StackLeft, &flow_program(R700, &[push, push, pop(1)]));
    obeys(&flow_program(R700, &[to(CfOp::PushElse, 1), pop(1)]));
    // A missing entry is reported only once.
    breaks(Rule::StackUnderflow, &flow_program(R700, &[pop(1), push, pop(1)]));
}

#[test]
fn clauses_push_and_pop() {
    let push = flow(CfOp::Push);
    obeys(&program(R700, &[pop(1)], &[(0, CfOp::AluPushBefore)]));
    breaks(Rule::StackLeft, &program(R700, &[], &[(0, CfOp::AluPushBefore)]));
    obeys(&program(R700, &[push], &[(1, CfOp::AluPopAfter)]));
    breaks(Rule::StackUnderflow, &program(R700, &[], &[(0, CfOp::AluPopAfter)]));
    obeys(&program(R700, &[push, push], &[(2, CfOp::AluPop2After)]));
    breaks(Rule::StackUnderflow, &program(R700, &[push], &[(1, CfOp::AluPop2After)]));
    breaks(Rule::StackLeft, &program(R700, &[push; 3], &[(3, CfOp::AluPop2After)]));
    breaks(Rule::StackLeft, &program(R700, &[push; 2], &[(2, CfOp::AluPopAfter)]));
    obeys(&program(R700, &[], &[(0, CfOp::Alu)]));
}

#[test]
fn one_instruction_may_pop_and_go_on() {
    let push = flow(CfOp::Push);
    let then = |op, count| Cf::Flow(CfFlow { pop_count: count, target: 1, ..CfFlow::new(op) });
    obeys(&flow_program(R700, &[push, then(CfOp::PopJump, 1)]));
    breaks(Rule::StackUnderflow, &flow_program(R700, &[push, then(CfOp::PopJump, 2)]));
    for op in [CfOp::PopPush, CfOp::PopPushElse] {
        obeys(&flow_program(R700, &[push, then(op, 1), pop(1)]));
        obeys(&flow_program(R700, &[push, push, then(op, 1), pop(2)]));
        obeys(&flow_program(R700, &[push, push, then(op, 2), pop(1)]));
        breaks(Rule::StackLeft, &flow_program(R700, &[push, then(op, 1)]));
        // It pops before it pushes.
        breaks(Rule::StackUnderflow, &flow_program(R700, &[then(op, 1), pop(1)]));
    }
}

#[test]
fn masks_of_whole_quads_are_pushed_as_others_are() {
    let flow = |op, pop_count| Cf::Flow(CfFlow { pop_count, ..CfFlow::new(op) });
    let (push, turn) = (flow(CfOp::PushWqm, 0), |target| to(CfOp::ElseWqm, target));
    obeys(&flow_program(Cayman, &[push, turn(2), flow(CfOp::PopWqm, 1)]));
    breaks(Rule::StackLeft, &flow_program(Cayman, &[push, turn(2)]));
    breaks(Rule::StackUnderflow, &flow_program(Cayman, &[push, flow(CfOp::PopWqm, 2)]));
    breaks(Rule::ElseWithoutPush, &flow_program(Cayman, &[turn(1)]));
}

#[test]
fn only_an_open_branch_is_turned_around() {
    let push = flow(CfOp::Push);
    obeys(&flow_program(R700, &[push, to(CfOp::Else, 2), pop(1)]));
    breaks(Rule::ElseWithoutPush, &flow_program(R700, &[push, pop(1), to(CfOp::Else, 3)]));
    obeys(&program(R700, &[push, pop(1)], &[(1, CfOp::AluElseAfter)]));
    breaks(Rule::ElseWithoutPush, &program(R700, &[], &[(0, CfOp::AluElseAfter)]));
}

/// A backward branch, or a branch to itself, is taken again with the depth that it leaves.
#[test]
fn branches_back_leave_what_the_path_to_their_target_does() {
    // 0: PUSH, 1: JUMP, 2: POP.
    let list = |target, pop_count| {
        let jump = Cf::Flow(CfFlow { target, pop_count, ..CfFlow::new(CfOp::Jump) });
        flow_program(R700, &[flow(CfOp::Push), jump, pop(1)])
    };
    obeys(&list(0, 1));
    obeys(&list(1, 0));
    breaks(Rule::BranchDepth, &list(0, 0));
    breaks(Rule::BranchDepth, &list(1, 1));
}

#[test]
fn every_kind_of_loop_has_start_and_end() {
    for start in [CfOp::LoopStart, CfOp::LoopStartDx10, CfOp::LoopStartNoAl] {
        obeys(&flow_program(R700, &[to(start, 2), to(CfOp::LoopEnd, 1)]));
        breaks(Rule::LoopTargets, &flow_program(R700, &[to(start, 1)]));
    }
}

#[test]
fn loops_within_loops_have_targets_of_their_own() {
    let start = |target| to(CfOp::LoopStartDx10, target);
    let end = |target| to(CfOp::LoopEnd, target);
    let exit = |op, target| to(op, target);
    let list = |inner, outer| {
        let (leave, go_on) = (exit(CfOp::LoopBreak, inner), exit(CfOp::LoopContinue, outer));
        [start(6), start(4), leave, end(2), go_on, end(1)]
    };
    obeys(&flow_program(R700, &list(3, 5)));
    breaks(Rule::LoopExit, &flow_program(R700, &list(5, 5)));
    breaks(Rule::LoopExit, &flow_program(R700, &list(3, 3)));
    finds(&[Rule::LoopExit, Rule::LoopExit], &flow_program(R700, &list(4, 4)));
}

#[test]
fn breaks_and_continues_stand_in_loops() {
    for op in [CfOp::LoopBreak, CfOp::LoopContinue] {
        breaks(Rule::LoopExit, &flow_program(R700, &[flow(op)]));
    }
    for op in [CfOp::AluBreak, CfOp::AluContinue] {
        breaks(Rule::LoopExit, &program(R700, &[], &[(0, op)]));
        let list = [to(CfOp::LoopStartDx10, 3), to(CfOp::LoopEnd, 1)];
        obeys(&program(R700, &list, &[(1, op)]));
    }
}

#[test]
fn exits_pop_what_is_above_the_loop_or_nothing() {
    for op in [CfOp::LoopBreak, CfOp::LoopContinue] {
        let list = |pop_count| {
            let exit = Cf::Flow(CfFlow { target: 6, pop_count, ..CfFlow::new(op) });
            let (push, start) = (flow(CfOp::Push), to(CfOp::LoopStartDx10, 7));
            [push, start, push, push, exit, pop(2), to(CfOp::LoopEnd, 2), pop(1)]
        };
        obeys(&flow_program(R700, &list(0)));
        obeys(&flow_program(R700, &list(2)));
        breaks(Rule::BranchDepth, &flow_program(R700, &list(1)));
        breaks(Rule::BranchDepth, &flow_program(R700, &list(3)));
    }
}

#[test]
fn a_loop_ends_as_deep_as_it_starts() {
    let start = to(CfOp::LoopStartDx10, 4);
    let end = to(CfOp::LoopEnd, 2);
    let push = flow(CfOp::Push);
    obeys(&flow_program(R700, &[push, start, Cf::Flow(CfFlow::new(CfOp::Nop)), end, pop(1)]));
    // Reported once: the walk continues with the depth at which the loop was opened.
    breaks(Rule::StackLeft, &flow_program(R700, &[push, start, push, end, pop(1)]));
    breaks(Rule::StackLeft, &flow_program(R700, &[push, start, pop(1), end, pop(1)]));
}

#[test]
fn loops_are_open_from_start_to_end() {
    let set = inst(AluOp::PredSete, 0, X, &[gpr(0, X), gpr(0, X)]);
    let mut leave = AluInst { update_exec_mask: true, ..set };
    leave.dst.omod = Omod::Times2;
    let with = |list: &[Cf], at: usize| {
        let mut program = flow_program(Cayman, list);
        let clause = program.add_clause(Clause::Alu(vec![group(&[leave])]));
        program.cf.insert(at, Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
        program
    };
    for op in [CfOp::LoopStart, CfOp::LoopStartDx10, CfOp::LoopStartNoAl] {
        obeys(&with(&[to(op, 3), to(CfOp::LoopEnd, 1)], 1));
        breaks(Rule::MaskOutsideLoop, &with(&[to(op, 2), to(CfOp::LoopEnd, 1)], 2));
        breaks(Rule::MaskOutsideLoop, &with(&[to(op, 3), to(CfOp::LoopEnd, 2)], 0));
        breaks(Rule::MaskOutsideLoop, &with(&[flow(CfOp::Nop)], 1));
        let nested = [to(op, 5), to(op, 3), to(CfOp::LoopEnd, 2), to(CfOp::LoopEnd, 1)];
        obeys(&with(&nested, 3));
    }
}
