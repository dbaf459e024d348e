use r600_isa::Chip;
use r600_mir::{Node, VRegInfo};

use super::*;

/// Number of registers of a function.
const NUM_REGISTERS: u32 = 16;

/// An operation: its opcode, the register that it writes, and its sources.
type Line = (AluOp, u32, Vec<Src>);

fn r(number: u32) -> Src {
    Src::new(SrcKind::VReg(VReg::from_u32(number)))
}

/// Channel x of a vector of constants.
fn c(index: u16) -> Src {
    Src::new(SrcKind::Uniform { bank: 0, index, chan: Chan::X })
}

fn function_of(lines: &[Line]) -> Function {
    let mut function = Function::new(Chip::Cedar);
    for _ in 0..NUM_REGISTERS {
        function.vregs.push(VRegInfo::default());
    }
    let block = function.blocks.push(Vec::new());
    function.body.nodes.push(Node::Block(block));
    for (op, dst, src) in lines {
        let alu = Alu {
            op: *op,
            dst: Dst::VReg(VReg::from_u32(*dst)),
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

/// Each version with reductions, one operation per line.
fn ways(function: &Function) -> Vec<String> {
    let text = |function: &Function| {
        let ops = function.blocks.values().flatten();
        ops.map(|&op| function.ops[op].to_string()).collect::<Vec<_>>().join("\n")
    };
    with_reductions(function).iter().map(text).collect()
}

/// r10 = r0 · r1 + r2 · r3 + r4 · r5.
fn three_products() -> Vec<Line> {
    vec![
        (AluOp::MulIeee, 8, vec![r(0), r(1)]),
        (AluOp::MuladdIeee, 9, vec![r(2), r(3), r(8)]),
        (AluOp::MuladdIeee, 10, vec![r(4), r(5), r(9)]),
    ]
}

#[test]
fn three_products_are_one_reduction() {
    let expected = ["r10 = DOT4_IEEE r0 * r1, r2 * r3, r4 * r5, 0.0 * 0.0"];
    assert_eq!(ways(&function_of(&three_products())), expected);
}

#[test]
fn what_is_added_first_or_last_is_a_product_with_one() {
    let mut lines = three_products();
    lines[0] = (AluOp::MuladdIeee, 8, vec![r(0), r(1), r(6)]);
    let expected = ["r10 = DOT4_IEEE r6 * 1.0, r0 * r1, r2 * r3, r4 * r5"];
    assert_eq!(ways(&function_of(&lines)), expected);
    let mut lines = three_products();
    lines.push((AluOp::Add, 11, vec![r(10), r(6)]));
    let expected = ["r11 = DOT4_IEEE r0 * r1, r2 * r3, r4 * r5, r6 * 1.0"];
    assert_eq!(ways(&function_of(&lines)), expected);
}

#[test]
fn a_part_that_something_else_reads_stays() {
    let mut lines = three_products();
    lines.push((AluOp::Mov, 11, vec![r(9)]));
    assert!(ways(&function_of(&lines)).is_empty());
}

#[test]
fn a_part_read_with_its_sign_changed_stays() {
    let mut lines = three_products();
    lines[2].2[2].neg = true;
    assert!(ways(&function_of(&lines)).is_empty());
}

#[test]
fn a_part_that_is_clamped_or_multiplied_stays() {
    for (clamp, omod) in [(true, Omod::None), (false, Omod::Times2)] {
        let mut function = function_of(&three_products());
        let first = function.ops.keys().next().expect("there are operations");
        let Op::Alu(alu) = &mut function.ops[first] else { panic!("a product") };
        (alu.clamp, alu.omod) = (clamp, omod);
        let ways = ways(&function);
        assert!(
            ways[0].ends_with("r10 = DOT4_IEEE r8 * 1.0, r2 * r3, r4 * r5, 0.0 * 0.0"),
            "{}",
            ways[0]
        );
    }
}

#[test]
fn a_factor_that_is_overwritten_in_between_keeps_its_place() {
    let mut lines = three_products();
    lines.insert(1, (AluOp::Mov, 0, vec![r(6)]));
    assert!(ways(&function_of(&lines))[0].starts_with("r8 = MUL_IEEE r0, r1\n"));
    // An operand is overwritten by the operation that reads it.
    let mut lines = three_products();
    lines[1] = (AluOp::MuladdIeee, 2, vec![r(2), r(3), r(8)]);
    lines[2].2[2] = r(2);
    assert!(ways(&function_of(&lines)).is_empty());
}

#[test]
fn products_of_two_kinds_do_not_mix() {
    let mut lines = three_products();
    lines[1].0 = AluOp::Muladd;
    assert!(ways(&function_of(&lines)).is_empty());
    let mut lines = three_products();
    lines[0].0 = AluOp::Mul;
    lines[1].0 = AluOp::Muladd;
    lines[2].0 = AluOp::Muladd;
    let expected = ["r10 = DOT4 r0 * r1, r2 * r3, r4 * r5, 0.0 * 0.0"];
    assert_eq!(ways(&function_of(&lines)), expected);
}

#[test]
fn three_pairs_of_constants_are_too_many() {
    let mut lines = three_products();
    (0..3).for_each(|n| lines[n].2[1] = c(n as u16));
    assert!(ways(&function_of(&lines)).is_empty());
}

#[test]
fn a_long_sum_is_cut() {
    let mut lines = three_products();
    lines.push((AluOp::MuladdIeee, 11, vec![r(6), r(7), r(10)]));
    lines.push((AluOp::MuladdIeee, 12, vec![r(0), r(2), r(11)]));
    let text = "r11 = DOT4_IEEE r0 * r1, r2 * r3, r4 * r5, r6 * r7\nr12 = MULADD_IEEE r0, r2, r11";
    assert_eq!(ways(&function_of(&lines)), [text]);
}

#[test]
fn sums_of_both_lengths_give_two_ways() {
    let mut lines = three_products();
    lines.push((AluOp::MulIeee, 11, vec![r(0), r(1)]));
    for (dst, before) in [(12, 11), (13, 12), (14, 13)] {
        lines.push((AluOp::MuladdIeee, dst, vec![r(2), r(3), r(before)]));
    }
    let ways = ways(&function_of(&lines));
    assert_eq!(ways.iter().map(|way| way.lines().count()).collect::<Vec<_>>(), [2, 4]);
}
