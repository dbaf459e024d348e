//! What a comparison must not take for the same: a program that leaves another word in memory, another integer, or nothing
//! at all in a channel.

use difftest::case::{Case, Compile, Failure, OurCompiler, Program, Target, key_of};
use difftest::compare::{Mismatch, Tally};
use difftest::scene::{Flavor, Scene};
use r600_codegen::{Compiler, OptLevel, Options};
use r600_isa::{Cf, Chip, ComponentSel, ExportKind};
use tgsi_ir::Shader;

const CHIPS: [Chip; 2] = [Chip::Cypress, Chip::Cayman];

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

/// What comes of comparing a program with the interpreter's run of `shader`.
fn compared(shader: &Shader, program: &Program, target: Target) -> Result<(), Failure> {
    let kernel = tgsi_exec::Kernel::new(shader).unwrap();
    let scene = Scene::new(shader, 3, Flavor::Ordinary);
    let case = Case::new(shader, &kernel, scene).unwrap();
    case.check(program, target, &mut Tally::default())
}

/// Holds that the program of `text` is right, and that of the shader with `other` in the place of `own` is not.
#[track_caller]
fn check(text: &str, (own, other): (&str, &str), is_expected: fn(&Mismatch) -> bool) {
    assert!(text.contains(own), "{text}");
    let (shader, changed) = (parse(text), parse(&text.replace(own, other)));
    for (chip, precise) in CHIPS.into_iter().flat_map(|chip| [(chip, false), (chip, true)]) {
        let target = Target { chip, level: OptLevel::O2, precise };
        let result = |compiled: &Shader| {
            compared(&shader, &OurCompiler.compile(compiled, target).unwrap(), target)
        };
        assert_eq!(result(&shader), Ok(()), "{target:?}");
        let found = result(&changed);
        let is_found = matches!(&found, Err(Failure::Differs(mismatch)) if is_expected(mismatch));
        assert!(is_found, "{target:?}: {found:?}");
    }
}

fn is_memory(mismatch: &Mismatch) -> bool {
    matches!(mismatch, Mismatch::Memory { .. })
}

fn is_value(mismatch: &Mismatch) -> bool {
    matches!(mismatch, Mismatch::Value(_))
}

const STORES: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL BUFFER[0]
DCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_UINT, WR
DCL TEMP[0]
IMM[0] UINT32 {4, 8, 5, 0}
RCP TEMP[0], IN[0].xxxx
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
STORE IMAGE[0].xyzw, IMM[0].xyyy, IMM[0].xyzw, 2D
STORE BUFFER[0].x, IMM[0].yyyy, TEMP[0].xxxx
MOV OUT[0], TEMP[0]
END
";

#[test]
fn words_that_are_stored_and_never_read() {
    check(
        STORES,
        ("BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz", "BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy"),
        is_memory,
    );
    check(STORES, ("BUFFER[0].x, IMM[0].xxxx", "BUFFER[0].x, IMM[0].wwww"), is_memory);
    check(STORES, ("IMM[0].xyyy, IMM[0].xyzw", "IMM[0].xyyy, IMM[0].xyzz"), is_memory);
    check(STORES, ("IMM[0].yyyy, TEMP[0].xxxx", "IMM[0].yyyy, IN[0].xxxx"), is_memory);
    check(STORES, ("STORE IMAGE[0].xyzw, IMM[0].xyyy, IMM[0].xyzw, 2D\n", ""), is_memory);
}

#[test]
fn words_that_a_group_stores() {
    const GROUP: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {4, 7, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
UADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy
END
";
    check(GROUP, ("UADD TEMP[0].y, SV[0].xxxx", "UADD TEMP[0].y, IMM[0].xxxx"), is_memory);
}

/// What the group reads is another buffer, which nothing writes.
#[test]
fn words_that_a_group_stores_of_what_it_reads() {
    const GROUP: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL BUFFER[0..1]
DCL TEMP[0]
IMM[0] UINT32 {4, 7, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
LOAD TEMP[0].y, BUFFER[1], TEMP[0].xxxx
UADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy
END
";
    check(GROUP, ("UADD TEMP[0].y, SV[0].xxxx", "UADD TEMP[0].y, IMM[0].xxxx"), is_memory);
}

/// Beside floats, which may be off.
const INTEGERS: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] INT32 {5, 6, -1, -2}
RCP TEMP[0], IN[0].xxxx
MOV TEMP[0].y, IMM[0].xxxx
MOV TEMP[0].z, IMM[0].zzzz
MOV OUT[0], TEMP[0]
END
";

#[test]
fn integers_beside_floats() {
    // As floats one is the neighbour of the other, and negative ones are no numbers.
    check(INTEGERS, ("IMM[0].xxxx", "IMM[0].yyyy"), is_value);
    check(INTEGERS, ("IMM[0].zzzz", "IMM[0].wwww"), is_value);
}

/// The program of a shader whose exports to a target are masked.
fn masked(shader: &Shader, chip: Chip, (kind, base): (ExportKind, u16)) -> Program {
    let target = Target { chip, level: OptLevel::O2, precise: true };
    let options = Options::default().precise(true).key(key_of(shader));
    let mut compiled = Compiler::new(options).unwrap().compile(shader, chip).unwrap();
    for cf in &mut compiled.program.cf {
        if let Cf::Export(export) = cf
            && (export.kind, export.array_base) == (kind, base)
        {
            export.sel = [ComponentSel::Mask; 4];
        }
    }
    let words = compiled.program.encode().unwrap();
    Program { words, ..OurCompiler.compile(shader, target).unwrap() }
}

#[track_caller]
fn check_masked(text: &str, export: (ExportKind, u16)) {
    let shader = parse(text);
    for chip in [Chip::Rv770, Chip::Cypress] {
        let target = Target { chip, level: OptLevel::O2, precise: true };
        let found = compared(&shader, &masked(&shader, chip, export), target);
        assert!(matches!(found, Err(Failure::Rule(_))), "{chip:?}: {found:?}");
        let other = (export.0, 99);
        assert_eq!(compared(&shader, &masked(&shader, chip, other), target), Ok(()), "{chip:?}");
    }
}

#[test]
fn outputs_that_do_not_arrive() {
    const DEPTH: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], POSITION
MOV OUT[0], IN[0]
MOV OUT[1].z, IN[0].xxxx
END
";
    const VERTEX: &str = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], PSIZE
DCL OUT[2], GENERIC[0]
MOV OUT[0], IN[0]
MOV OUT[1].x, IN[0].yyyy
MOV OUT[2], IN[0]
END
";
    check_masked(DEPTH, (ExportKind::Pixel, 61));
    check_masked(VERTEX, (ExportKind::Position, 60));
    check_masked(VERTEX, (ExportKind::Position, 61));
    check_masked(VERTEX, (ExportKind::Parameter, 0));
}
