//! The hardware takes float denormals for zeros. What is no float passes all the same: small integers, and high halves
//! of small doubles.
//!
//! Elsewhere denormals are kept on both sides, so that a float operation on such bits would not show.

use r600_codegen::{OptLevel, Options as CompilerOptions};
use r600_isa::Chip;
use r600_sim::{
    Declaration, Denormals, Entry, ExportKind, Kernel, Numerics, Options, Resources, Stage,
};

const OLD_CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];
const DOUBLE_CHIPS: [Chip; 2] = [Chip::Cypress, Chip::Cayman];

/// What an operand may be besides as it is.
const MODIFIERS: [(&str, &str); 4] = [("", ""), ("-", ""), ("|", "|"), ("-|", "|")];

/// Constants that are denormals if taken for floats: integers, and pairs that are small doubles.
struct Constants;

impl Resources for Constants {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        let vectors = [
            [5, 0x0041_2345, 0x8000_0003, 0x8000_0007],
            [3, 0x0000_0002, 0xFFFF_FFFE, 0x0070_0000],
        ];
        vectors.get(index as usize).copied().filter(|_| bank == 0)
    }
}

/// What the shader exports as its colour.
fn color(body: &str, chip: Chip, level: OptLevel, denormals: Denormals) -> [Option<u32>; 4] {
    let text = format!(
        "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0..1]\nDCL TEMP[0..1]\n{body}\n\
         MOV OUT[0], TEMP[0]\nEND\n"
    );
    let parsed = tgsi_text::parse(&text);
    let options = CompilerOptions::default().level(level);
    let compiled = r600_codegen::compile(&parsed.shader, chip, &options)
        .unwrap_or_else(|error| panic!("{body} on {chip:?}: {error}"));
    let num_gprs = u32::from(compiled.num_gprs);
    let stack_entries = compiled.stack_size;
    let declaration = Declaration { chip, stage: Stage::Pixel, num_gprs, stack_entries };
    let kernel = Kernel::from_words(&compiled.words, declaration).unwrap();
    let numerics = Numerics { denormals, ..Numerics::default() };
    let options = Options::default().numerics(numerics);
    let outcome = kernel.run(&Entry::new(1), &options, &mut Constants).unwrap();
    outcome.export(ExportKind::Pixel, 0).unwrap().lanes[0]
}

fn check(body: &str, chips: &[Chip]) {
    for &chip in chips {
        for level in [OptLevel::O0, OptLevel::O2] {
            let [kept, flushed] =
                [Denormals::Keep, Denormals::Flush].map(|mode| color(body, chip, level, mode));
            assert_eq!(kept, flushed, "{body} on {chip:?} at {level:?}");
        }
    }
}

#[test]
fn small_doubles_pass() {
    let unary = ["DNEG", "DABS", "DSSG", "DROUND", "DFLR", "DCEIL", "DTRUNC", "D2U", "D2I64"];
    for opcode in unary {
        for (before, after) in MODIFIERS {
            check(&format!("{opcode} TEMP[0], {before}CONST[0]{after}"), &DOUBLE_CHIPS);
        }
    }
    for opcode in ["DADD", "DMAX", "DSLT", "DMUL"] {
        for (before, after) in MODIFIERS {
            let body = format!("{opcode} TEMP[0], CONST[1], {before}CONST[0]{after}");
            check(&body, &DOUBLE_CHIPS);
        }
    }
    for (before, after) in MODIFIERS {
        let own = format!("{before}CONST[0]{after}");
        check(&format!("DFMA TEMP[0], {own}, CONST[1], {own}"), &DOUBLE_CHIPS);
    }
}

#[test]
fn small_integers_pass() {
    let binary =
        ["UADD", "IMAX", "UMIN", "XOR", "USHR", "USLT", "IDIV", "UMUL", "U64ADD", "I64MIN"];
    for opcode in binary {
        for (before, after) in MODIFIERS {
            let body = format!("{opcode} TEMP[0], {before}CONST[0]{after}, CONST[1]");
            check(&body, &OLD_CHIPS);
        }
    }
    let bodies = [
        "UCMP TEMP[0], CONST[0], CONST[1], CONST[0]",
        "UIF CONST[0].xxxx\nMOV TEMP[0], CONST[1]\nELSE\nMOV TEMP[0], CONST[0]\nENDIF",
        "SWITCH CONST[1].yyyy\nCASE CONST[1].yyyy\nMOV TEMP[0], CONST[0]\nBRK\nDEFAULT\n\
         MOV TEMP[0], CONST[1]\nENDSWITCH",
        "BGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, CONST[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\n\
         UADD TEMP[0], TEMP[0], CONST[1].yyyy\nENDLOOP",
    ];
    bodies.into_iter().for_each(|body| check(body, &OLD_CHIPS));
}
