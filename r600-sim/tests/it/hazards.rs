//! Programs that do not avoid what a chip gets wrong: they stop where the run takes the chip to do so, and nowhere else.

use crate::support;

use r600_isa::{Chip, Hazard, HazardSet, asm};
use r600_sim::{
    Buffer, BufferFormat, Declaration, Fault, Kernel, NoResources, Options, Resources, Stage,
};
use support::entry;

/// How the run of a listing ends, with `hazards` taken to be there.
fn run(chip: Chip, stage: Stage, text: &str, hazards: HazardSet) -> Result<(), Fault> {
    let words = asm::assemble(text, chip.generation());
    let words = words.unwrap_or_else(|found| panic!("{text}: {found:#?}"));
    let declaration = Declaration { chip, stage, num_gprs: 8, stack_entries: 4 };
    let kernel = Kernel::from_words(&words, declaration).map_err(|error| error.fault)?;
    let options = Options::default().hazards(hazards);
    let outcome = kernel.run(&entry(&[1, 2, 3]), &options, &mut NoResources);
    outcome.map(|_| ()).map_err(|error| error.fault)
}

/// The pixel program with `body` stops on `chip` by `hazard`, and on `other`, which lacks it, does not.
fn check(hazard: Hazard, [chip, other]: [Chip; 2], body: &str) {
    let text = format!("{body}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
    check_program(hazard, [chip, other], Stage::Pixel, &text);
}

fn check_program(hazard: Hazard, [chip, other]: [Chip; 2], stage: Stage, text: &str) {
    assert!(chip.has(hazard) && !other.has(hazard), "{hazard:?}");
    let only = HazardSet::NONE.with(hazard);
    assert_eq!(run(chip, stage, text, HazardSet::ALL), Err(Fault::Exposed(hazard)), "{text}");
    assert_eq!(run(chip, stage, text, only), Err(Fault::Exposed(hazard)), "{text}");
    assert_eq!(run(chip, stage, text, HazardSet::NONE), Ok(()), "{text}");
    assert_eq!(run(other, stage, text, only), Ok(()), "{text}");
}

/// The pixel program with `body` avoids everything.
fn check_avoided(chip: Chip, body: &str) {
    let text = format!("{body}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
    assert_eq!(run(chip, Stage::Pixel, &text, HazardSet::ALL), Ok(()), "{text}");
}

#[test]
fn the_trans_slot_is_empty_beside_local_memory() {
    let write = "ALU:\n0 x: LDS_WRITE 0, 1\n  t: RECIP_IEEE R4.y, 1.0\n";
    // A read of what an access returned counts as well.
    let queue =
        "ALU:\n0 x: LDS_READ_RET 0\n1 x: MOV R4.x, LDS_OQ_A_POP\n  t: RECIP_IEEE R4.y, 1.0\n";
    for body in [write, queue] {
        let text = format!("{body}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
        let found = run(Chip::Cedar, Stage::Pixel, &text, HazardSet::ALL);
        assert_eq!(found, Err(Fault::Exposed(Hazard::LdsBesideTrans)));
        assert_eq!(run(Chip::Cedar, Stage::Pixel, &text, HazardSet::NONE), Ok(()));
    }
    check_avoided(
        Chip::Cedar,
        "ALU:\n0 x: LDS_WRITE 0, 1\n  y: MOV R4.y, 1.0\n1 t: RECIP_IEEE R4.x, 1.0\n",
    );
}

#[test]
fn a_barrier_ends_a_clause_of_plain_operations() {
    let exposed = |text: &str| {
        for chip in [Chip::Cedar, Chip::Cayman] {
            let text = format!("{text}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
            let found = run(chip, Stage::Pixel, &text, HazardSet::ALL);
            assert_eq!(found, Err(Fault::Exposed(Hazard::BarrierInClause)), "{text}");
        }
    };
    exposed("ALU:\n0 x: GROUP_BARRIER ____\n1 x: MOV R4.x, 1.0\n");
    exposed("ALU:\n0 x: MOVA_INT ____, 1\n1 x: GROUP_BARRIER ____\n");
    exposed("ALU:\n0 x: PRED_SETE ____, 0, 1.0 UPDATE_PRED\n1 x: GROUP_BARRIER ____\n");
    exposed("ALU:\n0 x: KILLE ____, 0, 1.0\n1 x: GROUP_BARRIER ____\n");
    check_avoided(Chip::Cedar, "ALU:\n0 x: MOV R4.x, 1.0\n1 x: GROUP_BARRIER ____\n");
}

#[test]
fn a_kill_ends_its_clause() {
    let text = |rest: &str| {
        format!("ALU:\n0 x: KILLE ____, 0, 1.0\n{rest}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n")
    };
    for chip in support::CHIPS {
        let found = run(chip, Stage::Pixel, &text("1 x: MOV R4.x, 1.0\n"), HazardSet::ALL);
        assert_eq!(found, Err(Fault::Exposed(Hazard::KillInClause)), "{chip:?}");
        let apart = text("ALU:\n1 x: MOV R4.x, 1.0\n");
        assert_eq!(run(chip, Stage::Pixel, &apart, HazardSet::ALL), Ok(()), "{chip:?}");
        assert_eq!(run(chip, Stage::Pixel, &text("1 x: MOV R4.x, 1.0\n"), HazardSet::NONE), Ok(()));
    }
}

#[test]
fn the_first_chips_index_registers_by_an_operation_of_their_own() {
    let chips = [Chip::Rv630, Chip::Rv670];
    let body = |load: &str| format!("ALU:\n0 {load} ____, 1\n1 x: MOV R4.x, R[AR.x+1].x\n");
    check(Hazard::MovaGpr, chips, &body("x: MOVA_INT"));
    check_avoided(Chip::Rv630, &body("t: MOVA_GPR_INT"));
}

#[test]
fn a_register_is_read_with_one_index_or_with_none() {
    let read = |sources: &str| format!("ALU:\n0 x: MOVA_INT ____, 1\n1 x: ADD R4.x, {sources}\n");
    for chip in [Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        let text =
            format!("{}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n", read("R[AR.x+1].x, R1.y"));
        let found = run(chip, Stage::Pixel, &text, HazardSet::ALL);
        assert_eq!(found, Err(Fault::Exposed(Hazard::IndexKinds)), "{chip:?}");
        assert_eq!(run(chip, Stage::Pixel, &text, HazardSet::NONE), Ok(()), "{chip:?}");
        check_avoided(chip, &read("R[AR.x+1].x, R[AR.x+1].y"));
        check_avoided(chip, &read("R[AR.x+1].x, R2.y"));
    }
}

#[test]
fn multiply_adds_stay_out_of_the_trans_slot() {
    let chips = [Chip::Rv770, Chip::Cedar];
    let muladd = "MULADD_IEEE R4.x, R1.x, 1.0, R2.x";
    check(Hazard::MuladdInTrans, chips, &format!("ALU:\n0 x: MOV R5.x, 1.0\n  t: {muladd}\n"));
    check_avoided(Chip::Rv770, &format!("ALU:\n0 x: {muladd}\n  t: RECIP_IEEE R5.x, 1.0\n"));
}

#[test]
fn a_fetch_reads_no_register_that_its_clause_writes_in_part() {
    let body = "TEX:\nPASS R1.x___, R2.xyzw, t0, s0\nPASS R4.xyzw, R1.yyyy, t0, s0\n";
    let text = format!("{body}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
    for chip in support::CHIPS {
        let found = run(chip, Stage::Pixel, &text, HazardSet::ALL);
        assert_eq!(found, Err(Fault::Exposed(Hazard::FetchOfFetched)), "{chip:?}");
        assert_eq!(run(chip, Stage::Pixel, &text, HazardSet::NONE), Ok(()), "{chip:?}");
    }
    let apart = body.replace("\nPASS R4", "\nTEX:\nPASS R4");
    check_avoided(Chip::Rv770, &apart);
}

/// Buffers of one vector.
struct Buffers;

impl Resources for Buffers {
    fn buffer(&self, _resource: u32) -> Option<Buffer<'_>> {
        let format = BufferFormat { data: 0x0d, number: 1, is_signed: false };
        Some(Buffer::new(&[7; 4], 16, format))
    }
}

/// The number of a semantic lies where other fetches name their register.
#[test]
fn a_semantic_is_no_register() {
    for (first, stops) in [("VFETCH R0.xyzw", true), ("SEMFETCH SEM[0].xyzw", false)] {
        let fetches = format!(
            "{first}, R1.x, b0 USE_CONST_FIELDS\nVFETCH R4.xyzw, R0.x, b0 USE_CONST_FIELDS\n"
        );
        let text = format!("VTX:\n{fetches}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
        let words = asm::assemble(&text, Chip::Rv770.generation()).unwrap();
        let stage = Stage::Pixel;
        let declaration = Declaration { chip: Chip::Rv770, stage, num_gprs: 8, stack_entries: 0 };
        let options = Options::default().hazards(HazardSet::ALL);
        let outcome = Kernel::from_words(&words, declaration)
            .and_then(|kernel| kernel.run(&entry(&[]), &options, &mut Buffers));
        assert_eq!(outcome.is_err(), stops, "{text}");
    }
}

#[test]
fn a_vertex_shader_has_an_alu_clause() {
    let exports = "EXP_DONE: POS0, R1.xyzw\nEXP_DONE: PARAM0, R1.xyzw\nEND_OF_PROGRAM\n";
    let chips = [Chip::Rv610, Chip::Rv770];
    check_program(Hazard::VertexWithoutAlu, chips, Stage::Vertex, exports);
    let with_clause = format!("ALU:\n0 x: MOV R4.x, 1.0\n{exports}");
    assert_eq!(run(Chip::Rv610, Stage::Vertex, &with_clause, HazardSet::ALL), Ok(()));
}
