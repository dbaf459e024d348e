//! Programs that are large in one way compile in about the time that others of their size take. These took minutes.

use r600_codegen::internals::opt::Goals;
use r600_codegen::internals::ssa::parse;
use r600_codegen::internals::{Code, run_pass};
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

/// Exits hand on nothing of an array, whose elements stay where they are.
#[test]
fn a_loop_with_many_exits_that_writes_many_elements() {
    let elements: String = (0..1500).map(|n| format!("MOV TEMP[{n}], IN[0]\n")).collect();
    let exits = "UIF TEMP[1500].xxxx\nBRK\nENDIF\n".repeat(800);
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1499], ARRAY(1), LOCAL\nDCL TEMP[1500]\n\
         DCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\nBGNLOOP\n{elements}\
         UADD TEMP[1500].x, TEMP[1500].xxxx, IN[0].xxxx\n{exits}ENDLOOP\nMOV OUT[0], TEMP[ADDR[0].x](1)\nEND\n"
    );
    assert!(compiled(&text, Chip::Cedar, OptLevel::O0).words.len() > 1600);
}

#[test]
fn many_loops_with_a_call_of_one_long_subroutine() {
    let (loops, moves) = (4000, "MOV TEMP[4], IN[0]\n".repeat(20_000));
    // The subroutine begins after the loops, the move to the output and the end.
    let one = format!("BGNLOOP\nBRK\nCAL :{}\nENDLOOP\n", 4 * loops + 2);
    let text = format!("{}BGNSUB\n{moves}ENDSUB\n", shader(&one.repeat(loops)));
    assert!(!compiled(&text, Chip::Rv770, OptLevel::O0).words.is_empty());
}

#[test]
fn many_elements_among_many_declarations() {
    let constants: String =
        (0..30_000).map(|n| format!("DCL CONST[{}][{}]\n", n / 4096, n % 4096)).collect();
    let body = format!(
        "{constants}UARL ADDR[0].x, IN[0].xxxx\n{}",
        "MOV TEMP[4], TEMP[ADDR[0].x+1](1)\n".repeat(4000)
    );
    assert!(!compiled(&shader(&body), Chip::Rv770, OptLevel::O0).words.is_empty());
}

/// What a pass makes of SSA.
fn after(pass: &str, text: &str) -> String {
    let function = parse(text, Chip::Cedar).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let code = run_pass(pass, Code::Ssa(function), Goals { precise: false });
    code.unwrap_or_else(|error| panic!("{pass}: {error}")).to_string()
}

/// Each parameter takes the next one: only the last is known to be zero at first, then the one before it.
#[test]
fn a_chain_of_parameters_is_zero() {
    let params: String = (1..=300).map(|n| format!(" %{n} = 0x0")).collect();
    let next: String = (2..=300).map(|n| format!(" %{n}")).collect();
    let text = format!(
        "%0 = live in R0.x\nloop{params} %301 = %0 {{\n  %302 = ADD %301, %301\n  if PRED_SETGT %302, 0x41200000 {{\n    \
         break %1\n  }}\n  continue{next} 0x0 %302\n}} %303\nexport Pixel(0) %303, %0, _, _\n"
    );
    let want = "%0 = live in R0.x\nloop %301 = %0 {\n  %302 = ADD %301, %301\n  if PRED_SETGT %302, 0x41200000 {\n    \
                break\n  }\n  continue %302\n}\nexport Pixel(0) 0x0, %0, _, _\n";
    assert_eq!(after("phis", &text), want);
}

/// Each branch is there for the condition of the next one.
#[test]
fn a_chain_of_branches_that_nothing_needs() {
    let branch =
        |n: u32| format!("if PRED_SETNE_INT %{}, 0x0 {{\n}} %{n} = (0x{n:x}, %{})\n", n - 1, n - 1);
    let (start, end) = ("%0 = live in R0.x\n", "export Pixel(0) %0, _, _, _\n");
    let branches: String = (1..=300).map(branch).collect();
    assert_eq!(after("dce", &format!("{start}{branches}{end}")), format!("{start}{end}"));
}

/// A loop of 110 iterations with so many branches, without an instruction in them, that each become a select later.
fn empty_branches(count: u32) -> String {
    let branch = |n: u32| format!("  if PRED_SETNE_INT %1, 0x0 {{\n  }} %{} = (%0, %{n})\n", n + 1);
    let branches: String = (10..10 + count).map(branch).collect();
    let last = 10 + count;
    format!(
        "%0 = live in R0.x\n%1 = live in R0.y\nloop %2 = 0x0 %10 = %1 {{\n  %3 = SETGE_INT %2, 0x6e\n  \
         if PRED_SETNE_INT %3, 0x0 {{\n    break %10\n  }}\n{branches}  %4 = ADD_INT %2, 0x1\n  \
         continue %4 %{last}\n}} %5\nexport Pixel(0) %5, _, _, _\n"
    )
}

#[test]
fn loops_of_many_empty_branches_are_not_unrolled() {
    assert!(!after("unroll", &empty_branches(10)).contains("loop"));
    assert!(after("unroll", &empty_branches(300)).contains("loop"));
}

/// A loop that writes 1,100 elements, with so many exits.
fn exits_after_stores(exits: usize) -> String {
    let stores: String = (0..1100).map(|n| format!("  store array0[{n}].x %0\n")).collect();
    let exit = "  if PRED_SETNE_INT %0, 0x0 {\n    break\n  }\n".repeat(exits);
    format!(
        "array0 = 1100 in scratch from 0\n%0 = live in R0.x\nloop %1 = 0x0 {{\n{stores}{exit}  \
         %2 = ADD_INT %1, 0x1\n  continue %2\n}}\n%3 = load array0[7].x\nexport Pixel(0) %3, _, _, _\n"
    )
}

/// Each exit would hand on all elements.
#[test]
fn arrays_in_loops_of_many_exits_stay() {
    assert!(!after("arrays", &exits_after_stores(10)).contains("load"));
    assert!(after("arrays", &exits_after_stores(1000)).contains("load"));
}

/// As values, each element would be a phi after each of the branches in each iteration: 700,000 dwords.
#[test]
fn elements_that_nested_branches_in_an_unrolled_loop_write() {
    let stores: String = (10..106).map(|n| format!("MOV TEMP[{n}], TEMP[1]\n")).collect();
    let reads: String = (10..106).map(|n| format!("ADD TEMP[4], TEMP[4], TEMP[{n}]\n")).collect();
    let (open, close) = ("UIF IN[0].xxxx\nUIF IN[0].yyyy\n".repeat(59), "ENDIF\n".repeat(118));
    let text = format!(
        "FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..9]\nDCL ADDR[0]\n\
         DCL TEMP[10..105], ARRAY(1), LOCAL\nIMM[0] UINT32 {{0, 1, 10, 3}}\nMOV TEMP[1], IN[0]\n\
         UARL ADDR[0].x, IMM[0].xxxx\nMOV TEMP[ADDR[0].x+10](1), IN[1]\nMOV TEMP[2].x, IMM[0].xxxx\n\
         BGNLOOP\nUSGE TEMP[3].x, TEMP[2].xxxx, IMM[0].zzzz\nUIF TEMP[3].xxxx\nBRK\nENDIF\n\
         {open}{stores}{close}UADD TEMP[1], TEMP[1], IN[1]\n\
         UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\nENDLOOP\nMOV TEMP[4], IN[1]\n{reads}\
         MOV OUT[0], TEMP[4]\nEND\n"
    );
    assert!(compiled(&text, Chip::Cypress, OptLevel::O2).words.len() < 100_000);
}

/// Each break hands on a copy of one value, which lanes of the inner branch read and which lives through the loop.
#[test]
fn many_copies_of_one_value_that_lives_on() {
    let exit = "TXL TEMP[2], TEMP[3].xxxx, SAMP[0], 2D\nUIF TEMP[2].xxxx\nMOV TEMP[6].x, TEMP[1].xxxx\n\
                UIF TEMP[2].yyyy\nTXL TEMP[7].x, TEMP[1].xxxx, SAMP[0], 2D\n\
                ADD TEMP[6].x, TEMP[7].xxxx, TEMP[7].xxxx\nENDIF\nBRK\nENDIF\n";
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
         DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..9]\nIMM[0] UINT32 {{0, 1, 4, 0}}\n\
         TXL TEMP[1], IN[0], SAMP[0], 2D\nBGNLOOP\nUADD TEMP[3].x, TEMP[3].xxxx, IMM[0].yyyy\n\
         {}ENDLOOP\nADD OUT[0], TEMP[1], TEMP[6].xxxx\nEND\n",
        exit.repeat(4000)
    );
    assert!(compiled(&text, Chip::Cypress, OptLevel::O1).words.len() > 8000);
}
