//! Lowered shaders run on one lane, and must give what the formula of the old opcode gives.

mod branches;
mod files;
mod lane;
mod stack;

use super::*;
use crate::{
    Component, Dst, File, ImmediateType, Predicate, Processor, Register, Saturate, Src, Swizzle,
    WriteMask,
};

use lane::Lane;

type Vec4 = [u32; 4];

fn temp(index: i16) -> Register {
    Register::new(File::Temporary, index)
}

/// `opcode TEMP[0], TEMP[0], TEMP[1], TEMP[2]`: the destination is a source as well.
fn legacy(opcode: Opcode) -> Shader {
    let mut shader = Shader::new(Processor::Vertex);
    let mut one = Instruction::new(opcode);
    one.dst.push(Dst::new(temp(0)));
    one.src.extend((0..opcode.info().num_src.into()).map(|index| Src::new(temp(index))));
    shader.instructions.push(one);
    shader.instructions.push(Instruction::new(Opcode::End));
    shader
}

fn run(shader: &Shader, inputs: [[f32; 4]; 3]) -> [f32; 4] {
    let modern = modernise(shader).expect("it can be said");
    assert!(modern.instructions.iter().all(|one| !one.opcode.is_legacy()));
    let mut lane = Lane::default();
    for (index, value) in (0..).zip(inputs) {
        lane.regs.insert((File::Temporary, index), value.map(f32::to_bits));
    }
    lane.run(&modern);
    lane.regs[&(File::Temporary, 0)].map(f32::from_bits)
}

const SPECIAL: [f32; 11] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.500_000_06,
    3.25,
    -7.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Vectors of special values, in an order that mixes them.
fn vectors() -> impl Iterator<Item = [[f32; 4]; 3]> {
    (0..400usize).map(|seed| {
        let pick = |n: usize| SPECIAL[(seed * 7 + n * n * 3 + n * (seed / 11)) % SPECIAL.len()];
        [0, 4, 8].map(|base| [pick(base), pick(base + 1), pick(base + 2), pick(base + 3)])
    })
}

fn check(opcode: Opcode, formula: impl Fn([[f32; 4]; 3]) -> [f32; 4]) {
    let shader = legacy(opcode);
    for inputs in vectors() {
        let (got, want) = (run(&shader, inputs), formula(inputs));
        for channel in 0..4 {
            let same = got[channel].to_bits() == want[channel].to_bits()
                || got[channel].is_nan() && want[channel].is_nan();
            assert!(same, "{opcode} {inputs:?}: got {got:?}, want {want:?}");
        }
    }
}

fn each(f: impl Fn(usize) -> f32) -> [f32; 4] {
    [f(0), f(1), f(2), f(3)]
}

fn dot3(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[test]
fn componentwise_opcodes_follow_their_formulas() {
    check(Opcode::Sub, |[a, b, _]| each(|c| a[c] - b[c]));
    check(Opcode::Abs, |[a, ..]| each(|c| a[c].abs()));
    check(Opcode::Cnd, |[a, b, k]| each(|c| if k[c] > 0.5 { a[c] } else { b[c] }));
    check(Opcode::Cnd0, |[a, b, k]| each(|c| if k[c] >= 0.0 { a[c] } else { b[c] }));
    check(Opcode::Sad, |[a, b, k]| each(|c| (a[c] - b[c]).abs() + k[c]));
    check(Opcode::Sfl, |_| [0.0; 4]);
    check(Opcode::Str, |_| [1.0; 4]);
    check(Opcode::Clamp, |[a, low, high]| {
        each(|c| match a[c] {
            value if value < low[c] => low[c],
            value if value > high[c] => high[c],
            value => value,
        })
    });
}

#[test]
fn vector_opcodes_follow_their_formulas() {
    check(Opcode::Dp2a, |[a, b, k]| [a[0] * b[0] + a[1] * b[1] + k[0]; 4]);
    check(Opcode::Dph, |[a, b, _]| [dot3(a, b) + b[3]; 4]);
    check(Opcode::Xpd, |[a, b, _]| {
        let part = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        [part(1, 2), part(2, 0), part(0, 1), 1.0]
    });
    check(Opcode::Rfl, |[a, b, _]| {
        let k = 2.0 * dot3(a, b) / dot3(a, a);
        [k * a[0] - b[0], k * a[1] - b[1], k * a[2] - b[2], 1.0]
    });
    check(Opcode::X2d, |[a, b, m]| {
        let x = a[0] + (b[0] * m[0] + b[1] * m[1]);
        let y = a[1] + (b[0] * m[2] + b[1] * m[3]);
        [x, y, x, y]
    });
    check(Opcode::Scs, |[a, ..]| [a[0].cos(), a[0].sin(), 0.0, 1.0]);
    check(Opcode::Nrm, |[a, ..]| {
        let k = 1.0 / dot3(a, a).sqrt();
        [a[0] * k, a[1] * k, a[2] * k, 1.0]
    });
    check(Opcode::Nrm4, |[a, ..]| {
        let k = 1.0 / (dot3(a, a) + a[3] * a[3]).sqrt();
        each(|c| a[c] * k)
    });
    check(Opcode::Rcc, |[a, ..]| {
        let q = 1.0 / a[0];
        let clamp = |low: f32, high: f32| match q {
            q if q < low => low,
            q if q > high => high,
            q => q,
        };
        let (least, greatest) = (5.42101e-20, 1.884467e19);
        [if q > 0.0 { clamp(least, greatest) } else { clamp(-greatest, -least) }; 4]
    });
}

#[test]
fn saturation_to_minus_one_keeps_a_nan() {
    let mut shader = legacy(Opcode::Sub);
    shader.instructions[0].saturate = Saturate::MinusPlusOne;
    let got = run(&shader, [[5.0, -5.0, 0.25, f32::NAN], [0.0; 4], [0.0; 4]]);
    assert_eq!(got[..3], [1.0, -1.0, 0.25]);
    assert!(got[3].is_nan());
}

#[test]
fn predicates_choose_each_channel() {
    let mut shader = legacy(Opcode::Sub);
    let mut set = Instruction::new(Opcode::Mov);
    set.dst.push(Dst::new(Register::new(File::Predicate, 0)));
    set.src.push(Src::new(temp(2)));
    shader.instructions.insert(0, set);
    shader.instructions[1].predicate =
        Some(Predicate { index: 0, swizzle: Swizzle::XYZW, negate: true });
    let got = run(&shader, [[9.0; 4], [1.0; 4], [0.0, 1.0, 0.0, 1.0]]);
    assert_eq!(got, [8.0, 9.0, 8.0, 9.0]);
}

/// `BGNFOR LOOP[0], TEMP[1]; ADD TEMP[0], TEMP[0], LOOP[0].x; ENDFOR LOOP[0]`.
#[test]
fn counted_loops_count() {
    let counter = Register::new(File::Loop, 0);
    let mut shader = Shader::new(Processor::Vertex);
    let mut begin = Instruction::new(Opcode::Bgnfor);
    begin.dst.push(Dst::new(counter));
    begin.src.push(Src::new(temp(1)));
    let mut add = Instruction::new(Opcode::Add);
    add.dst.push(Dst::new(temp(0)));
    add.src.extend([Src::new(temp(0)), Src::new(counter).x()]);
    let mut end = Instruction::new(Opcode::Endfor);
    end.dst.push(Dst::new(counter));
    shader.instructions.extend([begin, add, end, Instruction::new(Opcode::End)]);
    // From 2, three times, in steps of 10: 2 + 12 + 22.
    let got = run(&shader, [[0.0; 4], [2.0, 3.0, 10.0, 0.0], [0.0; 4]]);
    assert_eq!(got, [36.0; 4]);
    let got = run(&shader, [[5.0; 4], [2.0, 0.0, 10.0, 0.0], [0.0; 4]]);
    assert_eq!(got, [5.0; 4]);
    // It begins unless the count is 0 or less, and goes on while it is more than 0.
    let got = run(&shader, [[5.0; 4], [2.0, f32::NAN, 10.0, 0.0], [0.0; 4]]);
    assert_eq!(got, [7.0; 4]);
}

#[test]
fn breakc_leaves_the_loop() {
    let mut shader = Shader::new(Processor::Vertex);
    let mut leave = Instruction::new(Opcode::Breakc);
    leave.src.push(Src::new(temp(1)));
    shader.instructions.extend([
        Instruction::new(Opcode::Bgnloop),
        leave,
        Instruction::new(Opcode::Endloop),
        Instruction::new(Opcode::End),
    ]);
    let got = run(&shader, [[3.0; 4], [1.0; 4], [0.0; 4]]);
    assert_eq!(got, [3.0; 4]);
}

#[test]
fn breakc_in_a_switch_is_refused() {
    let mut shader = Shader::new(Processor::Vertex);
    let mut leave = Instruction::new(Opcode::Breakc);
    leave.src.push(Src::new(temp(1)));
    let opcodes = [Opcode::Bgnloop, Opcode::Switch, Opcode::If];
    shader.instructions.extend(opcodes.map(Instruction::new));
    shader.instructions.push(leave);
    assert_eq!(
        problems(&shader),
        ["instruction 3: `BREAKC` directly in a switch would leave the switch, not the loop"]
    );
}

#[test]
fn the_address_stack_becomes_temporaries() {
    let mut shader = Shader::new(Processor::Vertex);
    let push = |index| {
        let mut one = Instruction::new(Opcode::Pusha);
        one.src.push(Src::new(temp(index)));
        one
    };
    let pop = |index| {
        let mut one = Instruction::new(Opcode::Popa);
        one.dst.push(Dst::new(temp(index)));
        one
    };
    shader.instructions.extend([push(1), push(2), pop(0), pop(2), Instruction::new(Opcode::End)]);
    let got = run(&shader, [[0.0; 4], [1.0; 4], [7.0, 8.0, 9.0, 10.0]]);
    assert_eq!(got, [7.0, 8.0, 9.0, 10.0]);
}

fn problems(shader: &Shader) -> Vec<String> {
    modernise(shader).expect_err("it cannot be said").iter().map(ToString::to_string).collect()
}

#[test]
fn what_cannot_be_expressed_is_named() {
    assert_eq!(
        problems(&legacy(Opcode::Ara)),
        ["instruction 0: no release ever defined what `ARA` does"]
    );
    let mut shader = Shader::new(Processor::Vertex);
    let mut branch = Instruction::new(Opcode::Bra);
    branch.src.push(Src::new(temp(0)));
    shader.instructions.push(branch);
    assert_eq!(
        problems(&shader),
        ["instruction 0: a jump into a block, or out of a loop, cannot be expressed with blocks"]
    );
    let mut shader = legacy(Opcode::Mov);
    shader.instructions[0].dst[0].reg = Register::new(File::ImmediateArray, 0);
    assert_eq!(problems(&shader), ["instruction 0: `IMMX` has no counterpart here"]);
    let mut shader = legacy(Opcode::Popa);
    assert_eq!(
        problems(&shader),
        ["instruction 0: it is not known which `PUSHA` the stack holds here"]
    );
    shader.instructions[0].opcode = Opcode::Sub;
    assert_eq!(
        problems(&shader),
        ["instruction 0: the instruction lacks the operands of its opcode"]
    );
}

/// Every legacy opcode is either lowered or refused with a reason; none is passed through.
#[test]
fn no_legacy_opcode_survives() {
    for opcode in Opcode::ALL.into_iter().filter(|opcode| opcode.is_legacy()) {
        let mut shader = legacy(opcode);
        if opcode.info().num_dst == 0 {
            shader.instructions[0].dst.clear();
        }
        match modernise(&shader) {
            Ok(modern) => {
                assert!(modern.instructions.iter().all(|one| !one.opcode.is_legacy()), "{opcode}");
            }
            Err(problems) => assert!(!problems.is_empty(), "{opcode}"),
        }
    }
}

#[test]
fn labels_follow_what_they_name() {
    let mut shader = legacy(Opcode::Xpd);
    shader.instructions[1] = Instruction::new(Opcode::Cal);
    shader.instructions[1].label = Some(3);
    for opcode in [Opcode::End, Opcode::Bgnsub, Opcode::Ret, Opcode::Endsub] {
        shader.instructions.push(Instruction::new(opcode));
    }
    let modern = modernise(&shader).expect("it can be said");
    let call = modern.instructions.iter().find(|one| one.opcode == Opcode::Cal).expect("a call");
    let target = call.label.expect("a label") as usize;
    assert_eq!(modern.instructions[target].opcode, Opcode::Bgnsub);
}

#[test]
fn temporary_arrays_become_ranges() {
    let mut shader = legacy(Opcode::Mov);
    let mut declaration = crate::Declaration::new(File::TemporaryArray, 0, 3);
    declaration.dimension = Some(1);
    shader.declarations.push(crate::Declaration::new(File::Temporary, 0, 2));
    shader.declarations.push(declaration);
    shader.instructions[0].src[0].reg = Register::new_2d(File::TemporaryArray, 1, 2);
    let modern = modernise(&shader).expect("it can be said");
    let reg = modern.instructions[0].src[0].reg;
    assert_eq!((reg.file, reg.dimension), (File::Temporary, None));
    let declared = modern
        .declarations
        .iter()
        .filter(|one| one.file == File::Temporary && one.range.contains(reg.index.into()));
    assert_eq!(declared.count(), 1);
    assert!(modern.immediates.iter().all(|one| one.kind == ImmediateType::Float32));
    assert_eq!(modern.instructions[0].dst[0].mask, WriteMask::XYZW);
}

#[test]
fn loop_counters_index_through_address_registers() {
    let mut shader = legacy(Opcode::Mov);
    shader.instructions[0].src[0].reg.indirect =
        Some(crate::Indirect { file: File::Loop, index: 0, component: Component::X, array_id: 0 });
    let modern = modernise(&shader).expect("it can be said");
    assert_eq!(modern.instructions[0].opcode, Opcode::Arl);
    let indirect = modern.instructions[1].src[0].reg.indirect.expect("still indirect");
    assert_eq!((indirect.file, indirect.component), (File::Address, Component::X));
    assert_eq!(modern.instructions[0].dst[0].reg.index, indirect.index);
}

#[test]
fn labels_with_a_loop_counter_are_read_before_their_switch() {
    let mut shader = Shader::new(Processor::Fragment);
    let mut label = Src::new(Register::new(File::Constant, 0));
    label.reg.indirect =
        Some(crate::Indirect { file: File::Loop, index: 0, component: Component::X, array_id: 0 });
    label.negate = true;
    let selector = Src::new(Register::new(File::Input, 0));
    for (opcode, src) in [
        (Opcode::Switch, Some(selector)),
        (Opcode::Case, Some(label)),
        (Opcode::Brk, None),
        (Opcode::Case, Some(selector)),
        (Opcode::Endswitch, None),
    ] {
        let mut one = Instruction::new(opcode);
        one.src.extend(src);
        shader.instructions.push(one);
    }
    let modern = modernise(&shader).expect("it can be said");
    let opcodes: Vec<Opcode> = modern.instructions.iter().map(|one| one.opcode).collect();
    let switch = [Opcode::Switch, Opcode::Case, Opcode::Brk, Opcode::Case, Opcode::Endswitch];
    assert_eq!(opcodes, [[Opcode::Arl, Opcode::Mov].as_slice(), &switch].concat());
    let read = &modern.instructions[1];
    assert!(!read.src[0].negate, "the negation is that of an integer");
    let case = &modern.instructions[3];
    assert_eq!((case.src[0].reg, case.src[0].negate), (read.dst[0].reg, true));
}

#[test]
fn fences_become_barriers_of_all_memory() {
    let mut shader = legacy(Opcode::Mfence);
    shader.instructions[0].dst[0].reg = Register::new(File::Resource, 32767);
    let modern = modernise(&shader).expect("it can be said");
    let barrier = &modern.instructions[0];
    assert_eq!(barrier.opcode, Opcode::Membar);
    let kinds = modern.immediates[barrier.src[0].reg.index as usize].word(0);
    assert_eq!(kinds, 13);
}

#[test]
fn predicated_fences_stand_in_a_block() {
    let mut shader = legacy(Opcode::Mfence);
    shader.instructions[0].dst[0].reg = Register::new(File::Resource, 32767);
    shader.instructions[0].predicate =
        Some(Predicate { index: 0, swizzle: Swizzle::XYZW, negate: false });
    let modern = modernise(&shader).expect("it can be said");
    let opcodes: Vec<Opcode> = modern.instructions.iter().map(|one| one.opcode).collect();
    assert_eq!(opcodes, [Opcode::Uif, Opcode::Membar, Opcode::Endif, Opcode::End]);
}

#[test]
fn queries_and_fetches_get_their_missing_source() {
    let modern = modernise(&legacy(Opcode::TxqLz)).expect("it can be said");
    assert_eq!((modern.instructions[0].opcode, modern.instructions[0].src.len()), (Opcode::Txq, 2));
    let modern = modernise(&legacy(Opcode::LoadMs)).expect("it can be said");
    let fetch = &modern.instructions[0];
    assert_eq!((fetch.opcode, fetch.src.len()), (Opcode::SampleIMs, 3));
    assert_eq!(fetch.src[2].swizzle, Swizzle::splat(Component::W));
}

#[test]
fn hostile_arrays_are_refused() {
    let mut shader = legacy(Opcode::Mov);
    for number in 0..1000 {
        let mut declaration = crate::Declaration::new(File::TemporaryArray, 0, u16::MAX);
        declaration.dimension = Some(number * 65);
        shader.declarations.push(declaration);
    }
    for _ in 0..2 {
        shader.instructions[0].src[0].reg = Register::new_2d(File::TemporaryArray, 65, 2);
        let again = shader.instructions[0].clone();
        shader.instructions.insert(0, again);
    }
    assert_eq!(problems(&shader)[0], "instruction 0: there are not enough register numbers left");
}
