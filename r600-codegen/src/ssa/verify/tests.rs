//! Functions with one fault each, which the verifier must name.

use cranelift_entity::EntityRef as _;
use r600_isa::Chip;

use super::*;
use crate::ssa::parse;

/// Checks the verifier's result for a function in which `%0` is live on entry.
#[track_caller]
fn check(lines: &str, want: Result<(), VerifyError>) {
    let text = format!("%0 = live in R0.x\n{lines}");
    let function = parse(&text, Chip::Cypress).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&function), want, "{text}");
}

/// `%1` is used where it is not visible.
fn inner() -> VerifyError {
    VerifyError::Undominated(Value::new(1))
}

#[test]
fn values_of_one_arm_are_not_seen_in_the_other() {
    let text = "
        loop {
          if PRED_SETNE_INT %0, 0x0 {
            %1 = MOV %0
          } else {
            %2 = MOV %1
            break
          }
          continue
        }";
    check(text, Err(inner()));
}

#[test]
fn values_of_an_arm_hold_where_the_other_one_leaves() {
    let text = "
        loop {
          if PRED_SETNE_INT %0, 0x0 {
            %1 = MOV %0
          } else {
            break
          }
          %2 = MOV %1
          continue
        }";
    check(text, Ok(()));
    check(&format!("{text}\n%3 = MOV %1"), Err(inner()));
}

#[test]
fn an_arm_that_leaves_gives_no_phi() {
    let text = "
        loop {
          if PRED_SETNE_INT %0, 0x0 {
          } else {
            break
          } %1 = (%0, %0)
          continue
        }";
    check(text, Err(VerifyError::Phi(Value::new(1))));
}

#[test]
fn the_body_of_a_loop_ends_in_an_exit() {
    check("loop {\n}", Err(VerifyError::OpenLoop));
}

#[test]
fn exits_fit_their_loop_and_end_their_region() {
    check("loop %1 = %0 {\ncontinue\n}", Err(VerifyError::Exit(0, 1)));
    check("loop {\nbreak %0\n}", Err(VerifyError::Exit(1, 0)));
    check("loop {\nbreak %0\n} %1", Ok(()));
    check("break", Err(VerifyError::MisplacedExit));
    check("loop {\nbreak\n%1 = MOV %0\nbreak\n}", Err(VerifyError::MisplacedExit));
}

/// Text cannot express this: a parsed instruction stands only in its own line.
#[test]
fn an_instruction_stands_in_one_place() {
    let mut function = parse("%0 = MOV 0x0", Chip::Cypress).expect("it is a move");
    let node = function.body.nodes[0].clone();
    function.body.nodes.push(node);
    assert_eq!(verify(&function), Err(VerifyError::Shared(InstId::new(0))));
}

#[test]
fn doubles_take_modifiers_of_high_halves_only_where_the_operation_has_them() {
    let refused = |name, n| Err(VerifyError::Modifier(InstId::new(0), name, n));
    check("%1, %2 = ADD_64 %0, |%0|, %0, %0", Ok(()));
    check("%1, %2 = FMA_64 %0, %0, %0, -%0, %0, %0", Ok(()));
    check("%1, %2 = FMA_64 %0, %0, %0, |%0|, %0, %0", refused("FMA_64", 3));
    check("%1, %2 = ADD_64 -%0, %0, %0, %0", refused("ADD_64", 0));
}

#[test]
fn conditions_take_modifiers_where_their_test_does() {
    check("if PRED_SETGT -%0, |%0| {\n}", Ok(()));
    check("if PRED_SETNE_INT %0, -%0 {\n}", Err(VerifyError::Condition("PRED_SETNE_INT", 1)));
}
