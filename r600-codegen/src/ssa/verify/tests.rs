//! Good functions are broken in one place each, and the verifier names what is wrong.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, Chip};

use super::*;
use crate::ssa::{AluInst, DoubleInst, If, Loop, LoopParam, Phi};

fn push(function: &mut Function, region: &mut Region, data: InstData) -> Operand {
    let id = function.make_inst(data);
    region.nodes.push(Node::Inst(id));
    Operand::value(function.insts[id].results[0])
}

fn mov(function: &mut Function, region: &mut Region, src: Operand) -> Operand {
    push(function, region, InstData::Alu(AluInst::new(AluOp::Mov, &[src])))
}

fn value(operand: Operand) -> Value {
    operand.as_value().expect("it reads a value")
}

fn function() -> (Function, Operand) {
    let mut function = Function::new(Chip::Cypress);
    let input = Operand::value(function.live_in_value(0, Chan::X));
    (function, input)
}

fn branch(input: Operand, then: Region, otherwise: Region, phis: Vec<Phi>) -> Node {
    let condition = Condition { op: AluOp::PredSetneInt, src: [input, Operand::ZERO] };
    Node::If(Box::new(If { condition, then, otherwise, phis }))
}

fn verify_body(mut function: Function, body: Region) -> Result<(), VerifyError> {
    function.body = body;
    verify(&function)
}

#[test]
fn values_of_one_arm_are_not_seen_in_the_other() {
    let (mut function, input) = function();
    let mut then = Region::default();
    let inner = mov(&mut function, &mut then, input);
    let mut otherwise = Region::default();
    mov(&mut function, &mut otherwise, inner);
    otherwise.nodes.push(Node::Break(Vec::new()));
    let inside = branch(input, then, otherwise, Vec::new());
    let body = Region { nodes: vec![inside, Node::Continue(Vec::new())] };
    let whole = Loop { params: Vec::new(), body, results: Vec::new() };
    let body = Region { nodes: vec![Node::Loop(Box::new(whole))] };
    assert_eq!(verify_body(function, body), Err(VerifyError::Undominated(value(inner))));
}

#[test]
fn values_of_an_arm_hold_where_the_other_one_leaves() {
    let (mut function, input) = function();
    let mut then = Region::default();
    let inner = mov(&mut function, &mut then, input);
    let otherwise = Region { nodes: vec![Node::Break(Vec::new())] };
    let mut body = Region { nodes: vec![branch(input, then, otherwise, Vec::new())] };
    mov(&mut function, &mut body, inner);
    body.nodes.push(Node::Continue(Vec::new()));
    let whole = Loop { params: Vec::new(), body, results: Vec::new() };
    let mut body = Region { nodes: vec![Node::Loop(Box::new(whole))] };
    assert_eq!(verify_body(function.clone(), body.clone()), Ok(()));
    mov(&mut function, &mut body, inner);
    assert_eq!(verify_body(function, body), Err(VerifyError::Undominated(value(inner))));
}

#[test]
fn an_arm_that_leaves_gives_no_phi() {
    let (mut function, input) = function();
    let merged = function.make_merge();
    let phi = Phi { value: merged, then: input, otherwise: input };
    let leaves = Region { nodes: vec![Node::Break(Vec::new())] };
    let body = Region {
        nodes: vec![
            branch(input, Region::default(), leaves, vec![phi]),
            Node::Continue(Vec::new()),
        ],
    };
    let whole = Loop { params: Vec::new(), body, results: Vec::new() };
    let body = Region { nodes: vec![Node::Loop(Box::new(whole))] };
    assert_eq!(verify_body(function, body), Err(VerifyError::Phi(merged)));
}

#[test]
fn the_body_of_a_loop_ends_in_an_exit() {
    let (function, _) = function();
    let whole = Loop { params: Vec::new(), body: Region::default(), results: Vec::new() };
    let body = Region { nodes: vec![Node::Loop(Box::new(whole))] };
    assert_eq!(verify_body(function, body), Err(VerifyError::OpenLoop));
}

#[test]
fn exits_fit_their_loop() {
    let (mut function, input) = function();
    let param = LoopParam { value: function.make_merge(), init: input };
    let body = Region { nodes: vec![Node::Continue(Vec::new())] };
    let whole = Loop { params: vec![param], body, results: Vec::new() };
    let body = Region { nodes: vec![Node::Loop(Box::new(whole))] };
    assert_eq!(verify_body(function.clone(), body), Err(VerifyError::Exit(0, 1)));
    let body = Region { nodes: vec![Node::Break(Vec::new())] };
    assert_eq!(verify_body(function, body), Err(VerifyError::MisplacedExit));
}

#[test]
fn an_instruction_stands_in_one_place() {
    let (mut function, input) = function();
    let mut body = Region::default();
    mov(&mut function, &mut body, input);
    body.nodes.push(body.nodes[0].clone());
    let Node::Inst(id) = body.nodes[0] else { unreachable!("a move is an instruction") };
    assert_eq!(verify_body(function, body), Err(VerifyError::Shared(id)));
}

#[test]
fn doubles_take_modifiers_of_high_halves_only_where_the_operation_has_them() {
    let double = |op: AluOp, half: [Operand; 2]| {
        let src: ArrayVec<_, 3> = std::iter::repeat_n(half, op.num_src()).collect();
        InstData::Double(Box::new(DoubleInst { op, src }))
    };
    let (function, input) = function();
    let refused = |op, half| {
        let (mut function, mut body) = (function.clone(), Region::default());
        push(&mut function, &mut body, double(op, half));
        matches!(verify_body(function, body), Err(VerifyError::Modifier(..)))
    };
    assert!(!refused(AluOp::Add64, [input, input.absolute()]));
    assert!(!refused(AluOp::Fma64, [input, input.negated()]));
    assert!(refused(AluOp::Fma64, [input, input.absolute()]));
    assert!(refused(AluOp::Add64, [input.negated(), input]));
}
