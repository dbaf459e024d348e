//! What stands where two readings are possible, or where a text is very long.

use tgsi_ir::{Declaration, Interpolation, Semantic};
use tgsi_text::{Language, ParseOptions, Style, parse, parse_with, print};

fn declaration(text: &str) -> Declaration {
    let parsed = parse(&format!("FRAG\nDCL {text}\n"));
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader.declarations[0].clone()
}

/// `COLOR` is a semantic and a interpolation mode; files without semantics have the second.
#[test]
fn color_is_an_interpolation_where_no_semantic_can_stand() {
    for file in ["BUFFER[0]", "MEMORY[0]", "IMAGE[0], 2D", "SVIEW[0], 2D, FLOAT"] {
        let read = declaration(&format!("{file}, COLOR"));
        assert_eq!(read.semantic, None, "{file}");
        assert_eq!(read.interp.map(|interp| interp.mode), Some(Interpolation::Color), "{file}");
    }
    let read = declaration("IN[0], COLOR");
    assert_eq!(read.semantic.map(|semantic| semantic.name), Some(Semantic::Color));
    // What only a token stream can say comes back.
    let read = declaration("BUFFER[0], SEMANTIC(1)");
    assert_eq!(read.semantic.map(|semantic| semantic.name), Some(Semantic::Color));
    let mut shader = parse("FRAG\nDCL BUFFER[0], SEMANTIC(1), COLOR\n").shader;
    shader.order.clear();
    assert_eq!(print(&shader, Style::Lossless), "FRAG\nDCL BUFFER[0], SEMANTIC(1), COLOR\n");
}

/// Mesa looks for no semantic after a blank behind an array's number.
#[test]
fn a_blank_before_the_comma_takes_the_semantic_away_in_mesas_language() {
    let read = |attributes: &str, language: Language| {
        let text = format!("FRAG\nDCL OUT[0], {attributes}\nEND\n");
        let parsed = parse_with(&text, language);
        assert_eq!(parsed.diagnostics, [], "{attributes}");
        let read = parsed.shader.declarations[0].clone();
        (read.semantic.map(|semantic| semantic.name), read.interp.map(|interp| interp.mode))
    };
    let semantic = (Some(Semantic::Color), None);
    let interpolation = (None, Some(Interpolation::Color));
    assert_eq!(read("ARRAY(1), COLOR", Language::Mesa), semantic);
    assert_eq!(read("ARRAY(1) , COLOR", Language::Mesa), interpolation);
    assert_eq!(read("ARRAY(1) , COLOR, CENTROID", Language::Mesa), interpolation);
    assert_eq!(read("ARRAY(1) , COLOR", Language::Extended), semantic);
}

#[test]
fn large_doubles_are_short_and_come_back() {
    let text = "FRAG\nIMM[0] FLT64 {1e+300, -1e-300}\nIMM[1] FLT64 {1e15, inf}\n";
    let shader = parse(text).shader;
    let printed = print(&shader, Style::Lossless);
    assert_eq!(
        printed,
        "FRAG\nIMM[0] FLT64 {1e300, -1e-300}\nIMM[1] FLT64 {1000000000000000.00000000,        inf}\n"
    );
    assert_eq!(parse(&printed).shader, shader);
    // Mesa writes all digits, and reads them: a number is no word, whose length has a limit.
    let mesa = print(&shader, Style::Mesa);
    for language in [Language::Extended, Language::Mesa] {
        let read = parse_with(&mesa, ParseOptions::default().language(language));
        assert_eq!(read.diagnostics, [], "{language:?}");
        assert_eq!(read.shader.immediates[0].words[..2], shader.immediates[0].words[..2]);
    }
}

/// As in C's library, which Mesa reads them with.
#[test]
fn exponents_of_doubles_may_have_any_number_of_digits() {
    let text = "VERT\nIMM FLT64 {0x1p99999999999999999999, 0x1p-99999999999999999999}\nEND\n";
    for language in [Language::Extended, Language::Mesa] {
        let parsed = parse_with(text, language);
        assert_eq!(parsed.diagnostics, [], "{language:?}");
        assert_eq!(parsed.shader.immediates[0].words[..], [0, 0x7ff0_0000, 0, 0], "{language:?}");
    }
}

/// Old views have one return type or four; what stands after one may be something else.
#[test]
fn old_views_have_one_return_type_or_four() {
    let options = ParseOptions::from(tgsi_ir::Dialect::Y2012);
    let read = |types: &str| parse_with(&format!("FRAG\nDCL SVIEW[0], 2D, {types}\n"), options);
    for (types, is_good) in [
        ("UNORM", true),
        ("UNORM, INVARIANT", true),
        ("UNORM, SNORM, SINT, UINT", true),
        ("UNORM, SNORM, TYPE(5), UNKNOWN, INVARIANT", true),
        ("UNORM, SNORM", false),
        ("UNORM, SNORM, SINT, INVARIANT", false),
    ] {
        let parsed = read(types);
        assert_eq!(!parsed.has_errors(), is_good, "{types}: {:?}", parsed.diagnostics);
        let is_invariant = parsed.shader.declarations.first().is_some_and(|one| one.invariant);
        assert_eq!(is_invariant, is_good && types.ends_with("INVARIANT"), "{types}");
    }
}

/// With a carriage return alone, a comment went on to the end of the text.
#[test]
fn comments_and_mistakes_end_with_any_line() {
    let good = "# dialect: 21.2|FRAG ; of fragments||DCL OUT[0], COLOR // one|MOV OUT[0], OUT[0] # two||END|";
    let bad = "FRAG|DCL OUT[0], COLOR|MVO OUT[0]|MUV OUT[0]|END|";
    let formatted = |text: &str| tgsi_text::format(text, ParseOptions::default(), Style::Lossless);
    for end in ["\n", "\r\n", "\r"] {
        let text = good.replace('|', end);
        let parsed = parse(&text);
        assert_eq!(parsed.diagnostics, [], "{end:?}");
        assert_eq!(parsed.shader.instructions.len(), 2, "{end:?}");
        assert_eq!(formatted(&text), formatted(&good.replace('|', "\n")), "{end:?}");
        assert_eq!(parse(&bad.replace('|', end)).diagnostics.len(), 2, "{end:?}");
    }
}

/// Places count from the beginning of the text, mark and all, which Mesa does not know.
#[test]
fn a_byte_order_mark_is_no_part_of_the_shader() {
    let text = "\u{feff}# dialect: 2012\nFRAG\nMVO\nEND\n";
    let parsed = parse(text);
    assert_eq!(parsed.dialect, tgsi_ir::Dialect::Y2012);
    assert_eq!(parsed.diagnostics.len(), 1, "{:?}", parsed.diagnostics);
    assert_eq!(text.get(parsed.diagnostics[0].primary.span.range()), Some("MVO"));
    let good = "FRAG\nEND\n";
    let marked = format!("\u{feff}{good}");
    assert_eq!(parse(&marked).shader, parse(good).shader);
    let formatted = |text: &str| tgsi_text::format(text, ParseOptions::default(), Style::Lossless);
    assert_eq!(formatted(&marked), formatted(good));
    assert!(parse_with(&marked, Language::Mesa).has_errors());
}
