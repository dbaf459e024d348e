//! Code nests as deeply as its shader does, and little more.

use r600_codegen::internals::check::Checks;
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::Chip;

fn compiled(text: &str, chip: Chip, level: OptLevel) -> Compiled {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(Options::default().level(level)).unwrap();
    compiler.compile_observed(&parsed.shader, chip, &mut Checks).unwrap()
}

fn shader(body: &str) -> String {
    format!(
        "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..255]\nDCL TEMP[0..1]\nIMM[0] INT32 {{0, 1, 2, 3}}\n{body}\
         MOV OUT[0], TEMP[0]\nEND\n"
    )
}

/// Lanes leave where TEMP[0] is constant number `n`.
fn test(n: usize) -> String {
    format!("USEQ TEMP[1].x, TEMP[0].xxxx, CONST[0][{n}].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\n")
}

/// A test that moves to the end of its loop is made once before it, too, with all that follows inside a branch.
#[test]
fn a_loop_with_many_tests_nests_little_deeper() {
    let tests: String = (0..200).map(test).collect();
    let body = format!("BGNLOOP\n{tests}UADD TEMP[0], TEMP[0], IMM[0].yyyy\nENDLOOP\n");
    let text = shader(&body);
    for chip in [Chip::Rv610, Chip::Cayman] {
        let [plain, best] = [OptLevel::O1, OptLevel::O2].map(|level| compiled(&text, chip, level));
        assert!(best.stack_size <= plain.stack_size + 1, "{}", chip.name());
        // The first tests stand before the loop, too.
        assert!(20 * best.words.len() <= 21 * plain.words.len(), "{}", chip.name());
    }
}

/// These chips keep two entries of the stack for a loop, and a program can ask for 255.
#[test]
fn loops_as_deep_as_the_stack_allows_compile_at_every_level() {
    let begin: String = (0..120).map(|n| format!("BGNLOOP\n{}", test(n))).collect();
    let end = "UADD TEMP[0], TEMP[0], IMM[0].yyyy\nENDLOOP\n".repeat(120);
    let text = shader(&(begin + &end));
    for chip in [Chip::Rv610, Chip::Cedar] {
        for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2] {
            assert!(compiled(&text, chip, level).stack_size > 240, "{}", chip.name());
        }
    }
}

/// Only lanes that never come out of an inner loop would get to the end of the outer one.
#[test]
fn loops_around_an_endless_one_compile_at_every_level() {
    let alone = "UIF CONST[0][0].xxxx\nBGNLOOP\nBGNLOOP\nENDLOOP\nENDLOOP\nENDIF\n";
    let beside_an_exit =
        "BGNLOOP\nUIF CONST[0][0].xxxx\nBGNLOOP\nKILL\nENDLOOP\nELSE\nBRK\nENDIF\nENDLOOP\n";
    let in_a_subroutine = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..255]\nBGNLOOP\nUIF CONST[0][0].xxxx\nCAL :8\nELSE\nBRK\nENDIF\nENDLOOP\nEND\n\
                           BGNSUB\nBGNLOOP\nENDLOOP\nENDSUB\n";
    for text in [shader(alone), shader(beside_an_exit), in_a_subroutine.to_owned()] {
        for chip in [Chip::Rv770, Chip::Cayman] {
            for level in OptLevel::ALL {
                assert!(compiled(&text, chip, level).stack_size > 0, "{text}");
            }
        }
    }
}
