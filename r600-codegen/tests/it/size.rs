//! How many words code takes beside those of its operations.

use r600_codegen::internals::check::Checks;
use r600_codegen::{Compiled, Compiler, Options};
use r600_isa::{AluOp, Cf, Chip, Clause};

fn compiled(text: &str, chip: Chip) -> Compiled {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let mut options = Options::default();
    options.passes.verify_each = true;
    let compiler = Compiler::new(options).unwrap();
    compiler.compile_observed(&parsed.shader, chip, &mut Checks).unwrap()
}

/// Three instructions of control flow: the fetch lies at an even address after the one product.
#[test]
fn an_alu_clause_fills_the_gap_before_a_fetch() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n\
                DCL TEMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nMUL OUT[0], TEMP[0].xxxx, TEMP[0].yyyy\nEND\n";
    for chip in [Chip::Rv610, Chip::Rv770] {
        assert_eq!(compiled(text, chip).words.len(), 12, "{}", chip.name());
    }
}

/// What a lane that leaves holds is where the code after the loop reads it.
#[test]
fn lanes_that_leave_a_loop_copy_nothing() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL TEMP[0..2]\n\
                IMM[0] FLT32 {0.0, 1.0, 2.0, 8.0}\nMOV TEMP[0], IN[0]\nMOV TEMP[1], IMM[0].xxxx\nBGNLOOP\n\
                ADD TEMP[0], TEMP[0], CONST[0]\nFSGE TEMP[2].x, TEMP[0].xxxx, CONST[1].xxxx\nUIF TEMP[2].xxxx\nBRK\n\
                ENDIF\nMAD TEMP[1], TEMP[0], CONST[2], TEMP[1]\nENDLOOP\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n";
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        let program = compiled(text, chip).program;
        let groups = program.clauses.iter().flat_map(Clause::groups);
        let num_moves = groups.flat_map(|group| &group.insts).filter(|inst| inst.op == AluOp::Mov);
        // What the loop starts with.
        assert!(num_moves.count() <= 8, "{}", chip.name());
    }
}

fn num_interpolating(text: &str, chip: Chip) -> usize {
    let program = compiled(text, chip).program;
    let clauses = program.clauses.iter().flat_map(Clause::groups);
    let ops = clauses.flat_map(|group| &group.insts).map(|inst| inst.op);
    let is_interpolation = |op: &AluOp| op.name().starts_with("INTERP");
    ops.filter(is_interpolation).count()
}

#[test]
fn unread_channels_of_a_parameter_take_no_slot_if_possible() {
    for (mode, operand, expected) in [
        ("CONSTANT", "xxxx", 1),
        ("CONSTANT", "yxyx", 2),
        ("CONSTANT", "xyzw", 4),
        ("PERSPECTIVE", "xxxx", 2),
        ("PERSPECTIVE", "zzzz", 2),
        ("LINEAR", "yyyy", 4),
        ("LINEAR", "xzxz", 4),
        ("LINEAR", "xyzw", 8),
    ] {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], {mode}\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].{operand}\nEND\n"
        );
        for chip in [Chip::Cedar, Chip::Cypress, Chip::Cayman] {
            let found = num_interpolating(&text, chip);
            assert_eq!(found, expected, "{} {mode} {operand}", chip.name());
        }
    }
}

/// Flat channels of two parameters would fit in the slots of one group, which can read one of the two.
#[test]
fn a_group_reads_one_parameter() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\nDCL IN[2], GENERIC[2], PERSPECTIVE\n\
                DCL IN[3], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nADD TEMP[0].x, IN[0].xxxx, IN[1].yyyy\n\
                ADD TEMP[0].y, IN[2].xxxx, IN[3].zzzz\nMUL OUT[0], TEMP[0].xxxx, TEMP[0].yyyy\nEND\n";
    for chip in [Chip::Cedar, Chip::Cypress, Chip::Cayman] {
        let compiled = compiled(text, chip);
        assert_eq!(compiled.program.verify(), [], "{}", chip.name());
        assert_eq!(num_interpolating(text, chip), 6, "{}", chip.name());
    }
}

/// A vertex goes to the ring of a geometry shader again and again, each time with the same second vector.
#[test]
fn equal_vectors_are_made_once() {
    let emits = "MOV OUT[0], IN[0][0]\nMOV OUT[1], CONST[0][0].xyxy\nEMIT IMM[0].xxxx\n".repeat(3);
    let text = format!(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
         DCL CONST[0][0]\nIMM[0] INT32 {{0, 0, 0, 0}}\n{emits}END\n"
    );
    for chip in [Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        // The vector's channels, and the index of all writes.
        assert_eq!(compiled(&text, chip).program.stats().alu_slots, 5, "{}", chip.name());
    }
}

#[test]
fn a_program_ends_with_what_it_does_last() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n\
                DCL BUFFER[0]\nIMM[0] UINT32 {4, 7, 0, 0}\nSTORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n";
    let program = compiled(text, Chip::Cedar).program;
    assert!(matches!(program.cf.last(), Some(Cf::Memory(memory)) if memory.end_of_program));
}

/// An export of constants reads no register: it may name the next of those that there are.
#[test]
fn exports_of_equal_constants_are_one_instruction() {
    let text = "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL OUT[1..6], GENERIC[0]\nDCL TEMP[0]\n\
                IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}\nMUL TEMP[0], IN[0], IN[1]\nADD OUT[0], TEMP[0], IN[2]\n\
                MOV OUT[1], IMM[0].xxxy\nMOV OUT[2], IMM[0].xxxy\nMOV OUT[3], IMM[0].xxxy\n\
                MOV OUT[4], IMM[0].xxxy\nMOV OUT[5], IMM[0].xxxy\nMOV OUT[6], IMM[0].yyyy\nEND\n";
    for chip in [Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        let compiled = compiled(text, chip);
        let bursts = compiled.program.cf.iter().filter_map(|cf| match cf {
            Cf::Export(export) => Some((export.array_base, export.burst)),
            _ => None,
        });
        // Four registers hold the inputs.
        assert_eq!(compiled.num_gprs, 4, "{}", chip.name());
        assert_eq!(
            bursts.collect::<Vec<_>>(),
            [(60, 1), (0, 4), (4, 1), (5, 1)],
            "{}",
            chip.name()
        );
    }
}

/// A sign makes an inline constant of minus one, also for conditional moves on floats.
#[test]
fn minus_one_is_no_literal_of_a_sign() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nSSG OUT[0], CONST[0]\nEND\n";
    for chip in [Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        let program = compiled(text, chip).program;
        let mut groups = program.clauses.iter().flat_map(Clause::groups);
        assert!(groups.all(|group| group.literals.is_empty()), "{program}");
    }
}
