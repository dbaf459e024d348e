//! Shaders that showed faults of scheduling and emission: each compiles on every generation and level, and every checker
//! accepts each step.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use r600_codegen::internals::check::Checks;
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::{AluOp, Cf, Chip, Clause};

const CHIPS: [Chip; 5] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cypress, Chip::Cayman];

fn checked(text: &str, chip: Chip, level: OptLevel) -> Compiled {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let mut options = Options::default().level(level);
    options.passes.verify_each = true;
    let compiler = Compiler::new(options).unwrap();
    let compiled = compiler.compile_observed(&parsed.shader, chip, &mut Checks);
    compiled.unwrap_or_else(|error| panic!("{chip:?} {level:?}: {error}"))
}

fn each_chip_and_level(text: &str, chips: &[Chip]) {
    for &chip in chips {
        for level in OptLevel::ALL {
            checked(text, chip, level);
        }
    }
}

/// The last line of a buffer has a window like any other.
#[test]
fn the_last_constants_of_a_buffer_are_read() {
    for (first, second) in [(4095, 4079), (4080, 4064), (4095, 4095), (0, 4095)] {
        let text = format!(
            "FRAG
DCL OUT[0], COLOR
DCL CONST[0][0..4095]
DCL CONST[1][0..4095]
DCL TEMP[0]
ADD TEMP[0], CONST[0][{first}], CONST[0][{second}].yxwz
MAD OUT[0], TEMP[0], CONST[1][{second}], CONST[1][{first}]
END
"
        );
        each_chip_and_level(&text, &CHIPS);
    }
}

/// Interpolation reads both coordinates of a pair from one register, whatever the group before has forwarded.
#[test]
fn interpolation_at_an_offset_reads_a_pair() {
    for mask in ["", ".x", ".xy", ".z", ".xyz"] {
        let text = format!(
            "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], LINEAR
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0..2]
IMM[0] FLT32 {{0.25, -0.25, 0.5, 0.0}}
MUL TEMP[1].x, CONST[0].xxxx, CONST[0].yyyy
MOV TEMP[1].y, CONST[0].zzzz
INTERP_OFFSET TEMP[0]{mask}, IN[0].yyyy, IMM[0]
INTERP_OFFSET TEMP[2]{mask}, IN[1].zyyx, TEMP[1].yxxx
ADD OUT[0]{mask}, TEMP[0], TEMP[2]
END
"
        );
        each_chip_and_level(&text, &[Chip::Cedar, Chip::Cypress, Chip::Cayman]);
    }
}

/// `a[i]; i++; a[i]` in a loop: the index is loaded again where its register is written.
#[test]
fn an_index_that_is_stepped_in_place_is_loaded_again() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0..1]
DCL TEMP[2..4], ARRAY(1)
DCL ADDR[0]
IMM[0] UINT32 {0, 1, 2, 3}
MOV TEMP[2](1).x, CONST[0].xxxx
MOV TEMP[3](1).x, CONST[0].yyyy
MOV TEMP[4](1).x, CONST[0].zzzz
AND TEMP[0].x, IN[0].xxxx, IMM[0].yyyy
BGNLOOP
  UARL ADDR[0].x, TEMP[0].xxxx
  MOV TEMP[1].x, TEMP[ADDR[0].x+2](1).xxxx
  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  UARL ADDR[0].x, TEMP[0].xxxx
  MOV TEMP[1].y, TEMP[ADDR[0].x+2](1).xxxx
  USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz
  UIF TEMP[0].yyyy
    BRK
  ENDIF
ENDLOOP
MOV OUT[0], TEMP[1].xyxy
END
";
    each_chip_and_level(text, &CHIPS);
    for chip in CHIPS {
        let listing = checked(text, chip, OptLevel::O2).program.to_string();
        assert_eq!(listing.matches("MOVA").count(), 2, "{listing}");
    }
}

/// As the open driver has it: where an index is loaded by `MOVA_INT`, on chips of R600 that can.
#[test]
fn clauses_of_r600_that_load_an_index_have_the_waterfall_bit() {
    let text = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0..3], ARRAY(1), LOCAL
DCL ADDR[0]
MOV TEMP[0](1), IN[0]
MOV TEMP[1](1), IN[0].yzwx
MOV TEMP[2](1), IN[0].zwxy
MOV TEMP[3](1), IN[0].wxyz
UARL ADDR[0].x, IN[0].xxxx
MOV OUT[0], TEMP[ADDR[0].x](1)
END
";
    for (chip, has_bit) in [
        (Chip::Rv670, true),
        (Chip::Rs780, true),
        (Chip::Rs880, true),
        (Chip::Rv610, false),
        (Chip::Rv770, false),
        (Chip::Cedar, false),
    ] {
        for level in OptLevel::ALL {
            let program = checked(text, chip, level).program;
            let clauses = program.cf.iter().filter_map(|cf| match cf {
                Cf::Alu(alu) => Some((alu.uses_waterfall, &program.clauses[alu.clause.0 as usize])),
                _ => None,
            });
            let mut bits = 0;
            for (uses_waterfall, clause) in clauses {
                let Clause::Alu(groups) = clause else { panic!("{clause:?}") };
                let mut insts = groups.iter().flat_map(|group| &group.insts);
                let loads = insts.any(|inst| inst.op == AluOp::MovaInt);
                assert_eq!(uses_waterfall, has_bit && loads, "{chip:?} {level:?}\n{program}");
                bits += usize::from(uses_waterfall);
            }
            assert_eq!(bits > 0, has_bit, "{chip:?} {level:?}\n{program}");
        }
    }
}

/// The limit is on what calls add: a shader without calls may be longer.
#[test]
fn a_shader_longer_than_the_limit_of_growth_compiles() {
    let body = "ADD TEMP[0], TEMP[0], IN[0]\n".repeat(20);
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n{body}\
         MOV OUT[0], TEMP[0]\nEND\n"
    );
    let shader = tgsi_text::parse(&text).shader;
    let limits = r600_codegen::Limits { instructions: 2 };
    let compiler = Compiler::new(Options::default().limits(limits)).unwrap();
    compiler.compile(&shader, Chip::Rv770).unwrap();
}
