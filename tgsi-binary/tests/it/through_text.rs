//! Whatever a stream can say, the lossless text says as well.

use proptest::prelude::*;
use tgsi_binary::{decode, encode};
use tgsi_ir::testing::shaders;
use tgsi_ir::{Dialect, Shader};
use tgsi_text::{ParseOptions, PrintOptions, Severity, Style, parse_with, print};

/// Prints `shader` without loss and reads it again.
fn check(shader: &Shader, dialect: Dialect) -> Result<(), TestCaseError> {
    let text = print(shader, PrintOptions::default().style(Style::Lossless).dialect(dialect));
    let parsed = parse_with(&text, ParseOptions::from(dialect));
    let error = parsed.diagnostics.iter().find(|one| one.severity() == Severity::Error);
    prop_assert_eq!(error, None, "{}", text);
    prop_assert_eq!(&parsed.shader, shader, "{}", text);
    prop_assert_eq!(encode(&parsed.shader, dialect)?, encode(shader, dialect)?);
    Ok(())
}

/// Words that often are a stream: kinds of items and counts are kept small.
fn streams() -> impl Strategy<Value = Vec<u32>> {
    let word = prop_oneof![
        any::<u32>().prop_map(|word| word & !0xC),
        any::<u32>().prop_map(|word| word & 0x3FF),
        (0..118u32, 0..4u32, 0..4u32)
            .prop_map(|(op, dst, src)| 2 | op << 12 | dst << 21 | src << 23),
        Just(0),
    ];
    (proptest::collection::vec(word, 1..24), 0..7u32).prop_map(|(body, stage)| {
        let mut words = vec![2 | (body.len() as u32) << 8, stage];
        words.extend(body);
        words
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_stream_that_can_be_read_survives_text(
        words in streams(),
        dialect in proptest::sample::select(Dialect::ALL.to_vec()),
    ) {
        if let Ok(decoded) = decode(&words, dialect) {
            check(&decoded.shader, dialect)?;
        }
    }
}

proptest! {
    #[test]
    fn generated_shaders_survive_text_and_words(
        (dialect, shader) in proptest::sample::select(Dialect::ALL.to_vec())
            .prop_flat_map(|dialect| (Just(dialect), shaders(dialect)))
    ) {
        check(&shader, dialect)?;
        prop_assert_eq!(decode(&encode(&shader, dialect)?, dialect)?.shader, shader);
    }
}

/// `BRA` has a source or none in the old layouts, and a source may begin with a modifier.
#[test]
fn a_source_that_need_not_be_there_may_begin_with_a_modifier() {
    for (modifiers, dialect) in ["", "-", "|"]
        .into_iter()
        .flat_map(|modifier| [Dialect::Y2010, Dialect::Y2012].map(|dialect| (modifier, dialect)))
    {
        let close = if modifiers == "|" { "|" } else { "" };
        let text =
            format!("FRAG\nDCL TEMP[0]\n  0: BRA {modifiers}TEMP[0].xyzw{close}\n  1: END\n");
        let parsed = parse_with(&text, ParseOptions::from(dialect));
        assert_eq!(parsed.diagnostics, [], "{text}");
        assert_eq!(parsed.shader.instructions[0].src.len(), 1, "{text}");
        check(&parsed.shader, dialect).unwrap();
    }
}
