//! Shaders that are too large or do not nest.

use r600_codegen::{Compiler, OptLevel, Options, Refusal};
use r600_isa::Chip;

use super::Met;

pub(crate) fn control_flow_that_does_not_nest(met: &mut Met) {
    let chip = Chip::Rv770;
    let want = "the call of instruction 3 leads back into the subroutine of instruction 2: control flow is not properly nested";
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nCAL :2\nEND\nBGNSUB\nCAL :2\n\
                MOV OUT[0], IN[0]\nENDSUB\n";
    met.refuses_text(chip, text, want);
    let want = "the `IF` of instruction 0 is never closed: control flow is not properly nested";
    met.refuses_unchecked(chip, "FRAG\nDCL OUT[0], COLOR\nIF OUT[0].xxxx\nEND\n", want);
}

pub(crate) fn arrays_that_do_not_fit(met: &mut Met) {
    let text = |count: u32| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..{count}], ARRAY(1)\n\
             DCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\n\
             MOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    let want =
        "TEMP[ADDR[…]]: arrays in scratch memory have at most 4096 vec4 each, and 8191 together";
    met.refuses_text(Chip::Rv770, &text(4096), want);
    met.refuses_text(Chip::Rv770, &crowded(1, 8191), want);
}

pub(crate) fn control_flow_that_nests_too_deeply(met: &mut Met) {
    let nested = |depth: usize, body: &str| {
        format!("{}{body}\n{}", "IF IN[0].xxxx\n".repeat(depth), "ENDIF\n".repeat(depth))
    };
    let want = "instruction 128 opens a block more than 128 levels deep: control flow is not properly nested";
    met.refuses(Chip::Rv770, nested(129, "KILL").trim_end(), want);
    // Each body is flat enough, one within the other is not.
    let bodies = [nested(100, "CAL :202"), nested(100, "CAL :405"), nested(100, "KILL")];
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n{}END\nBGNSUB\n{}ENDSUB\nBGNSUB\n{}ENDSUB\n",
        bodies[0], bodies[1], bodies[2]
    );
    let want = "instruction 459: nesting: branches, loops and calls nest too deeply";
    met.refuses_text(Chip::Rv770, &text, want);
    // Loops take more of the stack than branches.
    let loops = |body: &str| {
        let begin = "BGNLOOP\nIF IN[0].xxxx\nBRK\nENDIF\n";
        format!("{}{body}\n{}", begin.repeat(90), "ENDLOOP\n".repeat(90))
    };
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n{}END\nBGNSUB\n{}ENDSUB\n",
        loops("CAL :452"),
        loops("KILL_IF IN[0].xxxx")
    );
    let want = "nesting: branches, loops and calls nest too deeply";
    met.refuses_text(Chip::Rv610, &text, want);
    met.takes(Chip::Cayman, &text);
}

pub(crate) fn exits_of_loops_that_change_much(met: &mut Met) {
    let values = 1200;
    let changes: String =
        (0..values).map(|n| format!("ADD TEMP[{n}], TEMP[{n}], IN[0]\n")).collect();
    let exits = "IF IN[0].xxxx\nBRK\nENDIF\n".repeat(1000);
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..{}]\nBGNLOOP\n{changes}{exits}ENDLOOP\n\
         MOV OUT[0], TEMP[0]\nEND\n",
        values - 1
    );
    let want = "instruction 3821: BRK or CONT: loops have too many exits for what they change: `BRK`, `CONT` and `RET` hand on at most 4194304 values";
    met.refuses_text(Chip::Rv770, &text, want);
}

/// Every call has the phis of its branches again.
pub(crate) fn branches_that_change_much_in_many_calls(met: &mut Met) {
    let (values, depth) = (400, 120);
    let changes: String = (0..values).map(|n| format!("MOV TEMP[{n}], IN[0]\n")).collect();
    let (begin, end) = ("UIF IN[0].xxxx\n".repeat(depth), "ENDIF\n".repeat(depth));
    let text = |calls: usize| {
        let subroutine = calls + 2;
        let calls = format!("CAL :{subroutine}\n").repeat(calls);
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..{}]\n\
             {calls}MOV OUT[0], TEMP[0]\nEND\nBGNSUB\n{begin}{changes}{end}ENDSUB\n",
            values - 1
        )
    };
    let want = "instruction 823: ENDIF: branches write too many variables: after all of them together at most 2097152 may differ between the arms";
    met.refuses_text(Chip::Cayman, &text(190), want);
    met.takes(Chip::Cayman, &text(1));
}

/// Each early return opens a branch to the end of the program, which may not use up the nesting of the source.
pub(crate) fn early_returns_in_nested_branches(met: &mut Met) {
    let leave = "USHR TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nAND TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww\n\
                 USEQ TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\nUIF TEMP[1].xxxx\nRET\nENDIF\n";
    let begin = "AND TEMP[1], TEMP[0], IMM[0].yyyy\nUIF TEMP[1].xxxx\n";
    let level = format!("{begin}{}UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n", leave.repeat(4));
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
         IMM[0] UINT32 {{0, 1, 2, 3}}\nMOV TEMP[0], IN[0]\nMOV OUT[0], IMM[0]\n{}{}END\n",
        level.repeat(60),
        "ENDIF\n".repeat(60)
    );
    met.takes(Chip::Cayman, &text);
}

pub(crate) fn calls_without_end(met: &mut Met) {
    // Each subroutine calls the one after it twice.
    let mut subroutines = String::new();
    let mut next = 2;
    for _ in 0..20 {
        next += 4;
        subroutines += &format!("BGNSUB\nCAL :{next}\nCAL :{next}\nENDSUB\n");
    }
    let text = format!("FRAG\nDCL OUT[0], COLOR\nCAL :2\nEND\n{subroutines}BGNSUB\nENDSUB\n");
    let want = "CAL: calls and unrolling grow the program beyond the instruction limit";
    met.refuses_unchecked(Chip::Rv770, &text, want);
}

pub(crate) fn writes_by_an_index_to_many_outputs(met: &mut Met) {
    let writes = "MOV OUT[ADDR[0].x](1), IN[0][0].yzwx\n".repeat(300);
    let text = format!(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0..2039], ARRAY(1), GENERIC[0]\n\
         DCL ADDR[0]\nUARL ADDR[0].x, IN[0][0].xxxx\n{writes}END\n"
    );
    let want = "instruction 129: MOV: the instructions become more than 16 times as many operations as there may be instructions; a fetch counts as 8";
    met.refuses_text(Chip::Cedar, &text, want);
}

pub(crate) fn lookups_in_any_texture_by_any_sampler(met: &mut Met) {
    let lookup = "SAMPLE TEMP[0], TEMP[0], SVIEW[ADDR[0].x], SAMP[ADDR[0].y]\n";
    let text = |count| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL ADDR[0]\n\
             DCL SAMP[0..15]\nDCL SVIEW[0..15], 2D, FLOAT\nARL ADDR[0], IN[0]\nMOV TEMP[0], IN[0]\n{}\
             MOV OUT[0], TEMP[0]\nEND\n",
            lookup.repeat(count)
        )
    };
    let compiler = Compiler::new(Options::default().level(OptLevel::O0)).unwrap();
    let compiled = compiler.compile(&tgsi_text::parse(&text(600)).shader, Chip::Rv770);
    let error = compiled.map(|_| ()).unwrap_err();
    assert_eq!(error.refusal(), Some(Refusal::OperationGrowth), "{error}");
    met.takes(Chip::Rv770, &text(2));
}

/// A sum that needs `count` values at once besides two arrays of which `array` is the last vec4.
fn crowded(count: usize, array: usize) -> String {
    let mut text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..4095], ARRAY(1)\n\
         DCL TEMP[4096..{array}], ARRAY(2)\nDCL TEMP[{}..{}]\nDCL ADDR[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n\
         ARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\nMOV TEMP[ADDR[0].x+4096](2), IN[0]\n",
        array + 1,
        array + count
    );
    for n in array + 1..=array + count {
        let before = if n == array + 1 { "IN[0]".to_owned() } else { format!("TEMP[{}]", n - 1) };
        text += &format!("TEX TEMP[{n}], {before}, SAMP[0], 2D\n");
    }
    text += "ADD OUT[0], TEMP[ADDR[0].x](1), TEMP[ADDR[0].x+4096](2)\n";
    for n in array + 1..=array + count {
        text += &format!("MUL OUT[0], OUT[0], TEMP[{n}]\n");
    }
    text + "END\n"
}

pub(crate) fn values_that_do_not_fit(met: &mut Met) {
    let want = "the shader needs more than 8191 vec4 of scratch memory";
    met.refuses_text(Chip::Rv770, &crowded(160, 8190), want);
}

/// Attributes are in registers before anything can be spilled; arrays that find no room beside them go to memory.
pub(crate) fn attributes_that_fill_all_registers(met: &mut Met) {
    let mut text =
        "VERT\nDCL IN[0..121]\nDCL OUT[0], POSITION\nDCL TEMP[0..89], ARRAY(1)\nDCL ADDR[0]\n\
                    ARL ADDR[0].xy, IN[0].xyyy\nMOV TEMP[ADDR[0].x](1), IN[0]\n\
                    MOV OUT[0], TEMP[ADDR[0].y](1)\n"
            .to_owned();
    for n in 0..122 {
        text += &format!("MUL OUT[0], OUT[0], IN[{n}]\n");
    }
    met.takes(Chip::Rv770, &(text + "END\n"));
}
