//! Each kind of error, and the syntaxes that are read besides the canonical one.

mod jumps;
mod operands;
mod swizzles;

use super::*;
use crate::Generation::{Cayman, Evergreen, R600, R700};

/// Checks that `text` has exactly one error: `code`, at the text `at`.
fn check_on(generation: Generation, text: &str, code: Code, at: &str) {
    let found = parse(text, generation).diagnostics;
    let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [code], "{found:#?}");
    assert_eq!(&text[found[0].span.clone()], at, "{found:#?}");
    assert!(!found[0].message.ends_with('.'), "{}", found[0].message);
}

fn check(text: &str, code: Code, at: &str) {
    check_on(R700, text, code, at);
}

/// The same for a clause with one instruction.
fn check_slot(line: &str, code: Code, at: &str) {
    check(&format!("ALU:\n{line}\nEND_OF_PROGRAM"), code, at);
}

fn words(text: &str, generation: Generation) -> Vec<u32> {
    assemble(text, generation).unwrap_or_else(|found| {
        assert_eq!(found, [], "{text}");
        Vec::new()
    })
}

/// Checks that two listings give the same program.
fn same(a: &str, b: &str) {
    assert_eq!(words(a, R700), words(b, R700), "{a}\n{b}");
}

#[test]
fn names_of_codes_are_unique() {
    let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Code::ALL.len());
}

#[test]
fn unexpected() {
    check("NOP (", Code::Unexpected, "(");
    check_slot("x: MOV R0.x, +", Code::Unexpected, "+");
    check_slot("x: MOV R0.x,", Code::Unexpected, "");
    check("MUL R0.x, R1.x, R2.x", Code::Unexpected, "MUL");
    check("EXP: R1.xyzw", Code::Unexpected, "R1");
}

#[test]
fn unknown_instruction() {
    check_slot("x: MULL R0.x, R1.x, R2.x", Code::UnknownInstruction, "MULL");
    check("JUMPP L1", Code::UnknownInstruction, "JUMPP");
    let found = parse("ALU:\nx: MULL R0.x, R1.x, R2.x", R700).diagnostics;
    assert_eq!(found[0].help.as_deref(), Some("did you mean `MUL`?"));
}

#[test]
fn unknown_directive() {
    check(".wrod 0x1, 0x2", Code::UnknownDirective, ".wrod");
}

#[test]
fn unknown_property() {
    check_slot("x: MOV R0.x, R1.x CLAMPED", Code::UnknownProperty, "CLAMPED");
    check("NOP VALID_PIXX", Code::UnknownProperty, "VALID_PIXX");
    check("TEX:\nSAMPLE R0.xyzw, R0.xyzw, t0, s0 LODD(1)", Code::UnknownProperty, "LODD(1)");
}

#[test]
fn unknown_operand() {
    check_slot("x: MOV R0.x, Q1.x", Code::UnknownOperand, "Q1");
}

#[test]
fn labels() {
    check("JUMP L9\nL8:\nNOP", Code::UnknownLabel, "L9");
    check("L1:\nNOP\nL1:\nNOP", Code::DuplicateLabel, "L1");
    check("JUMP POP_CNT(1)", Code::MissingLabel, "JUMP");
}

#[test]
fn not_on_generation() {
    check_slot("x: BFREV_INT R0.x, R1.x", Code::NotOnGeneration, "BFREV_INT");
    check_on(Evergreen, "PUSH_ELSE L0", Code::NotOnGeneration, "PUSH_ELSE");
    check_on(Evergreen, "ALU:\nx: MOV R0.x, C1.x", Code::NotOnGeneration, "C1");
    check("TEX:\nGATHER4 R0.xyzw, R0.xyzw, t0, s0", Code::NotOnGeneration, "GATHER4");
    check("EXP: PIX0, R0.xyzw MARK", Code::NotOnGeneration, "MARK");
    check("ALU: KCACHE2(CB0:0-15)\nx: MOV R0.x, R1.x", Code::NotOnGeneration, "KCACHE2(CB0:0-15)");
}

#[test]
fn other_generation() {
    check(".generation cayman\nNOP", Code::OtherGeneration, "cayman");
    assert!(parse(".generation rv770\nNOP", R700).diagnostics.is_empty());
}

#[test]
fn out_of_range() {
    check_slot("x: MOV R0.x, R128.x", Code::OutOfRange, "R128");
    check("POP L0 POP_CNT(8)\nL0:", Code::OutOfRange, "POP_CNT(8)");
    check("TEX:\nSAMPLE R0.xyzw, R0.xyzw, t0, s0 XOFFSET(9)", Code::OutOfRange, "XOFFSET(9)");
    check("ALU: KCACHE0(CB0:0-7)\nx: MOV R0.x, R1.x", Code::OutOfRange, "KCACHE0(CB0:0-7)");
}

#[test]
fn missing_channel() {
    check_slot("x: MOV R0.x, R1", Code::MissingChannel, "R1");
}

#[test]
fn operand_count() {
    check_slot("x: MUL R0.x, R1.x", Code::OperandCount, "");
    check_slot("x: MOV R0.x, R1.x, R2.x", Code::OperandCount, ",");
    check(".cf 0x1", Code::OperandCount, ".cf 0x1");
}

#[test]
fn destination() {
    check_slot("x: MOV R0.y, R1.x", Code::Destination, "R0.y");
    check_slot("x: MULADD ____, R1.x, R1.x, R1.x", Code::Destination, "____");
    check_slot("x: MOV KC0[1].x, R1.x", Code::Destination, "KC0[1]");
}

#[test]
fn modifier() {
    check_slot("x: MULADD R0.x, |R1.x|, R1.x, R1.x", Code::Modifier, "|R1.x|");
    let line = "x: MULADD*2 R0.x, R1.x, R1.x, R1.x";
    check_slot(line, Code::Modifier, line);
}

#[test]
fn integer_for_float() {
    check_slot("x: MUL R0.x, R1.x, 2", Code::IntegerForFloat, "2");
    same("ALU:\nx: AND_INT R0.x, R1.x, 2", "ALU:\nx: AND_INT R0.x, R1.x, 0x2");
}

#[test]
fn mixed_indices() {
    check_slot("x: ADD R0.x, R[AR.x+1].x, R[AL+2].x", Code::MixedIndices, "R[AL+2].x");
}

#[test]
fn wrong_slot() {
    check_slot("x: RECIP_IEEE R0.x, R1.x", Code::WrongSlot, "x: RECIP_IEEE R0.x, R1.x");
    check_slot("t: MOV R0.x, R1.x", Code::WrongSlot, "t: MOV R0.x, R1.x");
}

#[test]
fn slot_taken() {
    let text = "ALU:\n0 x: DOT4 R0.x, R1.x, R1.x\nx: DOT4 R0.x, R1.x, R1.x";
    check(text, Code::SlotTaken, "x: DOT4 R0.x, R1.x, R1.x");
}

#[test]
fn group_too_long() {
    let slots = ["x", "y", "z", "w", "t", "t"];
    let lines: Vec<_> = slots
        .iter()
        .map(|slot| format!("{slot}: MOV R0.{}, 0", if *slot == "t" { "x" } else { slot }))
        .collect();
    check(&format!("ALU:\n0 {}", lines.join("\n")), Code::GroupTooLong, "t: MOV R0.x, 0");
}

#[test]
fn literals() {
    let line = "y: MULADD R0.y, 5.0, 6.0, R0.x";
    let text = format!("ALU:\n0 x: MULADD R0.x, 2.0, 3.0, 4.0\n{line}");
    check(&text, Code::TooManyLiterals, line);
    let line = "y: MOV R0.y, (0x2, 0.0).x";
    let text = format!("ALU:\n0 x: MOV R0.x, (0x3, 0.0).x\n{line}");
    check(&text, Code::LiteralConflict, line);
}

/// The hardware skips only the literals that are read, and would execute the rest.
#[test]
fn unused_literals() {
    let line = "x: MOV R0.x, 1.0 SRC1((0x40000000, 2.0).x)";
    check_slot(line, Code::UnusedLiteral, "(0x40000000, 2.0).x");
    check_slot("x: MOV R0.x, 1.0 SRC1(2.0)", Code::UnusedLiteral, "2.0");
    check_slot("x: MOV R0.x, 1.0\n.literal 0x1", Code::UnusedLiteral, "x: MOV R0.x, 1.0");
    check_slot("x: MOV R0.x, LITERAL.x", Code::UnknownOperand, "LITERAL.x");
    let text = "ALU:\n0 x: MOV R0.x, 1.0 SRC1(-|LITERAL.y|)\n1 x: MOV R0.x, 2.5\nEND_OF_PROGRAM";
    let found = words(text, R700);
    assert_eq!(found[2..4].len() + 8, found.len(), "one pair of literals: {found:x?}");
    let listing = Program::decode(&found, R700).to_string();
    assert!(listing.contains("SRC1(-|LITERAL.y|)"), "{listing}");
    assert_eq!(words(&listing, R700), found);
}

/// A property may not set a field that an operand already sets.
#[test]
fn fields_of_operands_are_given_once() {
    check_slot("x: MOV R0.x, R1.x SRC0(R2.x)", Code::Unexpected, "SRC0(R2.x)");
    check_slot("x: MOV R0.x, R1.x DST(R2.x)", Code::Unexpected, "DST(R2.x)");
    let line = "x: MULADD R0.x, R1.x, R1.x, R1.x DST(R2.x)";
    check_slot(line, Code::Unexpected, "DST(R2.x)");
}

#[test]
fn everything_written_is_kept() {
    for (properties, second) in [
        ("CLAMP CLAMP", "CLAMP"),
        ("CLAMP(0)", "CLAMP(0)"),
        ("UPDATE_PRED(1)", "UPDATE_PRED(1)"),
        ("VEC_012 VEC_120", "VEC_120"),
        ("PRED_SEL_ONE PRED_SEL_ZERO", "PRED_SEL_ZERO"),
    ] {
        check_slot(&format!("x: MOV R0.x, R1.x {properties}"), Code::Unexpected, second);
    }
    check_slot("x: MOV R0.x, R1.x SCL_122", Code::UnknownProperty, "SCL_122");
    check_slot("x: MOV R0.x, 1.5@y", Code::Unexpected, "@");
    check_slot("x: MOV R0.x, (0x3fc00000, 1.5).y@x", Code::Unexpected, "@");
    check_slot("x: MOV R0.x, 1e39", Code::OutOfRange, "1e39");
    check_slot("x: MOV R0.x, SEL253.x", Code::UnknownOperand, "SEL253.x");
    check("NOP NO_BARRIER(1)", Code::Unexpected, "NO_BARRIER(1)");
    let text = "ALU: KCACHE0(CB0:0-15) KCACHE0(CB1:0-15)\nx: MOV R0.x, R1.x";
    check(text, Code::Unexpected, "KCACHE0(CB1:0-15)");
    let line = "x: LDS_WRITE R0.x, R1.x CLAMP";
    check_on(Evergreen, &format!("ALU:\n{line}\nEND_OF_PROGRAM"), Code::Modifier, line);
    let text = "ALU:\nx: MOVA_INT CF_IDX0, R1.x DST(R3.x)\nEND_OF_PROGRAM";
    check_on(Cayman, text, Code::Unexpected, "DST(R3.x)");
    let text = "ALU:\nx: PRED_SETE*2 ____, R0.x, R1.x UPDATE_EXEC_MASK\nEND_OF_PROGRAM";
    check_on(Cayman, text, Code::Modifier, "UPDATE_EXEC_MASK");
    let text = text.strip_suffix("\nEND_OF_PROGRAM").unwrap_or(text);
    same(text, &format!("{text}(DEACTIVATE)"));
}

/// A selector given by number uses read ports like one given by name.
#[test]
fn selectors_by_number_are_those_by_name() {
    let numbers = "ALU:\nx: ADD R0.x, SEL1.x, SEL2.x\ny: ADD R0.y, SEL3.x, SEL2.x";
    same(numbers, &numbers.replace("SEL", "R"));
    let over = "ALU:\nx: ADD R0.x, SEL1.x, SEL2.x\ny: ADD R0.y, SEL3.x, SEL4.x";
    check(over, Code::ReadPorts, &over[5..]);
}

#[test]
fn read_ports() {
    let group = "x: MULADD R0.x, R1.x, R2.x, R3.x\ny: MOV R0.y, R4.x";
    check(&format!("ALU:\n{group}"), Code::ReadPorts, group);
}

#[test]
fn clauses() {
    check("x: MOV R0.x, R1.x", Code::NoClause, "x: MOV R0.x, R1.x");
    check("ALU:\nSAMPLE R0.xyzw, R0.xyzw, t0, s0\nx: MOV R0.x, R1.x", Code::NoClause, "SAMPLE");
    check("ALU:\nNOP", Code::EmptyClause, "ALU:");
    check("ALU: CNT(2)\nx: MOV R0.x, R1.x", Code::WrongCount, "CNT(2)");
    let groups = "x: MOV R0.x, R1.x\n".repeat(129);
    check(&format!("ALU:\n{groups}"), Code::ClauseTooLong, "ALU:");
}

#[test]
fn places() {
    check("ALU: ADDR(99999999)\nx: MOV R0.x, R1.x", Code::Address, "ALU: ADDR(99999999)");
    check("ALU: ADDR(7)\nNOP", Code::Address, "ADDR(7)");
    check("JUMP ADDR(7)", Code::Address, "ADDR(7)");
    check("NOP\nNOP\n.data 1: 0x5", Code::Overlap, ".data 1: 0x5");
    check("NOP\nEND_OF_PROGRAM\nNOP", Code::AfterEnd, "NOP");
}

#[test]
fn an_error_does_not_hide_the_next_one() {
    let found = parse("ALU:\nx: MULL R0.x, R1.x\ny: MOV R0.x, R1.x\nJUMPP L1", R700).diagnostics;
    assert_eq!(found.len(), 3, "{found:#?}");
}

#[test]
fn alignment_and_addresses() {
    let aligned = words("NOP\nALU: ALIGN(8)\nx: MOV R0.x, R1.x\nEND_OF_PROGRAM", R700);
    let placed = words("NOP\nALU: ADDR(8)\nx: MOV R0.x, R1.x\nEND_OF_PROGRAM", R700);
    assert_eq!(aligned, placed);
    assert_eq!(aligned[2], 8);
}

/// By default the assembler avoids the gap before the fetches. A listing that has the gap must keep it.
#[test]
fn clauses_in_order_with_a_gap_stay_where_they_are() {
    let text = |places: [&str; 3]| {
        let [first, fetches, last] = places;
        format!(
            "ALU: {first}\nx: MOV R0.x, R1.x\nTEX: {fetches}\nSAMPLE R1.xyzw, R0.xyzw, t0, s0\nALU: {last}\n\
             x: MOV R0.x, R1.x\nEND_OF_PROGRAM"
        )
    };
    let placed = words(&text(["ADDR(4)", "ADDR(6)", "ADDR(8)"]), R700);
    assert_ne!(placed, words(&text([""; 3]), R700));
    let listing = Program::decode(&placed, R700).to_string();
    assert_eq!(words(&listing, R700), placed, "{listing}");
    assert_eq!(listing.matches("ADDR(").count(), 1, "{listing}");
}

#[test]
fn names_and_labels_stand_for_places() {
    same(
        ".define gain KC0[2]\nALU: KCACHE0(CB0:0-15)\nx: MUL R0.x, R0.x, gain.y\nEND_OF_PROGRAM",
        "00 ALU: KCACHE0(CB0:0-15)\n0 x: MUL R0.x, R0.x, KC0[2].y\nEND_OF_PROGRAM",
    );
    same("JUMP end\nNOP\nend:\nNOP\nEND_OF_PROGRAM", "JUMP ADDR(2)\nNOP\nNOP\nEND_OF_PROGRAM");
}

#[test]
fn values_become_constants_or_literals() {
    let line = |operand: &str| format!("ALU:\nx: ADD R0.x, R1.x, {operand}");
    same(&line("-1.0"), &line("-(1.0)"));
    same(&line("0x3f800000"), &line("1.0f"));
    same(&line("-2.5"), &line("0xc0200000"));
    same(&line("(0x40000000, 2.0)"), &line("2.0"));
    same(&line("-0x40200000"), &line("-2.5"));
    let integer = |operand: &str| format!("ALU:\nx: ADD_INT R0.x, R1.x, {operand}");
    same(&integer("-0x10"), &integer("-16"));
}

/// Everything that decaf's assembler reads: comments with state, group numbers on PV and PS, the vendor's short names.
#[test]
fn programs_of_the_wii_u_are_read() {
    let text = "; $MODE = \"UniformRegister\"\n\
                ; $SQ_PGM_RESOURCES_VS.NUM_GPRS = 3\n\
                ; $SQ_VTX_SEMANTIC_CLEAR.CLEAR = 0xFFFFFFFC\n\n\
                00 CALL_FS NO_BARRIER\n\
                01 ALU: ADDR(32) CNT(4) KCACHE0(CB1:0-15)\n   \
                0 x: MUL_e R1.x, R1.x, C5.x\n     \
                t: RCP_e ____, R2.w SCL_210\n   \
                1 x: MUL R[AL+3].x, PV0.x, PS0\n     \
                y: MOV*2 R1.y, |R2.x| CLAMP\n\
                02 EXP_DONE: POS0, R2.xyzw\n\
                03 EXP_DONE: PARAM0, R1.xyzw NO_BARRIER\nEND_OF_PROGRAM\n";
    let assembly = parse(text, R700);
    assert_eq!(assembly.diagnostics, []);
    let state: Vec<_> =
        assembly.state.iter().map(|state| (state.name.as_str(), state.number())).collect();
    assert_eq!(
        state,
        [
            ("MODE", None),
            ("SQ_PGM_RESOURCES_VS.NUM_GPRS", Some(3)),
            ("SQ_VTX_SEMANTIC_CLEAR.CLEAR", Some(0xFFFF_FFFC))
        ]
    );
    let gprs = &assembly.state[1];
    assert_eq!(&text[gprs.span.clone()], "$SQ_PGM_RESOURCES_VS.NUM_GPRS = 3");
    let words = assembly.program.encode().unwrap();
    assert_eq!(words[2], 32 | 1 << 22 | 1 << 30, "the clause lies where it says");
    assert_eq!(words.len(), 72);
}

/// Decaf's assembler gives each float its own word, leaves `ELEM_SIZE` of exports 0, and does not check counts.
#[test]
fn the_dialect_of_the_wii_u_is_read() {
    let text = "ALU: CNT(9)\n0 x: MUL R0.x, 1.0f, R1.x\n  y: MUL R0.y, 1.0f, R1.y\n\
                EXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n";
    let read = |text: &str| parse_as(text, R700, Dialect::Latte).words().unwrap();
    let own = read(text);
    let canonical = "ALU:\n0 x: MUL R0.x, (0x3f800000, 1.0).x, R1.x\n  \
                     y: MUL R0.y, (0x3f800000, 1.0).y, R1.y\n\
                     EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(0)\nEND_OF_PROGRAM\n";
    assert_eq!(own, words(canonical, R700));
    assert_eq!(words(&format!(".syntax latte\n{text}"), R700), own);
    assert_eq!(read(&format!(".syntax canonical\n{canonical}")), own);
    check(".syntax amd", Code::Unexpected, "amd");
}

#[test]
fn every_kind_of_instruction_reads_back() {
    let programs = [
        (R600, "MEM_SCRATCH: WRITE_IND 3[R2], R1.xy__ ELEM_SIZE(3) ARRAY_SIZE(15)\nNOP\n"),
        (R600, "MEM_SCRATCH: READ 3, R1.xy__ ELEM_SIZE(3) ARRAY_SIZE(15)\nNOP\n"),
        (R600, "MEM_REDUCT: READ_IND 3[R2], R1.xy__ ELEM_SIZE(3) ARRAY_SIZE(15)\nNOP\n"),
        (R700, "MEM_SCRATCH: WRITE_ACK 3, R1.xy__ ELEM_SIZE(3) ARRAY_SIZE(15)\nNOP\n"),
        (R700, "MEM_STREAM1: WRITE 4, R1.xyz_ ARRAY_SIZE(4095) BURSTCNT(2) VALID_PIX\nNOP\n"),
        (
            R700,
            "WAIT_ACK\nTEX:\nREAD_SCRATCH R1.xyzw, R0.x, 7 INDEXED UNCACHED ELEM_SIZE(3)\nNOP\n",
        ),
        (R700, "TEX:\nDS_LOCAL_WRITE R1.xyzw INDEX(3) STRIDE(4) WAVE_REL\nNOP\n"),
        (R700, "TEX:\nDS_LOCAL_READ R1.xy__, R0.x_ OFFSET(2) BROADCAST\nNOP\n"),
        (
            R700,
            "VTX:\nSEMFETCH SEM[3].xyzw, R0.x, b7 FETCH_TYPE(INSTANCE_DATA) ENDIAN_SWAP(8IN32)\nNOP\n",
        ),
        (
            Evergreen,
            "MEM_RAT: WRITE_IND_ACK STORE_RAW RAT1+CF_IDX0[R2], R1.x___ MARK ELEM_SIZE(1)\nNOP\n",
        ),
        (Evergreen, "GDS:\nGDS_ADD_RET R1.x___, R0.xy_ UAV(3) ALLOC_CONSUME\nNOP\n"),
        (Evergreen, "WAVE_SYNC: BARRIER VALUE(3) RESOURCE(2) RESOURCE_INDEX(CF_IDX1)\nNOP\n"),
        (
            Evergreen,
            "ALU: KCACHE0(CB1+CF_IDX1:16-31) KCACHE3(CB2:AL+0-AL+31)\nx: MOV R0.x, KC3[1].x\nNOP\n",
        ),
        (
            Evergreen,
            "ALU:\nx: LDS_CMP_XCHG_RET R0.x, R1.x, R2.x OFFSET(37)\nx: MOV R0.x, LDS_OQ_A_POP\nNOP\n",
        ),
        (
            Cayman,
            "ALU:\nx: MOVA_INT CF_IDX0, R0.x\nx: PRED_SETE ____, R0.x, 0 UPDATE_EXEC_MASK(BREAK)\nNOP\n",
        ),
        (
            Cayman,
            "TEX:\nGATHER4 R0.xyzw, R1.xyzw, t0, s0 COMPONENT(2) LOD(-0.5) SAMPLER_INDEX(CF_IDX0)\nNOP\n",
        ),
    ];
    for (generation, text) in programs {
        let first = words(&format!("{text}END_OF_PROGRAM"), generation);
        let program = Program::decode(&first, generation);
        let listing = program.to_string();
        assert!(!listing.contains(".word") && !listing.contains(".cf"), "{listing}");
        assert_eq!(words(&listing, generation), first, "{listing}");
        for line in text.lines().filter(|line| !line.contains(": ") || line.contains("MEM_")) {
            let shown = line.split(' ').all(|word| listing.contains(word));
            assert!(shown, "{line}\n{listing}");
        }
    }
}

/// Truncated or corrupted text is either read or gives diagnostics; nothing panics.
#[test]
fn no_text_is_too_strange() {
    let text = "00 ALU: KCACHE0(CB0:0-15)\n 0 x: MUL*2 R[AR.x+1].x, -|KC0[2].x|, (0x2, 0.1).x VEC_120\n\
                .literal 0x1\nL1:\n01 JUMP L1 POP_CNT(1)\n02 TEX: ADDR(8)\n 1 SAMPLE R0.xy0_, R1.xyzw, \
                t0, s0 XOFFSET(-0.5)\n03 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n.data 9: 0x1\n.size 99\n";
    for at in 0..text.len() {
        check_assembling(&text[..at]);
        for byte in [b'(', b'.', b'9', b'-', b'|', b' ', b'x', b'\n', b'['] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            check_assembling(&String::from_utf8_lossy(&bytes));
        }
    }
    for odd in
        ["\u{e9}", "x: \u{1f980}", ".", "((((((((", "-", "0 x:", ":", "99999999999999999999 x: MOV"]
    {
        check_assembling(odd);
    }
}
