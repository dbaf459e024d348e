//! Old instructions become several: whatever they are, the whole does what the instruction says. A subscript that the
//! result overwrites moves nothing, a predicate chooses each channel that is written, and the others stay.

use tgsi_exec::{Inputs, Kernel, NoResources, STEP_LIMIT};
use tgsi_ir::translate::translate_by;
use tgsi_ir::{
    Authority, Component, Declaration, Dialect, Dst, File, FlowRole, Indirect, Instruction, Opcode,
    Predicate, Processor, Register, Saturate, Semantic, Shader, Src, SrcRole, Swizzle, WriteMask,
};

use Component::{W, X, Y, Z};

/// What both destinations hold before: their own numbers in x and y.
const BEFORE: [[u32; 4]; 2] = [[1, 2, 7, 9], [1, 2, 11, 12]];
const PREDICATE: [u32; 4] = [1, 0, 0, 1];
const SWIZZLE: [Component; 4] = [Y, W, X, Z];

/// How an instruction is put.
#[derive(Clone, Copy, Debug)]
struct Form {
    opcode: Opcode,
    mask: WriteMask,
    saturate: Saturate,
    /// Whether the destinations subscript themselves.
    is_picked: bool,
    /// The negation of the predicate.
    predicate: Option<bool>,
}

/// Who says what the instruction means.
type Meaning = Option<(Dialect, Authority)>;

fn declare(shader: &mut Shader, file: File, last: u16) {
    for register in 0..=last {
        let mut one = Declaration::new(file, register, register);
        one.semantic = matches!(file, File::Input | File::Output).then(|| tgsi_ir::SemanticName {
            name: if file == File::Input { Semantic::Generic } else { Semantic::Color },
            index: register,
            streams: Default::default(),
        });
        shader.declarations.push(one);
    }
}

/// Both destinations are written and shown; sources are `TEMP[3]` and those after it.
fn shader(form: Form) -> Shader {
    let reg = Register::new;
    let mut shader = Shader::new(Processor::Fragment);
    declare(&mut shader, File::Input, 7);
    declare(&mut shader, File::Output, 1);
    shader.declarations.push(Declaration::new(File::Temporary, 0, 7));
    declare(&mut shader, File::Predicate, 0);
    let mov = |to, from| {
        let mut one = Instruction::new(Opcode::Mov);
        one.dst.push(Dst::new(to));
        one.src.push(Src::new(from));
        one
    };
    let loads = (0..8).map(|n| match n {
        0 => mov(reg(File::Predicate, 0), reg(File::Input, 0)),
        n => mov(reg(File::Temporary, n), reg(File::Input, n)),
    });
    shader.instructions.extend(loads);
    let mut one = Instruction::new(form.opcode);
    let info = form.opcode.info();
    one.dst.extend((1..).zip([X, Y]).take(info.num_dst.into()).map(|(number, component)| {
        let mut to = reg(File::Temporary, if form.is_picked { 0 } else { number });
        let subscript = Indirect { file: File::Temporary, index: 1, component, array_id: 0 };
        to.indirect = form.is_picked.then_some(subscript);
        Dst::new(to).masked(form.mask)
    }));
    one.src.extend((3..).take(info.num_src.into()).map(|n| Src::new(reg(File::Temporary, n))));
    one.saturate = form.saturate;
    one.predicate =
        form.predicate.map(|negate| Predicate { index: 0, swizzle: Swizzle::new(SWIZZLE), negate });
    shader.instructions.push(one);
    shader
        .instructions
        .extend((0..2).map(|n| mov(reg(File::Output, n), reg(File::Temporary, n + 1))));
    shader.instructions.push(Instruction::new(Opcode::End));
    shader
}

/// What the destinations hold in the end; nothing where the instruction cannot run.
fn run(form: Form, meaning: Meaning, before: [[u32; 4]; 2]) -> Option<[[u32; 4]; 2]> {
    let mut shader = shader(form);
    if let Some(meaning) = meaning {
        shader = translate_by(&shader, meaning, Dialect::Y2021).ok()?.shader;
    }
    let kernel = Kernel::new(&shader).ok()?;
    let double = |value: f64| [value.to_bits() as u32, (value.to_bits() >> 32) as u32];
    let [a, b] = [double(6.0), double(-0.375)];
    let sources = [
        [a[0], a[1], b[0], b[1]],
        [2.5f32, -0.75, 3.0, 0.5].map(f32::to_bits),
        [0.25f32, 0.5, -2.0, 1.0].map(f32::to_bits),
        [1, 2, 3, 4],
        [0; 4],
    ];
    let all = [PREDICATE].into_iter().chain(before).chain(sources);
    let registers = all.map(|vector| [vector; 4]).collect();
    let inputs = Inputs { registers, ..Inputs::default() };
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut NoResources).ok()?;
    Some([outcome.outputs[0][0], outcome.outputs[1][0]])
}

/// What a predicate makes of a result.
fn chosen(result: [[u32; 4]; 2], negate: bool) -> [[u32; 4]; 2] {
    let mut chosen = result;
    for (vector, before) in chosen.iter_mut().zip(BEFORE) {
        for (channel, component) in SWIZZLE.into_iter().enumerate() {
            if (PREDICATE[component.index()] != 0) == negate {
                vector[channel] = before[channel];
            }
        }
    }
    chosen
}

/// Compares all forms with the plain one; answers whether there is any.
fn check(plain: Form, meaning: Meaning) -> bool {
    let Some(want) = run(plain, meaning, BEFORE) else { return false };
    for is_picked in [false, true] {
        let form = Form { is_picked, ..plain };
        assert_eq!(run(form, meaning, BEFORE), Some(want), "{form:?} {meaning:?}");
        for negate in [false, true] {
            let form = Form { predicate: Some(negate), ..form };
            let want = Some(chosen(want, negate));
            assert_eq!(run(form, meaning, BEFORE), want, "{form:?} {meaning:?}");
        }
    }
    // What is there whatever was before is written, by the clamped one as well.
    let other = BEFORE.map(|vector| vector.map(|word| !word));
    let (rest, clamped) =
        (Form { saturate: Saturate::None, ..plain }, run(plain, meaning, other).unwrap());
    let (first, second) = (run(rest, meaning, BEFORE).unwrap(), run(rest, meaning, other).unwrap());
    for channel in 0..4 {
        let is_left =
            first[0][channel] == BEFORE[0][channel] && second[0][channel] == other[0][channel];
        let stays = clamped[0][channel] == other[0][channel];
        assert!(stays || !is_left, "{plain:?} {meaning:?}: channel {channel}");
    }
    true
}

/// Whether an opcode computes something from registers alone. The clock counts steps.
fn computes(opcode: &Opcode) -> bool {
    let info = opcode.info();
    let is_unit = |role: &SrcRole| {
        matches!(role, SrcRole::Sampler | SrcRole::View | SrcRole::Resource | SrcRole::Output)
    };
    *opcode != Opcode::Clock
        && info.num_dst > 0
        && info.flow == FlowRole::None
        && !info.is_store
        && !info.src_roles.iter().any(is_unit)
}

#[test]
fn an_instruction_of_several_steps_is_one() {
    // What Mesa did is today's meaning or also the document's.
    let document = |dialect| Some((dialect, Authority::Document));
    let meanings = [None, document(Dialect::Y2010), document(Dialect::Y2012)];
    let mut count = 0;
    for opcode in Opcode::ALL.into_iter().filter(computes) {
        for mask in [1, 2, 12, 7, 14, 15].map(WriteMask::from_bits) {
            for saturate in [Saturate::None, Saturate::ZeroOne, Saturate::MinusPlusOne] {
                let form = Form { opcode, mask, saturate, is_picked: false, predicate: None };
                count += meanings.iter().filter(|meaning| check(form, **meaning)).count();
            }
        }
    }
    assert!(count > 5_000, "{count} forms");
}
