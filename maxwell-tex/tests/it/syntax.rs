//! Text: what may be written, what is printed, and what mistakes are called.

use maxwell_tex::asm::parse;
use maxwell_tex::{Bundle, Control, Op, Slot, Sm, Syntax, bundles, encode};

/// The texts of all statements, in the documents' syntax.
fn reprinted(text: &str) -> Vec<String> {
    let assembly = parse(text);
    assert_eq!(assembly.errors, [], "{text}");
    assembly.slots().iter().map(|slot| slot.listing(Syntax::Document).to_string()).collect()
}

fn mistakes(text: &str) -> Vec<String> {
    let errors = parse(text).errors;
    errors.iter().map(|error| format!("{error} @ `{}`", &text[error.span.clone()])).collect()
}

/// The examples of both documents, comments and all.
#[test]
fn the_documents_examples_assemble() {
    let text = "
TEX        R0,R2,5,2D,0xf;             // no need for Rb
TEX.LB     R0,R2,R4,5,2D,0xf;
TEX.B.DC   R4,R0,R8,5,1D,0xf;
TLDS.LZ      R0, R4, R9, R11, 0x7, 2D, RGBA; // reads R9 & R11; writes R0, R1, R4, & R5
TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R; // reads R6, R7, & R11; writes R9
";
    assert_eq!(
        reprinted(text),
        [
            "TEX R0, R2, 0x5, 2D, 0xf;",
            "TEX.LB R0, R2, R4, 0x5, 2D, 0xf;",
            "TEX.B.DC R4, R0, R8, 0x0, 1D, 0xf;",
            "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;",
            "TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R;",
        ]
    );
    let words: Vec<_> = parse(text)
        .slots()
        .iter()
        .map(|slot| match &slot.op {
            Op::Texture(instruction) => encode(instruction, Sm::Sm50).expect("it has a word"),
            Op::Other(word) => *word,
        })
        .collect();
    assert_eq!(words[0], 0xc038_0057_aff7_0200);
    assert_eq!(words[3], 0xda50_0070_00b7_0904);
    // The third breaks a rule of its own document: with .B the index has no place.
    let rules: Vec<_> =
        parse(text).check(Sm::Sm50).iter().map(|(_, finding)| finding.rule.text()).collect();
    assert_eq!(rules, ["b-index"]);
}

#[test]
fn parts_may_be_omitted_or_written_differently() {
    for (text, printed) in [
        ("tex r0, r2, 5, 2d;", "TEX R0, R2, 0x5, 2D, 0xf;"),
        ("TEX R0,R2,RZ,0X5,2D,15;", "TEX R0, R2, 0x5, 2D, 0xf;"),
        ("TEX R0, R2, 5, 1, 2D;", "TEX R0, R2, 0x105, 2D, 0xf;"),
        ("TEX.NDV.DC.LZ R0, R2, R4, 5, 2D;", "TEX.LZ.DC.NDV R0, R2, R4, 0x5, 2D, 0xf;"),
        ("TLDS.LZ R4, R0, R2, R3, 5, 2D;", "TLDS.LZ R4, R0, R2, R3, 0x5, 2D, RGBA;"),
        ("@PT TEX PT, R0, R2, 5, 2D;", "TEX R0, R2, 0x5, 2D, 0xf;"),
        ("@!PT TEX R0, R2, 5, 2D;", "@!PT TEX R0, R2, 0x5, 2D, 0xf;"),
        ("@ ! P3 TEX /* here */ P1, R0, R2, 5, 2D;", "@!P3 TEX P1, R0, R2, 0x5, 2D, 0xf;"),
        (".quad 0x50b0000000070f00;", ".quad 0x50b0000000070f00;"),
        (".quad 0xc0380057aff70200;", "TEX R0, R2, 0x5, 2D, 0xf;"),
        (";; ;TEX.P R0, R2, 5, 2D;", "TEX.P R0, R2, 0x5, 2D, 0xf;"),
    ] {
        assert_eq!(reprinted(text), [printed], "{text}");
    }
    assert_eq!(reprinted("// nothing\n"), [""; 0]);
}

#[test]
fn scheduling_operands() {
    let tex = "TEX R0, R2, 0x5, 2D, 0xf";
    for (written, printed) in [
        ("&req=0x21 &rd0 &wr5 ?stall4", " &req=0x21 &rd0 &wr5 ?stall4"),
        ("&req={0,5} &rd=0x0 &wr_5 ?4", " &req=0x21 &rd0 &wr5 ?stall4"),
        ("&req_6", " &req=0x6"),
        ("?yield", " ?yield"),
        ("?0x12", " ?stall2_yield"),
        ("?stall15_yield", " ?stall15_yield"),
        ("&rd7 &wr7 &req=0 ?0", ""),
    ] {
        let text = format!("{tex} {written};");
        let printed = format!("{tex}{printed};");
        for text in [&text, &printed] {
            assert_eq!(reprinted(text).concat(), printed, "{text}");
        }
    }
    assert_eq!(
        reprinted(".quad 0x1 ?phase2 &wr1 ?stall1 ?reuse3;"),
        [".quad 0x0000000000000001 ?phase2 &wr1 ?stall1 ?reuse3;"]
    );
}

#[test]
fn every_control_group_round_trips() {
    let tex = parse("TEX R0, R2, 0x5, 2D, 0xf;").slots()[0].op;
    for group in 0..1 << 21 {
        let control = Control::from_group(group);
        assert_eq!(control.to_group(), group);
        // Text takes longer: one group in a few is enough.
        if group % 61 == 0 {
            for op in [tex, Op::Other(7)] {
                let slot = Slot { op, control };
                let text = slot.listing(Syntax::Document).to_string();
                assert_eq!(parse(&text).slots(), [slot], "{text}");
            }
        }
    }
}

#[test]
fn bundles_are_filled_with_instructions_that_do_nothing() {
    let slots = parse("TEX R0, R2, 0x5, 2D; .quad 0x1; .quad 0x2; .quad 0x3 &wr0;").slots();
    let all = bundles(&slots);
    assert_eq!(all.len(), 2);
    // This control word begins bundles without scheduling in many a binary.
    assert_eq!(all[0].to_words(), Ok([0x001f_8000_fc00_07e0, 0xc038_0057_aff7_0200, 1, 2]));
    assert_eq!(all[1].slots[1..], [Slot::NOP, Slot::NOP]);
    for bundle in all {
        assert_eq!(
            Bundle::from_words(bundle.to_words().expect("every bundle can be encoded")),
            bundle
        );
    }
    let odd = [u64::MAX, 0, u64::MAX, 0xc038_0057_aff7_0200];
    assert_eq!(Bundle::from_words(odd).to_words(), Ok(odd));
}

#[test]
fn errors_have_names_and_positions() {
    for (text, mistake) in [
        ("TXD R0, R2, 5, 2D;", "unknown instruction `TXD` @ `TXD`"),
        ("TEX.MS R0, R2, 5, 2D;", "unknown modifier `.MS` @ `MS`"),
        ("TLDS.LZ.NDV R0, R2, 5, 2D;", "unknown modifier `.NDV` @ `NDV`"),
        ("TEX. R0, R2, 5, 2D;", "unknown modifier `.` @ ``"),
        ("TEX.LZ.LB R0, R2, 5, 2D;", "`.LB` repeats a modifier or contradicts one @ `LB`"),
        ("TEX.T.P R0, R2, 5, 2D;", "`.P` repeats a modifier or contradicts one @ `P`"),
        ("TEX R0;", "a register is missing @ ``"),
        ("TEX R0 R2, 5, 2D;", "expected `,` or `;`, found `R2` @ `R2`"),
        ("TEX R0, 5, R2, 2D;", "expected a register, found `5` @ `5`"),
        ("TEX R0, R255, 5, 2D;", "`R255` is not an operand @ `R255`"),
        ("TEX R0, R+1, 5, 2D;", "expected a register, found `R` @ `R`"),
        ("TEX R0, R2, , 2D;", "`,` is not an operand @ `,`"),
        ("TEX R0, R2, 5,;", "an operand after the comma is missing @ ``"),
        ("TEX R0, R2, 5, 5D;", "`5D` is not an operand @ `5D`"),
        ("TEX R0, R2, 5, 2D, 0x10;", "expected a mask of four bits, found `0x10` @ `0x10`"),
        (
            ".quad 0x10000000000000000;",
            "expected a number of 64 bits, found `0x10000000000000000` @ `0x10000000000000000`",
        ),
        (".quad;", "a number of 64 bits is missing @ ``"),
        ("TEX R0, R2, 5, 2D, RGBA;", "expected `;`, found `RGBA` @ `RGBA`"),
        ("TEX R0, R2, 5, 2D, 0xf, 1;", "expected `;`, found `1` @ `1`"),
        ("TEX R0, R2, 5, 2D", "`;` is missing @ ``"),
        ("@P0;", "an instruction is missing @ ``"),
        ("@;", "a predicate is missing @ ``"),
        ("@R0 TEX R0, R2, 5, 2D;", "expected a predicate, found `R0` @ `R0`"),
        ("TEX R0, R2, 5, 2D &wr8;", "`&wr8` is not a scheduling operand @ `&wr8`"),
        (
            "TEX R0, R2, 5, 2D &req={0,9};",
            "`&req={0,9}` is not a scheduling operand @ `&req={0,9}`",
        ),
        ("TEX R0, R2, 5, 2D ?stall16;", "`?stall16` is not a scheduling operand @ `?stall16`"),
        ("TEX R0, R2, 5, 2D ?32;", "`?32` is not a scheduling operand @ `?32`"),
        ("TEX R0, R2, 5, 2D ?1 92;", "`92` is not a scheduling operand @ `92`"),
        ("TEX R0, R2, 5, 2D ?1 \u{e9};", "`\u{e9}` is not a scheduling operand @ `\u{e9}`"),
        ("TEX R0, R2, 5, 2D &req={0", "`;` is missing @ ``"),
        ("TEX R0, /* R2; */ R2, 5, 2D; /* R3; ", "a comment has no end @ `/* R3; `"),
    ] {
        assert_eq!(mistakes(text), [mistake], "{text}");
    }
}

#[test]
fn reading_continues_after_an_error() {
    let text = "TEX R0, R2, 5, 2D; TEX R0; TEX R0, R2, 6, 2D; FOO; TEX R0, R2, 7, 2D;";
    assert_eq!(mistakes(text).len(), 2);
    assert_eq!(parse(text).statements.len(), 3);
    let error = &parse("FOO;").errors[0];
    assert_eq!(
        error.help(),
        Some("known instructions are TEX and TLDS; `.quad 0x…` holds the word of any other")
    );
}
