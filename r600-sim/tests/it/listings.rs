//! Small programs as listings: what they give, or the rule that they break.

use crate::support;

use r600_isa::{Chip, Program, asm};
use r600_sim::{
    Buffer, BufferFormat, Declaration, Event, Fault, GroupRule, Kernel, LaneMask, LoopConstant,
    Options, Outcome, Resources, SimError, Stage, TextureRequest,
};
use support::{entry, result};

/// Constants that say where they lie, one buffer, loops of two iterations, and textures that tell whether the
/// request had offsets for each lane.
struct Scene;

impl Resources for Scene {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        (bank == 0 && index < 64).then(|| [0, 1, 2, 3].map(|channel| 100 * index + channel))
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let format = BufferFormat { data: 0x0d, number: 1, is_signed: false };
        let words = &[0x8081_8283, 0x0405_0607, 0, 0];
        (resource == 0).then_some(Buffer::new(words, 4, format))
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        Some([[u32::from(request.lane_offset.is_some()); 4]; 4])
    }

    fn loop_constant(&self, _index: u8) -> Option<LoopConstant> {
        Some(LoopConstant { count: 2, first: 1, step: 1 })
    }
}

/// Runs the body of a listing that leaves its result in R4, on one quad whose lanes hold 1.0, 2.0 and 3.0 in
/// R1.x, R2.x and R3.x; lane 3 covers no pixel.
fn run(chip: Chip, body: &str) -> Result<Outcome, SimError> {
    run_with(chip, body, &Options::default())
}

fn run_with(chip: Chip, body: &str, options: &Options) -> Result<Outcome, SimError> {
    let text = format!("{body}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
    let words = asm::assemble(&text, chip.generation());
    let words = words.unwrap_or_else(|found| panic!("{body}: {found:#?}"));
    let declaration = Declaration { chip, stage: Stage::Pixel, num_gprs: 8, stack_entries: 4 };
    let mut entry = entry(&[1.0_f32, 2.0, 3.0].map(f32::to_bits));
    entry.set_valid_lanes(LaneMask::from_bits(0b0111));
    Kernel::from_words(&words, declaration)?.run(&entry, options, &mut Scene)
}

/// The program leaves so many events, and runs where so many are allowed.
fn check_events(chip: Chip, body: &str, count: usize) {
    let run = |limit| run_with(chip, body, &Options::default().event_limit(limit));
    assert_eq!(run(count).unwrap().events.len(), count, "{body}");
    assert_eq!(run(count - 1).unwrap_err().fault, Fault::EventLimit(count - 1), "{body}");
}

/// What lane 0 has in R4.
fn check(chip: Chip, body: &str, want: [u32; 4]) {
    let outcome = run(chip, body).unwrap_or_else(|error| panic!("{body}: {error}"));
    assert_eq!(result(&outcome), want, "{body}");
}

fn check_fault(chip: Chip, body: &str, want: Fault) {
    assert_eq!(run(chip, body).map(|_| ()).unwrap_err().fault, want, "{body}");
}

#[test]
fn relative_constants_of_a_window_add_their_index() {
    let body = |loads: u32, vector: u32| {
        format!(
            "ALU: KCACHE0(CB0:16-31)\n0 x: MOVA_INT ____, {loads}\n1 x: MOV R4.x, KC0[AR.x+{vector}].x\n  \
             y: MOV R4.y, KC0[{vector}].y\n"
        )
    };
    check(Chip::Rv770, &body(1, 2), [1900, 1801, 0, 0]);
    check_fault(Chip::Rv770, &body(1, 15), Fault::ConstantNotLocked(128 + 16));
    check(Chip::Rv770, &body(0, 15), [3100, 3101, 0, 0]);
}

/// Only one line is locked, and what lies after it is another set's.
#[test]
fn a_window_ends_where_its_lines_do_before_the_index_is_added() {
    let body = "ALU: KCACHE1(CB0:0-15)\nx: MOV R4.x, KC1[AR.x+2].x\n";
    check_fault(Chip::Rv770, body, Fault::NoAddress);
    let body = "ALU:\n0 x: MOVA_INT ____, 1\n1 x: MOV R4.x, KC1[AR.x+2].x\n";
    check_fault(Chip::Rv770, body, Fault::ConstantNotLocked(160 + 3));
}

/// Code that reads literals of sources which no operation reads would run into the next group.
#[test]
fn literals_of_unused_sources_have_no_word() {
    let body = "ALU:\n0 x: MOV R4.x, 1.0 SRC1(LITERAL.x)\n1 y: MOV R4.y, 0.5\n";
    check(Chip::Rv770, body, [0x3f80_0000, 0x3f00_0000, 0, 0]);
}

#[test]
fn instructions_without_a_result_leave_none_to_the_next_group() {
    let after = |inst: &str| format!("ALU:\n0 x: ADD R4.x, 1.0, 1.0\n{inst}2 x: MOV R4.x, PV.x\n");
    check_fault(Chip::Rv770, &after("1 x: ALU_NOP ____\n"), Fault::NoPreviousVector(0));
    check_fault(Chip::Cypress, &after("1 x: GROUP_BARRIER ____\n"), Fault::NoPreviousVector(0));
    let write = "1 x: LDS_WRITE 0, 1\n";
    check_fault(Chip::Cypress, &after(write), Fault::NoPreviousVector(0));
    let predicate = "1 x: PRED_SETE_64 ____, R1.y, R1.y\n  y: PRED_SETE_64 ____, R1.x, R1.x\n";
    let second = after(predicate).replace("PV.x", "PV.y");
    check_fault(Chip::Cypress, &second, Fault::NoPreviousVector(1));
    check_fault(Chip::Rv770, "ALU:\nx: ALU_NOP R4.x\n", Fault::NoResult("ALU_NOP"));
}

/// Slots compute in their own order, whatever that of the words is.
#[test]
fn slots_have_an_order_of_their_own() {
    let sum = "  z: ADD R4.z, 1.0, 2.0\n";
    for body in [
        format!("ALU:\n{sum}  x: ADD_PREV R4.x, 10.0\n"),
        format!("ALU:\n  x: ADD_PREV R4.x, 10.0\n{sum}"),
    ] {
        check(Chip::Cypress, &body, [13.0_f32.to_bits(), 0, 3.0_f32.to_bits(), 0]);
    }
}

#[test]
fn only_floats_have_modifiers() {
    let fault = |chip, line: &str, want| check_fault(chip, &format!("ALU:\n{line}\n"), want);
    let source = Fault::SourceModifier;
    let result = Fault::ResultModifier;
    fault(Chip::Rv770, "x: ADD_INT R4.x, -R1.x, R2.x", source("ADD_INT"));
    fault(Chip::Rv770, "x: AND_INT R4.x, R1.x, |R2.x|", source("AND_INT"));
    fault(Chip::Rv770, "x: PRED_SETNE_INT ____, -R1.x, 0", source("PRED_SETNE_INT"));
    fault(Chip::Rv770, "x: CNDE_INT R4.x, -R1.x, R2.x, R3.x", source("CNDE_INT"));
    fault(Chip::Rv770, "x: ADD_INT*2 R4.x, R1.x, R2.x", result("ADD_INT"));
    fault(Chip::Rv770, "x: SETE_INT R4.x, R1.x, R2.x CLAMP", result("SETE_INT"));
    // What a selection picks may be a float, and a move does not know what it moves.
    check(Chip::Rv770, "ALU:\nx: CNDE_INT R4.x, 0, -R2.x, R3.x\n", [0xc000_0000, 0, 0, 0]);
    check(Chip::Rv770, "ALU:\nx: MOV*2 R4.x, -|R1.x|\n", [0xc000_0000, 0, 0, 0]);
}

/// The multiplier of these is Cayman's word for what happens to lanes.
#[test]
fn a_mask_operation_is_no_multiplier() {
    let body = "LOOP_START_DX10 L1\nALU:\n\
                x: PRED_SETNE_INT ____, R1.x, R1.x UPDATE_EXEC_MASK(BREAK)\nLOOP_END L0\nL1:\n";
    let body = body.replace("ALU:", "L0:\nALU:");
    assert!(run(Chip::Cayman, &body).is_ok());
}

#[test]
fn offsets_are_for_the_gathers_that_take_them() {
    let body = |op: &str| {
        format!("TEX:\nSET_TEXTURE_OFFSETS ____, R1.xxxx, t0, s0\n{op} R4.xyzw, R1.xxxx, t0, s0\n")
    };
    check(Chip::Cypress, &body("GATHER4_O"), [1; 4]);
    check(Chip::Cypress, &body("GATHER4"), [0; 4]);
    check(Chip::Cypress, &body("SAMPLE"), [0; 4]);
    let alone = "TEX:\nGATHER4_O R4.xyzw, R1.xxxx, t0, s0\n";
    check_fault(Chip::Cypress, alone, Fault::NoFetchState("SET_TEXTURE_OFFSETS"));
}

/// R4.x is read at AL, which counts 1 and 2 in the outer loop.
#[test]
fn a_loop_without_index_leaves_that_around_it() {
    let inner = |start: &str| {
        format!(
            "LOOP_START L3 CF_CONST(0)\nL0:\n{start} L2 CF_CONST(0)\nL1:\nALU:\nx: MOV R4.x, R[AL+0].x\n\
             LOOP_END L1\nL2:\nLOOP_END L0\nL3:\n"
        )
    };
    check(Chip::Rv770, &inner("LOOP_START_NO_AL"), [2.0_f32.to_bits(), 0, 0, 0]);
    let alone =
        "LOOP_START_NO_AL L1 CF_CONST(0)\nL0:\nALU:\nx: MOV R4.x, R[AL+0].x\nLOOP_END L0\nL1:\n";
    check_fault(Chip::Rv770, alone, Fault::NoLoopIndex);
}

#[test]
fn the_loop_index_is_read_as_an_integer() {
    let copy = "ALU:\nx: MOV R4.x, LOOP_IDX\n";
    let body = format!("LOOP_START L1 CF_CONST(0)\nL0:\n{copy}LOOP_END L0\nL1:\n");
    for chip in [Chip::Cedar, Chip::Cayman] {
        check(chip, &body, [2, 0, 0, 0]);
        check_fault(chip, copy, Fault::NoLoopIndex);
    }
}

/// The loop index is not what the group loads.
#[test]
fn a_group_may_load_an_address_and_add_the_loop_index() {
    let body = "LOOP_START L1 CF_CONST(0)\nL0:\nALU:\nx: MOVA_INT ____, R1.x\n\
                y: MOV R4.y, R[AL+0].x\nLOOP_END L0\nL1:\n";
    check(Chip::Rv770, body, [0, 2.0_f32.to_bits(), 0, 0]);
    let raced = "ALU:\nx: MOVA_INT ____, R1.x\ny: MOV R4.y, R[AR.x+0].x\n";
    check_fault(Chip::Rv770, raced, Fault::IllegalGroup(GroupRule::AddressRace));
}

/// R1 and R2 are written, one in each of two iterations.
#[test]
fn writes_to_memory_add_the_loop_index() {
    let write = "MEM_RING: WRITE 0, R[AL+0].x___\n";
    let outcome =
        run(Chip::Rv770, &format!("LOOP_START L1 CF_CONST(0)\nL0:\n{write}LOOP_END L0\nL1:\n"));
    let written = outcome.unwrap().events.into_iter().filter_map(|event| match event {
        Event::Memory(write) if write.lane == 0 => Some(f32::from_bits(write.values[0])),
        _ => None,
    });
    assert_eq!(written.collect::<Vec<_>>(), [1.0, 2.0]);
    check_fault(Chip::Rv770, write, Fault::NoLoopIndex);
}

/// A write to scratch memory stays in its array, and one to a target adds what an index register has.
#[test]
fn writes_to_memory_reach_what_they_say() {
    let scratch = |index: u32, last: u32| {
        format!(
            "ALU:\nx: MOV R4.x, {index:#x}\nMEM_SCRATCH: WRITE_IND_ACK 0[R4], R1.xyzw ARRAY_SIZE({last})\n"
        )
    };
    let outside = |index: u64, last: u64| Fault::AddressOutOfRange {
        memory: "an array in scratch memory",
        address: index * 16,
        size: (last + 1) * 16,
    };
    check_fault(Chip::Rv770, &scratch(4, 3), outside(4, 3));
    check_fault(Chip::Rv770, &scratch(0x4000_0000, 3), outside(0x4000_0000, 3));
    let target = |index: u32| {
        format!(
            "ALU:\n0 x: MOVA_INT CF_IDX0, {index:#x}\nNOP\nMEM_RAT: WRITE_IND STORE_RAW RAT1+CF_IDX0[R2], R1.x___\n"
        )
    };
    check_fault(Chip::Cayman, &target(2), Fault::NoResource("access target", 3));
    let unset = "MEM_RAT: WRITE_IND STORE_RAW RAT1+CF_IDX0[R2], R1.x___\n";
    check_fault(Chip::Cayman, unset, Fault::IndexNotUniform(0));
}

#[test]
fn what_is_not_modelled_is_refused() {
    let refused = |name: &str, why| Fault::NotExecuted(name.to_owned(), why);
    let fog = "ALU:\nx: MOV R4.x, R1.x FOG_MERGE\n";
    check_fault(Chip::Rv670, fog, refused("FOG_MERGE", "its effect is not documented"));
    let share = |property: &str, want| {
        let body = format!("GDS:\nGDS_ADD_RET R4.x___, R1.xy_ UAV(0) ALLOC_CONSUME {property}\n");
        check_fault(Chip::Cypress, &body, want);
    };
    share("BCAST_FIRST_REQ", refused("BCAST_FIRST_REQ", "it is not modelled"));
    share("SECOND_GPR(3)", refused("SECOND_GPR", "it is not modelled"));
    share("SRC_REL(AL)", Fault::NoLoopIndex);
    share("DST_REL(AL)", Fault::NoLoopIndex);
    share("SRC_REL(GLOBAL)", refused("a register that waves share", "it is not modelled"));
}

#[test]
fn doubles_are_for_the_chips_that_have_them() {
    let add = "ALU:\nx: ADD_64 R4.x, R1.y, R1.y\ny: ADD_64 R4.y, R1.y, R1.y\n";
    check(Chip::Cypress, add, [0; 4]);
    check_fault(Chip::Cedar, add, Fault::NoDoubles("ADD_64"));
    let fused = "ALU:\nx: FMA R4.x, R1.x, R2.x, R3.x\n";
    check(Chip::Cayman, fused, [5.0_f32.to_bits(), 0, 0, 0]);
    check_fault(Chip::Juniper, fused, Fault::NoDoubles("FMA"));
}

#[test]
fn queues_are_taken_in_their_clause_and_hold_so_much() {
    let reads = |count| "x: LDS_READ_RET 0\n".repeat(count);
    check_fault(Chip::Cypress, &format!("ALU:\n{}", reads(1)), Fault::QueueLeft('A'));
    check_fault(Chip::Cypress, &format!("ALU:\n{}", reads(65)), Fault::QueueFull('A'));
    let pair = "ALU:\n0 x: LDS_READ2_RET 0, 4\n1 x: MOV R4.x, LDS_OQ_A_POP\n";
    check_fault(Chip::Cypress, pair, Fault::QueueLeft('B'));
    check(Chip::Cypress, &format!("{pair}2 y: MOV R4.y, LDS_OQ_B_POP\n"), [0; 4]);
}

#[test]
fn a_unit_runs_what_is_its_own() {
    let sample = "SAMPLE R4.xyzw, R1.xxxx, t0, s0\n";
    check_fault(Chip::Rv770, &format!("VTX:\n{sample}"), Fault::WrongUnit("SAMPLE", "VTX"));
    let share = "GDS_ADD ____, R1.xy_\n";
    check_fault(Chip::Cypress, &format!("TEX:\n{share}"), Fault::WrongUnit("GDS_ADD", "TEX"));
    check_fault(Chip::Cypress, &format!("GDS:\n{sample}"), Fault::WrongUnit("SAMPLE", "GDS"));
    let wrong_slot = |name| Fault::IllegalGroup(GroupRule::NotInSlotX(name));
    let read = "ALU:\ny: LDS_READ_RET 0\n";
    check_fault(Chip::Cypress, read, wrong_slot("LDS_IDX_OP"));
    check_fault(Chip::Cypress, "ALU:\ny: GROUP_BARRIER ____\n", wrong_slot("GROUP_BARRIER"));
}

/// All operands are read before anything is taken out, whichever slot asks for it.
#[test]
fn a_group_takes_one_value_out_of_a_queue() {
    let (look, take) = ("LDS_OQ_A", "LDS_OQ_A_POP");
    for [x, y] in [[look, take], [take, look], [take; 2]] {
        let text = format!("ALU:\n0 x: LDS_READ_RET 0\n1 x: MOV R4.x, {x}\n  y: MOV R4.y, {y}\n");
        check(Chip::Cypress, &text, [0; 4]);
    }
}

/// Only its own clause sees a temporary, by its number or by an index.
#[test]
fn a_clause_temporary_ends_with_its_clause() {
    let fetch = "ALU:\nx: MOV T0.x, 1.0\nTEX:\nSAMPLE R4.xyzw, R124.xxxx, t0, s0\n";
    check_fault(Chip::Cypress, fetch, Fault::TemporaryNotSet { gpr: 124, channel: 0 });
    let index = "ALU:\n0 x: MOVA_INT ____, 123\n1 x: MOV R[AR.x+1].x, 1.0\n";
    check(Chip::Cypress, &format!("{index}2 x: MOV R4.x, T0.x\n"), [1.0_f32.to_bits(), 0, 0, 0]);
    let unset = "ALU:\n0 x: MOVA_INT ____, 123\n1 x: MOV R4.x, R[AR.x+1].x\n";
    check_fault(Chip::Cypress, unset, Fault::TemporaryNotSet { gpr: 124, channel: 0 });
}

#[test]
fn cube_reads_both_sources_of_its_slots() {
    let cube = |w: &str| {
        format!(
            "ALU:\n0 x: CUBE R4.x, R3.x, R2.x\n  y: CUBE R4.y, R3.x, R1.x\n  \
             z: CUBE R4.z, R1.x, R3.x\n  w: CUBE R4.w, R2.x, {w}\n"
        )
    };
    // A direction of (1, 2, 3) hits the face of +z.
    check(Chip::Rv770, &cube("R3.x"), [-2.0_f32, 1.0, 6.0, 4.0].map(f32::to_bits));
    check_fault(Chip::Rv770, &cube("R2.x"), Fault::Arrangement("CUBE"));
    check_fault(Chip::Rv770, &cube("-R3.x"), Fault::Arrangement("CUBE"));
}

#[test]
fn slots_of_one_result_read_the_same() {
    let recip = |z: &str| {
        format!(
            "ALU:\nx: RECIP_IEEE R4.x, R2.x\ny: RECIP_IEEE ____, R2.x\nz: RECIP_IEEE ____, {z}\n"
        )
    };
    check(Chip::Cayman, &recip("R2.x"), [0.5_f32.to_bits(), 0, 0, 0]);
    for other in ["R3.x", "-R2.x", "R2.y"] {
        let fault = Fault::IllegalGroup(GroupRule::UnequalSources("RECIP_IEEE"));
        check_fault(Chip::Cayman, &recip(other), fault);
    }
    let product = "ALU:\nx: MULLO_INT R4.x, R1.x, R2.x\ny: MULLO_INT R4.y, R1.x, R2.x\n\
                   z: MULLO_INT ____, R1.x, R2.x\nw: MULLO_INT ____, R2.x, R1.x\n";
    let fault = Fault::IllegalGroup(GroupRule::UnequalSources("MULLO_INT"));
    check_fault(Chip::Cayman, product, fault);
}

#[test]
fn fetches_swap_bytes_and_map_fractions_as_they_say() {
    let fetch_to = |to: &str, rest: &str| {
        format!("ALU:\nx: MOV R5.x, 0\nVTX:\nVFETCH R4.{to}, R5.x, b0 {rest}\n")
    };
    // On this chip what the format lacks may be anything, so the fetch itself chooses 0.
    let fetch = |rest: &str| fetch_to("x000", rest);
    let whole = "FORMAT(32) NUM_FORMAT(INT)";
    check(Chip::Rv770, &fetch(whole), [0x8081_8283, 0, 0, 0]);
    check(Chip::Rv770, &fetch(&format!("{whole} ENDIAN_SWAP(8IN32)")), [0x8382_8180, 0, 0, 0]);
    check(Chip::Rv770, &fetch(&format!("{whole} ENDIAN_SWAP(8IN16)")), [0x8180_8382, 0, 0, 0]);
    let fractions = "FORMAT(8_8_8_8) NUM_FORMAT(NORM) SIGNED";
    let want = [-249.0_f32, -251.0, -253.0, -255.0].map(|value| (value / 255.0).to_bits());
    check(Chip::Rv770, &fetch_to("xyzw", &format!("{fractions} NO_ZERO")), want);
    let body = fetch(&format!("{whole} ENDIAN_SWAP(8IN64)"));
    assert!(matches!(run(Chip::Rv770, &body).unwrap_err().fault, Fault::NotExecuted(..)));
    let body = fetch(&format!("{whole} ALT_CONST"));
    assert!(matches!(run(Chip::Rv770, &body).unwrap_err().fault, Fault::NotExecuted(..)));
}

#[test]
fn a_clause_for_valid_pixels_leaves_the_others_alone() {
    let body = "ALU_VALID_PIXEL_MODE:\nx: MOV R4.x, 1.0\nALU:\ny: MOV R4.y, 1.0\n";
    let outcome = run(Chip::Cayman, body).unwrap();
    let lanes = &outcome.exports.values().next().unwrap().lanes;
    let one = Some(0x3f80_0000);
    assert_eq!([lanes[2][0], lanes[3][0]], [one, Some(0)]);
    assert_eq!([lanes[2][1], lanes[3][1]], [one, one]);
}

/// Lane 3, which covers no pixel, has another index than the rest.
#[test]
fn a_sample_for_valid_pixels_asks_for_their_index_alone() {
    let body = |modes: &str| {
        format!(
            "ALU_VALID_PIXEL_MODE:\nx: MOV R4.x, 1\nALU:\nx: MOVA_INT CF_IDX0, R4.x\nTEX:{modes}\n\
             SAMPLE R4.xyzw, R1.xyzw, t0, s0 RESOURCE_INDEX(CF_IDX0)\n"
        )
    };
    check(Chip::Cayman, &body(" VALID_PIX"), [0; 4]);
    check_fault(Chip::Cayman, &body(""), Fault::IndexNotUniform(0));
}

#[test]
fn reserved_values_are_refused() {
    let generation = Chip::Rv770.generation();
    let text = "ALU:\nx: MOV R4.x, R1.x PRED_SEL_ZERO\nEXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n";
    let mut words = asm::assemble(text, generation).unwrap();
    let first = words.len() - 2;
    // Predicate select 1 instead of 2; then a lock of kcache lines by the loop index.
    words[first] ^= 3 << 29;
    let declaration =
        Declaration { chip: Chip::Rv770, stage: Stage::Pixel, num_gprs: 8, stack_entries: 0 };
    let fault = |words: &[u32]| Kernel::from_words(words, declaration).unwrap_err().fault;
    assert!(matches!(fault(&words), Fault::NotExecuted(..)));
    words[first] &= !(3 << 29);
    words[0] |= 3 << 30;
    assert!(matches!(fault(&words), Fault::NotExecuted(..)));
}

#[test]
fn events_have_a_limit() {
    check_events(Chip::Rv770, "MEM_RING WRITE 0, R1.xyzw BURSTCNT(3)\n", 16);
    check_events(Chip::Rv770, "MEM_STREAM0 WRITE 0, R1.xyzw\n", 4);
    check_events(Chip::Rv770, "EMIT_VERTEX\nEMIT_CUT_VERTEX\nCUT_VERTEX\n", 4);
    check_events(Chip::Cedar, "GDS:\n  0 TF_WRITE ____, R1.xy_\n", 4);
    let endless = "LOOP_START_DX10 after\nagain:\nMEM_RING WRITE 0, R1.xyzw BURSTCNT(3)\n\
                   LOOP_END again\nafter:\n";
    let options = Options::default().event_limit(1000);
    let error = run_with(Chip::Rv770, endless, &options).unwrap_err();
    assert_eq!(error.fault, Fault::EventLimit(1000));
}

/// Branches in each other, as many as one unit holds, and one more: what newer versions of Mesa declare runs, too.
#[test]
fn a_stack_that_some_compiler_declares_suffices() {
    let test = "ALU_PUSH_BEFORE:\nx: PRED_SETGT ____, R1.x, 0.0 UPDATE_EXEC_MASK UPDATE_PRED\n";
    let body = |pops: u32| format!("{}POP end POP_CNT({pops})\nend:\n", test.repeat(pops as usize));
    for (chip, pushes) in [
        (Chip::Rv610, 2),
        (Chip::Rv770, 2),
        (Chip::Cedar, 3),
        (Chip::Cypress, 3),
        (Chip::Cayman, 2),
    ] {
        let needed = |pushes: u32| {
            let text = format!("{}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n", body(pushes));
            let words = asm::assemble(&text, chip.generation()).unwrap();
            let least = Program::decode(&words, chip.generation()).least_stack_size(chip);
            (least, run(chip, &body(pushes)).unwrap().counters.stack_entries)
        };
        assert_eq!([needed(pushes), needed(pushes + 1)], [(1, 1), (2, 2)], "{chip:?}");
    }
}

/// No lane is left at the second push, which says 0: there is no way back to the start.
#[test]
fn a_push_without_a_target_continues() {
    let none = "ALU_PUSH_BEFORE:\nx: PRED_SETGT ____, 0.0, R1.x UPDATE_EXEC_MASK UPDATE_PRED\n";
    let body = format!("{none}PUSH ADDR(0)\nPOP end POP_CNT(2)\nend:\nALU:\nx: MOV R4.x, R1.x\n");
    check(Chip::Rv770, &body, [1.0_f32.to_bits(), 0, 0, 0]);
}
