//! Rules of loops and of branches around them.

use super::*;

#[test]
fn v421_branch_depth() {
    let to = |op, target, pop_count| Cf::Flow(CfFlow { target, pop_count, ..CfFlow::new(op) });
    // 0: PUSH, 1: JUMP, 2: ELSE, 3: POP, 4: NOP.
    let list = |jump: (u32, u8), turn: (u32, u8)| {
        let [jump, turn] = [(CfOp::Jump, jump), (CfOp::Else, turn)]
            .map(|(op, (target, pop_count))| to(op, target, pop_count));
        [flow(CfOp::Push), jump, turn, to(CfOp::Pop, 4, 1), flow(CfOp::Nop)]
    };
    obeys(&flow_program(R700, &list((2, 0), (3, 0))));
    obeys(&flow_program(R700, &list((4, 1), (4, 1))));
    breaks(Rule::BranchDepth, &flow_program(R700, &list((4, 0), (3, 0))));
    breaks(Rule::BranchDepth, &flow_program(R700, &list((2, 1), (3, 0))));
    breaks(Rule::BranchDepth, &flow_program(R700, &list((2, 0), (4, 0))));
    breaks(Rule::StackUnderflow, &flow_program(R700, &list((4, 2), (3, 0))));
    breaks(Rule::StackUnderflow, &flow_program(R700, &list((2, 0), (4, 3))));
}

#[test]
fn v419_branch_into_loop() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let pop = |target| Cf::Flow(CfFlow { target, pop_count: 1, ..CfFlow::new(CfOp::Pop) });
    // 0: PUSH, 1: LOOP_START, 2: JUMP, 3: LOOP_END, 4: POP.
    let list = |jump| {
        let start = to(CfOp::LoopStartDx10, 4);
        [flow(CfOp::Push), start, to(CfOp::Jump, jump), to(CfOp::LoopEnd, 2), pop(5)]
    };
    obeys(&flow_program(R700, &list(2)));
    obeys(&flow_program(R700, &list(3)));
    breaks(Rule::BranchIntoLoop, &flow_program(R700, &list(4)));
    breaks(Rule::BranchIntoLoop, &flow_program(R700, &list(1)));
    // A jump into the loop from before it.
    let into = [
        flow(CfOp::Push),
        to(CfOp::Jump, 3),
        to(CfOp::LoopStartDx10, 4),
        to(CfOp::LoopEnd, 3),
        pop(5),
    ];
    breaks(Rule::BranchIntoLoop, &flow_program(R700, &into));
    // All other instructions that may jump.
    let start = to(CfOp::LoopStartDx10, 6);
    for op in [CfOp::PushElse, CfOp::PopPushElse, CfOp::Else, CfOp::PopJump] {
        let list = |target| {
            let push = flow(if op == CfOp::PushElse { CfOp::Nop } else { CfOp::Push });
            let jump = Cf::Flow(CfFlow {
                target,
                pop_count: u8::from(matches!(op, CfOp::PopPushElse | CfOp::PopJump)),
                ..CfFlow::new(op)
            });
            let last = if op == CfOp::PopJump { flow(CfOp::Nop) } else { pop(5) };
            [start, push, jump, flow(CfOp::Nop), last, to(CfOp::LoopEnd, 1)]
        };
        obeys(&flow_program(R700, &list(4)));
        breaks(Rule::BranchIntoLoop, &flow_program(R700, &list(6)));
    }
}

#[test]
fn v420_loop_index_unset() {
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    let uses = [
        Cf::Export(CfExport {
            relative: true,
            ..CfExport::new(CfOp::ExportDone, ExportKind::Pixel, 0, 1)
        }),
        Cf::Memory(CfMemory { relative: true, ..CfMemory::new(CfOp::MemRing, 0) }),
    ];
    for used in uses {
        breaks(Rule::LoopIndexUnset, &flow_program(R700, &[used]));
        let inside = |op| flow_program(R700, &[to(op, 3), used, to(CfOp::LoopEnd, 1)]);
        obeys(&inside(CfOp::LoopStart));
        breaks(Rule::LoopIndexUnset, &inside(CfOp::LoopStartDx10));
        breaks(Rule::LoopIndexUnset, &inside(CfOp::LoopStartNoAl));
        // After the loop, and in an inner loop that keeps the index of the outer one.
        let loops = [to(CfOp::LoopStart, 4), to(CfOp::LoopStartNoAl, 3)];
        let ends = [to(CfOp::LoopEnd, 2), to(CfOp::LoopEnd, 1)];
        let [outer, inner, end, last] = [loops[0], loops[1], ends[0], ends[1]];
        breaks(Rule::LoopIndexUnset, &flow_program(R700, &[outer, inner, end, last, used]));
        let outer = to(CfOp::LoopStart, 5);
        obeys(&flow_program(R700, &[outer, to(CfOp::LoopStartNoAl, 4), used, end, last]));
        // A subroutine runs in the loops of its callers.
        let call = to(CfOp::Call, 4);
        let list = [to(CfOp::LoopStart, 3), call, last, to(CfOp::Jump, 5), used, flow(CfOp::Ret)];
        obeys(&flow_program(R700, &list));
    }
}

#[test]
fn clauses_add_the_loop_index() {
    let mut by_loop = mov(1, X, gpr(0, X));
    by_loop.index_mode = IndexMode::Loop;
    let clause = |inst| {
        let mut program = alu_program(R700, CfOp::Alu, vec![group(&[inst])]);
        // Without the loop around the clause.
        program.cf.retain(|cf| crate::stack::loops_opened(cf) == 0);
        program
    };
    obeys(&clause(by_loop));
    for is_source in [true, false] {
        let mut relative = by_loop;
        relative.src[0].rel = is_source;
        relative.dst.rel = !is_source;
        breaks(Rule::LoopIndexUnset, &clause(relative));
    }
    let FetchInst::Tex(plain) = tex(FetchOp::Sample, 0, 1) else { return };
    let sample = |src_rel, dst_rel| {
        let fetch = FetchInst::Tex(TexInst { src_rel, dst_rel, ..plain.clone() });
        fetch_program(R700, CfOp::Tex, vec![fetch])
    };
    obeys(&sample(false, false));
    breaks(Rule::LoopIndexUnset, &sample(true, false));
    breaks(Rule::LoopIndexUnset, &sample(false, true));
}

/// The loop index can also be a source.
#[test]
fn clauses_read_the_loop_index() {
    let read = |start: &[Cf], end: &[Cf]| {
        let mut program = Program::new(Evergreen);
        let groups = vec![group(&[mov(1, X, other("LOOP_IDX"))])];
        let clause = program.add_clause(Clause::Alu(groups));
        program.cf.extend_from_slice(start);
        program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
        program.cf.extend_from_slice(end);
        finish(&mut program);
        program
    };
    breaks(Rule::LoopIndexUnset, &read(&[], &[]));
    let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
    obeys(&read(&[to(CfOp::LoopStart, 3)], &[to(CfOp::LoopEnd, 1)]));
    breaks(Rule::LoopIndexUnset, &read(&[to(CfOp::LoopStartDx10, 3)], &[to(CfOp::LoopEnd, 1)]));
}
