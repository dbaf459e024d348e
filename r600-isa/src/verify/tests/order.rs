//! Boundary cases of the rules of ordering between control-flow instructions. `waits.rs` has those of scratch memory.

use super::*;
use crate::{CfRat, MemoryAccess};

/// A sample to `dst` with the selects given, which reads R0.
pub(super) fn sample(dst: u8, dst_sel: [ComponentSel; 4]) -> FetchInst {
    FetchInst::Tex(TexInst {
        dst_gpr: dst,
        dst_sel,
        src_sel: [ComponentSel::X; 4],
        ..TexInst::sample(FetchOp::Sample, 0, 0)
    })
}

pub(super) const ALL: [ComponentSel; 4] =
    [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W];

/// The second channel only.
const SECOND: [ComponentSel; 4] =
    [ComponentSel::Mask, ComponentSel::X, ComponentSel::Mask, ComponentSel::Mask];

/// A clause of `fetch`, followed by the instruction that `next` makes.
fn after_fetch(fetch: FetchInst, next: impl FnOnce(&mut Program) -> Cf) -> Program {
    let mut program = Program::new(R700);
    let clause = program.add_clause(Clause::Fetch(vec![fetch]));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
    let next = next(&mut program);
    program.cf.push(next);
    finish(&mut program);
    program
}

/// The same program, but its second instruction waits.
fn waiting(program: &Program) -> Program {
    let mut program = program.clone();
    match &mut program.cf[1] {
        Cf::Alu(alu) => alu.barrier = true,
        Cf::Fetch(fetch) => fetch.barrier = true,
        Cf::Export(export) => export.barrier = true,
        Cf::Memory(memory) => memory.barrier = true,
        _ => {}
    }
    program
}

fn needs_barrier(program: &Program) {
    breaks(Rule::MissingBarrier, program);
    obeys(&waiting(program));
}

#[test]
fn groups_wait_for_what_they_read() {
    let early = |fetch, read| {
        after_fetch(fetch, |program| {
            let copies = [mov(9, X, sel(AluSel::Inline(InlineConst::One))), mov(9, Y, read)];
            let clause = program.add_clause(Clause::Alu(vec![group(&copies)]));
            Cf::Alu(CfAlu { barrier: false, ..CfAlu::new(CfOp::Alu, clause) })
        })
    };
    needs_barrier(&early(sample(1, ALL), gpr(1, W)));
    needs_barrier(&early(sample(1, SECOND), gpr(1, Y)));
    for chan in [X, Z, W] {
        obeys(&early(sample(1, SECOND), gpr(1, chan)));
    }
    obeys(&early(sample(1, ALL), gpr(2, X)));
    obeys(&early(sample(1, ALL), sel(AluSel::Inline(InlineConst::One))));
}

#[test]
fn fetches_wait_for_what_they_read() {
    let early = |src_gpr, src_sel| {
        after_fetch(sample(1, SECOND), |program| {
            let first = sample(8, ALL);
            let read = TexInst { src_gpr, src_sel, ..TexInst::sample(FetchOp::Sample, 0, 0) };
            let read = TexInst { dst_gpr: 9, dst_sel: ALL, ..read };
            let clause = program.add_clause(Clause::Fetch(vec![first, FetchInst::Tex(read)]));
            Cf::Fetch(CfFetch { barrier: false, ..CfFetch::new(CfOp::Tex, clause) })
        })
    };
    needs_barrier(&early(1, ALL));
    needs_barrier(&early(1, [ComponentSel::Y; 4]));
    obeys(&early(1, [ComponentSel::X; 4]));
    obeys(&early(2, ALL));
}

#[test]
fn exports_wait_for_what_they_read() {
    let early = |gpr, burst, sel| {
        after_fetch(sample(2, SECOND), |_| {
            let export = CfExport::new(CfOp::ExportDone, ExportKind::Parameter, 0, gpr);
            Cf::Export(CfExport { burst, sel, barrier: false, ..export })
        })
    };
    needs_barrier(&early(2, 1, ALL));
    needs_barrier(&early(1, 2, ALL));
    needs_barrier(&early(2, 0, ALL));
    needs_barrier(&early(1, 3, [ComponentSel::Y; 4]));
    obeys(&early(1, 1, ALL));
    obeys(&early(1, 0, ALL));
    obeys(&early(3, 1, ALL));
    let (zero, third) = (ComponentSel::Zero, ComponentSel::Z);
    obeys(&early(2, 1, [ComponentSel::X, zero, third, ComponentSel::W]));
}

#[test]
fn writes_to_memory_wait_for_what_they_read() {
    let early = |gpr, burst, comp_mask| {
        after_fetch(sample(2, SECOND), |_| {
            let write = CfMemory::new(CfOp::MemRing, gpr);
            Cf::Memory(CfMemory { burst, comp_mask, barrier: false, ..write })
        })
    };
    needs_barrier(&early(2, 1, 15));
    needs_barrier(&early(1, 2, 0b0010));
    needs_barrier(&early(2, 0, 15));
    obeys(&early(1, 1, 15));
    obeys(&early(1, 0, 15));
    obeys(&early(2, 1, 0b1101));
    obeys(&early(3, 1, 15));
}

#[test]
fn writes_wait_for_their_index() {
    let early = |op, index_gpr, kind, dst_sel| {
        let mut program = after_fetch(sample(2, dst_sel), |_| {
            let write = CfMemory { index_gpr, kind, ..CfMemory::new(op, 9) };
            Cf::Memory(CfMemory { barrier: false, ..write })
        });
        program.generation = Evergreen;
        program
    };
    let only = |chan: usize| {
        let mut sel = [ComponentSel::Mask; 4];
        sel[chan] = ComponentSel::X;
        sel
    };
    for kind in [MemoryType::WriteIndexed, MemoryType::WriteIndexedAck] {
        needs_barrier(&early(CfOp::MemRing, 2, kind, only(0)));
        obeys(&early(CfOp::MemRing, 2, kind, only(1)));
        for chan in 0..3 {
            needs_barrier(&early(CfOp::MemRat, 2, kind, only(chan)));
        }
        obeys(&early(CfOp::MemRat, 2, kind, only(3)));
        obeys(&early(CfOp::MemRat, 3, kind, ALL));
    }
    obeys(&early(CfOp::MemRing, 2, MemoryType::Write, ALL));
}

#[test]
fn a_barrier_waits_for_all_before_it() {
    let late = |barrier| {
        let mut program =
            after_fetch(sample(1, ALL), |_| Cf::Flow(CfFlow { barrier, ..CfFlow::new(CfOp::Nop) }));
        let export = CfExport::new(CfOp::ExportDone, ExportKind::Pixel, 0, 1);
        program.cf.insert(2, Cf::Export(CfExport { barrier: false, ..export }));
        program
    };
    obeys(&late(true));
    breaks(Rule::MissingBarrier, &late(false));
    // A barrier covers only earlier instructions, so this instruction's own results are still pending afterwards.
    let mut own = late(false);
    own.cf[1] = own.cf[0];
    breaks(Rule::MissingBarrier, &own);
}

/// A loop reads at its start what it fetched at its end.
#[test]
fn the_next_iteration_waits_for_fetches_of_the_last() {
    let program = |order: [usize; 2], waits: [bool; 3]| {
        let mut program = Program::new(R700);
        let groups = vec![group(&[mov(9, X, gpr(1, Y))])];
        let read = program.add_clause(Clause::Alu(groups));
        let fetch = program.add_clause(Clause::Fetch(vec![sample(1, SECOND)]));
        let [first, second, last] = waits;
        let both = [
            Cf::Alu(CfAlu { barrier: first, ..CfAlu::new(CfOp::Alu, read) }),
            Cf::Fetch(CfFetch { barrier: second, ..CfFetch::new(CfOp::Tex, fetch) }),
        ];
        let to = |op, target| CfFlow { target, ..CfFlow::new(op) };
        program.cf.push(Cf::Flow(to(CfOp::LoopStartDx10, 4)));
        program.cf.extend(order.map(|at| both[at]));
        program.cf.push(Cf::Flow(CfFlow { barrier: last, ..to(CfOp::LoopEnd, 1) }));
        finish(&mut program);
        program
    };
    let none = [false; 3];
    breaks(Rule::MissingBarrier, &program([0, 1], none));
    assert_eq!(program([0, 1], none).verify()[0].place.cf, Some(1));
    obeys(&program([0, 1], [true, false, false]));
    obeys(&program([0, 1], [false, false, true]));
    // The fetch waits for earlier results, not for its own.
    breaks(Rule::MissingBarrier, &program([0, 1], [false, true, false]));
    // One finding, although the register also comes around the loop.
    breaks(Rule::MissingBarrier, &program([1, 0], none));
}

/// Lanes that leave an iteration skip waits in between. Lanes that continue reach the start of the loop. Lanes that
/// break go past the loop, and so do those that continue in the last iteration.
#[test]
fn lanes_that_leave_an_iteration_wait_for_their_fetches() {
    // 0: start, 1: read, 2: fetch, 3: exit, 4: a group that waits, 5: end, 6: read.
    let program = |[start, exit]: [CfOp; 2], waits: [bool; 4]| {
        let mut program = Program::new(R700);
        let copy = |src| Clause::Alu(vec![group(&[mov(9, X, src)])]);
        let read = program.add_clause(copy(gpr(1, Y)));
        let other = program.add_clause(copy(sel(AluSel::Inline(InlineConst::One))));
        let again = program.add_clause(copy(gpr(1, Y)));
        let fetch = program.add_clause(Clause::Fetch(vec![sample(1, SECOND)]));
        let [first, exits, ends, last] = waits;
        let run = |clause, barrier| Cf::Alu(CfAlu { barrier, ..CfAlu::new(CfOp::Alu, clause) });
        let to = |op, target, barrier| Cf::Flow(CfFlow { target, barrier, ..CfFlow::new(op) });
        program.cf.push(to(start, 6, true));
        program.cf.push(run(read, first));
        program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, fetch)));
        program.cf.push(to(exit, 5, exits));
        program.cf.push(run(other, true));
        program.cf.push(to(CfOp::LoopEnd, 1, ends));
        program.cf.push(run(again, last));
        finish(&mut program);
        program
    };
    let (dx10, counted) = (CfOp::LoopStartDx10, CfOp::LoopStart);
    let (leave, go_on) = (CfOp::LoopBreak, CfOp::LoopContinue);
    let late = |ops, waits, at: &[usize]| {
        let findings = program(ops, waits).verify();
        assert!(findings.iter().all(|found| found.rule == Rule::MissingBarrier), "{findings:#?}");
        let found: Vec<_> = findings.iter().filter_map(|found| found.place.cf).collect();
        assert_eq!(found, at, "{ops:?} {waits:?}");
    };
    let none = [false; 4];
    late([dx10, go_on], none, &[1]);
    late([counted, go_on], none, &[1, 6]);
    late([counted, go_on], [true, false, false, false], &[6]);
    late([dx10, leave], none, &[6]);
    for (ops, read) in [([dx10, go_on], 0), ([dx10, leave], 3)] {
        for at in [read, 1, 2] {
            late(ops, std::array::from_fn(|n| n == at), &[]);
        }
    }
}

/// Waits that are skipped, because no lane is left or a counted loop has no iteration, have no effect.
#[test]
fn a_skipped_instruction_does_not_wait() {
    let to = |op, target, pop_count| {
        Cf::Flow(CfFlow { target, pop_count, barrier: false, ..CfFlow::new(op) })
    };
    let run = |clause, barrier| Cf::Alu(CfAlu { barrier, ..CfAlu::new(CfOp::Alu, clause) });
    // 0: fetch, 1: first, 2: the skipping instruction, 3: a group that waits, 4: its end, 5: read.
    let program = |[first, skip, close]: [Cf; 3], waits: bool| {
        let mut program = Program::new(R700);
        let fetch = program.add_clause(Clause::Fetch(vec![sample(1, SECOND)]));
        let copy = |src| Clause::Alu(vec![group(&[mov(9, X, src)])]);
        let other = program.add_clause(copy(sel(AluSel::Inline(InlineConst::One))));
        let read = program.add_clause(copy(gpr(1, Y)));
        program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, fetch)));
        program.cf.extend([first, skip, run(other, true), close, run(read, waits)]);
        finish(&mut program);
        program
    };
    let (nop, push, pop) = (to(CfOp::Nop, 0, 0), to(CfOp::Push, 0, 0), to(CfOp::Pop, 5, 1));
    let end = to(CfOp::LoopEnd, 3, 0);
    for list in [
        [push, to(CfOp::Jump, 4, 0), pop],
        [push, to(CfOp::Jump, 5, 1), pop],
        [push, to(CfOp::Else, 4, 0), pop],
        [nop, to(CfOp::PushElse, 4, 0), pop],
        [nop, to(CfOp::Push, 4, 0), pop],
        [nop, to(CfOp::LoopStart, 5, 0), end],
    ] {
        breaks(Rule::MissingBarrier, &program(list, false));
        obeys(&program(list, true));
    }
    obeys(&program([push, nop, pop], false));
    obeys(&program([nop, to(CfOp::LoopStartDx10, 5, 0), end], false));
}

/// What a loop fetches at its end reaches code past a wait that the next iteration skips.
#[test]
fn fetches_of_a_previous_iteration_pass_a_skipped_wait() {
    let mut program = Program::new(R700);
    let fetch = program.add_clause(Clause::Fetch(vec![sample(1, SECOND)]));
    let copy = |src| Clause::Alu(vec![group(&[mov(9, X, src)])]);
    let other = program.add_clause(copy(sel(AluSel::Inline(InlineConst::One))));
    let read = program.add_clause(copy(gpr(1, Y)));
    let to = |op, target, pop_count| {
        Cf::Flow(CfFlow { target, pop_count, barrier: false, ..CfFlow::new(op) })
    };
    program.cf.extend([
        to(CfOp::LoopStartDx10, 8, 0),
        to(CfOp::Push, 0, 0),
        to(CfOp::Jump, 4, 0),
        Cf::Alu(CfAlu::new(CfOp::Alu, other)),
        to(CfOp::Pop, 5, 1),
        Cf::Alu(CfAlu { barrier: false, ..CfAlu::new(CfOp::Alu, read) }),
        Cf::Fetch(CfFetch { barrier: false, ..CfFetch::new(CfOp::Tex, fetch) }),
        to(CfOp::LoopEnd, 1, 0),
    ]);
    finish(&mut program);
    breaks(Rule::MissingBarrier, &program);
    assert_eq!(program.verify()[0].place.cf, Some(5));
}

#[test]
fn channels_of_several_fetches_are_remembered() {
    let first = [ComponentSel::X, ComponentSel::Mask, ComponentSel::Mask, ComponentSel::Mask];
    let mut program = after_fetch(sample(1, first), |_| {
        let export = CfExport::new(CfOp::ExportDone, ExportKind::Pixel, 0, 1);
        Cf::Export(CfExport { barrier: false, sel: [ComponentSel::X; 4], ..export })
    });
    if let Clause::Fetch(fetches) = &mut program.clauses[0] {
        fetches.push(sample(1, SECOND));
    }
    needs_barrier(&program);
    assert_eq!(program.verify()[0].place.cf, Some(1));
}

#[test]
fn every_register_of_a_burst_is_written() {
    let read = |gpr| {
        let mem =
            MemInst { dst_gpr: 3, burst: 2, dst_sel: ALL, ..MemInst::new(FetchOp::ReadScratch) };
        after_fetch(FetchInst::Mem(mem), |_| {
            let export = CfExport::new(CfOp::ExportDone, ExportKind::Pixel, 0, gpr);
            Cf::Export(CfExport { barrier: false, ..export })
        })
    };
    obeys(&read(2));
    breaks(Rule::MissingBarrier, &read(3));
    breaks(Rule::MissingBarrier, &read(4));
    obeys(&read(5));
}

/// Checks that `program` uses an index that nothing loads, and that it is valid if a clause loads the index.
fn needs_index(program: &Program, loads: &[AluInst]) {
    breaks(Rule::IndexUnset, program);
    for load in loads {
        let mut loaded = program.clone();
        let load = [group(&[load_address()]), group(&[*load])];
        let clause = loaded.add_clause(Clause::Alu(load.to_vec()));
        loaded.cf.insert(0, Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
        obeys(&loaded);
    }
}

fn sets_index(op: AluOp) -> AluInst {
    let mut set = inst(op, 0, X, &[]);
    set.dst.write = false;
    set
}

#[test]
fn indices_of_control_flow_are_loaded() {
    let sets = [AluOp::SetCfIdx0, AluOp::SetCfIdx1].map(sets_index);
    let indexed_sample = |resource_index, sampler_index| {
        FetchInst::Tex(TexInst {
            resource_index,
            sampler_index,
            dst_gpr: 1,
            dst_sel: ALL,
            ..TexInst::sample(FetchOp::Sample, 0, 0)
        })
    };
    let (none, first) = (CfIndex::None, CfIndex::Index0);
    let vtx = VtxInst { buffer_index: first, ..VtxInst::buffer_fetch(0) };
    for fetch in [
        indexed_sample(first, none),
        indexed_sample(none, first),
        indexed_sample(first, CfIndex::Index1),
        FetchInst::Vtx(vtx),
    ] {
        needs_index(&fetch_program(Evergreen, CfOp::Tex, vec![sample(2, ALL), fetch]), &sets);
    }
    let gds = GdsInst { uav_index: first, ..GdsInst::new(FetchOp::GdsAddRet) };
    needs_index(&fetch_program(Evergreen, CfOp::Gds, vec![FetchInst::Gds(gds)]), &sets);
    obeys(&fetch_program(Evergreen, CfOp::Tex, vec![indexed_sample(none, none)]));
}

#[test]
fn windows_and_targets_are_indexed_by_the_list() {
    let sets = [AluOp::SetCfIdx0, AluOp::SetCfIdx1].map(sets_index);
    let window = |index| {
        let src = sel(AluSel::Kcache { set: 0, index: 0 });
        let mut program = clause_of(Evergreen, &[&[mov(1, X, src)]]);
        if let Cf::Alu(alu) = &mut program.cf[0] {
            alu.kcache[0].index = index;
        }
        program
    };
    obeys(&window(CfIndex::None));
    needs_index(&window(CfIndex::Index1), &sets);
    let write = |index| {
        let access = MemoryAccess::Rat(CfRat { index, ..CfRat::default() });
        let write = CfMemory { access, ..CfMemory::new(CfOp::MemRat, 0) };
        flow_program(Evergreen, &[Cf::Memory(write)])
    };
    obeys(&write(CfIndex::None));
    needs_index(&write(CfIndex::Index1), &sets);
    let indexed = CfMemory { kind: MemoryType::WriteIndexed, ..CfMemory::new(CfOp::MemRing, 0) };
    obeys(&flow_program(Evergreen, &[Cf::Memory(indexed)]));
}

#[test]
fn on_cayman_the_destination_of_a_load_picks_the_index_register() {
    let write = CfMemory {
        access: MemoryAccess::Rat(CfRat { index: CfIndex::Index0, ..CfRat::default() }),
        ..CfMemory::new(CfOp::MemRat, 0)
    };
    let program = |generation, gpr| {
        let load = AluInst { dst: AluDst { gpr, ..load_address().dst }, ..load_address() };
        let mut program = flow_program(generation, &[Cf::Memory(write)]);
        let clause = program.add_clause(Clause::Alu(vec![group(&[load])]));
        program.cf.insert(0, Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
        program
    };
    for index in [2, 3] {
        obeys(&program(Cayman, index));
        breaks(Rule::IndexUnset, &program(Evergreen, index));
    }
    for other in [0, 1, 4] {
        breaks(Rule::IndexUnset, &program(Cayman, other));
    }
}

/// An index that a clause loads is available from the next instruction on.
#[test]
fn an_index_is_loaded_before_the_clause_that_uses_it() {
    let load = sets_index(AluOp::SetCfIdx0);
    let mut program = Program::new(Evergreen);
    let groups = vec![group(&[load_address()]), group(&[load]), group(&[mov(1, X, gpr(0, X))])];
    let clause = program.add_clause(Clause::Alu(groups));
    let mut run = CfAlu::new(CfOp::Alu, clause);
    run.kcache[0].index = CfIndex::Index0;
    program.cf.push(Cf::Alu(run));
    finish(&mut program);
    let is_unset =
        |program: &Program| program.verify().iter().any(|finding| finding.rule == Rule::IndexUnset);
    assert!(is_unset(&program));
    let plain = CfAlu::new(CfOp::Alu, clause);
    program.cf.insert(0, Cf::Alu(plain));
    assert!(!is_unset(&program));
}
