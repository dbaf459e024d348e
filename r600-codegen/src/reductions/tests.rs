use r600_isa::Chip;
use r600_mir::{Node, VRegInfo};

use super::*;

/// Registers that the operations of a test read and write by number.
const NUM_REGISTERS: usize = 16;

/// An operation: what it does, where its result goes, and what it reads.
type Text<'a> = (AluOp, usize, &'a [Src]);

fn registers(function: &Function) -> Vec<VReg> {
    function.vregs.keys().collect()
}

fn r(number: u32) -> Src {
    Src::new(SrcKind::VReg(VReg::from_u32(number)))
}

fn function_of(ops: &[Text<'_>]) -> Function {
    let mut function = Function::new(Chip::Cedar);
    (0..NUM_REGISTERS).for_each(|_| drop(function.vregs.push(VRegInfo::default())));
    let block = function.blocks.push(Vec::new());
    function.body.nodes.push(Node::Block(block));
    for (op, dst, src) in ops {
        let alu = Alu {
            op: *op,
            dst: Dst::VReg(registers(&function)[*dst]),
            src: src.iter().copied().collect(),
            omod: Omod::None,
            clamp: false,
            update_exec_mask: false,
            index: None,
        };
        let id = function.ops.push(Op::Alu(alu));
        function.blocks[block].push(id);
    }
    function
}

/// Each way with reductions as text, one operation a line.
fn ways(function: &Function) -> Vec<String> {
    let text = |function: &Function| {
        let ops = function.blocks.values().flatten();
        ops.map(|&op| function.ops[op].to_string()).collect::<Vec<_>>().join("\n")
    };
    with_reductions(function).iter().map(text).collect()
}

/// A sum of three products in r10.
const DP3: [Text<'static>; 3] = [
    (AluOp::MulIeee, 8, &[READ[0], READ[1]]),
    (AluOp::MuladdIeee, 9, &[READ[2], READ[3], READ[8]]),
    (AluOp::MuladdIeee, 10, &[READ[4], READ[5], READ[9]]),
];

/// Each register as an operand.
const READ: [Src; NUM_REGISTERS] = {
    let mut all = [Src::new(SrcKind::Const(0)); NUM_REGISTERS];
    let mut n = 0;
    while n < NUM_REGISTERS {
        all[n] = Src::new(SrcKind::Const(n as u32));
        n += 1;
    }
    all
};
