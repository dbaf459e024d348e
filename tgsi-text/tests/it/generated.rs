//! Shaders at random survive being printed and read back, in every dialect.

use proptest::prelude::*;
use tgsi_ir::Dialect;
use tgsi_ir::testing::shaders;
use tgsi_text::{Style, parse, print};

proptest! {
    #[test]
    fn generated_shaders_survive_text(
        shader in proptest::sample::select(Dialect::ALL.to_vec()).prop_flat_map(shaders)
    ) {
        let text = print(&shader, Style::Lossless);
        let parsed = parse(&text);
        prop_assert_eq!(parsed.diagnostics, [], "{}", text);
        prop_assert_eq!(parsed.shader, shader, "{}", text);
    }
}
