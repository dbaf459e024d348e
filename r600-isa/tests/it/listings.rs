//! Forms of listings, and the grammar's page.

#![expect(clippy::panic, reason = "a listing that cannot be read fails the test")]

use r600_isa::{Cf, CfFlow, CfOp, Generation, Program, Syntax, asm};

fn program(text: &str) -> Program {
    match asm::assemble(text, Generation::R700) {
        Ok(words) => Program::decode(&words, Generation::R700),
        Err(found) => panic!("{found:#?}\n{text}"),
    }
}

const TEXT: &str = "00 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      0 x: PRED_SETGT ____, KC0[1].x, R0.w UPDATE_EXEC_MASK UPDATE_PRED
01 JUMP L3 POP_CNT(1)
02 ALU_POP_AFTER:
      1 x: MUL R0.x, R0.x, 0.25 CLAMP
        t: RECIP_IEEE R0.y, |R0.w|
L3:
03 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
";

#[test]
fn the_canonical_form_is_what_was_assembled() {
    assert_eq!(program(TEXT).to_string(), TEXT);
}

#[test]
fn the_vendors_form_shows_addresses_and_counts() {
    assert_eq!(
        program(TEXT).listing_in(Syntax::Amd),
        "
00 ALU_PUSH_BEFORE: ADDR(4) CNT(1) KCACHE0(CB0:0-15)

    0 x: PRED_SETGT      ____, KC0[1].x, R0.w UPDATE_EXEC_MASK(DEACTIVATE) UPDATE_PRED

01 JUMP ADDR(3) POP_CNT(1)

02 ALU_POP_AFTER: ADDR(5) CNT(3)

    1 x: MUL             R0.x, R0.x, (0x3E800000, 0.25f).x CLAMP
      t: RECIP_IEEE      R0.y, |R0.w| SCL_210

03 EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(3)

END_OF_PROGRAM
"
        .replace(" ELEM_SIZE(3)", "")
    );
}

#[test]
fn mesas_form_shows_words() {
    let mesa = program(TEXT).listing_in(Syntax::Mesa);
    let lines: Vec<_> = mesa.lines().collect();
    assert_eq!(lines[0], "0000  40000004 a4000000 ALU_PUSH_BEFORE 1 @8 KC0[CB0:0-15]");
    assert!(lines[1].ends_with("MP   x: PRED_SETGT         __.x,  KC0[1].x, R0.w"), "{mesa}");
    assert_eq!(lines[2], "0002  00000003 85000001 JUMP @6 POP:1");
    assert!(lines[4].contains("x: MUL_sat"), "{mesa}");
    assert!(lines[4].contains("[0x3e800000 0.250000].x"), "{mesa}");
    assert!(lines[7].ends_with("EXPORT_DONE        PIXEL 0     R0.xyzw  EOP"), "{mesa}");
}

/// Mesa takes the mode of a window for its lines, and so does its form: what the loop index moves has two.
#[test]
fn mesas_form_counts_lines_as_mesa_does() {
    for (window, lines) in [("32-47", "32-47"), ("32-63", "32-63"), ("AL+32-AL+63", "32-79")] {
        let text = TEXT.replace("CB0:0-15", &format!("CB0:{window}"));
        let mesa = program(&text).listing_in(Syntax::Mesa);
        assert!(mesa.contains(&format!(" KC0[CB0:{lines}]\n")), "{mesa}");
    }
}

/// Instructions may run a clause by the hundred thousand.
#[test]
fn mesas_form_shows_a_clause_once() {
    let text =
        "ALU:\n0 x: MOV R0.x, 1.0\nALU: ADDR(4)\nALU: ADDR(5)\n1 x: MOV R0.x, 0\nEND_OF_PROGRAM\n";
    let mesa = program(text).listing_in(Syntax::Mesa);
    let lines: Vec<&str> = mesa.lines().filter_map(|line| line.get(24..)).collect();
    let starts = |line: &&str| line.trim_start().split(' ').next().is_some_and(|own| own == "ALU");
    assert_eq!(lines.iter().filter(|line| starts(line)).count(), 3, "{mesa}");
    assert_eq!(mesa.matches("MOV").count(), 2, "{mesa}");
}

/// Adding up what stands before each target would take minutes.
#[test]
fn many_jumps_are_listed_in_every_form() {
    const COUNT: u32 = 100_000;
    let mut program = Program::new(Generation::R700);
    let jump = Cf::Flow(CfFlow { target: COUNT, ..CfFlow::new(CfOp::Jump) });
    program.cf = vec![jump; COUNT as usize];
    program.cf.push(Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) }));
    for (form, want) in [
        (Syntax::Canonical, format!("JUMP L{COUNT}")),
        (Syntax::Amd, format!("JUMP ADDR({COUNT})")),
        (Syntax::Mesa, format!("JUMP @{}", 2 * COUNT)),
    ] {
        let listing = program.listing_in(form);
        assert_eq!(listing.matches(&want).count(), COUNT as usize, "{form:?}");
    }
}

/// What the page on the grammar shows assembles.
#[test]
fn the_grammars_example_assembles() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/r600-assembly.md");
    let Ok(page) = std::fs::read_to_string(page) else {
        println!("not present: docs/r600-assembly.md, no example checked");
        return;
    };
    let example = page.split("```").nth(1).and_then(|block| block.split_once('\n'));
    let (_, example) = example.expect("the page shows a listing");
    assert_eq!(program(example).to_string().lines().count(), example.lines().count());
}

/// Names that the vendor's form has for itself: where loops go, fetches of vertices, returns. All of it assembles.
#[test]
fn the_vendors_form_has_names_of_its_own() {
    let text = "LOOP_START_DX10 L2\nL1:\nLOOP_END L1\nL2:\nVTX:\nVFETCH R1.xyzw, R0.x, b0\nRET\n";
    let words = asm::assemble(text, Generation::R700).unwrap_or_default();
    let listing = Program::decode(&words, Generation::R700).listing_in(Syntax::Amd);
    for own in ["FAIL_JUMP_ADDR(2)", "PASS_JUMP_ADDR(1)", "VTX_FETCH R1.xyzw, R0.x", "RETURN"] {
        assert!(listing.contains(own), "{own} in {listing}");
    }
    assert_eq!(asm::assemble(&listing, Generation::R700).as_deref(), Ok(words.as_slice()));
}
