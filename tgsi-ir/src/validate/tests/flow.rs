//! Labels, jumps and calls.

use super::*;
use crate::{Dialect, Predicate};

/// The findings about these instructions in front of the good shader.
fn of_opcodes(opcodes: &[Opcode]) -> Vec<String> {
    full_of(opcodes.iter().copied().map(bare))
}

#[test]
fn a_label_names_its_partner_or_what_follows() {
    // 0 IF 1 NOP 2 ELSE 3 NOP 4 ENDIF 5 BGNLOOP 6 BRK 7 ENDLOOP
    let opcodes = [
        Opcode::If,
        Opcode::Nop,
        Opcode::Else,
        Opcode::Nop,
        Opcode::Endif,
        Opcode::Bgnloop,
        Opcode::Brk,
        Opcode::Endloop,
    ];
    let reported = |at: usize, label| {
        let mut shader = with(opcodes.map(bare));
        shader.instructions[at].label = Some(label);
        full(&shader)
    };
    for (at, partner) in [(0, 2), (2, 4), (5, 7), (7, 5)] {
        for label in 0..12 {
            let findings = reported(at, label);
            if label == 0 || label == partner || label == partner + 1 {
                assert_eq!(findings, [""; 0], "{label} at {at}");
                continue;
            }
            let want = format!("V310 label {label} is not where `{}` leads", opcodes[at]);
            assert_eq!(findings, [want], "{label} at {at}");
        }
    }
    // Nothing else has a partner to lead to.
    assert_eq!(reported(4, 9), [""; 0]);
}

#[test]
fn unreachable_code_is_reported_once_a_block() {
    use Opcode::{Bgnloop, Breakc, Brk, Cont, Else, Endif, Endloop, If, Nop};
    let nop = "V311 `NOP` is never reached";
    assert_eq!(of_opcodes(&[Bgnloop, Brk, Nop, Nop, Endloop]), [nop]);
    let both = [Bgnloop, If, Brk, Nop, Else, Cont, Nop, Nop, Endif, Brk, Nop, Endloop];
    assert_eq!(of_opcodes(&both), [nop; 3]);
    assert_eq!(of_opcodes(&[Bgnloop, If, Brk, Endif, Nop, Brk, Endloop, Nop]), [""; 0]);
    // The first of two jumps is where control leaves.
    let findings = validate(&with([Bgnloop, Brk, Brk, Nop, Endloop].map(bare)), Profile::Full);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].place, Place::Instruction(InstructionId(2)));
    assert_eq!(findings[0].related[0].place, Place::Instruction(InstructionId(1)));
    // Where a condition decides, what follows is reached.
    let conditional = of_opcodes(&[Bgnloop, Breakc, Nop, Endloop]);
    assert_eq!(conditional, ["V506 `BREAKC` was removed after Mesa 17.2"]);
}

#[test]
fn a_return_before_the_end_is_no_mistake() {
    let mut shader = good();
    shader.instructions.insert(2, bare(Opcode::Ret));
    assert_eq!(full(&shader), [""; 0]);
    shader.instructions.insert(3, bare(Opcode::Nop));
    assert_eq!(full(&shader), ["V311 `NOP` is never reached"]);
    // The block of a subroutine is another one.
    let mut shader = with([labelled(bare(Opcode::Cal), 4)]);
    shader.instructions.extend([Opcode::Bgnsub, Opcode::Ret, Opcode::Endsub].map(bare));
    assert_eq!(full(&shader), [""; 0]);
    shader.instructions.insert(6, bare(Opcode::Nop));
    assert_eq!(full(&shader), ["V311 `NOP` is never reached"]);
}

/// What 2010 finds unreachable with instructions in front of the good shader.
fn unreachable_in_2010(instructions: impl IntoIterator<Item = Instruction>) -> Vec<String> {
    let findings = validate_in(&with(instructions), Profile::Full, Dialect::Y2010);
    let reported = findings.iter().filter(|finding| finding.code == Code::Unreachable);
    reported.map(|finding| finding.message.clone()).collect()
}

fn branch(label: u32) -> Instruction {
    labelled(op(Opcode::Bra, &[], &[]), label)
}

fn branch_if(label: u32) -> Instruction {
    let predicate = Predicate { index: 0, swizzle: Swizzle::XYZW, negate: false };
    Instruction { predicate: Some(predicate), ..branch(label) }
}

#[test]
fn what_a_jump_leads_to_is_reached() {
    let nop = || bare(Opcode::Nop);
    assert_eq!(unreachable_in_2010([branch_if(3), nop(), bare(Opcode::Ret), nop()]), [""; 0]);
    assert_eq!(unreachable_in_2010([branch_if(3), nop(), branch(4), nop()]), [""; 0]);
    let finding = "`NOP` is never reached";
    assert_eq!(unreachable_in_2010([branch_if(4), bare(Opcode::Ret), nop(), nop()]), [finding]);
    assert_eq!(unreachable_in_2010([branch(3), nop(), nop()]), [finding]);
}

#[test]
fn only_calls_call() {
    let of = |first| {
        let mut shader = with([first, bare(Opcode::Endif)]);
        shader.instructions.extend([Opcode::Bgnsub, Opcode::Endsub].map(bare));
        full(&shader)
    };
    let uncalled = "V312 nothing calls the subroutine of instruction 5";
    assert_eq!(
        of(labelled(bare(Opcode::If), 5)),
        ["V310 label 5 is not where `IF` leads", uncalled]
    );
    let mut shader = with([labelled(bare(Opcode::Cal), 4)]);
    shader.instructions.extend([Opcode::Bgnsub, Opcode::Endsub].map(bare));
    assert_eq!(full(&shader), [""; 0]);
    // One call is of one subroutine.
    shader.instructions.extend([Opcode::Bgnsub, Opcode::Endsub].map(bare));
    assert_eq!(full(&shader), ["V312 nothing calls the subroutine of instruction 6"]);
}

#[test]
fn each_fault_of_nesting_comes_with_its_remedy() {
    use Opcode::{Bgnloop, Else, Endif, Endloop, Endsub, Endswitch, If, Switch};
    let helps = |opcode: Opcode| {
        let findings = validate(&with([bare(opcode)]), Profile::Full);
        findings[0].help.clone().unwrap_or_default()
    };
    for (opcode, help) in [
        (Else, "open one with `IF`"),
        (Endif, "open one with `IF`"),
        (Endloop, "open one with `BGNLOOP`"),
        (Opcode::Case, "open one with `SWITCH`"),
        (Opcode::Default, "open one with `SWITCH`"),
        (Endswitch, "open one with `SWITCH`"),
        (Endsub, "open one with `BGNSUB`"),
        (If, "close it with `ENDIF`"),
        (Bgnloop, "close it with `ENDLOOP`"),
        (Switch, "close it with `ENDSWITCH`"),
    ] {
        assert_eq!(helps(opcode), help, "{opcode}");
    }
}
