//! Parts of a program know the TGSI instruction that they come from.

use r600_codegen::{Compiled, OptLevel, Options, compile};
use r600_isa::Chip;
use tgsi_ir::InstructionId;
use tgsi_ir::validate::Place;

const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL CONST[0][0]
DCL TEMP[0], LOCAL
TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D
DP3 TEMP[0].w, TEMP[0], CONST[0][0]
MUL OUT[0], TEMP[0], TEMP[0].wwww
END
";

fn compiled(text: &str, chip: Chip, level: OptLevel) -> Compiled {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    compile(&parsed.shader, chip, &Options::default().level(level)).unwrap()
}

/// The listing, each line with the numbers of its instructions before it.
fn annotated(compiled: &Compiled) -> String {
    let text = compiled.program.to_string();
    let places = compiled.program.listing_places();
    assert_eq!(text.lines().count(), places.len());
    let lines = text.lines().zip(places).map(|(line, place)| {
        let ids: Vec<_> =
            compiled.origins.at(place).iter().map(|id| id.index().to_string()).collect();
        format!("{:6}| {}\n", ids.join(" "), line.trim_end())
    });
    lines.collect()
}

#[test]
fn lines_of_the_listing_know_their_instructions() {
    let got = annotated(&compiled(SHADER, Chip::Rv770, OptLevel::O2));
    let of = |word: &str| -> Vec<&str> {
        let lines = got.lines().filter(|line| line.contains(word));
        lines.filter_map(|line| Some(line.split_once('|')?.0.trim())).collect()
    };
    assert_eq!(of("SAMPLE"), ["0"], "{got}");
    assert_eq!(of("DOT4"), ["1"; 4], "{got}");
    assert_eq!(of("EXP_DONE"), ["2"], "{got}");
    assert_eq!(of("ALU:"), ["1 2"], "{got}");
    assert_eq!(of("END_OF_PROGRAM"), [""], "{got}");
}

#[test]
fn unoptimised_code_is_linked_as_well() {
    for chip in [Chip::Rv610, Chip::Cedar, Chip::Cayman] {
        let compiled = compiled(SHADER, chip, OptLevel::O0);
        let places = compiled.program.listing_places().into_iter();
        let mut found: Vec<_> = places.flat_map(|place| compiled.origins.at(place)).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.iter().map(|id| id.index()).collect::<Vec<_>>(), [0, 1, 2]);
    }
}

#[test]
fn copies_of_a_loop_body_keep_their_instructions() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..1], LOCAL
IMM[0] INT32 {0, 1, 3, 0}
MOV TEMP[0], IN[0]
MOV TEMP[1].x, IMM[0].xxxx
BGNLOOP
ISGE TEMP[1].y, TEMP[1].xxxx, IMM[0].zzzz
UIF TEMP[1].yyyy
BRK
ENDIF
MUL TEMP[0], TEMP[0], TEMP[0]
UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy
ENDLOOP
MOV OUT[0], TEMP[0]
END
";
    let got = annotated(&compiled(text, Chip::Rv770, OptLevel::O2));
    let products: Vec<&str> = got.lines().filter(|line| line.contains("MUL")).collect();
    assert_eq!(products.len(), 12, "{got}");
    assert!(products.iter().all(|line| line.starts_with("7 ")), "{got}");
}

/// Legacy constructs become several instructions, of which the caller knows nothing.
#[test]
fn legacy_constructs_keep_the_numbers_of_the_shader_that_was_given() {
    let text = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..1]
XPD TEMP[0], IN[0], IN[0].yzxw
RCP TEMP[1], IN[0].xxxx
MUL OUT[0], TEMP[1], TEMP[0]
END
";
    for level in [OptLevel::O0, OptLevel::O2] {
        let got = annotated(&compiled(text, Chip::Rv770, level));
        let line = |word: &str| got.lines().find(|line| line.contains(word)).unwrap_or_default();
        assert!(line("RECIP").starts_with('1'), "{got}");
        assert!(line("EXP_DONE").starts_with('2'), "{got}");
        assert!(line("ALU:").starts_with("0 1 2 "), "{got}");
    }
    let refused = |text: &str| {
        let parsed = tgsi_text::parse(text);
        let refused = compile(&parsed.shader, Chip::Rv770, &Options::default()).unwrap_err();
        (refused.place(), refused.complaint())
    };
    let at = |n| Some(Place::Instruction(InstructionId(n)));
    let (place, complaint) =
        refused(&text.replace("MUL OUT[0], TEMP[1]", "FMA OUT[0], IN[0], TEMP[1]"));
    assert_eq!(place, at(2));
    assert_eq!(complaint, "FMA: this chip has no fused multiply-add; use MAD");
    let (place, complaint) = refused(&text.replace("TEMP[1], TEMP[0]", "TEMP[1], TEMPX[0][0]"));
    assert_eq!((place, complaint.as_str()), (at(2), "`TEMPX` has no counterpart here"));
}
