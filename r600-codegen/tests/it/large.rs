//! Programs that are large in one way compile in about the time that others of their size take. These took minutes.

use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::Chip;

fn compiled(text: &str, chip: Chip, level: OptLevel) -> Compiled {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(Options::default().level(level)).unwrap();
    compiler.compile(&parsed.shader, chip).unwrap()
}

fn shader(body: &str) -> String {
    format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0..3], ARRAY(1), LOCAL\n\
         DCL TEMP[4..1503]\nDCL ADDR[0]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n{body}MOV OUT[0], TEMP[4]\nEND\n"
    )
}

/// Whether the loop ends depends on an array that is stored to and read from everywhere.
#[test]
fn an_array_with_many_accesses_in_a_loop() {
    let open = "UIF IN[0].xxxx\n".repeat(30);
    let close = "ENDIF\n".repeat(30);
    let access = "MOV TEMP[ADDR[0].x](1).x, TEMP[4].yyyy\nUADD TEMP[4].x, TEMP[4].xxxx, TEMP[ADDR[0].x](1).xxxx\n";
    let body = format!(
        "UARL ADDR[0].x, IN[0].yyyy\nBGNLOOP\n{open}{}{close}UIF TEMP[4].xxxx\nBRK\nENDIF\nENDLOOP\n",
        access.repeat(4000)
    );
    assert!(compiled(&shader(&body), Chip::Rv770, OptLevel::O0).words.len() > 8000);
}

/// Each iteration moves every register to the next one, all of them at once.
#[test]
fn a_loop_that_turns_registers_around() {
    let moves: String = (5..1500).map(|n| format!("MOV TEMP[{n}], TEMP[{}]\n", n + 1)).collect();
    let body = format!(
        "MOV TEMP[1500], IN[0]\nBGNLOOP\nMOV TEMP[4], TEMP[5]\n{moves}MOV TEMP[1500], TEMP[4]\nUIF TEMP[4].xxxx\nBRK\nENDIF\nENDLOOP\n"
    );
    assert!(compiled(&shader(&body), Chip::Cedar, OptLevel::O0).words.len() > 1500);
}

/// A value of the loop is read before and after each of many exits.
#[test]
fn a_loop_with_many_exits_within_a_branch() {
    let exit = "FSLT TEMP[6].x, TEMP[4].xxxx, IN[0].xxxx\nUIF TEMP[6].xxxx\nBRK\nENDIF\n\
                ADD TEMP[5].x, TEMP[4].xxxx, TEMP[5].xxxx\n";
    let body = format!(
        "BGNLOOP\nUIF IN[0].yyyy\n{}ENDIF\nADD TEMP[4].x, TEMP[4].xxxx, IN[0].zzzz\nENDLOOP\n",
        exit.repeat(8000)
    );
    assert!(compiled(&shader(&body), Chip::Cedar, OptLevel::O0).words.len() > 40_000);
}

#[test]
fn straight_code_that_reads_much() {
    let read = |n: u32| {
        format!(
            "LOAD TEMP[5].x, BUFFER[0], IMM[{n}].xxxx\nUADD TEMP[4].x, TEMP[4].xxxx, TEMP[5].xxxx\n"
        )
    };
    let immediates: String =
        (1..12_000).map(|n| format!("IMM[{n}] UINT32 {{{}, 0, 0, 0}}\n", 4 * n)).collect();
    let body: String = (1..12_000).map(read).collect();
    let text = shader(&(immediates + &body));
    assert!(compiled(&text, Chip::Cedar, OptLevel::O2).words.len() > 12_000);
}
