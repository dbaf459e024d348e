//! Texts with small changes are read, printed and formatted like any other.

use proptest::prelude::*;
use tgsi_ir::Dialect;
use tgsi_ir::testing::shaders;
use tgsi_text::{Style, fuzzing, print};

/// Pieces that texts are made of.
const PIECES: [&str; 20] = [
    "",
    " ",
    "\n",
    ",",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ".",
    "..",
    "-",
    "0x",
    "99999999999",
    "nan",
    "/*",
    "#",
    "COLOR",
    "\u{e9}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts_are_errors_or_round_trip(
        shader in shaders(Dialect::Y2021),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0..8usize, 0..PIECES.len()), 0..4),
    ) {
        let mut text = print(&shader, Style::Lossless);
        for (at, removed, piece) in changes {
            let mut start = at.index(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + removed).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, PIECES[piece]);
        }
        prop_assert_eq!(fuzzing::find_fault(&text), None, "{}", text);
    }
}
