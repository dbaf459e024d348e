//! An operand or a result that is not what the operation means is found.

use r600_isa::{AluOp, Chan, Chip, KcacheWindow, Omod};
use r600_mir::{Op, Src, SrcKind, VReg};
use r600_sched::{CheckError, Clause, Options, Placed, PlacedDst, PlacedSel, check};

use super::code::{
    Builder, broken, broken_code, chain, first_groups, function_of, op_at, schedule,
};

#[test]
fn a_stale_forward_is_found() {
    let error = broken(|schedule| {
        for placed in first_groups(schedule).iter_mut().flat_map(|g| &mut g.slots).flatten() {
            for src in &mut placed.src {
                if matches!(src.sel, PlacedSel::VReg(..)) {
                    src.sel = PlacedSel::Ps;
                }
            }
        }
    });
    assert!(matches!(error, CheckError::Forward(_)), "{error}");
}

#[test]
fn a_window_that_is_not_locked_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let mut schedule = schedule(&function, Options::SHORT);
    for clause in schedule.blocks.values_mut().flatten() {
        if let Clause::Alu(alu) = clause {
            alu.kcache = Default::default();
        }
    }
    let error = check(&function, &schedule).expect_err("no window covers the constant");
    assert!(matches!(error, CheckError::Window(_)), "{error}");
}

/// Changes every instruction of the first clause in turn, where `change` can; each has to be found.
fn each_instruction(change: impl Fn(&mut Placed) -> bool) -> usize {
    let function = chain();
    let good = schedule(&function, Options::SHORT);
    let is_alu = |placed: &&mut Placed| {
        placed.node.is_some_and(|node| matches!(function.ops[node], Op::Alu(_)))
    };
    let mut count = 0;
    for at in 0.. {
        let mut broken = good.clone();
        let slots = first_groups(&mut broken).iter_mut().flat_map(|group| &mut group.slots);
        let Some(placed) = slots.flatten().filter(is_alu).nth(at) else { break };
        if change(placed) {
            count += 1;
            let error = check(&function, &broken).expect_err("the broken schedule is detected");
            let is_named = matches!(
                error,
                CheckError::Operation(_)
                    | CheckError::Slot(_)
                    | CheckError::Value(_)
                    | CheckError::Predicate(_)
            );
            assert!(is_named, "{error}");
        }
    }
    count
}

#[test]
fn an_instruction_that_is_not_its_operation_is_found() {
    type Change = fn(&mut Placed) -> bool;
    let changes: [(&str, Change); 9] = [
        ("another operation", |placed| {
            placed.op = if placed.op == AluOp::Add { AluOp::Max } else { AluOp::Add };
            true
        }),
        ("clamp", |placed| {
            placed.clamp ^= true;
            true
        }),
        ("output modifier", |placed| {
            placed.omod = if placed.omod == Omod::None { Omod::Times2 } else { Omod::None };
            true
        }),
        ("predicate", |placed| {
            placed.update_exec_mask ^= true;
            true
        }),
        ("sign", |placed| placed.src.first_mut().map(|src| src.neg ^= true).is_some()),
        ("magnitude", |placed| placed.src.first_mut().map(|src| src.abs ^= true).is_some()),
        ("lost source", |placed| placed.src.pop().is_some()),
        ("swapped sources", |placed| {
            let differ = placed.src.len() >= 2 && placed.src[0] != placed.src[1];
            if differ {
                placed.src.swap(0, 1);
            }
            // Both may be one register, of which one is forwarded.
            differ
                && placed.src.iter().all(|src| !matches!(src.sel, PlacedSel::Pv(_) | PlacedSel::Ps))
        }),
        ("constant for register", |placed| {
            let src = placed.src.iter_mut().find(|src| matches!(src.sel, PlacedSel::VReg(..)));
            src.map(|src| src.sel = PlacedSel::Const(7)).is_some()
        }),
    ];
    for (name, change) in changes {
        let count = each_instruction(change);
        println!("{name}: {count}");
        assert!(count > 0, "{name} applies to no instruction");
    }
}

#[test]
fn a_window_of_other_constants_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let good = schedule(&function, Options::SHORT);
    for change in [(|window| window.line ^= 1) as fn(&mut KcacheWindow), |window| window.bank ^= 1]
    {
        let mut broken = good.clone();
        for clause in broken.blocks.values_mut().flatten() {
            if let Clause::Alu(alu) = clause {
                alu.kcache.iter_mut().for_each(change);
            }
        }
        let error = check(&function, &broken).expect_err("the constant differs");
        assert!(matches!(error, CheckError::Operation(_)), "{error}");
    }
}

#[test]
fn members_of_a_vector_in_one_channel_are_found() {
    let error = broken_code(Chip::Rv770, &[(8, 16, 16, 0); 4], |function, schedule| {
        let members = &function.vectors.values().last().expect("there is an export").members;
        schedule.chans[members[0]] = schedule.chans[members[1]];
    });
    assert!(matches!(error, CheckError::Channel(_)), "{error}");
}

#[test]
fn a_vector_of_constants_just_after_its_window_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let mut schedule = schedule(&function, Options::SHORT);
    let mut count = 0;
    for clause in schedule.blocks.values_mut().flatten() {
        let Clause::Alu(alu) = clause else { continue };
        for placed in alu.groups.iter_mut().flat_map(|group| &mut group.slots).flatten() {
            for src in &mut placed.src {
                if let PlacedSel::Kcache { index, .. } = &mut src.sel {
                    (*index, count) = (16, count + 1);
                }
            }
        }
    }
    assert!(count > 0, "no constants are read");
    let error = check(&function, &schedule).expect_err("the window has 16 vectors");
    assert!(matches!(error, CheckError::Window(_)), "{error}");
}

#[test]
fn a_result_in_another_channel_than_its_register_is_found() {
    let error = broken_code(Chip::Rv770, &[(8, 42, 50, 0); 12], |function, schedule| {
        let alone = |vreg: &VReg| function.vregs[*vreg].vector.is_none();
        let groups = first_groups(schedule).iter();
        let mut written =
            groups.flat_map(|group| group.slots.iter().flatten()).filter_map(|placed| match placed
                .dst
            {
                PlacedDst::VReg(vreg) => Some(vreg),
                PlacedDst::None | PlacedDst::Element(_) => None,
            });
        let vreg = written.find(alone).expect("a register is written");
        let chan = schedule.chans[vreg];
        schedule.chans[vreg] = Chan::ALL[(chan as usize + 1) % 4];
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_constant_without_a_window_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let mut schedule = schedule(&function, Options::SHORT);
    let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
    for src in slots.flatten().flat_map(|placed| &mut placed.src) {
        if let PlacedSel::Kcache { chan, .. } = src.sel {
            src.sel = PlacedSel::Uniform { bank: 0, index: 9, chan };
        }
    }
    let error = check(&function, &schedule).expect_err("no window covers the constant");
    assert!(matches!(error, CheckError::Window(_)), "{error}");
}

#[test]
fn a_result_in_another_register_is_found() {
    let error = broken_code(Chip::Rv770, &[(8, 42, 50, 0); 12], |_, schedule| {
        let slots = first_groups(schedule).iter_mut().flat_map(|group| &mut group.slots);
        let is_result = |placed: &&mut Placed| matches!(placed.dst, PlacedDst::VReg(_));
        let mut written: Vec<&mut Placed> = slots.flatten().filter(is_result).collect();
        let first = written.swap_remove(0);
        let other = written.into_iter().find(|placed| placed.chan == first.chan);
        std::mem::swap(&mut first.dst, &mut other.expect("a channel is used twice").dst);
    });
    assert!(matches!(error, CheckError::Operation(_)), "{error}");
}

#[test]
fn swapped_forwarded_results_are_found() {
    let function = function_of(Chip::Rv770, |builder| {
        let [a, b, c] = [0, 1, 2].map(|n| Src::new(SrcKind::VReg(builder.values[n])));
        builder.defining(AluOp::Add, &[a, b]);
        builder.defining(AluOp::Add, &[b, c]);
        let [first, second] = [1, 0].map(|n| Src::new(SrcKind::VReg(builder.register(n))));
        builder.defining(AluOp::Setgt, &[first, second]);
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let compare = op_at(&function, 2);
    let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
    let placed = slots.flatten().find(|placed| placed.node == Some(compare));
    let placed = placed.expect("the comparison is there");
    assert!(placed.src.iter().all(|src| matches!(src.sel, PlacedSel::Pv(_) | PlacedSel::Ps)));
    placed.src.swap(0, 1);
    assert_eq!(check(&function, &schedule), Err(CheckError::Value(compare)));
}

#[test]
fn an_instruction_of_no_operation_is_found() {
    let error = broken(|schedule| {
        let groups = first_groups(schedule);
        let mut stray = groups[0].clone();
        stray.slots.iter_mut().flatten().for_each(|placed| placed.node = None);
        groups.push(stray);
    });
    assert!(matches!(error, CheckError::Stray(_)), "{error}");
}

#[test]
fn a_slot_of_a_reduction_with_other_operands_is_found() {
    let function = Builder::build(Chip::Rv770, &[(8, 16, 24, 0), (1, 16, 24, 32)]);
    let good = schedule(&function, Options::SHORT);
    for slot in 0..4 {
        let mut broken = good.clone();
        let groups = first_groups(&mut broken);
        let group = groups
            .iter_mut()
            .find(|group| group.iter().any(|(_, placed)| placed.op == AluOp::Dot4Ieee));
        let placed = group.expect("there is a dot product").slots[slot]
            .as_mut()
            .expect("a dot product takes four slots");
        placed.src[1].neg ^= true;
        let error = check(&function, &broken).expect_err("one product differs");
        assert!(matches!(error, CheckError::Operation(_)), "{error}");
    }
}

#[test]
fn a_value_that_does_not_reach_its_register_is_found() {
    let function = function_of(Chip::Rv770, |builder| {
        let [a, b] = [0, 1].map(|n| Src::new(SrcKind::VReg(builder.values[n])));
        builder.defining(AluOp::Add, &[a, b]);
        let sum = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::RecipIeee, &[sum]);
        let inverse = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::MulIeee, &[inverse, inverse]);
        let square = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::Add, &[square, sum]);
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let (writer, reader) = (op_at(&function, 0), op_at(&function, 3));
    let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
    let placed = slots.flatten().find(|placed| placed.node == Some(writer));
    placed.expect("the sum is there").dst = PlacedDst::None;
    assert_eq!(check(&function, &schedule), Err(CheckError::Value(reader)));
}
