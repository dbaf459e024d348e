//! What instructions do beside computing: doubles over slots, addresses, interpolation, local
//! memory, control flow.

use crate::support;

use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfFetch, CfFlow, CfOp, Chan, Chip,
    Clause, ComponentSel, FetchInst, FetchOp, GdsInst, Generation, InlineConst, Program,
};
use r600_sim::{Denormals, MAX_LANES, NoResources, Numerics, Options, Outcome, Parameter};
use support::{CHIPS, alu, end, entry, export, gpr, group, inst, kernel, result, run};

/// The chips with a row of doubles in the tables' Evergreen columns.
const DOUBLE_CHIPS: [Chip; 2] = [Chip::Cypress, Chip::Cayman];

fn halves(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

/// Two doubles in R1.xy and R2.xy, low halves first.
fn doubles(a: f64, b: f64) -> r600_sim::Entry<'static> {
    let mut entry = entry(&[]);
    for (gpr, value) in [(1, a), (2, b)] {
        for (channel, half) in (0..).zip(halves(value)) {
            (0..4).for_each(|lane| entry.set_gpr(gpr, channel, lane, half));
        }
    }
    entry
}

/// `op` on doubles in slots x and y; the even slot reads the high halves.
fn pair(op: AluOp) -> AluGroup {
    let slot = |chan, half| inst(op, chan, &[gpr(1, half), gpr(2, half)][..op.num_src()]);
    let (first, mut second) = (slot(Chan::X, Chan::Y), slot(Chan::Y, Chan::X));
    // A predicate has one result.
    second.dst.write = !op.has(r600_isa::AluFlags::PREDICATE);
    group(&[first, second])
}

/// `op` on doubles in all four slots.
fn quad(op: AluOp) -> AluGroup {
    let slot = |chan, half| {
        let sources =
            [gpr(1, half), gpr(2, half), AluSrc::new(AluSel::Inline(InlineConst::Zero), Chan::X)];
        inst(op, chan, &sources[..op.num_src()])
    };
    let [x, y, z, w] = Chan::ALL;
    group(&[slot(x, y), slot(y, y), slot(z, y), slot(w, x)])
}

fn double_result(outcome: &Outcome) -> f64 {
    let [low, high, ..] = result(outcome);
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

#[test]
fn doubles_are_computed_over_slots() {
    for chip in DOUBLE_CHIPS {
        for (op, a, b, want) in [
            (AluOp::Add64, 1.5, 0.25, 1.75),
            (AluOp::Min64, 1.5, f64::NAN, 1.5),
            (AluOp::Max64, 1.5, 2.5, 2.5),
            (AluOp::Fract64, -1.25, 0.0, 0.75),
        ] {
            assert_eq!(double_result(&run(chip, vec![pair(op)], &doubles(a, b)).unwrap()), want);
        }
        for (op, want) in [(AluOp::Mul64, 3.75), (AluOp::Fma64, 3.75)] {
            assert_eq!(
                double_result(&run(chip, vec![quad(op)], &doubles(1.5, 2.5)).unwrap()),
                want
            );
        }
        let less = run(chip, vec![pair(AluOp::Setgt64)], &doubles(1.0, 2.0)).unwrap();
        assert_eq!(result(&less)[0], 0);
        let single = run(chip, vec![pair(AluOp::Flt64ToFlt32)], &doubles(0.1, 0.0)).unwrap();
        assert_eq!(result(&single)[0], 0.1_f32.to_bits());
    }
}

#[test]
fn early_generations_have_doubles_too() {
    let got = run(Chip::Rv770, vec![quad(AluOp::Muladd64M2)], &doubles(1.5, 2.5)).unwrap();
    assert_eq!(double_result(&got), 7.5);
}

#[test]
fn mantissa_and_exponent_come_apart() {
    let slot = |chan, half| inst(AluOp::Frexp64, chan, &[gpr(1, half)]);
    let [x, y, z, w] = Chan::ALL;
    let insts = group(&[slot(x, y), slot(y, x), slot(z, y), slot(w, x)]);
    let got = result(&run(Chip::Cypress, vec![insts], &doubles(-12.0, 0.0)).unwrap());
    assert_eq!(got[1] as i32, 4);
    assert_eq!(got[2..], halves(-0.75));
}

#[test]
fn the_two_conversions_of_a_double_agree() {
    let zero = AluSrc::new(AluSel::Inline(InlineConst::Zero), Chan::X);
    let widen = [
        inst(AluOp::Flt32ToFlt64, Chan::X, &[gpr(1, Chan::X)]),
        inst(AluOp::Flt32ToFlt64, Chan::Y, &[zero]),
    ];
    let got = run(Chip::Cayman, vec![group(&widen)], &entry(&[(-2.5_f32).to_bits()])).unwrap();
    assert_eq!(double_result(&got), -2.5);
}

#[test]
fn a_double_is_scaled_by_a_power_of_two() {
    let exponent = AluSrc::new(AluSel::Inline(InlineConst::IntMinusOne), Chan::X);
    let insts = [
        inst(AluOp::Ldexp64, Chan::X, &[gpr(1, Chan::Y), exponent]),
        inst(AluOp::Ldexp64, Chan::Y, &[gpr(1, Chan::X), exponent]),
    ];
    let got = run(Chip::Cypress, vec![group(&insts)], &doubles(3.0, 0.0)).unwrap();
    assert_eq!(double_result(&got), 1.5);
}

#[test]
fn seeds_of_doubles_give_both_halves() {
    for (op, value, want) in [
        (AluOp::Recip64, 4.0, 0.25),
        (AluOp::Sqrt64, 2.25, 1.5),
        (AluOp::Recipsqrt64, 4.0, 0.5),
        (AluOp::RecipClamped64, 0.0, f64::MAX),
        (AluOp::RecipsqrtClamped64, 0.0, f64::MAX),
    ] {
        let slot = |chan| inst(op, chan, &[gpr(1, Chan::Y), gpr(1, Chan::X)]);
        let on_cayman = vec![group(&[slot(Chan::X), slot(Chan::Y), slot(Chan::Z)])];
        let by_group = vec![group(&[slot(Chan::X)]), group(&[slot(Chan::Y)])];
        let input = doubles(value, 0.0);
        assert_eq!(double_result(&run(Chip::Cayman, on_cayman, &input).unwrap()), want);
        assert_eq!(double_result(&run(Chip::Cypress, by_group, &input).unwrap()), want);
    }
}

#[test]
fn an_address_is_rounded_and_added() {
    let load = |op| AluInst { dst: AluDst::default(), ..inst(op, Chan::X, &[gpr(1, Chan::X)]) };
    let mut read = inst(AluOp::Mov, Chan::X, &[gpr(1, Chan::X)]);
    read.src[0].rel = true;
    for (chip, op, address, register) in [
        (Chip::Rv770, AluOp::Mova, 1.5_f32.to_bits(), 2),
        (Chip::Rv770, AluOp::MovaFloor, 1.5_f32.to_bits(), 1),
        (Chip::Rv770, AluOp::MovaInt, 2, 2),
        (Chip::Rv670, AluOp::MovaGprInt, 2, 2),
        (Chip::Cayman, AluOp::MovaInt, 1, 1),
    ] {
        let groups = vec![group(&[load(op)]), group(&[read])];
        let got = run(chip, groups, &entry(&[address, 102, 103])).unwrap();
        assert_eq!(result(&got)[0], 101 + register, "{} on {chip:?}", op.name());
    }
}

#[test]
fn all_operands_are_read_before_anything_is_written() {
    let mut swap =
        [(1, 2), (2, 1)].map(|(to, from)| (to, inst(AluOp::Mov, Chan::X, &[gpr(from, Chan::X)])));
    swap[1].1.dst.chan = Chan::X;
    let [(first, mut a), (second, mut b)] = swap;
    a.dst.gpr = first;
    b.dst.gpr = second;
    // The second instruction finds its vector slot taken and goes to the trans slot.
    b.bank_swizzle = 1;
    let copy = [(Chan::X, 1), (Chan::Y, 2)]
        .map(|(chan, from)| inst(AluOp::Mov, chan, &[gpr(from, Chan::X)]));
    let mut copy = copy;
    copy[1].bank_swizzle = 2;
    let got = run(Chip::Rv770, vec![group(&[a, b]), group(&copy)], &entry(&[7, 9])).unwrap();
    assert_eq!(result(&got)[..2], [9, 7]);
}

#[test]
fn parameters_are_interpolated() {
    let slot = |op, chan: Chan| {
        // Even slots read j, odd ones i.
        let coordinate = gpr(0, if matches!(chan, Chan::X | Chan::Z) { Chan::Y } else { Chan::X });
        let parameter = AluSrc::new(AluSel::Param(0), Chan::X);
        AluInst { bank_swizzle: 5, ..inst(op, chan, &[coordinate, parameter]) }
    };
    let both = [(AluOp::InterpZw, 2..4), (AluOp::InterpXy, 0..2)].map(|(op, written)| {
        let mut insts = Chan::ALL.map(|chan| slot(op, chan));
        for (index, inst) in insts.iter_mut().enumerate() {
            inst.dst.write = written.contains(&index);
        }
        group(&insts)
    });
    let mut entry = entry(&[]);
    for lane in 0..4 {
        entry.set_gpr(0, 0, lane, 0.25_f32.to_bits());
        entry.set_gpr(0, 1, lane, 0.5_f32.to_bits());
    }
    let values = |base: f32| [0.0, 1.0, 2.0, 3.0].map(|c| [(base + c).to_bits(); MAX_LANES]);
    entry.push_parameter(Parameter { p0: values(1.0), p10: values(4.0), p20: values(8.0) });
    for chip in [Chip::Cypress, Chip::Cayman] {
        let got = result(&run(chip, both.to_vec(), &entry).unwrap());
        assert_eq!(got, [6.0_f32, 7.75, 9.5, 11.25].map(f32::to_bits));
    }
    for (op, want) in
        [(AluOp::InterpLoadP0, 1.0_f32), (AluOp::InterpLoadP10, 4.0), (AluOp::InterpLoadP20, 8.0)]
    {
        let load = inst(op, Chan::X, &[AluSrc::new(AluSel::Param(0), Chan::X)]);
        let got = result(&run(Chip::Cypress, vec![group(&[load])], &entry).unwrap());
        assert_eq!(got[0], want.to_bits());
    }
}

#[test]
fn half_of_a_parameter_is_interpolated_in_two_slots() {
    let slot = |op, chan, coordinate| {
        let parameter = AluSrc::new(AluSel::Param(0), Chan::X);
        AluInst { bank_swizzle: 5, ..inst(op, chan, &[gpr(0, coordinate), parameter]) }
    };
    let mut entry = entry(&[]);
    (0..4).for_each(|lane| entry.set_gpr(0, 0, lane, 0.5_f32.to_bits()));
    let value = |v: f32| [[v.to_bits(); MAX_LANES]; 4];
    entry.push_parameter(Parameter { p0: value(1.0), p10: value(4.0), p20: value(8.0) });
    for (op, chans) in [(AluOp::InterpX, [Chan::X, Chan::Y]), (AluOp::InterpZ, [Chan::Z, Chan::W])]
    {
        let insts = [slot(op, chans[0], Chan::Y), slot(op, chans[1], Chan::X)];
        let got = result(&run(Chip::Cypress, vec![group(&insts)], &entry).unwrap());
        assert_eq!(got[chans[0] as usize], 3.0_f32.to_bits());
    }
}

/// A value of a parameter that is the same everywhere arrives with every bit.
#[test]
fn a_flat_parameter_arrives_exactly() {
    for bits in [0x8000_0000, 1, 0x7f80_0000, 0x3f80_0001] {
        let parameter = Parameter::flat([[bits; MAX_LANES]; 4]);
        let [p0, p10] = [parameter.p0[0][0], parameter.p10[0][0]].map(f32::from_bits);
        assert_eq!((p0 + 0.3 * p10 + 0.0 * p10).to_bits(), bits);
    }
}

#[test]
fn denormals_are_kept_or_flushed() {
    let add = group(&[inst(AluOp::Add, Chan::X, &[gpr(1, Chan::X), gpr(2, Chan::X)])]);
    let program = support::program(Generation::R700, vec![add]);
    let kernel = kernel(&program, Chip::Rv770, 0).unwrap();
    for (denormals, want) in [(Denormals::Keep, 3), (Denormals::Flush, 0)] {
        let numerics = Numerics { denormals, ..Numerics::default() };
        let options = Options::default().numerics(numerics);
        let got = kernel.run(&entry(&[1, 2]), &options, &mut NoResources).unwrap();
        assert_eq!(result(&got)[0], want);
    }
}

/// `R1.x += 1` for each iteration until it is at least `R2.x`; lanes leave at different iterations.
#[test]
fn lanes_leave_a_loop_in_different_iterations() {
    for chip in CHIPS {
        let generation = chip.generation();
        let mut program = Program::new(generation);
        let one = AluSrc::new(AluSel::Inline(InlineConst::One), Chan::X);
        let flow =
            |op, target, pop_count| Cf::Flow(CfFlow { target, pop_count, ..CfFlow::new(op) });
        program.cf.push(flow(CfOp::LoopStartDx10, 7, 0));
        let mut test = inst(AluOp::PredSetge, Chan::X, &[gpr(1, Chan::X), gpr(2, Chan::X)]);
        test.update_exec_mask = true;
        test.dst.write = false;
        alu(&mut program, CfOp::AluPushBefore, vec![group(&[test])]);
        program.cf.push(flow(CfOp::Jump, 4, 1));
        program.cf.push(flow(CfOp::LoopBreak, 6, 1));
        program.cf.push(flow(CfOp::Pop, 5, 1));
        let mut step = inst(AluOp::Add, Chan::X, &[gpr(1, Chan::X), one]);
        step.dst.gpr = 1;
        alu(&mut program, CfOp::Alu, vec![group(&[step])]);
        program.cf.push(flow(CfOp::LoopEnd, 1, 0));
        export(&mut program, 1);
        end(&mut program);
        let mut entry = entry(&[0.0_f32.to_bits()]);
        (0..4).for_each(|lane| entry.set_gpr(2, 0, lane, (lane as f32).to_bits()));
        let got =
            kernel(&program, chip, 3).unwrap().run(&entry, &Options::default(), &mut NoResources);
        let got = got.unwrap_or_else(|error| panic!("{chip:?}: {error}"));
        let lanes = &got.exports.values().next().unwrap().lanes;
        let values: Vec<_> = lanes.iter().map(|lane| f32::from_bits(lane[0].unwrap())).collect();
        assert_eq!(values, [0.0, 1.0, 2.0, 3.0], "{chip:?}");
        assert_eq!(got.counters.groups, 7, "{chip:?}: four tests and three steps");
    }
}

/// Writes R2.x at the address in R1.x, reads it back and takes it from the queue.
#[test]
fn local_memory_returns_through_its_queue() {
    let address = gpr(1, Chan::X);
    let local = |sources: &[AluSrc]| AluInst {
        dst: AluDst::default(),
        ..inst(AluOp::LdsIdxOp, Chan::X, sources)
    };
    let pop = inst(AluOp::Mov, Chan::X, &[AluSrc::new(AluSel::Other(221), Chan::X)]);
    let groups = vec![
        group(&[local(&[address, gpr(2, Chan::X), gpr(2, Chan::X)])]),
        group(&[local(&[address, address, address])]),
        group(&[pop]),
    ];
    let mut words = support::program(Generation::Evergreen, groups).encode().unwrap();
    // The operation lies in the low bits of the destination register: LDS_WRITE, LDS_READ_RET.
    let first = words.len() - 6;
    words[first + 1] |= 0x0d << 21;
    words[first + 3] |= 0x32 << 21;
    let declaration = r600_sim::Declaration {
        chip: Chip::Cypress,
        stage: r600_sim::Stage::Pixel,
        num_gprs: 8,
        stack_entries: 0,
    };
    let kernel = r600_sim::Kernel::from_words(&words, declaration).unwrap();
    let got = kernel.run(&entry(&[12, 77]), &Options::default(), &mut NoResources).unwrap();
    assert_eq!(got.local_memory[3], 77);
    assert_eq!(result(&got)[0], 77);
}

#[test]
fn every_double_instruction_is_tested() {
    let tested = [
        AluOp::Add64,
        AluOp::Min64,
        AluOp::Max64,
        AluOp::Fract64,
        AluOp::Mul64,
        AluOp::Fma64,
        AluOp::Setgt64,
        AluOp::Flt64ToFlt32,
        AluOp::Muladd64M2,
        AluOp::Frexp64,
        AluOp::Flt32ToFlt64,
        AluOp::Ldexp64,
        AluOp::Recip64,
        AluOp::Sqrt64,
        AluOp::Recipsqrt64,
        AluOp::RecipClamped64,
        AluOp::RecipsqrtClamped64,
    ];
    let rest: Vec<_> = AluOp::ALL
        .iter()
        .filter(|op| op.has(r600_isa::AluFlags::DOUBLE) && !tested.contains(op))
        .copied()
        .collect();
    for op in rest {
        let generation = if op.opcode(Generation::Evergreen).is_some() {
            (Chip::Cypress, 1.0)
        } else {
            (Chip::Rv770, 1.0)
        };
        let groups = match support::channels(op, generation.0.generation()).len() {
            4 => vec![quad(op)],
            _ if op.num_src() == 3 => vec![select_group(op)],
            _ => vec![pair(op)],
        };
        let got = run(generation.0, groups, &doubles(generation.1, 2.0));
        let got = got.unwrap_or_else(|error| panic!("{}: {error}", op.name()));
        let want = expected_of_one_and_two(op);
        assert_eq!(result(&got)[0], want, "{}", op.name());
    }
}

/// A select between R1 and R2 by the double in R1.
fn select_group(op: AluOp) -> AluGroup {
    let slot = |chan, half| AluInst {
        bank_swizzle: 0,
        ..inst(op, chan, &[gpr(1, half), gpr(1, chan), gpr(2, chan)])
    };
    group(&[slot(Chan::X, Chan::Y), slot(Chan::Y, Chan::X)])
}

/// The first result of the instructions that only differ in their relation or factor.
fn expected_of_one_and_two(op: AluOp) -> u32 {
    match op {
        AluOp::Setne64 => u32::MAX,
        AluOp::Sete64 | AluOp::Setge64 => 0,
        // Predicates give 1.0 where they fail.
        AluOp::PredSete64 | AluOp::PredSetgt64 | AluOp::PredSetge64 => 1.0_f32.to_bits(),
        // Low halves of doubles with few bits.
        AluOp::Cndne64 | AluOp::Muladd64 | AluOp::Muladd64M4 | AluOp::Muladd64D2 => 0,
        _ => panic!("{} needs an expectation", op.name()),
    }
}

/// The operations of a GDS clause after which R4 is exported, on counters that hold 10, 20, 30.
fn counted(
    chip: Chip,
    before: Vec<AluGroup>,
    fetches: Vec<GdsInst>,
) -> Result<Outcome, r600_sim::SimError> {
    let mut program = Program::new(chip.generation());
    if !before.is_empty() {
        alu(&mut program, CfOp::Alu, before);
    }
    let clause =
        program.add_clause(Clause::Fetch(fetches.into_iter().map(FetchInst::Gds).collect()));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Gds, clause)));
    export(&mut program, support::RESULT);
    end(&mut program);
    let mut entry = entry(&[4, 1]);
    entry.set_global_share(vec![10, 20, 30]);
    kernel(&program, chip, 0)?.run(&entry, &Options::default(), &mut NoResources)
}

/// An addition of R2.x that returns to R4.x.
fn count() -> GdsInst {
    let mask = ComponentSel::Mask;
    GdsInst {
        src_gpr: 2,
        src_sel: [ComponentSel::Zero, ComponentSel::X, mask],
        dst_gpr: support::RESULT,
        dst_sel: [ComponentSel::X, mask, mask, mask],
        ..GdsInst::new(FetchOp::GdsAddRet)
    }
}

#[test]
fn a_counter_is_named_by_its_number_or_its_address() {
    let of_lanes = |outcome: &Outcome| {
        let lanes = &outcome.export(r600_sim::ExportKind::Pixel, 0).unwrap().lanes;
        lanes.iter().map(|lane| lane[0].unwrap()).collect::<Vec<_>>()
    };
    for chip in [Chip::Cypress, Chip::Cayman] {
        let by_number = GdsInst { uav_id: 2, alloc_consume: true, ..count() };
        let outcome = counted(chip, Vec::new(), vec![by_number]).unwrap();
        // The lowest lane comes first.
        assert_eq!(of_lanes(&outcome), [30, 31, 32, 33], "{chip:?}");
        assert_eq!(outcome.global_share[..3], [10, 20, 34], "{chip:?}");
        // Address in R1.x; the number means nothing.
        let x = AluInst {
            dst: AluDst { gpr: 2, chan: Chan::Y, write: true, ..AluDst::default() },
            ..inst(AluOp::Mov, Chan::Y, &[gpr(1, Chan::X)])
        };
        let by_address = GdsInst {
            uav_id: 2,
            src_sel: [ComponentSel::Y, ComponentSel::X, ComponentSel::Mask],
            ..count()
        };
        let outcome = counted(chip, vec![group(&[x])], vec![by_address]).unwrap();
        assert_eq!(of_lanes(&outcome), [20, 21, 22, 23], "{chip:?}");
        assert_eq!(outcome.global_share[..3], [10, 24, 30], "{chip:?}");
    }
}

#[test]
fn operations_of_a_clause_come_in_order() {
    let add = |uav_id| GdsInst { uav_id, alloc_consume: true, ..count() };
    let read = GdsInst { op: FetchOp::GdsReadRet, ..add(1) };
    let outcome = counted(Chip::Cypress, Vec::new(), vec![add(1), read]).unwrap();
    let lanes = &outcome.export(r600_sim::ExportKind::Pixel, 0).unwrap().lanes;
    assert!(lanes.iter().all(|lane| lane[0] == Some(24)), "{lanes:?}");
}
