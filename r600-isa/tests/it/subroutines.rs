//! Code after an end of the program, which calls and jumps reach.

use r600_isa::{Chip, Generation, Program, asm};

/// A call of one subroutine, which calls another; both have a clause.
const TEXT: &str = "00 CALL L2
01 EXP_DONE: PIX0, R0.xyzw EOP
L2:
02 ALU:
      0 x: MOV R0.x, 1.0
03 CALL L5
04 RETURN
L5:
05 ALU_PUSH_BEFORE:
      0 x: PRED_SETGT ____, R0.x, 0 UPDATE_EXEC_MASK UPDATE_PRED
06 POP L7 POP_CNT(1)
L7:
07 RETURN
";

fn decoded(text: &str, generation: Generation) -> Program {
    let words = asm::assemble(text, generation).unwrap();
    let program = Program::decode(&words, generation);
    assert_eq!(program.encode().unwrap(), words);
    program
}

#[test]
fn the_list_continues_if_calls_go_beyond_its_end() {
    for generation in [Generation::R600, Generation::R700, Generation::Evergreen] {
        let program = decoded(TEXT, generation);
        assert_eq!(program.cf.len(), 8, "{program}");
        assert_eq!(program.verify(), [], "{program}");
        assert!(!program.to_string().contains(".data"), "{program}");
    }
    let program = decoded(&TEXT.replace(" EOP\n", "\nCF_END\n"), Generation::Cayman);
    assert_eq!(program.cf.len(), 9, "{program}");
}

#[test]
fn unreachable_words_after_the_end_are_data() {
    let text = "00 JUMP L1\nL1:\n01 EXP_DONE: PIX0, R0.xyzw EOP\n";
    let mut words = asm::assemble(text, Generation::R700).unwrap();
    words.extend([0, 0, 0, 0x8020_0000]);
    let program = Program::decode(&words, Generation::R700);
    assert_eq!(program.cf.len(), 2, "{program}");
    assert_eq!(program.encode().unwrap(), words);
}

/// A call takes one element, two where 16 lanes run together; with the push inside the second there are three of the
/// stack's own, and a unit holds four.
#[test]
fn calls_take_room_on_the_stack() {
    let program = decoded(TEXT, Generation::R700);
    assert_eq!(program.stack_size(Chip::Rv770), (2 + 1 + 2_u32).div_ceil(4));
    let program = decoded(TEXT, Generation::R600);
    assert_eq!(program.stack_size(Chip::Rv610), (2 * 2 + 1 + 2_u32).div_ceil(4));
    let once =
        decoded("00 CALL L2\n01 EXP_DONE: PIX0, R0.xyzw EOP\nL2:\n02 RETURN\n", Generation::R600);
    assert_eq!(once.stack_size(Chip::Rv610), 1);
    // A subroutine that calls itself is as deep as the hardware allows, and one call more that goes wrong.
    let endless = decoded("L0:\n00 CALL L0\n01 NOP EOP\n", Generation::R700);
    assert_eq!(endless.stack_size(Chip::Rv770), 33_u32.div_ceil(4));
}
