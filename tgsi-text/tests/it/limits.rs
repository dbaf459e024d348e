//! Texts that are larger than they may be.

use tgsi_ir::limits::{Limit, Limits};
use tgsi_text::{Code, ParseOptions, parse, parse_with};

const TEXT: &str = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL OUT[0], COLOR\nDCL TEMP[0..9]\n\
                    IMM[0] FLT32 { 1, 2, 3, 4 }\nMOV OUT[0], IMM[0]\nEND\n";

const EXACT: Limits = Limits {
    tokens: 0,
    instructions: 2,
    declarations: 2,
    immediates: 1,
    properties: 1,
    registers: 11,
    // FS_COLOR0_WRITES_ALL_CBUFS
    word: 26,
};

fn within(limits: Limits) -> ParseOptions {
    ParseOptions::default().limits(limits)
}

#[test]
fn each_limit_holds_where_it_is_and_one_below() {
    assert_eq!(parse_with(TEXT, within(EXACT)).diagnostics, []);
    let tighter = [
        (Limit::Instructions, Limits { instructions: 1, ..EXACT }, "END"),
        (Limit::Declarations, Limits { declarations: 1, ..EXACT }, "DCL TEMP[0..9]"),
        (Limit::Immediates, Limits { immediates: 0, ..EXACT }, "IMM[0] FLT32 { 1, 2, 3, 4 }"),
        (
            Limit::Properties,
            Limits { properties: 0, ..EXACT },
            "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1",
        ),
        (Limit::Registers, Limits { registers: 10, ..EXACT }, "DCL TEMP[0..9]"),
        (Limit::Word, Limits { word: 25, ..EXACT }, "FS_COLOR0_WRITES_ALL_CBUFS 1"),
    ];
    for (limit, limits, place) in tighter {
        let parsed = parse_with(TEXT, within(limits));
        assert_eq!(parsed.diagnostics.len(), 1, "{:?}", parsed.diagnostics);
        let diagnostic = &parsed.diagnostics[0];
        assert_eq!(diagnostic.code, Code::Limit);
        assert_eq!(&TEXT[diagnostic.primary.span.range()], place);
        let help = diagnostic.help.as_deref().unwrap_or_default();
        assert!(help.contains(&format!("--max-{}", limit.name())), "{help}");
    }
}

#[test]
fn a_word_of_a_megabyte_is_one_mistake_and_is_not_repeated() {
    let text = format!("FRAG\n{}\nMOV\nMOV\n", "A".repeat(1 << 20));
    let parsed = parse(&text);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].message, "there are more than 255 letters in a word");
}

#[test]
fn a_text_of_nothing_but_mistakes_still_says_where_it_was_left() {
    let text = format!("FRAG\n{}{}\n", "FOO\n".repeat(2000), "A".repeat(300));
    let parsed = parse(&text);
    assert_eq!(parsed.diagnostics.len(), 1000);
    assert_eq!(parsed.diagnostics[999].code, Code::Limit);
}
