//! Accesses to memory and fetches keep their order and their clauses.

use r600_isa::{AluOp, Chan, Chip, FetchOp, LdsAccess, LdsOp, Omod, TexInst};
use r600_mir::{
    Alu, Component, Dst, Fetch, FetchStep, FetchTemplate, FixedSlots, LDS_QUEUE_A_POP, Local, Op,
    OpId, Src, SrcKind, Storage, TIME_HI, TIME_LO,
};
use r600_sched::{CheckError, Clause, Group, Options, PlacedSel, check};

use super::code::{
    Builder, broken_code, filler, first_groups, function_of, op_at, schedule, swap_clauses,
};

#[test]
fn too_many_fetches_in_a_clause_are_found() {
    let error = broken_code(Chip::Rv770, &[(2, 0, 8, 0); 20], |_, schedule| {
        for clauses in schedule.blocks.values_mut() {
            let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
            let mut all = Vec::new();
            for clause in clauses.iter_mut() {
                if let Clause::Fetch(fetches) = clause {
                    all.append(fetches);
                }
            }
            let last = clauses.iter().rposition(is_fetch).expect("there are fetches");
            clauses[last] = Clause::Fetch(all);
        }
    });
    assert!(matches!(error, CheckError::Clause(_)), "{error}");
}

#[test]
fn a_queue_that_is_not_emptied_at_once_is_found() {
    let function = function_of(Chip::Cedar, |builder| {
        builder.ops.push(Op::Local(Local {
            access: LdsAccess { op: LdsOp::LdsReadRet, offset: 0 },
            src: [Src::new(SrcKind::VReg(builder.register(0)))].into_iter().collect(),
            returns: true,
        }));
        builder.defining(AluOp::Mov, &[Src::new(SrcKind::Special(LDS_QUEUE_A_POP, Chan::X))]);
    });
    let good = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &good), Ok(()));
    let is_access = |group: &Group| group.iter().any(|(_, placed)| placed.lds.is_some());
    let mut late = good.clone();
    let groups = first_groups(&mut late);
    let at = groups.iter().position(is_access).expect("there is an access");
    groups.insert(at + 1, filler(&groups[at]));
    let error = check(&function, &late).expect_err("the queue is not emptied immediately");
    assert!(matches!(error, CheckError::Queue(_)), "{error}");
}

#[test]
fn accesses_to_memory_out_of_order_are_found() {
    for (first, second) in [(true, true), (true, false), (false, true)] {
        let function = function_of(Chip::Rv770, |builder| {
            let registers = [builder.alone(), builder.alone()];
            builder.scratch(registers[0], first);
            builder.scratch(registers[1], second);
        });
        let is_access = |op: &&OpId| matches!(function.ops[**op], Op::Memory(_) | Op::Fetch(_));
        let ops: Vec<OpId> =
            function.blocks.values().flatten().filter(is_access).copied().collect();
        let mut schedule = schedule(&function, Options::SHORT);
        assert_eq!(check(&function, &schedule), Ok(()));
        swap_clauses(&mut schedule, [ops[0], ops[1]]);
        let found = check(&function, &schedule);
        assert!(matches!(found, Err(CheckError::Value(_))), "{first} {second}: {found:?}");
    }
}

#[test]
fn fetches_of_two_units_in_one_clause_are_found() {
    for (chip, shares) in [(Chip::Rv770, false), (Chip::Cedar, false), (Chip::Cayman, true)] {
        let function = function_of(chip, |builder| {
            builder.fetch(16, 24);
            let vreg = builder.alone();
            builder.scratch(vreg, false);
        });
        let mut schedule = schedule(&function, Options::SHORT);
        assert_eq!(check(&function, &schedule), Ok(()));
        let clauses = schedule.blocks.values_mut().next().expect("there is a block");
        let mut all = Vec::new();
        for clause in clauses.iter_mut() {
            if let Clause::Fetch(fetches) = clause {
                all.append(fetches);
            }
        }
        assert_eq!(all.len(), 2);
        let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
        let last = clauses.iter().rposition(is_fetch).expect("there are fetches");
        clauses[last] = Clause::Fetch(all);
        let found = check(&function, &schedule);
        assert_eq!(matches!(found, Err(CheckError::Clause(_))), !shares, "{chip:?}: {found:?}");
    }
}

#[test]
fn a_fetch_that_reads_what_its_clause_fetches_is_found() {
    let function = function_of(Chip::Cedar, |builder| {
        builder.fetch(16, 24);
        let first = builder.register(0);
        let again = [builder.value()];
        builder.vector(&again);
        let step = FetchStep {
            template: FetchTemplate::Tex(TexInst::sample(FetchOp::Sample, 0, 0)),
            src: [Component::VReg(first), Component::Unused, Component::Unused, Component::Unused],
            dst: [Some(again[0]), None, None, None],
        };
        let steps = [step].into_iter().collect();
        builder.ops.push(Op::Fetch(Box::new(Fetch { steps, reads: None })));
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
    let last = clauses.iter().rposition(is_fetch).expect("there are fetches");
    let Clause::Fetch(second) = clauses.remove(last) else { panic!("it is not a fetch clause") };
    let first = clauses.iter_mut().find(|clause| is_fetch(clause));
    if let Some(Clause::Fetch(first)) = first {
        first.extend(&second);
    }
    assert_eq!(check(&function, &schedule), Err(CheckError::Fetch(second[0])));
}

/// A read of both halves of the clock to new registers.
fn read_clock(builder: &mut Builder) {
    let slots = [(Chan::X, TIME_LO), (Chan::Y, TIME_HI)].map(|(chan, half)| {
        let dst = builder.value();
        builder.function.vregs[dst].chan = Some(chan);
        let alu = Alu {
            op: AluOp::Mov,
            dst: Dst::VReg(dst),
            src: [Src::new(SrcKind::Special(half, Chan::X))].into_iter().collect(),
            omod: Omod::None,
            clamp: false,
            update_exec_mask: false,
            index: None,
        };
        (chan, alu)
    });
    let slots = slots.into_iter().collect();
    builder.ops.push(Op::FixedSlots(Box::new(FixedSlots { slots, vec_210: false })));
}

/// The clock only grows, and tells what the accesses take that stand between two reads of it.
#[test]
fn the_clock_is_read_in_order_and_around_accesses_to_memory() {
    for chip in [Chip::Cedar, Chip::Cayman] {
        let function = function_of(chip, |builder| {
            builder.fetch(16, 24);
            let Some(Op::Fetch(fetch)) = builder.ops.last_mut() else { panic!("a fetch was made") };
            fetch.reads = Some(Storage::Shared);
            read_clock(builder);
            builder.fetch(16, 24);
            let Some(Op::Fetch(fetch)) = builder.ops.last_mut() else { panic!("a fetch was made") };
            fetch.reads = Some(Storage::Shared);
            read_clock(builder);
            // What follows from the second read is the most urgent.
            for _ in 0..8 {
                let last = Src::new(SrcKind::VReg(builder.register(0)));
                builder.defining(AluOp::AddInt, &[last, last]);
            }
        });
        let schedule = schedule(&function, Options::SHORT);
        assert_eq!(check(&function, &schedule), Ok(()), "{chip:?}");
        let reads_clock = |clause: &Clause| {
            let Clause::Alu(alu) = clause else { return None };
            let mut placed = alu.groups.iter().flat_map(|group| group.iter());
            placed
                .any(|(_, placed)| {
                    placed.src.iter().any(|src| matches!(src.sel, PlacedSel::Special(TIME_LO, _)))
                })
                .then_some("clock")
        };
        let clauses: Vec<_> = schedule.blocks.values().flatten().collect();
        let order: Vec<&str> = clauses
            .iter()
            .filter_map(|clause| match clause {
                Clause::Fetch(_) => Some("fetch"),
                other => reads_clock(other),
            })
            .collect();
        assert_eq!(order, ["fetch", "clock", "fetch", "clock"], "{chip:?}");
    }
}

#[test]
fn reads_of_the_clock_out_of_order_are_found() {
    let function = function_of(Chip::Cedar, |builder| {
        read_clock(builder);
        read_clock(builder);
        // Nothing reads the times: their order alone is at stake.
        for _ in 0..4 {
            builder.defining(AluOp::Mov, &[Src::new(SrcKind::VReg(builder.values[0]))]);
        }
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let groups = first_groups(&mut schedule);
    let [first, second] = [0, 1].map(|at| {
        let node = op_at(&function, at);
        let is_it = |group: &Group| group.iter().any(|(_, placed)| placed.node == Some(node));
        groups.iter().position(is_it).expect("it is in the first clause")
    });
    let both = groups[first].slots[..2].to_vec();
    for (slot, placed) in both.into_iter().enumerate() {
        let other = std::mem::replace(&mut groups[second].slots[slot], placed);
        groups[first].slots[slot] = other;
    }
    let found = check(&function, &schedule);
    assert!(matches!(found, Err(CheckError::Order { .. })), "{found:?}");
}

#[test]
fn the_clock_is_read_around_accesses_to_the_local_data_share() {
    let function = function_of(Chip::Cedar, |builder| {
        read_clock(builder);
        builder.ops.push(Op::Local(Local {
            access: LdsAccess { op: LdsOp::LdsWrite, offset: 0 },
            src: [0, 1].map(|n| Src::new(SrcKind::VReg(builder.values[n]))).into_iter().collect(),
            returns: false,
        }));
        read_clock(builder);
        for _ in 0..8 {
            let last = Src::new(SrcKind::VReg(builder.register(0)));
            builder.defining(AluOp::AddInt, &[last, last]);
        }
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let groups = first_groups(&mut schedule);
    let place = |at: usize| {
        let node = op_at(&function, at);
        groups.iter().position(|group| group.iter().any(|(_, p)| p.node == Some(node)))
    };
    let [first, access, second] = [0, 1, 2].map(place);
    assert!(first < access && access < second, "{first:?} {access:?} {second:?}");
}
