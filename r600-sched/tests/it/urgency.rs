//! What comes first makes code short.

use r600_isa::{AluOp, Chan, Chip};
use r600_mir::{Component, Export, ExportTarget, Function, Node, Op, Src, SrcKind, VReg};
use r600_sched::Options;

use super::code::{Builder, Draw, again, schedule};

#[test]
fn the_order_that_follows_from_a_schedule_finds_shorter_ones() {
    // Multiply-adds, sums and products of registers and constants, from a Lehmer generator.
    let mut state = 1_u64;
    let mut draw = move || {
        state = state * 48_271 % 0x7FFF_FFFF;
        (state >> 8) as u8
    };
    let mut total = [0, 0];
    for _ in 0..60 {
        let draws: Vec<Draw> = (0..40).map(|_| (6 + draw() % 6, draw(), draw(), draw())).collect();
        let function = Builder::build(Chip::Cedar, &draws);
        let first = schedule(&function, Options::SHORT);
        let second = again(&function, &first);
        total[0] += first.num_groups();
        total[1] += first.num_groups().min(second.num_groups());
    }
    assert!(total[1] < total[0], "{total:?}");
}

fn read(vreg: VReg) -> Src {
    Src::new(SrcKind::VReg(vreg))
}

fn export(builder: &mut Builder, members: &[VReg]) {
    builder.vector(members);
    let mut src = [Component::Unused; 4];
    src.iter_mut().zip(members).for_each(|(to, &from)| *to = Component::VReg(from));
    builder.ops.push(Op::Export(Export { target: ExportTarget::Pixel(0), src }));
}

/// A matrix times a vector, which is exported first, then twice an input and twice the reciprocal of a constant.
fn matrix_and_reciprocal(chip: Chip) -> Function {
    let mut builder =
        Builder { function: Function::new(chip), ops: Vec::new(), values: Vec::new() };
    let input = builder.value();
    builder.function.live_in.push(input);
    let constant = |index, chan| Src::new(SrcKind::Uniform { bank: 0, index, chan });
    let mut row = Chan::ALL.map(|chan| {
        builder.defining(AluOp::MulIeee, &[read(input), constant(0, chan)]);
        builder.register(0)
    });
    for index in 1..4 {
        for (chan, sum) in Chan::ALL.into_iter().zip(&mut row) {
            let src = [read(input), constant(index, chan), read(*sum)];
            builder.defining(AluOp::MuladdIeee, &src);
            *sum = builder.register(0);
        }
    }
    builder.defining(AluOp::RecipIeee, &[constant(4, Chan::X)]);
    let reciprocal = builder.register(0);
    let others = [input, reciprocal].map(|half| {
        [(); 2].map(|()| {
            builder.defining(AluOp::Add, &[read(half), read(half)]);
            builder.register(0)
        })
    });
    export(&mut builder, &row);
    others.iter().for_each(|other| export(&mut builder, other));
    let Builder { mut function, ops, .. } = builder;
    let ops = ops.into_iter().map(|op| function.ops.push(op)).collect();
    let block = function.blocks.push(ops);
    function.body.nodes.push(Node::Block(block));
    function
}

#[test]
fn what_is_exported_first_is_no_more_urgent_than_what_is_last() {
    // Nine pairs of constants, two to a group: the sums of the reciprocal are beside the last of them.
    let function = matrix_and_reciprocal(Chip::Cedar);
    assert_eq!(schedule(&function, Options::SHORT).num_groups(), 5);
}
