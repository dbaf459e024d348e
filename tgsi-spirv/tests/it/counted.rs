//! Which loops discarded lanes enter.

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
