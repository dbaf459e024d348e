//! Which loops discarded lanes enter, and what they do there.

use tgsi_exec::{Bindings, Inputs, Kernel, STEP_LIMIT};
use tgsi_ir::Opcode;
use tgsi_spirv::Options;

/// Checks for each loop of a module, in order, whether discarded lanes enter it: `+` where they do, `-` where they are kept
/// out, and spaces as one likes. Loops within one that they are kept out of have a `+`.
#[track_caller]
fn check(name: &str, want: &str) {
    let shader = super::run::only(name, &Options::default()).shader;
    let code = &shader.instructions;
    let is_loop = |&at: &usize| code[at].opcode == Opcode::Bgnloop;
    let entered = |at: usize| if code[at - 1].opcode == Opcode::Uif { '-' } else { '+' };
    let got: String = (0..code.len()).filter(is_loop).map(entered).collect();
    assert_eq!(got, want.replace(' ', ""), "{name}");
}

#[test]
fn counters_that_are_variables() {
    check("courses.frag", "+++++++++ ---------- ++-+ ---+-+ ---+--++ -+");
}

#[test]
fn counters_that_are_phis() {
    check("courses.spvasm", "+ -+ - -- - + - + -");
}

/// What nothing sets for them is no subscript that leaves an array, where the loop's counter may lie.
#[test]
fn discarded_lanes_keep_to_their_arrays() {
    let shader = super::run::only("stale.frag", &Options::default()).shader;
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    for last in [0, 3, 4, u32::MAX] {
        let lanes = [[0, 1, 3, last], [1, 0, 3, last], [2, 2, 2, last], [3, 1, 1, last]];
        let inputs = Inputs { registers: vec![lanes], ..Inputs::default() };
        let outcome = kernel.run(&inputs, STEP_LIMIT, &mut Bindings::default());
        assert_eq!(outcome.expect("it terminates").killed, 0b0010);
    }
}
