//! Shaders at random survive every form of streams that can hold them.

use proptest::prelude::*;
use tgsi_binary::{decode, encode, fuzzing};
use tgsi_ir::Dialect;
use tgsi_ir::testing::shaders;

proptest! {
    #[test]
    fn generated_shaders_survive_words(
        (dialect, shader) in proptest::sample::select(Dialect::ALL.to_vec())
            .prop_flat_map(|dialect| (Just(dialect), shaders(dialect)))
    ) {
        for format in fuzzing::formats().filter(|format| format.dialect == dialect) {
            let words = encode(&shader, format)?;
            let decoded = decode(&words, format)?;
            prop_assert!(decoded.reserved.is_empty());
            prop_assert_eq!(&decoded.shader, &shader);
            prop_assert_eq!(decoded.to_words()?, words);
        }
    }

    #[test]
    fn changed_words_are_errors_or_round_trip(
        shader in shaders(Dialect::Y2021),
        at in any::<proptest::sample::Index>(),
        bits: u32,
    ) {
        let mut words = encode(&shader, Dialect::Y2021)?;
        let at = at.index(words.len());
        words[at] ^= bits;
        prop_assert_eq!(fuzzing::find_fault(&words), None);
    }
}
