//! Random code is scheduled legally, also where registers are short.

use cranelift_entity::SecondaryMap;
use proptest::prelude::*;
use r600_isa::{AluOp, Chan, Chip, FetchOp, Omod, TexInst};
use r600_mir::{
    Alu, ArrayInfo, Component, Dst, Element, Fetch, FetchStep, FetchTemplate, Function, Node, Op,
    Reduction, Replicated, Src, SrcKind, VReg, VRegInfo,
};
use r600_sched::{
    Clause, GroupLimit, Options, SchedError, Schedule, ScheduleText, Scheduler, Urgency, check,
};

use super::code::{Builder, CHIPS, Draw, again, function_of, op_at, schedule, with_inputs};
use super::sinking::locks_what_it_reads;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_code_is_scheduled_legally(
        draws in proptest::collection::vec(any::<Draw>(), 1..120),
        pressure in proptest::option::of(1..12u32),
        noise in any::<u32>(),
    ) {
        for chip in CHIPS {
            let function = Builder::build(chip, &draws);
            let ways = [
                Options::SHORT.pack(false),
                Options::SHORT,
                Options::SHORT.urgency(Urgency::ScarceFirst),
                Options::SHORT.noise(Some(noise)),
                Options::SHORT.urgency(Urgency::ScarceFirst).noise(Some(noise)),
            ];
            for way in ways {
                let options = way.pressure(pressure);
                let schedule = schedule(&function, options);
                prop_assert_eq!(check(&function, &schedule), Ok(()), "{:?}", chip);
                let scheduler = Scheduler::new(&function);
                prop_assert!(scheduler.lower_bound() <= schedule.num_groups(), "{:?}", chip);
                let mut sunk = schedule.clone();
                scheduler.sink(&mut sunk);
                prop_assert_eq!(check(&function, &sunk), Ok(()), "{:?}, sunk", chip);
                prop_assert!(locks_what_it_reads(&sunk), "{:?}", chip);
                prop_assert!(sunk.num_units() <= schedule.num_units(), "{:?}", chip);
                prop_assert!(sunk.num_groups() <= schedule.num_groups(), "{:?}", chip);
            }
            let again = again(&function, &schedule(&function, Options::SHORT));
            prop_assert_eq!(check(&function, &again), Ok(()), "{:?}", chip);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// What is given up has more groups than the limit, and what is not is as without one.
    #[test]
    fn a_limit_changes_nothing_but_where_it_is_exceeded(
        draws in proptest::collection::vec(any::<Draw>(), 1..120),
        pressure in proptest::option::of(1..12u32),
        noise in proptest::option::of(any::<u32>()),
        times in 1..40usize,
        below in 0..4usize,
    ) {
        for chip in CHIPS {
            let function = Builder::build(chip, &draws);
            let scheduler = Scheduler::new(&function);
            let options = Options::SHORT.pressure(pressure).noise(noise);
            let free = schedule(&function, options);
            let mut counted = SecondaryMap::new();
            let mut total = 0;
            for (block, number) in function.blocks.keys().zip(0..) {
                counted[block] = if number % 2 == 0 { times } else { 1 };
                total += counted[block] * free.num_groups_of(block);
            }
            let most = total.saturating_sub(below);
            let limit = GroupLimit { times: &counted, most };
            let limited = scheduler.run_within(limit, None, &options);
            if most < total {
                prop_assert_eq!(limited.err(), Some(SchedError::TooLong), "{:?}", chip);
            } else {
                let limited = limited.expect("the schedule is within the limit");
                prop_assert_eq!(text(&function, &limited), text(&function, &free), "{:?}", chip);
            }
        }
    }
}

fn text(function: &Function, schedule: &Schedule) -> String {
    ScheduleText { function, schedule }.to_string()
}

/// Schedules `ops` where registers are short from the first value on.
fn schedule_short(mut function: Function, ops: Vec<Op>) -> Schedule {
    let ops = ops.into_iter().map(|op| function.ops.push(op)).collect();
    let block = function.blocks.push(ops);
    function.body.nodes.push(Node::Block(block));
    let schedule = schedule(&function, Options::SHORT.pressure(Some(1)));
    assert_eq!(check(&function, &schedule), Ok(()));
    schedule
}

#[test]
fn operations_of_three_slots_find_room_where_registers_are_short() {
    let (mut function, [a, _]) = with_inputs(Chip::Cayman);
    let src = |vregs: &[VReg]| vregs.iter().map(|&vreg| Src::new(SrcKind::VReg(vreg))).collect();
    let mut ops = Vec::new();
    for _ in 0..8 {
        let [sum, reciprocal] = [(); 2].map(|()| function.vregs.push(VRegInfo::default()));
        ops.push(Op::Alu(Alu {
            op: AluOp::Add,
            dst: Dst::VReg(sum),
            src: src(&[a, a]),
            omod: Omod::None,
            clamp: false,
            update_exec_mask: false,
            index: None,
        }));
        ops.push(Op::Replicated(Replicated {
            op: AluOp::RecipIeee,
            dst: reciprocal,
            src: src(&[a]),
            omod: Omod::None,
            clamp: false,
            all_slots: false,
        }));
    }
    // One of each fills a group; four sums would leave reciprocals groups of their own.
    assert_eq!(schedule_short(function, ops).num_groups(), 8);
}

#[test]
fn two_fetches_share_a_clause_where_registers_are_short() {
    let (mut function, address) = with_inputs(Chip::Rv770);
    let [x, y] = address.map(Component::VReg);
    let mut ops = Vec::new();
    for _ in 0..2 {
        let result = function.vregs.push(VRegInfo::default());
        let step = FetchStep {
            template: FetchTemplate::Tex(TexInst::sample(FetchOp::Sample, 0, 0)),
            src: [x, y, Component::Unused, Component::Unused],
            dst: [Some(result), None, None, None],
        };
        let steps = [step].into_iter().collect();
        ops.push(Op::Fetch(Box::new(Fetch { steps, reads: None })));
    }
    let schedule = schedule_short(function, ops);
    let clauses: Vec<_> = schedule.blocks.values().flatten().collect();
    assert!(matches!(clauses[..], [Clause::Fetch(ops)] if ops.len() == 2), "{clauses:?}");
}

#[test]
fn what_fits_no_group_is_named_whatever_waits_beside_it() {
    let function = function_of(Chip::Cedar, |builder| {
        // Waits for its address, which is loaded for the most urgent operation.
        builder.function.arrays.push(ArrayInfo { len: 4 });
        let array = cranelift_entity::EntityRef::new(0);
        let element = Element { array, offset: 0, chan: Chan::Y, relative: true };
        let loaded = builder.function.vregs.push(VRegInfo::default());
        let index = Some(builder.values[0]);
        builder.alu(AluOp::Mov, Dst::VReg(loaded), &[Src::new(SrcKind::Element(element))], index);
        // More registers in one channel than a group reads.
        let in_x = VRegInfo { vector: None, chan: Some(Chan::X) };
        let factors = [(); 8].map(|()| {
            let vreg = builder.function.vregs.push(in_x);
            builder.function.live_in.push(vreg);
            Src::new(SrcKind::VReg(vreg))
        });
        let dst = builder.value();
        let pairs = std::array::from_fn(|n| [factors[2 * n], factors[2 * n + 1]]);
        let op = AluOp::Dot4Ieee;
        let sum = Reduction { op, dst, pairs, omod: Omod::None, clamp: false };
        builder.ops.push(Op::Reduction(Box::new(sum)));
        let last = builder.value();
        let read = Src::new(SrcKind::VReg(dst));
        builder.alu(AluOp::Mov, Dst::VReg(last), &[read], None);
    });
    let sum = op_at(&function, 1);
    let why = Scheduler::new(&function)
        .run(&Options::SHORT)
        .expect_err("no group can read so many values");
    assert_eq!(why, SchedError::Impossible(sum));
}
